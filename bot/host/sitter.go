package host

import (
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/table"
	"fibsbot/config"
)

// sitter remembers the match at the board and those just ended.
type sitter struct {
	here    bool // the opponent was at the board on this connection
	idle    idleWatch
	filings []waitingJob
	after   [2]float64            // ratings of opponent and account since the end of the match at the board, 0 if none came
	unfiled map[string]index.Meta // matches without files, by opponent
	began   map[string]time.Time  // matches of this process, by opponent
	endless endless
}

func newSitter() sitter {
	return sitter{unfiled: map[string]index.Meta{}, began: map[string]time.Time{}}
}

// begins records when a match began.
func (s *sitter) begins(opponent string, now time.Time) {
	if len(s.began) >= maxRecall {
		clear(s.began)
	}
	s.began[opponent] = now
}

// rated records the rating of a who line for the matches that wait for ratings, and for the
// match with opponent, if not "", whose end is being checked. ours reports whether the line
// is the account's own.
func (s *sitter) rated(name string, ours bool, rating float64, opponent string) {
	switch {
	case opponent == "":
	case ours:
		s.after[1] = rating
	case name == opponent:
		s.after[0] = rating
	}
	for i := range s.filings {
		f := &s.filings[i]
		switch {
		case name == f.job.them:
			f.job.meta.RatingAfter[0], f.seen[0] = rating, true
		case ours:
			f.job.meta.RatingAfter[1], f.seen[1] = rating, true
		}
	}
}

// ready removes and returns the matches whose ratings have come or are late, or with all
// every match. wake is when the next one is late.
func (s *sitter) ready(all bool, now time.Time) (list []waitingJob, wake time.Time) {
	kept := s.filings[:0]
	for _, f := range s.filings {
		if all || f.seen == [2]bool{true, true} || !now.Before(f.till) {
			list = append(list, f)
			continue
		}
		if wake.IsZero() || f.till.Before(wake) {
			wake = f.till
		}
		kept = append(kept, f)
	}
	s.filings = kept
	return list, wake
}

// leaves records a match whose files are still to be written.
func (s *sitter) leaves(opponent string, meta index.Meta) {
	if len(s.unfiled) < maxRecall {
		s.unfiled[opponent] = meta
	}
}

// found removes and returns what leaves has recorded.
func (s *sitter) found(opponent string) (meta index.Meta, ok bool) {
	meta, ok = s.unfiled[opponent]
	delete(s.unfiled, opponent)
	return meta, ok
}

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
