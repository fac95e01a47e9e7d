package bgammon

import (
	"strings"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/match"
)

// reader turns the server's lines into events and keeps what their meaning depends
// on: who we are playing, and the board before.
type reader struct {
	events []protocol.Event
	last   wire.Board // the last board
	line   string     // its line
	// opponent is with whom a match was announced to the bot, "" for none.
	opponent string
	over     bool           // the end of the match has been told
	matches  int            // begun or resumed
	shown    protocol.Event // the last board that was told as one
}

// Said implements protocol.Reader.
func (r *reader) Said(raw string) []protocol.Event {
	r.events = r.events[:0]
	switch e := wire.Parse(raw).(type) {
	case wire.List:
		r.list(&e)
	case wire.Board:
		r.board(&e, raw)
	case wire.Win:
		r.win(&e, raw)
	case wire.Refusal:
		r.refused(&e, raw)
	case wire.Left:
		r.left(e.Player)
	case wire.Joined:
		if e.Player == r.opponent && r.opponent != "" {
			r.add(protocol.Event{Kind: protocol.OpponentBack, Raw: raw, Name: e.Player})
		}
	case wire.Say:
		r.add(protocol.Event{Kind: protocol.Says, Raw: raw, Name: e.Player, Text: e.Text})
	case wire.Unknown:
		r.add(protocol.Event{Kind: protocol.Unknown, Raw: raw, Text: e.Problem})
	}
	if len(r.events) == 0 {
		r.add(protocol.Event{Kind: protocol.Other, Raw: raw})
	}
	return r.events
}

// Sent implements protocol.Reader.
func (*reader) Sent(raw string) (protocol.Command, bool) { return sent(raw) }

func (r *reader) add(e protocol.Event) { r.events = append(r.events, e) }

// name is a player of a match as the bot calls him.
func (r *reader) name(s sheet.Side) string {
	if s == sheet.Us {
		return protocol.You
	}
	return r.last.Opponent.Name
}

// board tells of a board what a whole turn has brought.
func (r *reader) board(b *wire.Board, raw string) {
	if raw == r.line {
		return // some servers say it twice
	}
	r.last, r.line = *b, raw
	if b.Spectating {
		return
	}
	if !b.Full() {
		r.empty()
		return
	}
	if r.opponent != b.Opponent.Name || r.over && !b.MatchOver() {
		r.begins(b)
	}
	v, ok := boardOf(b)
	switch {
	case r.over:
	case !ok:
		r.add(protocol.Event{Kind: protocol.BadBoard, Raw: raw, Keep: true})
	case b.MatchOver():
		r.finish(b, raw)
	case b.Winner != 0:
		// The last play of a game: no board follows that it could be read from.
		side := sideOf(b.Turn)
		r.add(protocol.Event{Kind: protocol.Moves, Raw: raw, Keep: true, Name: r.name(side), Other: b.Opponent.Name,
			Steps: stepsOf(b.Hops, side == sheet.Them)})
	case len(b.Hops) > 0:
		// In the middle of a turn, or at its end before ok: the next board tells. Only who
		// has just come back needs to know where the turn began.
		if before, ok := undone(b); ok && r.shown.Board == nil {
			if v, ok := boardOf(&before); ok {
				r.tell(v, raw)
			}
		}
	default:
		again := r.shown.Board != nil // the first board of a match asks by itself
		r.tell(v, raw)
		switch {
		case b.Turn != wire.TurnNobody:
		case b.Die1 != 0:
			r.add(protocol.Event{Kind: protocol.WaitJoin})
		case again:
			r.add(protocol.Event{Kind: protocol.JoinNext})
		}
	}
}

// tell tells of a board at the beginning of a turn, before its roll, or between games.
func (r *reader) tell(v sheet.Board, raw string) {
	r.shown = protocol.Event{Kind: protocol.BoardLine, Raw: raw, Keep: true, Other: v.Opponent, Board: &v}
	r.add(r.shown)
}

// undone is a board before the hops of the turn that is being played; ok is false when
// the board cannot tell whether one of them hit.
func undone(b *wire.Board) (before wire.Board, ok bool) {
	before = *b
	sign, hit := 1, wire.TheirBar
	if b.Turn == wire.TurnTheirs {
		sign, hit = -1, wire.OwnBar
	}
	for i := len(b.Hops) - 1; i >= 0; i-- {
		before.Checkers[b.Hops[i].To] -= sign
		before.Checkers[b.Hops[i].From] += sign
	}
	before.Hops = nil
	return before, b.Checkers[hit] == 0
}

