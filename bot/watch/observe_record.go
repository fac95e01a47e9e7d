package watch

import (
	"fmt"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// collect adds to the record what the sheet has learned from one line.
func (o *observer) collect() {
	if o.rec.Length < 0 && o.sheet.Length >= 0 {
		o.rec.Length = o.sheet.Length
		o.rec.Rules = o.rulesOf(o.sheet.Length)
	}
	given := o.sheet.Begun() - len(o.sheet.Games)
	up := given > o.given
	if o.given = given; o.open && (up || o.game >= len(o.sheet.Games)) {
		o.giveUp() // the sheet has abandoned the game, too
	}
	for o.game < len(o.sheet.Games) {
		g := &o.sheet.Games[o.game]
		if !o.open {
			o.rec.Games = append(o.rec.Games, g.Head(len(o.rec.Games)))
			o.open, o.act, o.offers = true, 0, false
		}
		o.acts(g)
		switch {
		case g.Finished():
			o.closeGame(g)
		case o.game == len(o.sheet.Games)-1:
			return
		default:
			o.giveUp()
			o.game++
		}
	}
}

// giveUp closes the running game without an end.
func (o *observer) giveUp() {
	o.comment("The end of this game was not seen.")
	o.report(Report{Topic: Missed, Game: len(o.rec.Games) - 1})
	o.open, o.act = false, 0
}

// acts enters complete acts: a roll waits for its play, a board for the next act.
func (o *observer) acts(g *sheet.Game) {
	rg := o.running()
	rg.Crawford = g.InCrawford()
	o.rec.Rules.Crawford = o.rec.Rules.Crawford && rg.Crawford == g.Crawford
	if len(rg.Actions) == 0 && g.Cube > rg.Cube {
		rg.Cube = g.Cube // automatic doubles
	}
	o.act = min(o.act, len(g.Acts))
	for ; o.act < len(g.Acts); o.act++ {
		switch a := &g.Acts[o.act]; {
		case a.Loose: // its position is not known
		case a.Kind == sheet.ActRolled:
			switch rest := g.Acts[o.act+1:]; {
			case !sheet.OnlyOffers(rest): // its play was never seen
			case !g.Finished():
				return
			default:
				o.shown(g)
				o.enter(a)
			}
		case a.Kind == sheet.ActPlayed, a.Kind == sheet.ActDoubled, a.Kind == sheet.ActTook, a.Kind == sheet.ActDropped:
			o.shown(g)
			o.decided(g, a)
		}
	}
}

// decided enters an act and reports it as a decision.
func (o *observer) decided(g *sheet.Game, a *sheet.Act) {
	st := g.Before(o.act)
	var d Act
	switch a.Kind {
	case sheet.ActPlayed:
		d = o.decision(Move, a.Side, &st)
		d.Situation.Dice, d.Play = a.Dice, a.Play
		d.Opening = len(o.running().Actions) == 0 && st.Position == board.Start
	case sheet.ActDoubled:
		d = o.decision(Double, a.Side, &st)
		if st.Doubler != sheet.Nobody {
			// A beaver: the player who doubled first is on roll.
			d = o.decision(Beaver, st.First, &st)
			d.Player, d.Situation.Doubled, d.Beavers = int(a.Side), true, st.Beavers
		}
	case sheet.ActTook, sheet.ActDropped:
		first := st.First
		if st.Doubler == sheet.Nobody {
			first = a.Side.Other() // the double was not seen
		}
		d = o.decision(Take, first, &st)
		d.Player, d.Situation.Doubled, d.Beavers = int(a.Side), true, st.Beavers
		if a.Kind == sheet.ActDropped {
			d.Kind = Drop
		}
	}
	d.index = o.enter(a)
	o.decides(d)
}

// decision returns an Act in the given state with side on roll.
func (o *observer) decision(k Kind, side sheet.Side, st *sheet.Standing) Act {
	game := len(o.rec.Games) - 1
	g := &o.rec.Games[game]
	s := match.Situation{
		Position: st.Position,
		State:    match.State{Length: o.rec.Length, Drops: o.rules.Drops, Cube: st.Cube, Owner: st.Owner, Crawford: g.Crawford},
	}
	if o.rec.Length > 0 {
		s.State.Score = [2]int{g.Score[1], g.Score[0]}
	}
	if side == sheet.Them {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	return Act{Kind: k, Number: game + 1, Player: int(side), Situation: s, match: o.rec, game: game, index: -1}
}

// shown sets up the board before the sheet's next act, if there is one: acts were missed
// there.
func (o *observer) shown(g *sheet.Game) {
	n := o.act - 1
	for n >= 0 && (g.Acts[n].Loose || g.Acts[n].Kind == sheet.ActRolled) {
		n--
	}
	if n < 0 || g.Acts[n].Kind != sheet.ActShown {
		return
	}
	rg := o.running()
	if len(rg.Actions) > 0 {
		o.comment(fmt.Sprintf("Moves after action %d were not seen.", len(rg.Actions)))
		o.report(Report{Topic: Missed, Game: len(o.rec.Games) - 1})
	} else {
		o.comment("The beginning of this game was not seen.")
	}
	shown, before := &g.Acts[n], g.Before(n)
	edits := sheet.SetUp(*shown.Shown, g.Acts[o.act].Side, shown.Cube, shown.Owner)
	if max(1, shown.Cube) == before.Cube && shown.Owner == before.Owner {
		edits = edits[:1] // the cube has not changed
	}
	rg.Actions = append(rg.Actions, edits...)
}

// enter appends an act to the running game and returns its index.
func (o *observer) enter(a *sheet.Act) int {
	g := o.running()
	if act, ok := a.Record(); ok {
		g.Actions = append(g.Actions, act)
	}
	return len(g.Actions) - 1
}

// running returns the record's running game.
func (o *observer) running() *record.Game { return &o.rec.Games[len(o.rec.Games)-1] }

func (o *observer) closeGame(g *sheet.Game) {
	rg := o.running()
	rg.Result = g.Result()
	if g.Torn && rg.Comment == "" {
		o.comment("Some lines of this game were not seen.")
	}
	// Only the result shows that a resignation was accepted.
	if g.Resigned && o.offers {
		d := o.offered
		d.Kind, d.Player = AcceptResign, 1-d.Player
		o.decides(d)
	}
	o.report(Report{Topic: GameEnd, Game: len(o.rec.Games) - 1})
	o.game++
	o.open, o.act, o.offers = false, 0, false
}

// resignation records an offer to resign and its refusal. They are decisions, but not actions
// of the record.
func (o *observer) resignation(ev *protocol.Event) {
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
		g := o.sheet.Current()
		if _, known := o.sheet.Position(); g == nil || !known || ev.Points <= 0 {
			return
		}
		st := g.Before(len(g.Acts))
		d := o.decision(Resign, side, &st)
		d.Games = min(3, max(1, ev.Points/st.Cube))
		d.OnRoll = o.sheet.Turn() == side
		d.Situation.Resigned = d.Games
		d.Situation.Dice = o.sheet.Dice()
		if o.offers && o.offered.Player == d.Player && o.offered.Games == d.Games {
			return // a repeated line
		}
		o.offered, o.offers = d, true
		o.decides(d)
	case protocol.RefusesResign:
		if !o.offers {
			return
		}
		d := o.offered
		o.offers = false
		d.Kind, d.Player = RejectResign, 1-d.Player
		o.decides(d)
	}
}
