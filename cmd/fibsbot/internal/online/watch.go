package online

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/host"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/bot/watch/show"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/internal/sanitize"
)

const (
	// maxLine bounds the points of a line, maxErrors the errors listed, maxPlays the plays of
	// a decision.
	maxLine   = 1000
	maxErrors = 20
	maxPlays  = 5
	// watchedTag marks kept matches in the archive.
	watchedTag = "watched"
)

// spectator watches the matches of one player, while the account plays none. Its owner holds
// Room.mu.
type spectator struct {
	player  string
	watcher *watch.Watcher // nil until the account's goroutine has made it
	at      time.Time      // when it wants a step
	key     sheet.Key      // of the state shown
	match   *record.Match  // whose opinion the tallies are
	games   [][2]analyse.Sums
	shown   lobby.Watched
}

// Watch watches the matches of a player from now on.
func (r *Room) Watch(name string) error {
	if r.judge == nil {
		return errors.New("matches are watched in the room Online of fibsbot web, and with fibsbot watch")
	}
	if why := r.silent(); why != "" {
		return errors.New(why)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	u, known := r.users.User(name)
	switch {
	case !r.online:
		return person.ErrOffline
	case name == r.acc.Name || u.Opponent == r.acc.Name:
		return errors.New("your own match is not watched")
	case !known:
		return fmt.Errorf("%s is not on the server (who lists the players)", name)
	case u.Opponent == "" && r.acc.Protocol.Rules().Opens:
		return fmt.Errorf("%s plays no match that can be watched", name)
	}
	_, err := r.acc.Protocol.Encode(protocol.Watch{Name: name})
	if err == nil {
		_, deaf := r.acc.Protocol.Encode(protocol.Whisper{Text: "x"})
		s := &spectator{player: name, shown: lobby.Watched{Player: name, State: lobby.Waiting, Keep: true, Comments: watch.ChannelNone, Talks: deaf == nil}}
		if old := r.wanted; old != nil {
			s.shown.Keep, s.shown.Comments = old.shown.Keep, old.shown.Comments
		}
		r.wanted = s
		err = r.step()
	}
	return err
}

// Unwatch watches no one.
func (r *Room) Unwatch() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wanted = nil
	return r.step()
}

// Keep decides whether watched matches go into the archive.
func (r *Room) Keep(yes bool) error {
	return r.change(func(s *spectator) { s.shown.Keep = yes })
}

// Comment sets where fibsbot comments on watched matches: none, whisper or kibitz.
func (r *Room) Comment(channel string) error {
	return r.change(func(s *spectator) {
		s.shown.Comments = channel
		if s.watcher != nil {
			s.watcher.Configure(r.watchRules(s))
		}
	})
}

func (r *Room) change(f func(*spectator)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wanted == nil {
		return errors.New("no match is watched (watch NAME)")
	}
	f(r.wanted)
	r.touch()
	return nil
}

// Whisper says text to the spectators of the watched match.
func (r *Room) Whisper(text string) error {
	return r.acc.Send(protocol.Whisper{Text: r.acc.Protocol.Plain(text)})
}

// step makes the account call idle soon. The caller holds mu.
func (r *Room) step() error {
	r.touch()
	return r.acc.Do(func(*table.Table, time.Time) table.Due { return table.Due{} })
}

// watchRules are the keys under watch for a person.
func (r *Room) watchRules(s *spectator) config.Watch {
	c := config.Default().Watch
	c.Enabled, c.Players, c.Never, c.Archive, c.Channel = true, []string{s.player}, []string{r.acc.Name}, false, s.shown.Comments
	return c
}

// idle is the account's Idle: it watches while the account plays no match, and no evaluation goes
// on beside one.
func (r *Room) idle(t *table.Table, ev *protocol.Event, now time.Time) (send []protocol.Command, wake time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	opens := r.acc.Protocol.Rules().Opens // there an own match, even an open one, and a watched one exclude each other
	if t.Sheet() != nil || r.lock != "" || opens && r.watched != nil && !t.Free() {
		r.wanted = nil
	}
	if s := r.watched; s != nil && s != r.wanted {
		send = append(send, s.watcher.Pause(now)...)
		r.unwatch(now)
	}
	s := r.wanted
	if s == nil || s.watcher == nil && opens && !t.Free() {
		return send, wake
	}
	if s.watcher == nil {
		s.watcher, s.at, r.watched = r.newWatcher(s), now, s
	}
	if ev != nil {
		send = append(send, s.watcher.Event(*ev, now)...)
		s.heard(ev)
	}
	if !now.Before(s.at) {
		send = append(send, s.watcher.Step(now)...)
		s.at = s.watcher.Wake(now)
	}
	r.showWatched(s)
	return send, s.at
}

