package bearoff

import (
	"encoding/binary"
	"fmt"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// hyperRecord is the size of one pair in a hypergammon database: nine
// little-endian float32, the chances in the order of eval.Probs, then the money
// equities centred with the Jacoby rule, centred, owned, opponent owns, all for
// the player on roll who does not double now.
const hyperRecord = 36

const (
	hyperJacoby = 5 + iota
	hyperCentred
	hyperOwned
	hyperOppOwned
	hyperValues
)

// Hyper is a hypergammon database: every position of one to three checkers a
// side. It is safe for concurrent use.
type Hyper struct {
	checkers int
	n        uint32
	table    *section
	close    func() error
}

// HyperValue is what the database knows about a position: cubeless chances and
// the money equities, in units of the cube, of the player on roll who does not
// double now. Gammons count; with Jacoby only after a double.
type HyperValue struct {
	Probs                            eval.Probs
	Jacoby, Centred, Owned, OppOwned float64
}

// Cubeless returns the equity of the chances in points.
func (v *HyperValue) Cubeless() float64 {
	p := &v.Probs
	return 2*float64(p[eval.Win]) - 1 + float64(p[eval.WinGammon]) + float64(p[eval.WinBackgammon]) -
		float64(p[eval.LoseGammon]) - float64(p[eval.LoseBackgammon])
}

func checkHyper(checkers int) error {
	if checkers < 1 || checkers > 3 {
		return fmt.Errorf("hypergammon database of %d checkers: must be 1 to 3", checkers)
	}
	return nil
}

// Checkers returns the number of checkers each side has at the start.
func (h *Hyper) Checkers() int { return h.checkers }

// Close releases the file behind the database.
func (h *Hyper) Close() error {
	if h.close == nil {
		return nil
	}
	return h.close()
}

// Damaged reports whether a look-up has met damaged bytes since opening.
func (h *Hyper) Damaged() bool { return h.table.damaged() }

// Value returns the values of p. ok is false when p has too many checkers, is
// impossible, or lies where the file is damaged.
func (h *Hyper) Value(p *board.Position) (v HyperValue, ok bool) {
	if p.Me.Count() > h.checkers || p.Opp.Count() > h.checkers || p.Validate() != nil {
		return v, false
	}
	b := h.table.at((int64(Index(&p.Me, hyperPoints))*int64(h.n)+int64(Index(&p.Opp, hyperPoints)))*hyperRecord, hyperRecord)
	if b == nil {
		return v, false
	}
	f := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	for i := range v.Probs {
		v.Probs[i] = f(i)
	}
	v.Jacoby, v.Centred = float64(f(hyperJacoby)), float64(f(hyperCentred))
	v.Owned, v.OppOwned = float64(f(hyperOwned)), float64(f(hyperOppOwned))
	return v, true
}

// OpenHyper opens a hypergammon database file for look-ups.
func OpenHyper(path string) (*Hyper, error) {
	h, parts, closer, err := open(path, KindHyper, func(h *header) []int64 {
		if checkHyper(h.Checkers) != nil || h.Points != hyperPoints {
			return nil
		}
		n := int64(Size(hyperPoints, h.Checkers))
		return []int64{n * n * hyperRecord}
	})
	if err != nil {
		return nil, err
	}
	return &Hyper{checkers: h.Checkers, n: uint32(Size(hyperPoints, h.Checkers)), table: parts[0], close: closer}, nil
}

// hyperEpsilon is the change below which the iteration stops (GNU Backgammon
// manual, hypergammon).
const hyperEpsilon = 0.00001

// hyperRounds is about how many rounds so many checkers take; for progress only.
var hyperRounds = [...]uint64{1: 20, 2: 26, 3: 62}

// runs[s][m] is the sum of ranks[k][s] for k up to m.
var runs = func() (t [4][hyperPoints + 1]uint32) {
	for s := range t {
		for m := 1; m <= hyperPoints; m++ {
			t[s][m] = t[s][m-1] + ranks[m][s]
		}
	}
	return t
}()
