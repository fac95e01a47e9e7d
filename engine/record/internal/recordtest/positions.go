package recordtest

import (
	"math/rand/v2"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Diagram is a position that a game leads to, from the opening to the last checkers, with
// names, score, cube and perhaps dice. Nothing in it is odd.
func Diagram(r *rand.Rand) record.Diagram {
	for {
		if d := diagram(r); len(d.Odd()) == 0 {
			return d
		}
	}
}

func diagram(r *rand.Rand) record.Diagram {
	p := board.Start
	for range r.IntN(90) {
		d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		next := p
		if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
			next = plays[r.IntN(len(plays))].Result
		}
		if next.Result() != 0 {
			break
		}
		p = next.Swap()
	}
	d := record.Diagram{
		Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}}, Length: r.IntN(4) * 5, OnRoll: r.IntN(2), Cube: 1, Owner: record.NoPlayer,
	}
	d.Boards[d.OnRoll], d.Boards[1-d.OnRoll] = p.Me, p.Opp
	if r.IntN(2) == 0 {
		d.Cube, d.Owner = 2<<r.IntN(2), r.IntN(2)
	}
	if d.Length > 0 {
		d.Score = [2]int{r.IntN(d.Length - 1), r.IntN(d.Length - 1)}
		if d.Cube == 1 && r.IntN(3) == 0 {
			d.Score[r.IntN(2)], d.Crawford = d.Length-1, true
		}
	} else {
		d.Jacoby, d.Beavers = true, 3
	}
	if r.IntN(2) == 0 {
		d.Dice = board.Dice{A: 6, B: uint8(1 + r.IntN(6))}
	}
	return d
}
