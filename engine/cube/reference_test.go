package cube

import (
	"encoding/json"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/reference"
)

type refPly struct {
	Pr   [5]float32
	ND   float64 `json:"nd"`
	DT   float64 `json:"dt"`
	DP   float64 `json:"dp"`
	Opt  float64
	Code int
	MWC  []float64
}

type refRow struct {
	ID, Cls  string
	ML       int
	Score    [2]int
	Crawford int
	Cube     int
	Owner    int
	Jacoby   int
	Beavers  int
	P0       refPly `json:"p0"`
	P2       refPly `json:"p2"`
}

func (r *refRow) state() match.State {
	return match.State{
		Length: r.ML, Score: r.Score, Cube: r.Cube, Crawford: r.Crawford == 1,
		Owner:  map[int]match.Owner{-1: match.Centred, 0: match.Mine, 1: match.Theirs}[r.Owner],
		Jacoby: r.Jacoby == 1, Beavers: r.Beavers,
	}
}

func readCube(t *testing.T) []refRow {
	t.Helper()
	var rows []refRow
	sc := reference.Lines(t, "reference", "cube.jsonl")
	for sc.Scan() {
		var r refRow
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 1500 {
		t.Fatalf("only %d rows", len(rows))
	}
	return rows
}

// known are equities as the reference has them.
type known struct{ cubeless, owned, centred, theirs float32 }

func (k known) exact() Exact {
	return Exact{Probs: eval.Probs{eval.Win: (k.cubeless + 1) / 2}, Owned: k.owned, Centred: k.centred, Jacoby: k.centred, Theirs: k.theirs}
}

// exact holds the two-sided database's equities of the positions in cube.jsonl
// that are in it: cubeless, owned, centred, opponent's cube.
var exact = map[string]known{
	"PwAAgAcAAAAAAA": {1, 1, 1, 1},
	"HwAAwAMAAAAAAA": {1, 1, 1, 1},
	"AgAAiAAAAAAAAA": {0.05553, 0.05553, 0.05553, 0.05553},
	"AwAA+AAAAAAAAA": {-1, -1, -1, -1},
	"bAIAANoAAAAAAA": {-0.06581, 0.04881, -0.11971, -0.22411},
	"BwAAYAMAAAAAAA": {0.01311, 0.20855, 0.13832, -0.05708},
	"WAMAgNQAAAAAAA": {0.48763, 0.7308, 0.70636, 0.44909},
	"PQEAgFcAAAAAAA": {0.68725, 0.84558, 0.83777, 0.67849},
	"AQAAKAAAAAAAAA": {0.38888, 0.38888, 0.38888, 0.38888},
	"dAMAgD0AAAAAAA": {0.91556, 0.96747, 0.96747, 0.91543},
	"NwAAgC4AAAAAAA": {0.28164, 0.51888, 0.49636, 0.25911},
	"qAAAwAIAAAAAAA": {0.78573, 0.86981, 0.86835, 0.7767},
	"6gAAQAAAAAAAAA": {1, 1, 1, 1},
	"DwAA4AMAAAAAAA": {-0.49071, -0.49071, -0.72222, -0.72222},
}

var refActions = map[int]Action{
	0: DoubleTake, 1: DoublePass, 2: NoDoubleTake, 3: TooGoodTake, 4: TooGoodPass,
	5: DoubleBeaver, 6: NoDoubleBeaver, 7: DoubleTake, 8: DoublePass, 9: NoDoubleTake,
	10: TooGoodTake, 11: TooGoodPass, 12: NoDoubleBeaver, 13: NoDoubleTake, 14: NoDoubleTake,
	15: NoAction, 16: OptionalDoubleTake, 17: OptionalDoubleTake, 19: OptionalDoublePass, 20: OptionalDoublePass,
}

// ownFormula reports whether values at state s are not gnubg's: a cube that a player turns
// for nothing, and the centred cube under the Jacoby rule.
func ownFormula(l *Ladder, s match.State) bool {
	return free(l, s) || l.gammonless(Spot{Owner: s.Owner})
}

// free reports whether a player may turn the cube of state s, or of one doubling more, for
// nothing.
func free(l *Ladder, s match.State) bool {
	is := func(holder int, j uint8) bool { return l.useful[holder][j] && !l.useful[1-holder][j] }
	return s.Owner == match.Mine && is(0, 0) || s.Owner == match.Theirs && is(1, 0) || is(1, 1)
}

// TestStatic_nearsTwoPlies holds our own formulas against gnubg's searches of 2 plies, beside
// gnubg's static values, from the same static chances.
func TestStatic_nearsTwoPlies(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(l *Ladder, s match.State) bool
		part float64 // of gnubg's root mean square, at most
	}{
		"cubes turned for nothing": {func(l *Ladder, s match.State) bool { return s.Length > 0 && free(l, s) }, 0.4},
		"centred under Jacoby":     {func(l *Ladder, s match.State) bool { return l.gammonless(Spot{Owner: s.Owner}) }, 0.85},
	} {
		var ours, theirs float64
		n := 0
		for _, r := range readCube(t) {
			s := r.state()
			l, err := NewLadder(match.DefaultTable(), s)
			if err != nil {
				t.Fatal(err)
			}
			if r.Cls != "contact" && r.Cls != "crashed" || !l.MayDouble(Spot{Owner: s.Owner}) || !c.of(l, s) {
				continue
			}
			pr := eval.Probs(r.P0.Pr)
			var u [2]float64
			l.Values(&pr, GnubgEfficiency.Contact, []Spot{{Owner: s.Owner}, {Rung: 1, Owner: match.Theirs}}, u[:])
			d := Settle(match.DefaultTable(), s, l, &board.Start, pr, u[0], u[1])
			// Beyond a pass what is behind it does not matter.
			off := func(v, deep float64) float64 {
				v = max(-2, min(v, 1)) - max(-2, min(deep, 1))
				return v * v
			}
			ours += off(d.NoDouble, r.P2.ND)
			theirs += off(r.P0.ND, r.P2.ND)
			if s.Length > 0 {
				ours += off(d.DoubleTake, r.P2.DT)
				theirs += off(r.P0.DT, r.P2.DT)
			}
			n++
		}
		ours, theirs = math.Sqrt(ours/float64(n)), math.Sqrt(theirs/float64(n))
		t.Logf("%s: %d states, off by %.4f, gnubg's formula by %.4f", name, n, ours, theirs)
		if n < 30 || ours > c.part*theirs {
			t.Errorf("%s: %d states, off by %.4f, gnubg's formula by %.4f", name, n, ours, theirs)
		}
	}
}

