package watch

import (
	"fmt"
	"slices"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// collect brings into the record what the sheet has learned from one line.
// before is what stood on the table before that line.
func (o *Observer) collect(before *sheet.Snapshot) {
	if o.rec.Length < 0 && o.sheet.Length >= 0 {
		o.rec.Length = o.sheet.Length
		o.rec.Rules = rulesOf(o.sheet.Length)
	}
	given := o.sheet.Begun() - len(o.sheet.Games)
	up := given > o.given
	if o.given = given; o.open && (up || o.game >= len(o.sheet.Games)) {
		// The sheet gave the running game up, for another one perhaps.
		o.comment("The end of this game was not seen.")
		o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
		o.open, o.act = false, 0
	}
	for o.game < len(o.sheet.Games) {
		g := &o.sheet.Games[o.game]
		if !o.open {
			o.openGame(g)
			// Nothing of this game stood there before the line.
			*before = o.sheet.Snapshot()
			if !g.Torn {
				before.Position, before.Cube, before.Owner = board.Start, max(1, g.Cube), match.Centred
			}
		}
		o.acts(g, before)
		if !g.Finished() {
			return
		}
		o.closeGame(g)
	}
}

func (o *Observer) openGame(g *sheet.Game) {
	o.rec.Games = append(o.rec.Games, g.Head(len(o.rec.Games)))
	o.open, o.act, o.offers = true, 0, false
	o.pos, o.cube, o.owner, o.onRoll = board.Start, max(1, g.Cube), match.Centred, sheet.Nobody
	o.doubler, o.beavers = sheet.Nobody, 0
}

// acts enters what is complete: a roll waits for its play.
func (o *Observer) acts(g *sheet.Game, before *sheet.Snapshot) {
	rg := &o.rec.Games[len(o.rec.Games)-1]
	rg.Crawford = g.Crawford
	if len(rg.Actions) == 0 && g.Cube > rg.Cube {
		rg.Cube, o.cube = g.Cube, g.Cube // automatic doubles
	}
	if o.act > len(g.Acts) {
		o.act = len(g.Acts)
	}
	for o.act < len(g.Acts) {
		a := &g.Acts[o.act]
		if a.Kind == sheet.ActRolled {
			switch rest := g.Acts[o.act+1:]; {
			case !onlyTalk(rest):
				// Its play was never seen.
			case !g.Finished():
				return
			default:
				o.expect(before, a.Side)
				o.enter(a)
			}
			o.act++
			continue
		}
		o.act++
		o.one(a, before)
	}
}

// onlyTalk tells whether acts are nothing but offers to resign and refusals.
func onlyTalk(acts []sheet.Act) bool {
	return !slices.ContainsFunc(acts, func(a sheet.Act) bool {
		return a.Kind != sheet.ActOffered && a.Kind != sheet.ActRefused
	})
}

func (o *Observer) one(a *sheet.Act, before *sheet.Snapshot) {
	if !o.known && a.Kind != sheet.ActPlayed {
		return // nobody knows in which position; the next board sets it up
	}
	switch a.Kind {
	case sheet.ActPlayed:
		if a.Play.N == 0 && canMove(before.Position, a) {
			// The server says that he cannot move, so this is not where the
			// checkers stand.
			o.comment(fmt.Sprintf("Something was missed after action %d.", len(o.rec.Games[len(o.rec.Games)-1].Actions)))
			o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
			o.onRoll, o.needBoard = a.Side.Other(), true
			return
		}
		opening := o.onRoll == sheet.Nobody && len(o.rec.Games[len(o.rec.Games)-1].Actions) == 0 && before.Position == board.Start
		o.expect(before, a.Side)
		d := o.decision(Move, a.Side)
		d.Situation.Dice, d.Play, d.Opening = a.Dice, a.Play, opening
		d.index = o.enter(a)
		o.pos = a.Play.Result
		if a.Side == sheet.Them {
			o.pos = o.pos.Swap()
		}
		o.onRoll = a.Side.Other()
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
		// What follows in the same line begins where the play ended.
		before.Position = o.pos
	case sheet.ActDoubled:
		if o.doubler == a.Side.Other() {
			o.beaver(a)
			// What the line before left pending is answered by this one.
			before.Cube, before.Owner = o.cube, o.owner
			return
		}
		o.expect(before, a.Side)
		d := o.decision(Double, a.Side)
		o.doubler, o.first, o.beavers = a.Side, a.Side, 0
		d.index = o.enter(a)
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	case sheet.ActTook, sheet.ActDropped:
		// The one on roll is who doubled first.
		first := o.first
		if o.doubler == sheet.Nobody {
			first = a.Side.Other() // the double was not seen
		}
		d := o.decision(Take, first)
		d.Player, d.Situation.Doubled, d.Beavers = int(a.Side), true, o.beavers
		if d.index = o.enter(a); a.Kind == sheet.ActDropped {
			d.Kind = Drop
			o.doubler, o.beavers = sheet.Nobody, 0
		} else {
			o.took(a.Side)
			before.Cube, before.Owner = o.cube, o.owner
		}
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	}
}

// canMove tells whether a dance contradicts the position, which is seen by the
// watched player.
func canMove(p board.Position, a *sheet.Act) bool {
	if a.Side == sheet.Them {
		p = p.Swap()
	}
	var buf [64]board.Play
	return len(board.AppendPlays(buf[:0], p, a.Dice)) > 0
}

// beaver enters that a side took the double and turned the cube back.
func (o *Observer) beaver(a *sheet.Act) {
	side := a.Side
	d := o.decision(Beaver, o.first)
	d.Player, d.Situation.Doubled, d.Beavers = int(side), true, o.beavers
	d.index = o.enter(a)
	o.cube *= 2
	o.owner, o.doubler = o.first.Other().Owner(), side
	o.beavers++
	o.tell(News{Kind: Decided, Game: d.game, Decision: d})
}

// took enters a take by side. The cube belongs to the one who was doubled
// first, also after beavers.
func (o *Observer) took(side sheet.Side) {
	if o.beavers == 0 {
		o.first = side.Other()
	}
	o.cube *= 2
	o.owner, o.doubler, o.beavers = o.first.Other().Owner(), sheet.Nobody, 0
}

// decision describes what stands on the table with side on roll.
func (o *Observer) decision(k Kind, side sheet.Side) Decision {
	game := len(o.rec.Games) - 1
	g := &o.rec.Games[game]
	s := match.Situation{
		Position: o.pos,
		State:    match.State{Length: o.rec.Length, Cube: o.cube, Owner: o.owner, Crawford: g.Crawford},
	}
	if o.rec.Length > 0 {
		s.State.Score = [2]int{g.Score[1], g.Score[0]}
	}
	if side == sheet.Them {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	return Decision{Kind: k, Number: game + 1, Player: int(side), Situation: s, match: o.rec, game: game, index: -1}
}

// expect makes the record agree with the table before side acts: where it does
// not, something was missed and the position is set up.
func (o *Observer) expect(before *sheet.Snapshot, side sheet.Side) {
	g := &o.rec.Games[len(o.rec.Games)-1]
	fresh := len(g.Actions) == 0
	if o.doubler != sheet.Nobody && o.first == side && before.Cube == 2*o.cube {
		// He rolled with the cube turned: the take itself was lost.
		taker := o.doubler.Other()
		o.took(taker)
		o.enter(&sheet.Act{Kind: sheet.ActTook, Side: taker})
	}
	same := o.doubler == sheet.Nobody && o.pos == before.Position && o.cube == max(1, before.Cube) && o.owner == before.Owner &&
		(o.onRoll == side || o.onRoll == sheet.Nobody)
	if same {
		o.onRoll = side
		return
	}
	if !fresh {
		o.comment(fmt.Sprintf("Something was missed after action %d.", len(g.Actions)))
		o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
	} else {
		o.comment("The beginning of this game was not seen.")
	}
	o.pos, o.onRoll, o.doubler, o.beavers = before.Position, side, sheet.Nobody, 0
	edits := sheet.SetUp(o.pos, side, before.Cube, before.Owner)
	if max(1, before.Cube) == o.cube && before.Owner == o.owner {
		edits = edits[:1] // the cube stands where it stood
	}
	o.cube, o.owner = max(1, before.Cube), before.Owner
	g.Actions = append(g.Actions, edits...)
}

// enter appends an act to the running game and returns its index.
func (o *Observer) enter(a *sheet.Act) int {
	g := &o.rec.Games[len(o.rec.Games)-1]
	if act, ok := a.Record(); ok {
		g.Actions = append(g.Actions, act)
	}
	return len(g.Actions) - 1
}

func (o *Observer) closeGame(g *sheet.Game) {
	rg := &o.rec.Games[len(o.rec.Games)-1]
	rg.Result = g.Result()
	if g.Torn && rg.Comment == "" {
		o.comment("Some lines of this game were not seen.")
	}
	// A resignation that was accepted is told by the result alone.
	if g.Resigned && o.offers {
		d := o.offered
		d.Kind, d.Player = AcceptResign, 1-d.Player
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	}
	o.tell(News{Kind: GameOver, Game: len(o.rec.Games) - 1})
	o.game++
	o.open, o.act, o.offers = false, 0, false
}

// resignation notes an offer to resign and its refusal. They are no actions of
// the record, but decisions all the same.
func (o *Observer) resignation(ev *protocol.Event, before *sheet.Snapshot) {
	if !o.open {
		return
	}
	switch ev.Kind {
	case protocol.OffersResign:
		side := sheet.Us
		switch ev.Name {
		case o.player:
		case o.sheet.Opponent:
			side = sheet.Them
		default:
			return
		}
		if _, known := o.sheet.Position(); !known || ev.Points <= 0 {
			return
		}
		sn := o.sheet.Snapshot()
		if sn.Position != o.pos {
			return
		}
		d := o.decision(Resign, side)
		d.Games = min(3, max(1, ev.Points/max(1, o.cube)))
		d.OnRoll = before.Turn == side
		d.Situation.Resigned = d.Games
		if d.OnRoll || before.Turn == side.Other() {
			d.Situation.Dice = before.Dice
		}
		if o.offers && o.offered.Player == d.Player && o.offered.Games == d.Games {
			return // told twice
		}
		o.offered, o.offers = d, true
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	case protocol.RefusesResign:
		if !o.offers {
			return
		}
		d := o.offered
		o.offers = false
		d.Kind, d.Player = RejectResign, 1-d.Player
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	}
}
