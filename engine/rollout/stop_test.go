package rollout

import (
	"context"
	"errors"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// TestClear: a cube decision is settled when both of its questions are. Doubling with a pass is
// compared with rolling by the point that it wins, not by the equity of a take.
func TestClear(t *testing.T) {
	for name, c := range map[string]struct {
		roll, taken float64 // utility: a pass is 1
		noise       float64 // what both trials of a pair have beside their means
		apart       float64 // standard deviation of what differs between them
		want        bool
	}{
		"a clear double and take":                    {0.50, 0.70, 0.2, 0.1, true},
		"a clear double, a clear pass":               {0.60, 1.30, 0.2, 0.1, true},
		"too good, and a pass":                       {1.30, 1.60, 0.2, 0.1, true},
		"no double, a clear take":                    {0.30, 0.10, 0.2, 0.1, true},
		"a take for sure, doubling by a hair":        {0.50, 0.51, 0.2, 0.1, false},
		"a pass for sure, too good or not is open":   {0.98, 1.40, 0.2, 0.1, false},
		"doubling for sure, the take is open":        {0.60, 1.01, 0.2, 0.1, false},
		"the roll leads by far, its own noise hides": {1.10, 1.90, 1.0, 0.1, false},
	} {
		j := job(t, steady(t), board.Start, match.Money(false, 0), Default())
		if err := j.AddCube(); err != nil {
			t.Fatal(err)
		}
		j.arms[1].number = 1
		const trials = 72
		got := [][]sample{make([]sample, trials), make([]sample, trials)}
		for i := range trials {
			sign := float64(1 - 2*(i%2))
			both, one := c.noise*float64(1-2*(i/2%2)), c.apart*sign
			got[0][i][outCubeful], got[1][i][outCubeful] = c.roll+both, c.taken+both+one
		}
		j.add(j.arms, got, newDice(&j.settings), row{0, trials})
		if clear := j.clear(3); clear != c.want {
			t.Errorf("%s: clear is %v", name, clear)
		}
	}
}

// TestStop_cube: the arms of a cube decision go on in step, and end at a look.
func TestStop_cube(t *testing.T) {
	testsize.Medium(t)
	s := playToTheEnd(288)
	s.Trials, s.Cubeful, s.StopJSD, s.MinTrials, s.Look = 288, true, 3, 36, 36
	p := board.Position{} // a race, behind
	p.Me[3], p.Me[4], p.Me[5], p.Me[8] = 4, 4, 4, 1
	p.Opp[3], p.Opp[4], p.Opp[5] = 4, 4, 4
	j := job(t, steady(t), p, match.Money(false, 0), s)
	if err := j.AddCube(); err != nil {
		t.Fatal(err)
	}
	if err := j.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	res := j.Results()
	if n := res[0].Trials; n != res[1].Trials || n%s.Look != 0 || n == s.Trials || res[0].Stopped || res[1].Stopped {
		t.Errorf("ended with %+v", res)
	}
	d, ok := j.Decision()
	if !ok {
		t.Fatal("no decision")
	}
	// What is clear to three standard errors is not turned over by all trials.
	s.StopJSD = 0
	whole := job(t, steady(t), p, match.Money(false, 0), s)
	if err := whole.AddCube(); err != nil {
		t.Fatal(err)
	}
	if err := whole.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if w, _ := whole.Decision(); w.Action != d.Action {
		t.Errorf("%v after %d trials, %v after %d", d.Action, res[0].Trials, w.Action, s.Trials)
	}
}

func TestValidate_look(t *testing.T) {
	for look, ok := range map[int]bool{-1: false, 0: true, 1: true, 144: true, 145: false} {
		s := Default()
		s.Look = look
		if err := s.Validate(); (err == nil) != ok || err != nil && !errors.Is(err, ErrSettings) {
			t.Errorf("a look every %d trials: %v", look, err)
		}
	}
}