// TestStatic_agreesWithGnubg feeds gnubg's own 0-ply probabilities through the
// formulas: equities within 0.001, actions the same except at a border.
func TestStatic_agreesWithGnubg(t *testing.T) {
	table := match.DefaultTable()
	rows := readCube(t)
	checked, actions := 0, 0
	for _, r := range rows {
		s := r.state()
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		e := GnubgEfficiency
		xND := map[string]float64{"contact": e.Contact, "crashed": e.Crashed, "bearoff1": e.OneSided, "race": e.Race(p.Me.Pips())}[r.Cls]
		xDT := xND
		if r.Cls == "bearoff2" {
			x, ok := exact[r.ID]
			if !ok {
				t.Fatalf("%s: no exact equities", r.ID)
			}
			known := x.exact()
			xND, xDT = known.Efficiency(s.Owner, e.TwoSided), known.Efficiency(match.Theirs, e.TwoSided)
		}
		l, err := NewLadder(table, s)
		if err != nil {
			t.Fatal(err)
		}
		pr := eval.Probs(r.P0.Pr)
		var nd, dt [1]float64
		l.Values(&pr, xND, []Spot{{Owner: s.Owner}}, nd[:])
		l.Values(&pr, xDT, []Spot{{Rung: 1, Owner: match.Theirs}}, dt[:])
		if r.Cls == "bearoff2" && s.Length == 0 {
			x := exact[r.ID].exact()
			nd[0], dt[0] = x.At(s.Owner), 2*x.At(match.Theirs)
		}
		d := Settle(table, s, l, &board.Start, pr, nd[0], dt[0])
		checked++
		diff := math.Abs(d.NoDouble - r.P0.ND)
		if d.Available() {
			diff = max(diff, math.Abs(d.DoubleTake-r.P0.DT), math.Abs(d.DoublePass-r.P0.DP))
		}
		if len(r.P0.MWC) == 3 {
			diff = max(diff, math.Abs(d.MWC[0]-r.P0.MWC[0]))
		}
		if diff > 0.001 && !ownFormula(l, s) {
			t.Errorf("%s %s %+v: nd %.6f dt %.6f dp %.6f, want %.6f %.6f %.6f", r.ID, r.Cls, s,
				d.NoDouble, d.DoubleTake, d.DoublePass, r.P0.ND, r.P0.DT, r.P0.DP)
		}
		want, known := refActions[r.P0.Code]
		if !known {
			t.Fatalf("code %d unknown", r.P0.Code)
		}
		border := min(math.Abs(r.P0.ND-r.P0.DT), math.Abs(r.P0.ND-r.P0.DP), math.Abs(r.P0.DT-r.P0.DP))
		if s.Beavers > 0 {
			border = min(border, math.Abs(r.P0.DT))
		}
		if r.Crawford == 1 {
			want = NoAction // gnubg says "never double, take"
		}
		if want != NoAction && border < 0.002 && !d.Dead || ownFormula(l, s) {
			continue
		}
		actions++
		if d.Action != want {
			t.Errorf("%s %+v: %v, want %v (code %d; %.4f %.4f %.4f)", r.ID, s, d.Action, want, r.P0.Code, d.NoDouble, d.DoubleTake, d.DoublePass)
		}
	}
	t.Logf("%d states, %d actions equal", checked, actions)
	if checked != len(rows) || actions < 1000 {
		t.Errorf("%d states checked of %d", checked, len(rows))
	}
}
