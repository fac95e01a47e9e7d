package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Standing is the state of a game as far as its acts show it.
type Standing struct {
	Position board.Position // Us is Me
	Turn     Side           // who rolls or decides; Nobody before the opening roll
	Cube     int            // at least 1
	Owner    match.Owner    // as seen by Us
	// Doubler is the side whose double is unanswered, or Nobody. First is the side that doubled
	// before the Beavers, the immediate redoubles; it is set while Doubler is.
	Doubler, First Side
	Beavers        int
}

// start returns the state at the start of a game.
func start(cube int) Standing {
	return Standing{Position: board.Start, Turn: Nobody, Cube: cube, Owner: match.Centred, Doubler: Nobody, First: Nobody}
}

// Before returns the state before act n of the game; n may be the number of acts. Loose acts
// between a hole and the next board are skipped.
func (g *Game) Before(n int) Standing {
	st := start(max(1, g.Cube))
	for i := range g.Acts[:n] {
		st.follow(&g.Acts[i])
	}
	return st
}

// showed reports whether v was the state at any time of the game. All games start alike, so
// at the start the opening roll decides.
func (g *Game) showed(v Board) bool {
	st := g.Before(0)
	for i := range g.Acts {
		turn := st.Turn
		if a := &g.Acts[i]; turn == Nobody && a.Dice.Sorted() == v.Dice.Sorted() {
			turn = a.Side
		}
		if st.stands(v, turn) {
			return true
		}
		st.follow(&g.Acts[i])
	}
	return st.stands(v, st.Turn)
}

// stands reports whether v shows this state with turn to act.
func (st *Standing) stands(v Board, turn Side) bool {
	return st.Position == v.Position && st.Cube == max(1, v.Cube) && st.Owner == v.Owner && st.Doubler == v.Doubler &&
		(v.Doubler != Nobody || v.Turn == Nobody && turn != Nobody || v.Turn == turn)
}

// follow changes st to the state after an act of the sheet.
func (st *Standing) follow(a *Act) {
	if !a.Loose {
		st.act(a)
	}
}

// act changes st to the state after a.
func (st *Standing) act(a *Act) {
	switch a.Kind {
	case ActRolled:
		st.Turn = a.Side
	case ActPlayed:
		st.Position, st.Turn = a.Play.Result, a.Side.Other()
		if a.Side == Them {
			st.Position = st.Position.Swap()
		}
	case ActDoubled:
		if st.Doubler == a.Side.Other() && st.Doubler != Nobody {
			// A beaver is a take and a double of the new cube; the turn stays.
			st.Cube *= 2
			st.Owner, st.Doubler = st.First.Other().Owner(), a.Side
			st.Beavers++
			return
		}
		st.Doubler, st.First, st.Turn, st.Beavers = a.Side, a.Side, a.Side, 0
	case ActTook:
		if st.Doubler == Nobody {
			st.First = a.Side.Other() // the double is loose
		}
		st.Cube *= 2
		st.Owner, st.Turn = st.First.Other().Owner(), st.First
		st.Doubler, st.Beavers = Nobody, 0
	case ActShown:
		st.Position, st.Turn, st.Cube, st.Owner = *a.Shown, a.Side, max(1, a.Cube), a.Owner
		st.Doubler, st.Beavers = Nobody, 0
	}
}
