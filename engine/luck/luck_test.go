package luck_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

func judges(t testing.TB, plies int) luck.Meter {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return luck.Meter{Search: e.Search(), Settings: search.Settings{Plies: plies, Cubeful: true, Prune: true}}
}

// lastRoll is a position in which only 33, 44, 55 and 66 win.
var lastRoll = board.Position{Me: board.Checkers{5: 2}, Opp: board.Checkers{0: 1}}

func TestRoll_lastRoll(t *testing.T) {
	j := judges(t, 0)
	double := board.Dice{A: 6, B: 6}
	other := board.Dice{A: 5, B: 6}
	for _, c := range []struct {
		name        string
		st          match.State
		lucky, poor float64
	}{
		// Four of 36 throws win: the mean is -28/36 points, or 4/36 of the match.
		{"money", match.Money(false, 0), 64. / 36, -8. / 36},
		{"money, cube 4", match.State{Cube: 4, Owner: match.Mine}, 64. / 36, -8. / 36},
		{"match point", match.State{Cube: 1, Length: 5, Score: [2]int{4, 4}}, 32. / 36, -4. / 36},
	} {
		for d, want := range map[board.Dice]float64{double: c.lucky, other: c.poor} {
			got, err := j.Roll(context.Background(), lastRoll, c.st, d)
			if err != nil || math.Abs(got-want) > 1e-6 {
				t.Errorf("%s, %v: luck %.6f, %v; want %.6f", c.name, d, got, err, want)
			}
		}
	}
}

func TestLuck_averagesToNothing(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(8, 15))
	states := []match.State{
		match.Money(false, 0), match.Money(true, 0), {Cube: 2, Owner: match.Theirs}, {Cube: 2, Owner: match.Mine},
		{Cube: 1, Length: 7, Score: [2]int{4, 1}}, {Cube: 1, Length: 7, Score: [2]int{6, 3}, Crawford: true},
		{Cube: 4, Owner: match.Theirs, Length: 7, Score: [2]int{2, 6}},
	}
	for plies := range 2 {
		j := judges(t, plies)
		p := board.Start
		for i, st := range states {
			for range 1 + r.IntN(9) {
				if plays := board.AppendPlays(nil, p, board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}); len(plays) > 0 {
					p = plays[r.IntN(len(plays))].Result.Swap()
				}
			}
			sum, spread := 0.0, 0.0
			for _, roll := range board.Rolls {
				v, err := j.Roll(ctx, p, st, roll.Dice)
				if err != nil {
					t.Fatal(err)
				}
				sum += v * float64(roll.Weight)
				spread += math.Abs(v)
			}
			if math.Abs(sum) > 1e-9 || spread < 1e-3 {
				t.Errorf("%d plies, state %d, %s: luck adds up to %g, without signs %g", plies, i, p.ID(), sum, spread)
			}
		}
	}
}

func TestOpening_averagesToNothing(t *testing.T) {
	j := judges(t, 0)
	for _, st := range []match.State{match.Money(true, 0), {Cube: 1, Length: 7, Score: [2]int{5, 1}}} {
		sum := 0.0
		for _, roll := range board.Rolls {
			if roll.Dice.Double() {
				continue
			}
			// The first player's luck when he begins, and when the other does.
			mine, err := j.Opening(context.Background(), board.Start, st, roll.Dice)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := j.Opening(context.Background(), board.Start, st.Swap(), board.Dice{A: roll.Dice.B, B: roll.Dice.A})
			if err != nil {
				t.Fatal(err)
			}
			if st.Length == 0 && mine != theirs {
				t.Errorf("%v: luck %g for one player, %g for the other", roll.Dice, mine, theirs)
			}
			sum += mine - theirs
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("%+v: luck adds up to %g", st, sum)
		}
	}
}

func TestRoll_badInput(t *testing.T) {
	j := judges(t, 0)
	if _, err := j.Roll(context.Background(), board.Start, match.State{Cube: 3}, board.Dice{A: 3, B: 1}); !errors.Is(err, match.ErrScore) {
		t.Errorf("a cube of 3: %v", err)
	}
	if _, err := j.Opening(context.Background(), board.Position{}, match.Money(false, 0), board.Dice{A: 3, B: 1}); !errors.Is(err, board.ErrIllegalPosition) {
		t.Errorf("no checkers: %v", err)
	}
}

// TestMeter_zeroValues: what another program may leave out is money play, or an error.
func TestMeter_zeroValues(t *testing.T) {
	m := luck.Meter{Search: enginetest.Open(t).Search()}
	want, err := m.Roll(t.Context(), board.Start, match.Money(false, 0), board.Dice{A: 3, B: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Roll(t.Context(), board.Start, match.State{}, board.Dice{A: 3, B: 1}); err != nil || got != want {
		t.Errorf("the zero state: %v, %v, want %v", got, err, want)
	}
	if _, err := m.Opening(t.Context(), board.Start, match.State{}, board.Dice{A: 3, B: 1}); err != nil {
		t.Errorf("the zero state, first roll: %v", err)
	}
	for _, bad := range []struct {
		m luck.Meter
		d board.Dice
	}{{m, board.Dice{}}, {m, board.Dice{A: 7, B: 1}}, {luck.Meter{}, board.Dice{A: 3, B: 1}}} {
		if _, err := bad.m.Roll(t.Context(), board.Start, match.State{}, bad.d); !errors.Is(err, luck.ErrRoll) {
			t.Errorf("Roll %v: %v", bad.d, err)
		}
		if _, err := bad.m.Opening(t.Context(), board.Start, match.State{}, bad.d); !errors.Is(err, luck.ErrRoll) {
			t.Errorf("Opening %v: %v", bad.d, err)
		}
	}
}
