package terminal

import "fibsbot/cmd/fibsbot/internal/play"

// Faced is a match as the display shows it: two people at one terminal each play from the
// lower side of the board.
type Faced struct {
	play.View
	// Turned reports that "You" is the second person.
	Turned bool
}

// View is the match as it is shown.
func (t *Table) View() Faced {
	v := Faced{View: t.Match.View()}
	if v.Two && v.Result == nil && !v.Opening && v.Turn == play.Opponent {
		v.turn()
	}
	return v
}

// turn swaps the sides.
func (v *Faced) turn() {
	v.Turned = true
	v.Turn = 1 - v.Turn
	v.Score[0], v.Score[1] = v.Score[1], v.Score[0]
	v.Names[0], v.Names[1] = v.Names[1], v.Names[0]
	v.Board[0], v.Board[1] = v.Board[1], v.Board[0]
	v.Pips[0], v.Pips[1] = v.Pips[1], v.Pips[0]
	if v.Owner >= 0 {
		v.Owner = 1 - v.Owner
	}
	acts := make([]play.Entry, len(v.Acts))
	for i, e := range v.Acts {
		e.Side = 1 - e.Side
		acts[i] = e
	}
	v.Acts = acts
}

// own is the side whose colour a side has.
func (v *Faced) own(side int) int {
	if v.Turned {
		return 1 - side
	}
	return side
}
