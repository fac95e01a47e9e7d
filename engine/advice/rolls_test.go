package advice

import (
	"context"
	"math"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// TestRollsOf: without a double every roll is as the temperature map has it; after a
// double and take the mean is the 1-ply equity of "double, take", for money and at a score.
func TestRollsOf(t *testing.T) {
	e, err := engine.Open(engine.Options{Threads: 1, Seed: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := context.Background()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	p, err := board.ParseID("NBOA2TR8AAIAAA")
	if err != nil {
		t.Fatal(err)
	}
	for name, st := range map[string]match.State{
		"money":          match.Money(true, 3),
		"a score":        {Length: 7, Score: [2]int{3, 5}, Cube: 1},
		"own cube":       {Length: 9, Score: [2]int{3, 5}, Cube: 2, Owner: match.Mine},
		"not his cube":   {Length: 9, Score: [2]int{3, 5}, Cube: 2, Owner: match.Theirs},
		"Crawford":       {Length: 5, Score: [2]int{4, 2}, Cube: 1, Crawford: true},
		"of a dead cube": {Length: 5, Score: [2]int{3, 2}, Cube: 2, Owner: match.Mine},
	} {
		s := match.Situation{Position: p, State: st}
		m, err := RollsOf(ctx, e, s, expert)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		heat, err := analyse.Temperature(ctx, e.Search(), s, expert.Checker)
		if err != nil {
			t.Fatal(err)
		}
		losers := 0
		for i, r := range m.Rolls {
			// A roll that cannot be played is seen from the other side: 1-p of a chance of 24 bits.
			if h := heat.Rolls[i]; math.Abs(r.NoDouble-h.Equity) > 1e-6 || r.Best != h.Best || r.Weight != h.Weight {
				t.Errorf("%s: roll %v: %+v, the map has %+v", name, r.Dice, r, h)
			}
			if r.Loser != (m.DoubleTake != nil && r.NoDouble >= 1) {
				t.Errorf("%s: roll %v of %v loses the market: %v", name, r.Dice, r.NoDouble, r.Loser)
			}
			if r.Loser {
				losers += r.Weight
			}
		}
		if losers != m.Losers {
			t.Errorf("%s: %d throws lose the market, %d of them are marked", name, m.Losers, losers)
		}
		if want := st.MayDouble() && !st.DeadCube(); (m.DoubleTake != nil) != want || strings.Contains(m.Text(), "double, take") != want {
			t.Errorf("%s: double and take told: %v, want %v", name, m.DoubleTake, want)
		}
		if m.DoubleTake == nil {
			continue
		}
		one, x := expert.WithPlies(1), cube.UsualEfficiency.Contact // which plays assume
		one.Checker.Prune, one.Cube.Prune = false, false
		one.Cube.Efficiency = &x
		d, err := e.CubeDecision(ctx, p, st, one)
		if err != nil {
			t.Fatal(err)
		}
		// A search ranks the replies of both cubes at once; here each cube has its own.
		if math.Abs(*m.DoubleTake-d.DoubleTake) > 0.005 || math.Abs(m.NoDouble-d.NoDouble) > 0.005 {
			t.Errorf("%s: means %.5f and %.5f, 1 ply has %.5f and %.5f", name, m.NoDouble, *m.DoubleTake, d.NoDouble, d.DoubleTake)
		}
	}
}

// TestText_ofAnEvaluationWithoutTheCube names no equity with a cube that was left out.
func TestText_ofAnEvaluationWithoutTheCube(t *testing.T) {
	e, err := engine.Open(engine.Options{Threads: 1, Seed: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	expert.Cube.Cubeful = false
	for _, c := range []struct {
		name     string
		state    match.State
		cubeless bool
		want, no string
	}{
		{"Jacoby", match.Money(true, 3), true, "as gammons do not count", "with the cube"},
		{"money", match.Money(false, 3), true, " cubeless\n", "with the cube"},
		{"a score", match.State{Length: 5, Cube: 1}, true, " cubeless (match", "with the cube"},
		{"with it", match.Money(true, 3), false, "with the cube", "as gammons"},
	} {
		s := match.Situation{Position: board.Start, State: c.state}
		v, d, err := Evaluate(t.Context(), e, s, expert, c.cubeless)
		if err != nil {
			t.Fatal(err)
		}
		text := v.Text(d, s.State)
		if !strings.Contains(text, c.want) || strings.Contains(text, c.no) {
			t.Errorf("%s:\n%s", c.name, text)
		}
	}
}
