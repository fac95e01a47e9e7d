package rollout_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

const nets = "these nets"

// threePlays is a rollout of three opening plays.
func threePlays(t *testing.T, e *engine.Engine, change func(*rollout.Settings)) *rollout.Job {
	t.Helper()
	s := rollout.Default()
	s.Trials, s.Truncate, s.Threads, s.MinTrials = 360, 3, 2, 0
	change(&s)
	j, err := rollout.New(t.Context(), e.RolloutOptions(), board.Start, match.State{Length: 5, Cube: 1}, s)
	if err != nil {
		t.Fatal(err)
	}
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.RankPlays(t.Context(), board.Start, board.Dice{A: 3, B: 1}, match.State{Length: 5, Cube: 1}, expert)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{0, 1, len(list) - 1} {
		if err := j.AddPlay(board.FormatPlay(board.Start, list[k].Play), list[k].Play); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// elsewhere is a crew of machines: each makes the job again from its specification.
// Results come in any order; ahead is played too, and may be asked for or not.
type elsewhere struct {
	machines []shard.Runner
	ahead    int
	held     map[string][]byte
	runs     int
}

func (c *elsewhere) Ahead() int { return c.ahead }

func (c *elsewhere) Do(ctx context.Context, now, ahead []shard.Piece, take func(int, shard.Result) error) error {
	all := slices.Concat(now, ahead)
	rand.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	for i, p := range all {
		if c.held[p.Key] != nil {
			continue
		}
		c.runs++
		data, err := c.machines[i%len(c.machines)].Run(ctx, p.Ask)
		if err != nil {
			return err
		}
		c.held[p.Key] = data
	}
	for k, p := range now {
		if err := take(k, shard.Result{Data: c.held[p.Key]}); err != nil {
			return err
		}
	}
	return nil
}

func saved(t *testing.T, j *rollout.Job) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.json")
	if err := j.Save(path, nets); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRunOn_anyPiecesGiveTheSameTotals holds the totals, which --resume keeps, of any
// split over any number of machines against those of this process.
func TestRunOn_anyPiecesGiveTheSameTotals(t *testing.T) {
	brief := testsize.Sample(t)
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for name, change := range map[string]func(*rollout.Settings){
		"all trials": func(*rollout.Settings) {},
		"stopped by jsd": func(s *rollout.Settings) {
			s.StopJSD, s.MinTrials = 2, 144
		},
		"stopped by jsd at early looks": func(s *rollout.Settings) {
			s.StopJSD, s.MinTrials, s.Look = 2, 50, 25
		},
		"stopped by error": func(s *rollout.Settings) {
			s.StopStdErr, s.Trials = 0.02, 1296
		},
		"the first plies noisy": func(s *rollout.Settings) {
			s.Trials, s.LatePly, s.Checker.Noise, s.Checker.Seed, s.Checker.Deterministic = 150, 1, 0.05, 7, true
		},
	} {
		t.Run(name, func(t *testing.T) {
			switch {
			case testsize.Race && name != "stopped by jsd":
				t.Skip("pieces run alike whatever ends them")
			case name == "stopped by jsd at early looks", name == "stopped by error":
				testsize.Large(t)
			}
			local := threePlays(t, e, change)
			if err := local.Run(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			want := saved(t, local)
			for _, split := range []struct{ size, machines, ahead int }{{1, 1, 0}, {7, 3, 100}, {48, 2, 9}, {144, 5, 2000}} {
				if brief && split.size != 7 {
					continue
				}
				job := threePlays(t, e, change)
				text, err := job.Spec(nets)
				if err != nil {
					t.Fatal(err)
				}
				crew := elsewhere{ahead: split.ahead, held: map[string][]byte{}}
				for range split.machines {
					copied, err := rollout.FromSpec(t.Context(), e.RolloutOptions(), nets, text)
					if err != nil {
						t.Fatal(err)
					}
					crew.machines = append(crew.machines, copied.Runner())
				}
				if err := job.RunOn(t.Context(), &crew, split.size, nil); err != nil {
					t.Fatal(err)
				}
				if got := saved(t, job); !bytes.Equal(got, want) {
					t.Errorf("%+v: other totals after %d pieces", split, crew.runs)
				}
			}
		})
	}
}

func TestSpec_extensionsAreTheSameJob(t *testing.T) {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	one, err := threePlays(t, e, func(*rollout.Settings) {}).Spec(nets)
	if err != nil {
		t.Fatal(err)
	}
	longer, err := threePlays(t, e, func(s *rollout.Settings) { s.Trials, s.StopJSD = 7776, 3 }).Spec(nets)
	if err != nil || !bytes.Equal(one, longer) {
		t.Errorf("%s\n%s\n%v", one, longer, err)
	}
	other, err := threePlays(t, e, func(s *rollout.Settings) { s.Seed = 2 }).Spec(nets)
	if err != nil || bytes.Equal(one, other) {
		t.Errorf("another seed is the same job: %v", err)
	}
	if _, err := rollout.FromSpec(t.Context(), e.RolloutOptions(), "other nets", one); !errors.Is(err, rollout.ErrPiece) {
		t.Errorf("other nets: %v", err)
	}
	changed := strings.Replace(string(one), `"Seed":1`, `"Seed":9`, 1)
	if _, err := rollout.FromSpec(t.Context(), e.RolloutOptions(), nets, []byte(changed)); !errors.Is(err, rollout.ErrPiece) {
		t.Errorf("changed: %v", err)
	}
	crooked := strings.Replace(string(one), `"Owner":0},"turned"`, `"Owner":7},"turned"`, 1)
	if _, err := rollout.FromSpec(t.Context(), e.RolloutOptions(), nets, []byte(crooked)); err == nil || !strings.Contains(err.Error(), "cannot be played") {
		t.Errorf("an impossible cube owner: %v", err)
	}
}

func TestRunner_refuses(t *testing.T) {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r := threePlays(t, e, func(*rollout.Settings) {}).Runner()
	for _, ask := range []string{"", "{", `{"arm":3,"from":0,"to":1}`, `{"arm":-1,"from":0,"to":1}`, `{"arm":0,"from":5,"to":5}`,
		`{"arm":0,"from":0,"to":145}`, `{"arm":0,"from":-1,"to":1}`} {
		if _, err := r.Run(t.Context(), []byte(ask)); !errors.Is(err, rollout.ErrPiece) {
			t.Errorf("%s: %v", ask, err)
		}
	}
	short := shortCrew{}
	if err := threePlays(t, e, func(*rollout.Settings) {}).RunOn(t.Context(), short, 6, nil); !errors.Is(err, rollout.ErrPiece) {
		t.Errorf("a result cut short: %v", err)
	}
}

// shortCrew returns half results.
type shortCrew struct{}

func (shortCrew) Ahead() int { return 0 }
func (shortCrew) Do(_ context.Context, _, _ []shard.Piece, take func(int, shard.Result) error) error {
	return take(0, shard.Result{Data: make([]byte, 100)})
}
