package record

import (
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// fewBehind is how many checkers a player who has begun to bear off may have outside his
// home board without a doubt: those that were hit since. Hypergammon has three in all.
const fewBehind = 5

// Odd lists, a line each, what a position has that hardly any game leads to, though it can
// be read: in a file it is a sign that a character was lost or changed.
func (d Diagram) Odd() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for i := range d.Boards {
		n, behind := d.Boards[i].Count(), 0
		for _, k := range d.Boards[i][6:] {
			behind += int(k)
		}
		if n < board.MaxCheckers && behind > fewBehind {
			add("one side has %d checkers, %d of them outside its home board: the others cannot well be borne off", n, behind)
		}
	}
	last := match.AtCrawford(d.Length, d.Score) || d.Length == 1
	switch {
	case d.Crawford && d.Length == 0:
		add("a Crawford game in money play")
	case d.Crawford && !last:
		add("a Crawford game at %d-%d in a match of %d points", d.Score[0], d.Score[1], d.Length)
	case d.Length > 0 && d.Cube > 2*d.Length: // some servers allow a double that cannot gain anything
		add("a cube of %d in a match of %d points", d.Cube, d.Length)
	case d.Cube == 1 && d.Owner != NoPlayer:
		add("a cube of 1 that is not in the middle")
	}
	return out
}
