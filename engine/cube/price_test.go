package cube

import (
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// race is a long race in which neither side has borne off; in late both sides have.
var (
	race = board.Position{Me: board.Checkers{5: 5, 7: 5, 10: 5}, Opp: board.Checkers{5: 5, 7: 5, 10: 5}}
	late = board.Position{Me: board.Checkers{1: 4, 3: 4}, Opp: board.Checkers{1: 4, 3: 4}}
)

func TestFor_pricesOfAPosition(t *testing.T) {
	table := match.DefaultTable()
	s := match.State{Length: 7, Cube: 1, Drops: match.DropByPosition}
	l, err := NewLadder(table, s)
	if err != nil {
		t.Fatal(err)
	}
	here := Spot{}
	after := func(points int) float64 { return utility(table, s, points) }
	for _, tt := range []struct {
		name         string
		p            board.Position
		pass, giveUp int
	}{
		{"the start", board.Start, 3, 3},
		{"a race", race, 2, 2},
		{"a late race", late, 1, 1},
		{"one side in the other's home", board.Position{Me: race.Me, Opp: board.Checkers{5: 14, 23: 1}}, 3, 2},
	} {
		one := l.For(&tt.p)
		if got := one.Pass(here); got != after(tt.pass) {
			t.Errorf("%s: a pass is worth %.4f, want that of %d points, %.4f", tt.name, got, tt.pass, after(tt.pass))
		}
		if got := one.Surrender(here); got != after(-tt.giveUp) {
			t.Errorf("%s: giving up is worth %.4f, want %.4f", tt.name, got, after(-tt.giveUp))
		}
		// The other side sees the same, turned round.
		p := tt.p.Swap()
		if got := l.Swap().For(&p).Surrender(here); got != -one.Pass(here) {
			t.Errorf("%s: from the other side %.4f, want %.4f", tt.name, got, -one.Pass(here))
		}
	}
}

func TestValues_usualPricesAreAsWithoutARule(t *testing.T) {
	table := match.DefaultTable()
	for _, length := range []int{0, 5, 9} {
		s := match.State{Length: length, Cube: 1}
		plain, err := NewLadder(table, s)
		if err != nil {
			t.Fatal(err)
		}
		s.Drops = match.DropByPosition
		l, err := NewLadder(table, s)
		if err != nil {
			t.Fatal(err)
		}
		priced := l.For(&late)
		spots := []Spot{{}, {Owner: match.Mine}, {Owner: match.Theirs}, {Rung: 1, Owner: match.Theirs}}
		var a, b [4]float64
		for p := float32(0); p <= 1; p += 0.05 {
			pr := eval.Probs{p, p / 4, p / 50, (1 - p) / 5, 0}
			plain.Values(&pr, 0.68, spots, a[:])
			priced.Values(&pr, 0.68, spots, b[:])
			if a != b {
				t.Fatalf("length %d, p %.2f: %v and %v", length, p, a, b)
			}
			// The formula for other prices gives the same at these prices.
			if length == 0 {
				priced.pricedMoneyValues(&pr, 0.68, spots, b[:])
				for i := range a {
					if math.Abs(a[i]-b[i]) > 1e-6 {
						t.Fatalf("p %.2f, spot %d: %.6f, by the formula for prices %.6f", p, i, a[i], b[i])
					}
				}
			}
		}
	}
}

// Values never fall when the chances rise, stay within what the game can bring, and
// are never worse for him whose opponent pays more.
func TestValues_pricedAreSane(t *testing.T) {
	table := match.DefaultTable()
	for _, length := range []int{0, 3, 7, 11} {
		s := match.State{Length: length, Cube: 1, Drops: match.DropByPosition}
		if length == 0 {
			s.Cube = 1
		}
		l, err := NewLadder(table, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []board.Position{board.Start, race, late} {
			one := l.For(&p)
			for _, spot := range []Spot{{}, {Owner: match.Mine}, {Owner: match.Theirs}, {Rung: 1, Owner: match.Theirs}, {Rung: 1, Owner: match.Mine}} {
				before := math.Inf(-1)
				for w := float32(0); w <= 1.0001; w += 0.02 {
					w := min(w, 1)
					pr := eval.Probs{w, w / 5, 0, (1 - w) / 5, 0}
					var out [1]float64
					one.Values(&pr, 0.68, []Spot{spot}, out[:])
					if math.IsNaN(out[0]) || out[0] < before-1e-9 {
						t.Fatalf("length %d, spot %v, p %.2f: %.5f after %.5f", length, spot, w, out[0], before)
					}
					before = out[0]
				}
			}
		}
	}
}

// A first double is a take nearly everywhere while checkers are back: dropping costs a
// backgammon. With checkers off it is as always.
func TestSettle_takesUnderAPriceByPosition(t *testing.T) {
	table := match.DefaultTable()
	decide := func(p board.Position, s match.State, w, g float32) Decision {
		l, err := NewLadder(table, s)
		if err != nil {
			t.Fatal(err)
		}
		pr := eval.Probs{w, w * g, 0, 0, 0}
		var out [2]float64
		l = l.For(&p)
		l.Values(&pr, 0.68, []Spot{{}, {Rung: 1, Owner: match.Theirs}}, out[:])
		return Settle(table, s, l, &p, pr, out[0], out[1])
	}
	for _, length := range []int{0, 7, 11} {
		s := match.State{Length: length, Cube: 1}
		b := s
		b.Drops = match.DropByPosition
		for _, w := range []float32{0.78, 0.85, 0.95} {
			if d := decide(board.Start, s, w, 0.3); d.Action.Take() {
				t.Errorf("length %d, %.2f: %v under the usual rule", length, w, d.Action)
			}
			if d := decide(board.Start, b, w, 0.3); !d.Action.Take() {
				t.Errorf("length %d, %.2f: %v where a drop costs a backgammon (take %.3f, pass %.3f)", length, w, d.Action, d.DoubleTake, d.DoublePass)
			}
			if d, e := decide(late, s, w, 0), decide(late, b, w, 0); d.Action != e.Action {
				t.Errorf("length %d, %.2f, checkers off: %v and %v", length, w, d.Action, e.Action)
			}
		}
	}
}

func TestGivesUp(t *testing.T) {
	table := match.DefaultTable()
	s := match.State{Length: 7, Cube: 2, Owner: match.Theirs, Drops: match.DropByPosition}
	lost := board.Position{Me: board.Checkers{5: 3}, Opp: board.Checkers{0: 1}}
	back := board.Position{Me: board.Checkers{5: 14, 20: 1}, Opp: board.Checkers{0: 1}}
	for _, tt := range []struct {
		name    string
		p       board.Position
		pr      eval.Probs
		cubeful float64
		want    int
	}{
		{"certainly lost singly", lost, eval.Probs{}, -1, 1},
		{"a chance is left", lost, eval.Probs{0.001}, -0.999, 0},
		{"a gammon is certain, giving up costs three", back, eval.Probs{3: 1}, worth(table, s, -2), 0},
		{"a backgammon is certain", back, eval.Probs{3: 1, 4: 1}, worth(table, s, -3), 3},
	} {
		if got := UsualResign.GivesUp(table, s, &tt.p, tt.pr, tt.cubeful); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
