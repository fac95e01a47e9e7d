package online

import (
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// viewOf is a match on a server as a match against the engine is shown. asked is what the person
// has to decide, or nil.
func viewOf(s *sheet.Sheet, me string, asked *table.Situation) play.View {
	sn := s.Snapshot()
	v := play.View{
		Phase: play.ToRoll, Turn: play.Opponent, Game: max(1, sn.Game), Length: max(0, s.Length), Names: [2]string{s.Opponent, me},
		Score: sn.Score, Crawford: sn.Crawford, Checkers: record.Backgammon.Checkers(), Cube: max(1, sn.Cube), Owner: ownerOf(sn.Owner),
		Board: [2]board.Checkers{sn.Position.Opp, sn.Position.Me}, Pips: [2]int{sn.Position.Opp.Pips(), sn.Position.Me.Pips()}, Acts: []play.Entry{},
	}
	for i := range v.Score { // points beyond the length do not count
		if s.Length > 0 {
			v.Score[i] = min(v.Score[i], s.Length)
		}
	}
	if sn.Turn != sheet.Nobody {
		v.Turn = int(sn.Turn)
	}
	if sn.Dice.Valid() {
		v.Phase, v.Dice = play.ToMove, []int{int(sn.Dice.A), int(sn.Dice.B)}
	}
	g := s.Last()
	switch {
	case s.Over:
		v.Phase = play.MatchOver
	case g == nil || g.Finished():
		v.Phase = play.GameOver
	case sn.Resigner != sheet.Nobody:
		v.Phase, v.Turn, v.Resign = play.ToAnswerResign, 1-int(sn.Resigner), min(3, max(1, sn.Offer/v.Cube))
	case sn.Doubler != sheet.Nobody:
		v.Phase, v.Turn, v.Offered = play.ToAnswer, 1-int(sn.Doubler), 2*v.Cube
	case asked != nil && asked.Ask == table.AskPlay:
		v.Moves, v.Easy = play.Steps(board.Rules{}, asked.Position, asked.Dice), play.EasyPlay(board.Rules{}, asked.Position, asked.Dice)
	case asked != nil:
		v.MayDouble = asked.MayDouble
	}
	if g != nil {
		v.Acts = entriesOf(g, v.Game-1)
		if g.Finished() {
			v.Result = resultOf(g)
		}
	}
	return v
}

// ownerOf is the side that holds the cube, as seen by the person.
func ownerOf(o match.Owner) int {
	switch o {
	case sheet.Us.Owner():
		return play.You
	case sheet.Them.Owner():
		return play.Opponent
	}
	return record.NoPlayer
}

// entriesOf is the acts of a game. A roll and its play are two.
func entriesOf(g *sheet.Game, number int) []play.Entry {
	out := []play.Entry{}
	add := func(a *sheet.Act, e play.Entry) {
		e.Side, e.Game, e.Number = int(a.Side), number, len(out)
		out = append(out, e)
	}
	for i := range g.Acts {
		a := &g.Acts[i]
		st := g.Before(i)
		e := play.Entry{Cube: st.Cube}
		switch a.Kind {
		case sheet.ActRolled, sheet.ActPlayed:
			e.Kind, e.Dice = play.Roll, [2]uint8{a.Dice.A, a.Dice.B}
			if i == 0 {
				e.Kind, e.Dice = play.Start, [2]uint8{max(a.Dice.A, a.Dice.B), min(a.Dice.A, a.Dice.B)}
			}
			add(a, e)
			if a.Kind == sheet.ActPlayed {
				p := st.Position
				if a.Side == sheet.Them {
					p = p.Swap()
				}
				m := play.Entry{Act: play.Act{Kind: play.Move, Play: board.FormatPlay(p, a.Play)}, Cube: st.Cube, Before: p.ID(), Rolled: e.Dice}
				for _, s := range a.Play.Steps[:a.Play.N] {
					m.Steps = append(m.Steps, [2]int{int(s.From) + 1, int(s.To) + 1})
				}
				add(a, m)
			}
		case sheet.ActDoubled:
			e.Kind, e.Cube = play.Double, 2*st.Cube
			add(a, e)
		case sheet.ActTook:
			e.Kind = play.Take
			add(a, e)
		case sheet.ActDropped:
			e.Kind = play.Drop
			add(a, e)
		case sheet.ActOffered:
			e.Kind, e.Level = play.Resign, min(3, max(1, a.Games))
			add(a, e)
		case sheet.ActRefused:
			e.Kind = play.Reject
			add(a, e)
		}
	}
	return out
}

// resultOf is the end of a game.
func resultOf(g *sheet.Game) *play.Result {
	r := &play.Result{Winner: max(0, int(g.Winner)), Points: g.Points, Level: 1, How: "off"}
	st := g.Before(len(g.Acts))
	switch n := len(g.Acts); {
	case g.Resigned:
		r.How = "resign"
	case n > 0 && g.Acts[n-1].Kind == sheet.ActDropped:
		r.How = "drop"
		return r
	}
	r.Level = min(3, max(1, g.Points/max(1, st.Cube)))
	return r
}
