package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Rules are properties of a server that decide what can have happened unseen.
type Rules struct {
	// Drops is the price of a pass.
	Drops match.DropRule
	// PlaysOn means that a match continues without a player whose connection is gone: his
	// last command counts, and the opponent may roll and play his own turn. The server
	// never forgets a roll.
	PlaysOn bool
}

// dropPrice returns what a pass costs side now.
func (s *Sheet) dropPrice(side Side) int {
	p := s.view(side)
	return max(1, s.now.Cube) * s.Rules.Drops.Level(&p.Me)
}

// canPlay reports whether Me has a legal play with d.
func canPlay(p board.Position, d board.Dice) bool {
	var buf [64]board.Play
	return len(board.AppendPlays(buf[:0], p, d)) > 0
}

// bothMayDance reports whether each side has a roll without a legal play in p. Then two
// turns may pass without a change of the board.
func bothMayDance(p board.Position) bool {
	return mayDance(p) && mayDance(p.Swap())
}

func mayDance(p board.Position) bool {
	for _, r := range board.Rolls {
		if !canPlay(p, r.Dice) {
			return true
		}
	}
	return false
}

// playThat returns a legal play of d in p whose result fits.
func playThat(p board.Position, d board.Dice, fits func(*board.Position) bool) (board.Play, bool) {
	var buf [64]board.Play
	for _, pl := range board.AppendPlays(buf[:0], p, d) {
		if fits(&pl.Result) {
			return pl, true
		}
	}
	return board.Play{}, false
}

// findPlay returns the legal play of d that leads from p to result, both from the mover's
// side.
func findPlay(p board.Position, d board.Dice, result board.Position) (board.Play, bool) {
	return playThat(p, d, func(q *board.Position) bool { return *q == result })
}

// lastPlay returns the play of d that bears off all of Me's remaining checkers.
func lastPlay(p board.Position, d board.Dice) (board.Play, bool) {
	return playThat(p, d, func(q *board.Position) bool { return q.Me.Count() == 0 })
}

// rollThat counts the rolls with a play that explains what was not seen, and returns one.
func rollThat(explains func(d board.Dice) (board.Play, bool)) (dice board.Dice, play board.Play, rolls int) {
	for _, r := range board.Rolls {
		if p, ok := explains(r.Dice); ok {
			dice, play = r.Dice, p
			rolls++
		}
	}
	return dice, play, rolls
}

// PlaySteps plays steps from p, hitting blots, and reports whether every step had a checker
// to move and a landing that is not blocked.
func PlaySteps(p board.Position, steps []board.Step) (board.Play, bool) {
	if len(steps) > 4 {
		return board.Play{}, false
	}
	pl := board.Play{Result: p}
	for _, st := range steps {
		if st.From < 0 || st.From > board.Bar || st.To >= board.Bar || pl.Result.Me[st.From] == 0 {
			return board.Play{}, false
		}
		pl.Result.Me[st.From]--
		if st.To >= 0 {
			switch opp := &pl.Result.Opp; {
			case opp[23-st.To] >= 2:
				return board.Play{}, false
			case opp[23-st.To] == 1:
				opp[23-st.To] = 0
				opp[board.Bar]++
			}
			pl.Result.Me[st.To]++
		}
		pl.Steps[pl.N] = st
		pl.N++
	}
	return pl, true
}
