package teacher

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
)

func TestOwnOf(t *testing.T) {
	for name, want := range map[string]ownTask{
		"own":             {},
		"rollout:36":      {trials: 36, truncate: usual},
		"rollout:324:10":  {trials: 324, truncate: 10},
		"rollout:1296:0":  {trials: 1296},
		"own:3":           {trials: -1},
		"own:":            {trials: -1},
		"rollout":         {trials: -1},
		"rollout:":        {trials: -1},
		"rollout:35":      {trials: -1},
		"rollout:36:":     {trials: -1},
		"rollout:36:-1":   {trials: -1},
		"rollout:36:1001": {trials: -1},
		"rollout:36:4:2":  {trials: -1},
		"gnubg":           {trials: -1},
	} {
		got, err := ownOf(name)
		if want.trials < 0 {
			if !errors.Is(err, ErrOptions) {
				t.Errorf("%q: %+v, %v; want it refused", name, got, err)
			}
		} else if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", name, got, err, want)
		}
	}
}

// Plans that are decided late are rolled out longer.
func TestOwnTask_lasts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	back := train.StartOf(train.BackGame, rng)
	for train.ClassOf(&back) != "contact/backgame" {
		back = train.StartOf(train.BackGame, rng)
	}
	for _, tt := range []struct {
		truncate int
		p        board.Position
		want     int
	}{{usual, board.Start, 10}, {usual, back, 14}, {0, back, 0}, {7, back, 7}, {7, board.Start, 7}} {
		task := ownTask{36, tt.truncate}
		if got := task.lasts(&tt.p); got != tt.want {
			t.Errorf("trials of %s that last %d end after %d plies, want %d", tt.p.ID(), tt.truncate, got, tt.want)
		}
	}
}

// Rollouts of any length and depth agree about with the nets on a quiet position, and forks
// agree exactly.
func TestOwn_rollsOut(t *testing.T) {
	label := func(name string, plies int) train.Label {
		teach, err := Open(context.Background(), Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		defer teach.Close()
		var out, again [1]train.Label
		keys := []board.Key{board.Start.Key()}
		if err := teach.Label(keys, plies, out[:]); err != nil {
			t.Fatal(err)
		}
		if err := teach.(train.Forker).Fork().Label(keys, plies, again[:]); err != nil || out != again {
			t.Errorf("%s: a fork says %v, %v, not %v", name, again, err, out)
		}
		return out[0]
	}
	static := label("own", 0).Probs()
	for name, plies := range map[string]int{"rollout:36": 0, "rollout:36:2": 1, "rollout:36:0": 0} {
		got := label(name, plies).Probs()
		if d := math.Abs(float64(got[0] - static[0])); d > 0.03 || got == static {
			t.Errorf("%s at %d plies: wins %.4f, the nets say %.4f", name, plies, got[0], static[0])
		}
	}
}

// TestOwn_onePlyInFull: the label of one ply is the mean over the rolls of the best static value
// after each, no play left out.
func TestOwn_onePlyInFull(t *testing.T) {
	own, err := Open(context.Background(), Options{Name: "own"})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	static := own.(*owner).static
	rng := rand.New(rand.NewPCG(6, 1))
	for range 60 {
		p := train.StartOf(train.Crashed, rng)
		want := 0.0
		for _, r := range board.Rolls {
			best := math.Inf(-1)
			for _, play := range board.AppendPlays(nil, p, r.Dice) {
				after := play.Result.Swap()
				best = max(best, -float64(static.Eval(&after).Money()))
			}
			if math.IsInf(best, -1) {
				other := p.Swap()
				best = -float64(static.Eval(&other).Money())
			}
			want += best * float64(r.Weight) / 36
		}
		var out [1]train.Label
		if err := own.Label([]board.Key{p.Key()}, 1, out[:]); err != nil {
			t.Fatal(err)
		}
		if got := float64(out[0].Probs().Money()); math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: %.5f, want %.5f", p.ID(), got, want)
		}
	}
}