// begins tells of a match with somebody who was not there before.
func (r *reader) begins(b *wire.Board) {
	r.opponent, r.over, r.shown = b.Opponent.Name, false, protocol.Event{}
	r.matches++
	user := &protocol.User{Name: b.Opponent.Name, Opponent: b.Own.Name, Rating: float64(b.Opponent.Rating), Experience: -1}
	r.add(protocol.Event{Kind: protocol.UserInfo, Name: user.Name, User: user})
	if b.Own.Rating > 0 {
		me := &protocol.User{Name: b.Own.Name, Opponent: b.Opponent.Name, Rating: float64(b.Own.Rating), Experience: -1}
		r.add(protocol.Event{Kind: protocol.UserInfo, Name: me.Name, User: me})
	}
	e := protocol.Event{Kind: protocol.MatchBegins, Name: b.Opponent.Name, Length: b.Points}
	if b.Started != 0 || b.Own.Points+b.Opponent.Points > 0 {
		e.Kind, e.Length = protocol.MatchResumes, -1
	}
	r.add(e)
}

// left tells who has stood up or whose line broke, which look the same. Of us it says that
// we sit nowhere any more.
func (r *reader) left(name string) {
	switch {
	case name != "" && name == r.last.Own.Name:
		r.opponent, r.shown = "", protocol.Event{}
		r.add(protocol.Event{Kind: protocol.NoMatch})
	case name != "" && name == r.opponent:
		r.add(protocol.Event{Kind: protocol.OpponentGone, Name: name})
	}
}

// empty tells that nobody sits opposite: the opponent has left for good.
func (r *reader) empty() {
	r.shown = protocol.Event{}
	if r.opponent != "" && !r.over {
		r.add(protocol.Event{Kind: protocol.NoMatch})
	}
	r.opponent = ""
}

// win tells how a game has ended.
func (r *reader) win(e *wire.Win, raw string) {
	if r.opponent == "" || r.over {
		return
	}
	winner := sheet.Them
	if e.Player != "" && e.Player != r.last.Opponent.Name {
		winner = sheet.Us
	}
	out := protocol.Event{Kind: protocol.GameOver, Raw: raw, Keep: true, Name: r.name(winner), Other: r.name(winner.Other()), Points: e.Points}
	if out.Points == 0 {
		out.Points = r.worth(winner, e.Resigned != "")
	}
	switch {
	case e.Resigned == "":
	case r.last.Offered && sideOf(r.last.Turn) == winner:
		out.How = sheet.ByDrop
	default:
		out.How = sheet.ByResignation
	}
	r.add(out)
}

// worth is what the game on the last board brings its winner, where the server does not
// say.
func (r *reader) worth(winner sheet.Side, gaveUp bool) int {
	v, ok := boardOf(&r.last)
	if !ok {
		return 1
	}
	p := v.Position
	if winner == sheet.Them {
		p = p.Swap()
	}
	if gaveUp {
		return max(1, v.Cube) * match.DropByPosition.Level(&p.Opp)
	}
	return max(1, v.Cube) * max(1, p.Result())
}

// finish tells of the end of the match.
func (r *reader) finish(b *wire.Board, raw string) {
	r.over, r.shown = true, protocol.Event{}
	winner := sheet.Us
	score := [2]int{b.Own.Points, b.Opponent.Points}
	if score[1] > score[0] {
		winner, score = sheet.Them, [2]int{score[1], score[0]}
	}
	r.add(protocol.Event{Kind: protocol.MatchOver, Raw: raw, Keep: true, Name: r.name(winner), Other: r.name(winner.Other()), Score: score})
}

// refused tells of a command that did nothing.
func (r *reader) refused(e *wire.Refusal, raw string) {
	out := protocol.Event{Kind: protocol.Other, Raw: raw, Text: e.Command + ": " + e.Reason}
	switch e.Command {
	case "move":
		out.Kind, out.Keep = protocol.PlayRefused, true
	case "roll":
		out.Kind = protocol.Refused
		if r.last.Turn == wire.TurnNobody {
			out.Kind = protocol.AlreadyDone // our die of the opening is thrown
		}
	case "create", "join":
		out.Kind = protocol.InviteFailed
	}
	r.add(out)
}

// maxBots bounds the bots that one list tells of.
const maxBots = 100

// list tells of bots that have a match open: they can be joined. The list does not say
// who has opened a match, but its usual title does.
func (r *reader) list(e *wire.List) {
	for _, g := range e.Games {
		name, usual := strings.CutSuffix(g.Name, "'s match")
		if usual && g.Players == 1 && !g.Password && wire.CheckBotName(name) == nil && len(r.events) < maxBots {
			r.add(protocol.Event{Kind: protocol.UserInfo, Name: name, User: &protocol.User{Name: name, Ready: true, Rating: float64(g.Rating), Experience: -1}})
		}
	}
}
