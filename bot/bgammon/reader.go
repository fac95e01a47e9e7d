package bgammon

import (
	"slices"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// reader turns the server's lines into events and keeps what their meaning depends
// on: who we are playing, and the board before.
type reader struct {
	events []protocol.Event
	last   wire.Board // the last board
	line   string     // its line
	// opponent is the opponent of the match that was reported to the bot, or "".
	opponent string
	away     bool           // the opponent's seat is empty
	bye      bool           // we log out; our seat is kept
	over     bool           // the end of the match was reported
	matches  int            // begun or resumed
	number   int            // the server's number of our match
	highest  int            // the highest known number of a match
	shown    protocol.Event // the last reported board
	// people means that the open matches of people are reported too.
	people bool
	// listed are the players of full matches in the last list.
	listed  map[string]bool
	watched spectating
	// live means that all lines of the connection are read; a journal has no rolls.
	live bool
	// turn and dice are the player on turn and the roll, as far as boards and rolls show them.
	turn int
	dice board.Dice
	// moved means that hops were reported since the last board, doubted that boards were
	// dropped as old. With trust the next board counts whatever it shows: it was asked for.
	moved, doubted, trust bool
	// before are our rating and the opponent's before the match, or 0; gain is what the winner
	// of the last game got, which the server sends when the match is decided.
	before [2]int
	gain   int
}

// FromServer implements protocol.Reader.
func (r *reader) FromServer(raw string) []protocol.Event {
	r.events = r.events[:0]
	switch e := wire.Parse(raw).(type) {
	case wire.List:
		r.list(&e)
		if r.people {
			r.busy(&e)
		}
	case wire.Board:
		r.board(&e, raw)
	case wire.Win:
		r.win(&e, raw)
	case wire.Refusal:
		r.refused(&e, raw)
	case wire.Left:
		if r.watched.player != "" || r.watched.parting {
			r.stood(e.Player)
		} else {
			r.left(e.Player)
		}
	case wire.Joined:
		if r.highest = max(r.highest, e.Game); e.Number == 1 {
			r.number = e.Game
		}
		if e.Player == r.opponent && r.opponent != "" {
			r.away = false
			r.add(protocol.Event{Kind: protocol.OpponentBack, Raw: raw, Name: e.Player})
		}
	case wire.Rolled:
		r.rolled(&e)
	case wire.Moved:
		r.moved = true
	case wire.Notice:
		if r.opponent != "" && e.MayLeave() {
			r.add(protocol.Event{Kind: protocol.MayLeave, Raw: raw, Name: r.opponent})
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

// FromUs implements protocol.Reader.
func (*reader) FromUs(raw string) (protocol.Command, bool) { return sent(raw) }

func (r *reader) add(e protocol.Event) { r.events = append(r.events, e) }

// user reports a player, whose experience the server does not tell.
func (r *reader) user(u protocol.User) {
	u.Experience = -1
	r.add(protocol.Event{Kind: protocol.UserInfo, Name: u.Name, User: &u})
}

// name returns a player of the match as events name it.
func (r *reader) name(s sheet.Side) string {
	switch {
	case s == sheet.Us && r.last.Spectating:
		return r.last.Own.Name
	case s == sheet.Us:
		return protocol.You
	}
	return r.last.Opponent.Name
}

// board reports a board, by whole turns.
func (r *reader) board(b *wire.Board, raw string) {
	if r.watched.foreign(b) {
		r.strays(b, raw)
		return
	}
	if raw == r.line {
		r.trust = false
		return // some servers send it twice
	}
	if r.live && !r.trust && r.old(b) {
		r.doubted = true
		return
	}
	r.last, r.line = *b, raw
	r.moved, r.doubted, r.trust = false, false, false
	r.turn, r.dice = b.Turn, diceOf(b)
	if b.Spectating {
		r.spectate(b, raw)
		return
	}
	if r.watched.player != "" || r.watched.parting { // the seat was free
		r.watched.seated = !r.watched.parting
		return
	}
	if !b.Full() {
		if r.opponent == "" || r.over {
			r.empty(b, raw)
			return
		}
		b.Opponent.Name, r.last.Opponent.Name = r.opponent, r.opponent // the seat is kept
	}
	switch {
	case b.MatchOver() && r.opponent != b.Opponent.Name:
		if r.over {
			return // we have left it: nothing begins
		}
		r.opponent, r.before, r.gain = b.Opponent.Name, [2]int{}, 0 // it ended in our absence
	case r.opponent != b.Opponent.Name, r.over && !b.MatchOver():
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
		// The last play of a game: no board follows that it could be read from. Until the server
		// says what the game has brought, no board is to be played from.
		r.shown = protocol.Event{}
		r.lastPlay(b, raw)
	case len(b.Hops) > 0:
		// In the middle of a turn, or at its end before ok: the next board counts. Only after a
		// return the begin of the turn matters.
		if before, ok := undone(b); ok && r.shown.Board == nil {
			if v, ok := boardOf(&before); ok {
				r.show(v, raw)
			}
		}
	default:
		again := r.shown.Board != nil // the first board of a match asks by itself
		r.show(v, raw)
		switch {
		case b.Turn != wire.TurnNobody:
		case b.Die1 != 0:
			r.add(protocol.Event{Kind: protocol.WaitJoin})
		case again:
			r.add(protocol.Event{Kind: protocol.JoinNext})
		}
	}
}

// lastPlay reports the play that ends a game.
func (r *reader) lastPlay(b *wire.Board, raw string) {
	side := sideOf(b.Turn)
	r.add(protocol.Event{Kind: protocol.Moves, Raw: raw, Keep: true, Name: r.name(side), Other: b.Opponent.Name,
		Steps: stepsOf(b.Hops, side == sheet.Them)})
}

// old reports whether b shows a state before the last board or roll: the server sends some
// boards late. A turn has boards without dice, a roll, and boards with these dice; the last of
// them leaves no hop and has the position of the next turn.
func (r *reader) old(b *wire.Board) bool {
	fresh := b.Own.Points+b.Opponent.Points == 0 && b.Turn == wire.TurnNobody
	switch {
	case b.Spectating || b.MatchOver() || r.opponent == "":
		return false
	case r.over:
		return !fresh // else a rematch
	case b.Own.Points < r.last.Own.Points || b.Opponent.Points < r.last.Opponent.Points:
		return true
	case b.Winner != 0:
		return false
	case r.last.Winner != 0: // the next game has another score
		return b.Own.Points == r.last.Own.Points && b.Opponent.Points == r.last.Opponent.Points
	case r.turn == wire.TurnNobody:
		return false
	case b.Turn == wire.TurnNobody:
		return b.Opponent.Name == r.opponent || !b.Full()
	case b.Die1 > 0 && b.Die2 > 0:
		return b.Turn != r.turn || diceOf(b).Sorted() != r.dice.Sorted()
	}
	if (b.Turn == r.turn) == r.dice.Valid() {
		return true
	}
	if r.moved {
		return false // without a board: the server plays forced moves by itself
	}
	return b.Checkers != r.last.Checkers || r.dice.Valid() && (!diceOf(&r.last).Valid() || len(r.last.Available) > 0)
}

// rolled reads a roll.
func (r *reader) rolled(e *wire.Rolled) {
	switch {
	case r.last.Turn == wire.TurnNobody:
		r.last.Die1, r.last.Die2 = e.Die1, e.Die2
	case e.Die1 > 0 && e.Die2 > 0:
		r.turn, r.dice = wire.TurnTheirs, board.Dice{A: uint8(e.Die1), B: uint8(e.Die2)}
		if e.Player == r.last.Own.Name {
			r.turn = wire.TurnOwn
		}
	}
}

// hasRolled reports whether we have already rolled in this turn, or at the opening.
func (r *reader) hasRolled() bool {
	if r.last.Turn == wire.TurnNobody {
		return r.last.Die1 > 0
	}
	return r.turn == wire.TurnOwn && r.dice.Valid()
}

// allows reports whether m is a whole legal play of the turn that was shown last.
func (r *reader) allows(m wire.Move) bool {
	v := r.shown.Board
	if v == nil || v.Turn != sheet.Us || !v.Dice.Valid() {
		return false
	}
	p, ok := sheet.PlaySteps(v.Position, stepsOf(m, false))
	return ok && slices.ContainsFunc(board.AppendPlays(nil, v.Position, v.Dice), func(q board.Play) bool { return q.Result == p.Result })
}

// show reports a board at the beginning of a turn, before its roll, or between games.
func (r *reader) show(v sheet.Board, raw string) {
	r.shown = protocol.Event{Kind: protocol.BoardLine, Raw: raw, Keep: true, Other: v.Opponent, Board: &v}
	r.add(r.shown)
}

// undone returns a board before the hops of its turn. ok is false if one of the hops may have
// hit.
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

// begins reports the begin or the resumption of a match.
func (r *reader) begins(b *wire.Board) {
	r.opponent, r.away, r.over, r.shown = b.Opponent.Name, false, false, protocol.Event{}
	r.matches++
	r.before, r.gain = [2]int{b.Own.Rating, b.Opponent.Rating}, 0
	r.user(protocol.User{Name: b.Opponent.Name, Opponent: b.Own.Name, Rating: float64(b.Opponent.Rating)})
	if b.Own.Rating > 0 {
		r.user(protocol.User{Name: b.Own.Name, Opponent: b.Opponent.Name, Rating: float64(b.Own.Rating)})
	}
	e := protocol.Event{Kind: protocol.MatchBegins, Name: b.Opponent.Name, Length: b.Points, Match: r.number}
	if b.Started != 0 || b.Own.Points+b.Opponent.Points > 0 {
		e.Kind, e.Length = protocol.MatchResumes, -1
	}
	r.add(e)
}

// left reports a player who stood up or lost the connection, which look the same. If we did,
// we have no match any more.
func (r *reader) left(name string) {
	switch {
	case name != "" && name == r.last.Own.Name && r.bye:
	case name != "" && name == r.last.Own.Name:
		r.opponent, r.away, r.shown = "", false, protocol.Event{}
		r.add(protocol.Event{Kind: protocol.NoMatch})
	case name != "" && name == r.opponent:
		r.away = true
		r.add(protocol.Event{Kind: protocol.OpponentGone, Name: name})
	}
}

// empty reads a board without an opponent: of an open match, or of one that we returned to
// while the opponent is away.
func (r *reader) empty(b *wire.Board, raw string) {
	r.opponent, r.shown = "", protocol.Event{}
	if b.Started != 0 && !b.MatchOver() {
		r.away = true
		r.add(protocol.Event{Kind: protocol.OpponentGone, Raw: raw, Match: r.number})
	}
}

// win reports the end of a game.
func (r *reader) win(e *wire.Win, raw string) {
	r.turn, r.dice, r.gain = wire.TurnNobody, board.Dice{}, e.Rating
	if seen := r.last.Spectating; !seen && (r.opponent == "" || r.over) || seen && r.watched.over {
		return
	}
	winner := sheet.Them
	if e.Player != "" && e.Player != r.last.Opponent.Name {
		winner = sheet.Us
	}
	out := protocol.Event{Kind: protocol.GameOver, Raw: raw, Keep: true, Name: r.name(winner), Other: r.name(winner.Other()), Points: e.Points}
	if out.Points == 0 {
		out.Points = r.worth(winner)
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

// worth returns the points of the winner of the last board, if the server does not send them.
func (r *reader) worth(winner sheet.Side) int {
	v, ok := boardOf(&r.last)
	if !ok {
		return 1
	}
	p := v.Position
	if winner == sheet.Them {
		p = p.Swap()
	}
	return max(1, v.Cube) * match.DropByPosition.Level(&p.Opp)
}

// finish reports the end of the match.
func (r *reader) finish(b *wire.Board, raw string) {
	r.over, r.shown = true, protocol.Event{}
	r.add(r.matchOver(b, raw))
	gain := r.gain
	if b.Opponent.Points > b.Own.Points {
		gain = -gain
	}
	r.rated(b.Own, r.before[0], gain)
	r.rated(b.Opponent, r.before[1], -gain)
}

// matchOver is the end of a match.
func (r *reader) matchOver(b *wire.Board, raw string) protocol.Event {
	winner := sheet.Us
	score := [2]int{b.Own.Points, b.Opponent.Points}
	if score[1] > score[0] {
		winner, score = sheet.Them, [2]int{score[1], score[0]}
	}
	return protocol.Event{Kind: protocol.MatchOver, Raw: raw, Keep: true, Name: r.name(winner), Other: r.name(winner.Other()), Score: score, Match: r.number}
}

// rated reports a player's rating after the match. After a pass or a resignation the board
// still has the old rating.
func (r *reader) rated(s wire.Seat, before, gain int) {
	if before == 0 {
		return
	}
	after := before + gain
	if s.Rating != 0 && s.Rating != before {
		after = s.Rating
	}
	r.user(protocol.User{Name: s.Name, Rating: float64(after)})
}

// refused reports a command that did nothing.
func (r *reader) refused(e *wire.Refusal, raw string) {
	out := protocol.Event{Kind: protocol.Other, Raw: raw, Text: e.Command + ": " + e.Reason}
	switch e.Command {
	case "move":
		out.Kind, out.Keep = protocol.PlayRefused, true
	case "roll":
		out.Kind = protocol.Refused
		if r.last.Turn == wire.TurnNobody {
			out.Kind = protocol.AlreadyDone // our die of the opening is rolled
		}
	case "ok":
		if ours(&r.last) {
			out.Kind, out.Keep = protocol.PlayRefused, true // a legal hop is left
		}
	case "leave":
		r.watched.parting = false
	case "create", "join":
		if r.watched.player != "" && !r.watched.sure {
			r.add(r.watched.refused(e.Reason))
			return
		}
		out.Kind = protocol.InviteFailed
	}
	r.add(out)
}

// maxBots bounds the bots that one list reports.
const maxBots = 100

// list reports bots, and to a person people, that have an open match and can be joined. The list does not hold the
// creator of a match, but the usual title does.
func (r *reader) list(e *wire.List) {
	for _, g := range e.Games {
		r.highest = max(r.highest, g.ID)
		name, usual := ownerOf(g.Name)
		if usual && g.Players == 1 && !g.Password && (r.people || wire.CheckBotName(name) == nil) && len(r.events) < maxBots {
			r.user(protocol.User{Name: name, Ready: true, Rating: float64(g.Rating)})
		}
	}
}
