package host

import (
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/table"
	"fibsbot/config"
)

// endless measures how long one opponent has played an unlimited match, including broken
// connections and short breaks.
type endless struct {
	opponent    string
	games       int // finished
	since, seen time.Time
	last        bool // the bot leaves after the running game
}

// boundUnlimited sets whether the running game of an unlimited match is the table's last one.
func (s *seat) boundUnlimited(t *table.Table, due *table.Due, now time.Time) {
	sh, e := t.Sheet(), &s.sitter.endless
	for _, n := range due.Notes {
		if n.Kind == table.NoteOver && n.Opponent == e.opponent {
			e.games++
		}
	}
	if sh == nil {
		return
	}
	if sh.Length != 0 {
		*e = endless{}
		return
	}
	if e.opponent != sh.Opponent || now.Sub(e.seen) > courtesyQuiet {
		*e = endless{opponent: sh.Opponent, since: now}
	}
	e.seen = now
	c := s.h.opt.Config()
	games := e.games
	if sh.Filed < len(sh.Games) {
		games++ // the running one
	}
	e.last = c.Invitations.UnlimitedGames > 0 && games >= c.Invitations.UnlimitedGames ||
		c.Invitations.UnlimitedTime > 0 && now.Sub(e.since) >= c.Invitations.UnlimitedTime.Std()
	say := c.Manners.Unlimited
	if s.going() {
		say = c.Manners.Draining
	}
	t.LastGame(e.last || s.going(), s.brief(s.proto.Plain(config.Fill(say, s.values(sh.Opponent, now)))))
}

// filedApart indexes a file whose match continues, usually a game of an unlimited match, or
// has no known end.
func (s *seat) filedApart(f archive.Filed, now time.Time) {
	if f.Match == nil {
		return
	}
	them := f.Match.Players[0].Name
	meta := index.Meta{Account: s.name, Server: s.server, Finished: now.UTC()}
	if ch := s.chosen.Load(); ch != nil && ch.opponent == them {
		meta.Preset = ch.preset.Name
	}
	s.log.WithFields(logrus.Fields{"opponent": them, "length": f.Match.Length, "files": f.Files}).Info("game of an unlimited match filed")
	s.h.files.add(job{files: f.Files, match: f.Match, meta: meta, seat: s, them: them, apart: true})
}