// newWatcher makes the Watcher of a spectator.
func (r *Room) newWatcher(s *spectator) *watch.Watcher {
	opt := watch.Options{
		Me: r.acc.Name, Server: r.acc.Server, Protocol: r.acc.Protocol, Lobby: r.users, Config: r.watchRules(s), Judge: r.judge,
		Settle: time.Millisecond, // a person asked for this player
		Report: func(n watch.Report) { r.seenOf(s, n) },
		Ready: func() {
			_ = r.acc.Do(func(*table.Table, time.Time) table.Due {
				r.mu.Lock()
				defer r.mu.Unlock()
				s.at = time.Time{}
				return table.Due{}
			})
		},
	}
	if list, err := host.OptOuts(r.acc.DB.Dir(), r.acc.Name, r.acc.Server); err == nil {
		opt.OptOuts = list
	} else {
		s.shown.Comments = watch.ChannelNone // comments could reach players who asked for silence
		opt.Config.Channel = watch.ChannelNone
		r.tell("No comments on watched matches: %v", err)
	}
	return watch.New(opt)
}

// leave ends what the room does when the account is offline for good.
func (r *Room) leave() {
	r.mu.Lock()
	r.unwatch(time.Now())
	r.mu.Unlock()
	r.keeping.Wait()
}

// unwatch ends watching on this connection. The caller holds mu.
func (r *Room) unwatch(now time.Time) {
	if s := r.watched; s != nil {
		r.watched = nil
		_ = s.watcher.Close(now)
		s.watcher = nil
	}
	r.touch()
}

// heard notes what the server refused.
func (s *spectator) heard(ev *protocol.Event) {
	switch ev.Kind {
	case protocol.WatchRefused, protocol.CannotWatch, protocol.TalkRefused:
		s.shown.Note = sanitize.Text(strings.TrimSpace(strings.TrimLeft(ev.Raw, "* ")))
	}
}

// showWatched updates the board and what the player does.
func (r *Room) showWatched(s *spectator) {
	sh := s.watcher.Sheet()
	if sh != nil && (s.shown.Match == nil || sh.Key() != s.key || sh.Over) {
		if s.shown.Match == nil || s.shown.Match.Result == nil || sh.Key() != s.key {
			v := viewOf(sh, s.player, nil)
			s.shown.Match, s.key = &v, sh.Key()
			r.touch()
		}
	}
	u, online := r.users.User(s.player)
	was := s.shown.State
	switch {
	case !online && !r.acc.Protocol.Rules().Opens: // those list matches, not players: absence says nothing
		s.shown.State = lobby.NotOnline
	case was == lobby.InPlay || was == lobby.Ended || was == lobby.Interrupted:
	case u.Opponent == "":
		s.shown.State = lobby.NotPlaying
	default:
		s.shown.State = lobby.Waiting
	}
	if s.shown.State != was {
		r.touch()
	}
}

// seenOf takes the news of a watcher.
func (r *Room) seenOf(s *spectator, n watch.Report) {
	w := &s.shown
	switch n.Topic {
	case watch.Began:
		w.State, w.Joined, w.Note, w.Kept = lobby.InPlay, n.Joined, "", ""
		w.Last, w.Errors, w.Line, w.Sides = nil, nil, nil, [2]lobby.Tally{}
		s.match, s.games = n.Match, nil
	case watch.Judged:
		if n.Match == s.match {
			s.judged(n.Judgement, n.Game)
		}
	case watch.Note:
		w.Note = sanitize.Text(n.Text)
	case watch.Said:
		r.tell("fibsbot says: %s", n.Text)
	case watch.MatchEnd, watch.BrokenOff:
		if n.Match == s.match && w.State == lobby.InPlay {
			if w.State = lobby.Ended; n.Topic == watch.BrokenOff {
				w.State = lobby.Interrupted
			}
		}
		if w.Keep && watch.WorthKeeping(n.Match) {
			r.keeping.Go(func() { r.keep(s, n.Match) })
		}
	}
	r.touch()
}

