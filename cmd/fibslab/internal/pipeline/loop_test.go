package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/nn"
	"fibsbot/internal/shard"
	"fibsbot/weights"
)

// stopper ends a run when a step begins.
type stopper struct {
	bytes.Buffer
	at   string
	stop context.CancelFunc
}

func (s *stopper) Write(b []byte) (int, error) {
	if s.at != "" && strings.Contains(string(b), s.at) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// smallWeights packs nets of random weights.
func smallWeights(t *testing.T, path string) {
	t.Helper()
	checkpoint := func(kind train.Kind, seed uint64) string {
		f := train.Fit{Shape: train.Shape{Kind: kind, Hidden: 32, Activation: "squared-clipped"}, Samples: 64, Batch: 64, Seed: seed,
			Checkpoint: filepath.Join(t.TempDir(), "a.fit")}
		plan := train.BackGame
		if kind == train.KindRace {
			plan = train.LongRace
		}
		f.Sources = []*train.Source{{Records: []train.Record{{Key: train.StartOf(plan, rand.New(rand.NewPCG(1, 1))).Key()}}, Share: 1}}
		if _, err := f.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return f.Checkpoint
	}
	contact := checkpoint(train.KindContact, 1)
	if err := train.Pack(path, nn.Manifest{Name: "small"}, map[string]string{nn.ClassContact: contact, nn.ClassCrashed: contact, nn.ClassRace: checkpoint(train.KindRace, 2)}, false); err != nil {
		t.Fatal(err)
	}
}

// A loop stopped at the beginning of every step makes the same nets as an uninterrupted one,
// and what it keeps is a weights file.
func TestLoop_stopsAndGoesOnAnywhere(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "base.weights")
	smallWeights(t, base)
	loop := func(folder string) Loop {
		l := Loop{Folder: filepath.Join(dir, folder), Base: base, Rounds: 1, Teacher: teacher.Options{Name: "own", Weights: base}, Threads: 2,
			RoundSettings: RoundSettings{Positions: 1500, Share: 0.5, Paths: 300, Labels: 90, Plies: 1, Deep: 0.3, Millions: 0.004, Rate: 1e-3, Held: 2, HeldPlies: 1, Seed: 5}}
		l.Mix[train.Natural], l.Mix[train.BackGame], l.Mix[train.Crashed] = 1, 1, 1
		return l
	}
	whole := loop("whole")
	var out bytes.Buffer
	whole.Out = &out
	if err := whole.Run(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	pieces := loop("pieces")
	for _, step := range []string{"begin", "decisions", "positions", "paths", "values", "mix", "split", "labels", "fits", "gate"} {
		ctx, stop := context.WithCancel(context.Background())
		pieces.Out = &stopper{at: "round-1: " + step + "\n", stop: stop}
		if err := pieces.Run(ctx); step != "gate" && !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at %s: %v", step, err)
		}
		stop()
	}
	pieces.Out = &out
	if err := pieces.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"best.weights", "round-1/new.weights", "round-1/report.txt", "held.bin.gz"} {
		a, errA := os.ReadFile(whole.at(name))
		b, errB := os.ReadFile(pieces.at(name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not the same in one run and in many: %v %v, %d and %d bytes", name, errA, errB, len(a), len(b))
		}
	}
	data, err := os.ReadFile(pieces.at("best.weights"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nn.Read(data); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "contact/backgame") {
		t.Errorf("the report names no net:\n%s", out.String())
	}
}

func TestLoop_refuses(t *testing.T) {
	for want, change := range map[string]func(*Loop){
		"--rounds: 0 is not at least 1":                              func(l *Loop) { l.Rounds = 0 },
		"--share: 2 is not between 0 and 1":                          func(l *Loop) { l.Share = 2 },
		"--deep: 1 is not from 0 to below 1":                         func(l *Loop) { l.Deep = 1 },
		"--paths: -1 is not at least 0":                              func(l *Loop) { l.Paths = -1 },
		"--plies: 0 is not between 1 and 3":                          func(l *Loop) { l.Plies = 0 },
		"--millions: 0 is not above 0":                               func(l *Loop) { l.Millions = 0 },
		"--millions: +Inf is not above 0 and at most 1e+09":          func(l *Loop) { l.Millions = math.Inf(1) },
		"--rate: NaN is not above 0 and at most 1":                   func(l *Loop) { l.Rate = math.NaN() },
		"--base: load weights: open none.weights: no such file":      func(l *Loop) { l.Base = "none.weights" },
		"--mix: no plan has a weight above 0":                        func(l *Loop) { l.Mix = [len(train.PlanNames)]float64{} },
		"--teacher: unknown teacher":                                 func(l *Loop) { l.Teacher.Name = "nobody" },
		"--gnubg-dir: stat none/label.py: no such file or directory": func(l *Loop) { l.Teacher = teacher.Options{Name: "gnubg", GnubgDir: "none"} },
		"FOLDER: loop_test.go is not a folder":                       func(l *Loop) { l.Folder = "loop_test.go" },
	} {
		l := small(t)
		change(&l)
		if err := l.Run(context.Background()); !errors.Is(err, teacher.ErrOptions) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// small is a loop of one short round.
func small(t *testing.T) Loop {
	l := Loop{Folder: t.TempDir(), Rounds: 1, Teacher: teacher.Options{Name: "own"}, Out: &bytes.Buffer{},
		RoundSettings: RoundSettings{Positions: 1000, Held: 2, HeldPlies: 2, Plies: 2, Millions: 1, Rate: 1e-3}}
	l.Mix[train.Natural] = 1
	return l
}

// Without a checkout the loop begins with the nets in the program.
func TestLoop_beginsWithTheNetsOfTheProgram(t *testing.T) {
	l := small(t)
	ctx, stop := context.WithCancel(context.Background())
	l.Out = &stopper{at: "round-1: begin\n", stop: stop}
	if err := l.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	got, err := weights.Load(l.at("best.weights"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := weights.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if got.Manifest.Name != want.Manifest.Name {
		t.Errorf("began with %s, the program has %s", got.Manifest.Name, want.Manifest.Name)
	}
}

// Two loops in one folder would corrupt each other's files.
func TestLoop_oneAtATime(t *testing.T) {
	l := small(t)
	second := l
	second.Out = &bytes.Buffer{}
	var err error
	ctx, stop := context.WithCancel(context.Background())
	l.Out = &stopper{at: "round-1: begin\n", stop: func() {
		if err == nil {
			err = second.Run(context.Background())
		}
		stop()
	}}
	if first := l.Run(ctx); !errors.Is(first, context.Canceled) {
		t.Fatal(first)
	}
	if !errors.Is(err, teacher.ErrOptions) || !strings.Contains(err.Error(), l.Folder) {
		t.Errorf("a second loop beside the first: %v", err)
	}
}

// Tasks done by others have the same results.
func TestLoop_sent(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "base.weights")
	smallWeights(t, base)
	loop := func(folder string) Loop {
		l := Loop{Folder: filepath.Join(dir, folder), Base: base, Rounds: 1, Teacher: teacher.Options{Name: "own", Weights: base}, Threads: 1, Out: &bytes.Buffer{},
			RoundSettings: RoundSettings{Positions: 1000, Share: 0.5, Paths: 300, Labels: 90, Plies: 1, Deep: 0.3, Millions: 0.001, Rate: 1e-3, Held: 2, HeldPlies: 1, Seed: 6}}
		l.Mix[train.Natural], l.Mix[train.BackGame] = 1, 1
		return l
	}
	here, there := loop("here"), loop("there")
	kinds := map[bool]int{}
	there.Send = func(task Task, do Do) error {
		kinds[task.Games]++
		if task.Games == (task.Ask != nil) || task.Most < 1 {
			t.Errorf("%+v", task)
		}
		teach, err := teacher.Open(context.Background(), task.Teacher)
		if err != nil {
			return err
		}
		defer teach.Close()
		of := func(t train.Teacher) shard.Runner { return train.Labeller(t, task.Plies) }
		if task.Games {
			if of, err = train.Gamer(task.Of.(json.RawMessage)); err != nil {
				return err
			}
		}
		return do(teach, train.Crew(teach, 1, of), 3)
	}
	for _, l := range []*Loop{&here, &there} {
		if err := l.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if kinds[true] != 2 || kinds[false] < 2 {
		t.Errorf("sent %d tasks of games and %d of labels", kinds[true], kinds[false])
	}
	for _, name := range []string{"best.weights", "round-1/new.weights", "round-1/report.txt", "held.bin.gz", "round-1/sp-backgame.grp", "round-1/path-backgame.grp", "round-1/values.weights"} {
		a, errA := os.ReadFile(here.at(name))
		b, errB := os.ReadFile(there.at(name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not the same here and there: %v %v, %d and %d bytes", name, errA, errB, len(a), len(b))
		}
	}
}

// A round resumes with its own settings only. In a folder whose rounds are done, the loop
// reports that and does nothing.
func TestLoop_settingsOfARound(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "base.weights")
	smallWeights(t, base)
	begun := func(t *testing.T, at string) Loop {
		l := small(t)
		l.Rounds, l.Seed, l.Base = 2, 5, base
		l.Teacher.Weights = base
		if at == "" {
			return l
		}
		ctx, stop := context.WithCancel(context.Background())
		l.Out = &stopper{at: at, stop: stop}
		if err := l.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		return l
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tt := range map[string]struct {
		change func(l *Loop)
		want   string // "" resumes
	}{
		"the same":      {change: func(*Loop) {}},
		"rounds":        {change: func(l *Loop) { l.Rounds = 7 }},
		"threads":       {change: func(l *Loop) { l.Threads = 4 }},
		"seed":          {change: func(l *Loop) { l.Seed = 99 }, want: "round 1 was begun with --seed 5, not 99 (continue with"},
		"two of them":   {change: func(l *Loop) { l.Positions, l.Rate = 5000, 1e-4 }, want: "--positions 1000, not 5000; --rate 0.001, not 0.0001"},
		"mix":           {change: func(l *Loop) { l.Mix[train.Blitz] = 2 }, want: "--mix natural=1, not natural=1,blitz=2"},
		"other base":    {change: func(l *Loop) { l.Base = filepath.Join("..", "..", "..", "..", "weights", "fibsbot.weights") }, want: "--base small ("},
		"base left out": {change: func(l *Loop) { l.Base = "" }, want: filepath.Join("round-1", "base.weights") + "), or in another folder"},
		"held":          {change: func(l *Loop) { l.Held = 3 }, want: "begun with --held 2, not 3 (all rounds of a folder"},
		"made before": {change: func(l *Loop) {
			l.Seed = 99
			if err := os.Remove(l.at("round-1", "settings.json")); err != nil {
				panic(err)
			}
		}},
		"damaged": {change: func(l *Loop) {
			if err := os.WriteFile(l.at("round-1", "settings.json"), []byte("{"), 0o600); err != nil {
				panic(err)
			}
		}, want: "settings.json: settings of the round: "},
	} {
		l := begun(t, "round-1: decisions\n")
		tt.change(&l)
		err := l.Run(stopped)
		if tt.want != "" {
			refused(t, err, tt.want)
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// done makes a round look as if it were done.
func done(t *testing.T, l *Loop, round int) {
	t.Helper()
	if err := os.MkdirAll(l.at(roundName(round)), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{"begin", "decisions", "positions", "paths", "values", "mix", "split", "labels", "fits", "gate"} {
		if err := os.WriteFile(l.at(roundName(round), step+marker), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoop_saysWhatIsDone(t *testing.T) {
	for name, tt := range map[string]struct {
		rounds int
		keep   bool
		change func(l *Loop)
		want   string
	}{
		"one round":   {rounds: 1, keep: true, change: func(*Loop) {}, want: "1 round is done (--rounds 2 continues)\n"},
		"two rounds":  {rounds: 2, keep: true, change: func(*Loop) {}, want: "2 rounds are done (--rounds 3 continues)\n"},
		"made before": {rounds: 2, change: func(l *Loop) { l.Seed = 9 }, want: "2 rounds are done (--rounds 3 continues)\n"},
		"other seed": {rounds: 2, keep: true, change: func(l *Loop) { l.Seed = 9 },
			want: "2 rounds are done, the last with --seed 0, not 9 (--rounds 3 continues)\n"},
	} {
		l := small(t)
		l.Rounds = 1
		for round := 1; round <= tt.rounds; round++ {
			done(t, &l, round)
			if tt.keep {
				if err := l.keepSettings(round); err != nil {
					t.Fatal(err)
				}
			}
		}
		tt.change(&l)
		var out bytes.Buffer
		l.Out = &out
		if err := l.Run(context.Background()); err != nil || out.String() != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, out.String(), err, tt.want)
		}
	}
}

// Unfinished files of a killed loop are removed; other files stay.
func TestLoop_sweepsWhatAKilledOneLeft(t *testing.T) {
	l := small(t)
	for round := range 2 {
		done(t, &l, round+1)
	}
	files := map[string]bool{"round-1/.tmp-contact-open.fit-123": false, "round-2/.tmp-begin.done-1": false, "round-2/classes/.tmp-crashed.grp-7": false,
		".tmp-best.weights-99": false, ".tmp-held.bin.gz-2": false, ".tmp-theirs-1": true, "round-1/sp-natural.grp": true, "round-x/.tmp-a-1": true}
	for name := range files {
		if err := os.MkdirAll(filepath.Dir(l.at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(l.at(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, stays := range files {
		if has(l.at(name)) != stays {
			t.Errorf("%s is there: %v, want %v", name, !stays, stays)
		}
	}
}
