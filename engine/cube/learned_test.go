package cube

import (
	"errors"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

func TestParseEfficiencyNet(t *testing.T) {
	n := UsualEfficiencyNet()
	again, err := ParseEfficiencyNet(n.Append(nil))
	if err != nil || *again != *n {
		t.Errorf("the net does not read back: %v", err)
	}
	bad := *n
	bad.B2[0] = float32(math.NaN())
	for _, b := range [][]byte{nil, n.Append(nil)[1:], bad.Append(nil)} {
		if _, err := ParseEfficiencyNet(b); !errors.Is(err, ErrEfficiencyNet) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

func TestEfficiencyNet_of(t *testing.T) {
	money, err := NewLadder(nil, match.Money(false, 0))
	if err != nil {
		t.Fatal(err)
	}
	pr := eval.Probs{0.55, 0.15, 0.01, 0.12, 0.01}
	race := board.Position{Me: board.Checkers{5: 8, 7: 7}, Opp: board.Checkers{5: 8, 8: 7}}
	n := UsualEfficiencyNet()
	if x := n.Of(money, &race, &pr, Spot{}, 0.7); x != 0.7 {
		t.Errorf("a race has %v", x)
	}
	owned, theirs := n.Of(money, &board.Start, &pr, Spot{Owner: match.Mine}, 0.68), n.Of(money, &board.Start, &pr, Spot{Owner: match.Theirs}, 0.68)
	if owned == theirs || !(owned > 0.2 && owned < 1.2 && theirs > 0.2 && theirs < 1.2) {
		t.Errorf("x is %v with my cube, %v with the other's", owned, theirs)
	}
	// Under the Jacoby rule the centred cube is worth a single game at most.
	jacoby, err := NewLadder(nil, match.Money(true, 0))
	if err != nil {
		t.Fatal(err)
	}
	var value [1]float64
	for i := range 101 {
		w := float32(i) / 100
		pr := eval.Probs{w, 0.9 * w, 0, 0.9 * (1 - w), 0}
		jacoby.Values(&pr, n.Of(jacoby, &board.Start, &pr, Spot{}, 0.68), []Spot{{}}, value[:])
		if math.Abs(value[0]) > 1+1e-9 {
			t.Errorf("win chance %.2f: %.4f", w, value[0])
		}
	}
	// Every input is finite in the worst case.
	for _, pr := range []eval.Probs{{}, {1, 1, 1, 0, 0}, {0, 0, 0, 1, 1}} {
		for _, st := range []match.State{match.Money(true, 0), {Length: 7, Score: [2]int{6, 0}, Cube: 1}, {Length: 3, Cube: 2, Owner: match.Mine}} {
			l, err := NewLadder(match.DefaultTable(), st)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []Spot{{Owner: st.Owner}, {Rung: 1, Owner: match.Theirs}, {Rung: MaxRungs - 1, Owner: match.Mine}} {
				if x := n.Of(l, &board.Start, &pr, s, 0.68); math.IsNaN(x) || math.Abs(x) > 1.5 {
					t.Errorf("%v, %v, %v: x is %v", pr, st, s, x)
				}
			}
		}
	}
}