// keep puts a match that is over into the archive.
func (r *Room) keep(s *spectator, m *record.Match) {
	ctx := context.Background()
	_, err := r.acc.DB.Import(ctx, m, index.Meta{Account: m.Players[1].Name, Server: r.acc.Server, Tags: watchedTag})
	var row *index.Match
	if err == nil {
		row, err = r.acc.DB.Find(ctx, m)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		s.shown.Note = sanitize.Text(fmt.Sprintf("the match is not kept: %v", err))
		r.touch()
		return
	}
	if s.match == m {
		s.shown.Kept = row.ID
	}
	r.tell("Kept as %s: %s and %s.", row.ID, m.Players[1].Name, m.Players[0].Name)
}

// judged takes a judged decision of the match shown.
func (s *spectator) judged(v *watch.Judgement, game int) {
	w := &s.shown
	e := show.EntryOf(v)
	d := lobby.SeenDecision{
		Player: v.Player, Game: v.Number, Kind: e.Kind, Dice: e.Dice, Played: e.Played, Best: e.Best,
		Loss: e.Loss, Mark: e.Mark, CubeLoss: e.CubeLoss, CubeMark: e.CubeMark, Luck: e.Luck,
	}
	table := match.DefaultTable()
	value, ok := v.Standing(table)
	s.add(d, [2]record.Mark{v.Mark, v.CubeMark}, value, ok)
	if a := v.Analysis; a != nil {
		d.Plays = plays(v, a)
		if k := a.Played; k >= 0 && k < len(a.Candidates) {
			p := a.Candidates[k].Outcome.Probs
			if v.Player != int(sheet.Us) {
				p = [5]float64{1 - p[0], p[3], p[4], p[1], p[2]}
			}
			d.Chances = &p
		}
	}
	w.Last = &d
	s.tally(game, table)
}

// add adds a decision with its marks to the errors, and the value after it, if ok, to the line.
func (s *spectator) add(d lobby.SeenDecision, marks [2]record.Mark, value float64, ok bool) {
	w, grave := &s.shown, false
	for _, m := range marks {
		switch m {
		case record.Bad:
			w.Sides[d.Player].Errors++
		case record.VeryBad:
			w.Sides[d.Player].Blunders++
		}
		grave = grave || m >= record.Bad
	}
	if grave {
		w.Errors = append(w.Errors, d)
		w.Errors = w.Errors[max(0, len(w.Errors)-maxErrors):]
	}
	if ok {
		w.Line = append(w.Line, math.Round(value*1e4)/1e4)
		w.Line = w.Line[max(0, len(w.Line)-maxLine):]
	}
}

// plays are the best plays of a decision.
func plays(v *watch.Judgement, a *record.Analysis) (out []lobby.Ranked) {
	for i, c := range a.Candidates[:min(maxPlays, len(a.Candidates))] {
		equity := c.Outcome.Cubeful
		out = append(out, lobby.Ranked{Rank: i + 1, Move: board.FormatSteps(v.Situation.Position, c.Steps), Equity: equity, Diff: equity - a.Candidates[0].Outcome.Cubeful})
	}
	return out
}

// tally sums up the match after a decision in a game, counted from 0.
func (s *spectator) tally(game int, t *match.Table) {
	if game >= len(s.match.Games) {
		return
	}
	one := *s.match
	one.Games = slices.Clone(s.match.Games[game : game+1])
	for len(s.games) <= game {
		s.games = append(s.games, [2]analyse.Sums{})
	}
	s.games[game] = analyse.Summarise(&one, t, analyse.DefaultLimits).Players
	for p := range 2 {
		var all analyse.Sums
		for i := range s.games {
			all.Add(&s.games[i][p])
		}
		side := &s.shown.Sides[p]
		side.Decisions, side.Lost, side.PR, side.Luck = all.Counted, all.Error().EMG, nil, nil
		if pr := all.PR(); !math.IsNaN(pr) {
			side.PR = &pr
		}
		if all.LuckKnown() {
			side.Luck = &all.Luck.EMG
		}
	}
}

// state is what is shown. The caller holds Room.mu.
func (s *spectator) state() *lobby.Watched {
	w := s.shown
	w.Errors, w.Line = append([]lobby.SeenDecision{}, w.Errors...), append([]float64{}, w.Line...)
	return &w
}
