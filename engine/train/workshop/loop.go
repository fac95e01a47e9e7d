package workshop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"fibsbot/engine/nn"
	"fibsbot/engine/train"
	"fibsbot/engine/train/teacher"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
	"fibsbot/internal/lockfile"
	"fibsbot/internal/piece"
	"fibsbot/weights"
)

// Loop makes nets without a person: rounds of positions, labels, fits and a gate,
// each beginning with the best nets so far. It keeps everything in a folder and may
// be stopped at any time: started again it goes on with the step it was at.
//
//	FOLDER/best.weights        the best nets so far
//	FOLDER/held.bin.gz         decisions that choose nets, never trained on
//	FOLDER/round-1/            positions, labels, fits and report.txt of a round
type Loop struct {
	Folder string
	Base   string // weights file of the first round, "" the embedded one
	Rounds int
	// Positions is how many positions a round makes, judged by Teacher at 0 plies, and
	// Share how far their labels are moved towards the present nets' judgement.
	Positions int
	Mix       [len(train.PlanNames)]float64 // games by plan
	Teacher   teacher.Options
	Share     float64
	// Labels is how many of a round's positions, siblings together, are labelled by a
	// pruned search of the present nets, Plies deep, and Deep their share of samples.
	// One ply costs a tenth of two and takes half of the loss away (docs/records/nets-2026-11.md).
	Labels, Plies int
	Deep          float64
	// Millions of samples a net, and the highest learning rate.
	Millions, Rate float64
	// Held is how many decisions choose between nets, of each tag, and HeldPlies the
	// depth of the search that rates them.
	Held, HeldPlies int
	Threads         int // fits and labellings at once
	Seed            uint64
	Out             io.Writer
	// Send, which may be nil, has others do a task: do is called with their crew. What
	// comes of it is the same as here.
	Send func(task Task, do Do) error
}

// marker is what a step leaves in the round's folder when it is done.
const marker = ".done"

// lines lets several goroutines write to one writer, a call at a time.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// Run does the rounds that are missing. When ctx ends it returns ctx's error, and
// what was done stays.
func (l *Loop) Run(ctx context.Context) error {
	if err := l.check(); err != nil {
		return err
	}
	if _, ours := l.Out.(*lines); !ours {
		l.Out = &lines{w: l.Out} // nets of several classes are fitted at a time
	}
	if err := os.MkdirAll(l.Folder, 0o755); err != nil {
		return err
	}
	// Two at once would write each other's files to pieces.
	release, err := lockfile.Take(l.at("lock"), 0o644)
	if errors.Is(err, lockfile.ErrLocked) {
		return wrong("%s: another fibsbot makes nets there", l.Folder)
	}
	if err != nil {
		return err
	}
	err = l.rounds(ctx)
	return errors.Join(err, release())
}

func (l *Loop) rounds(ctx context.Context) error {
	best := l.at("best.weights")
	if _, err := os.Stat(best); errors.Is(err, fs.ErrNotExist) {
		if err := l.begin(best); err != nil {
			return err
		}
	}
	for round := 1; round <= l.Rounds; round++ {
		if err := l.round(ctx, round, best); err != nil {
			return err
		}
	}
	return nil
}

func (l *Loop) check() error {
	switch {
	case l.Rounds < 1 || l.Positions < 1000 || l.Held < 2:
		return wrong("want at least one round, 1000 positions and 2 decisions a tag to choose by")
	case !(l.Share >= 0 && l.Share <= 1) || !(l.Deep >= 0 && l.Deep < 1):
		return wrong("--share must be between 0 and 1, --deep from 0 to below 1")
	case l.Labels < 0 || l.Plies < 1 || l.Plies > 3 || l.HeldPlies < 1 || l.HeldPlies > 3:
		return wrong("want 0 labels or more, 1 to 3 plies deep")
	case !(l.Millions > 0) || !(l.Rate > 0):
		return wrong("--millions and --rate must be above 0")
	}
	return nil
}

func (l *Loop) at(name ...string) string {
	return filepath.Join(append([]string{l.Folder}, name...)...)
}

// begin writes the first best nets.
func (l *Loop) begin(best string) error {
	if l.Base == "" {
		return atomicfile.WriteBytes(best, 0o644, weights.File())
	}
	data, err := os.ReadFile(l.Base)
	if err != nil {
		return mistake{err}
	}
	if _, err := nn.Read(data); err != nil {
		return wrong("%s: %w", l.Base, err)
	}
	return atomicfile.WriteBytes(best, 0o644, data)
}

// step does something once: where its marker is, it was done before.
func (l *Loop) step(dir, name string, do func() error) error {
	mark := filepath.Join(dir, name+marker)
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	fmt.Fprintf(l.Out, "%s: %s\n", filepath.Base(dir), name)
	if err := do(); err != nil {
		return err
	}
	return atomicfile.WriteBytes(mark, 0o644, nil)
}

// round makes one round from the nets in best and puts what passes there.
func (l *Loop) round(ctx context.Context, round int, best string) error {
	dir := l.at(fmt.Sprintf("round-%d", round))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	base := filepath.Join(dir, "base.weights")
	classes := filepath.Join(dir, "classes")
	steps := []struct {
		name string
		do   func() error
	}{
		{"begin", func() error { return copyFile(best, base) }},
		{"decisions", func() error { return l.decisions(ctx, base) }},
		{"positions", func() error { return l.positions(ctx, dir, uint64(round)) }},
		{"mix", func() error { return l.mix(ctx, dir, base) }},
		{"split", func() error {
			files, err := filename.Match(dir, "mixed-*.grp")
			if err != nil {
				return err
			}
			return Split(classes, files, func(class string, n int) error {
				_, err := fmt.Fprintf(l.Out, "  %s: %d positions\n", class, n)
				return err
			})
		}},
		{"labels", func() error {
			return l.each(ctx, func(ctx context.Context, class string) error { return l.label(ctx, dir, base, class, uint64(round)) })
		}},
		{"fits", func() error {
			return l.each(ctx, func(ctx context.Context, class string) error { return l.fit(ctx, dir, base, class, uint64(round)) })
		}},
		{"gate", func() error { return l.gate(dir, base, best, round) }},
	}
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.step(dir, s.name, s.do); err != nil {
			return fmt.Errorf("round %d, %s: %w", round, s.name, err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(to, 0o644, data)
}

// decisions makes the set that chooses, once for all rounds, rated by our search.
func (l *Loop) decisions(ctx context.Context, base string) error {
	path := l.at("held.bin.gz")
	all, err := train.ReadProblems(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	have := map[string]bool{}
	for i := range all {
		have[all[i].Tag] = true
	}
	return l.send(ctx, l.rate(base), func(t train.Teacher, crew piece.Crew, size int) error {
		m := &train.ProblemMaker{Teacher: t, Crew: crew, Size: size, Seed: l.Seed + 1<<32, Plies: l.HeldPlies, Margin: 0.13, Threads: max(l.Threads, 1)}
		for _, tag := range train.Tags {
			if have[tag] || tag == "race" {
				continue
			}
			if err := m.Make(ctx, tag, l.Held, func(d train.Problem) error { all = append(all, d); return nil }); err != nil {
				return err
			}
			if err := train.WriteProblems(path, all); err != nil {
				return err
			}
		}
		return nil
	})
}

// positions makes the round's positions, none of which is in the held set.
func (l *Loop) positions(ctx context.Context, dir string, round uint64) error {
	sp := &train.SelfPlay{Threads: max(l.Threads, 1), Seed: l.Seed + round, Weights: l.Mix, Seen: train.NewKeySet(l.Positions)}
	if err := train.HideBench(sp.Seen); err != nil {
		return err
	}
	ds, err := train.ReadProblems(l.at("held.bin.gz"))
	if err != nil {
		return err
	}
	for i := range ds {
		for _, c := range ds[i].Candidates {
			sp.Seen.Add(c.Key)
		}
	}
	have, err := filename.Match(dir, "sp-*.grp")
	if err != nil {
		return err
	}
	n := l.Positions
	for _, path := range have {
		recs, err := train.ReadRecords(nil, path)
		if err != nil && !(errors.Is(err, train.ErrBadRecord) && len(recs) > 0) {
			return err
		}
		for i := range recs {
			sp.Seen.Add(recs[i].Key)
			sp.Group = max(sp.Group, recs[i].Group)
		}
		n -= len(recs)
	}
	// A run that goes on must not draw the games of the one before again.
	sp.Seed += uint64(max(l.Positions-n, 0)) << 20
	if n <= 0 {
		return nil
	}
	of, err := sp.Spec()
	if err != nil {
		return err
	}
	return l.send(ctx, Task{Teacher: l.Teacher, Games: true, Of: json.RawMessage(of), Most: 32}, func(t train.Teacher, crew piece.Crew, size int) error {
		if sp.Teacher = t; crew != nil {
			sp.Crew, sp.Games = crew, size
		}
		shards, err := train.NewShards(dir, "sp")
		if err != nil {
			return err
		}
		err = teacher.Stopped(ctx, sp.Run(ctx, n, shards.Write))
		return errors.Join(err, shards.Close())
	})
}

// mix moves the labels of the positions towards the present nets.
func (l *Loop) mix(ctx context.Context, dir, base string) error {
	files, err := filename.Match(dir, "sp-*.grp")
	if err != nil {
		return err
	}
	for _, from := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := filepath.Join(dir, "mixed-"+strings.TrimPrefix(filepath.Base(from), "sp-"))
		if _, err := os.Stat(to); err == nil {
			continue // written whole or not at all
		}
		if _, err := Mix(from, to, Panel{Weights: []string{base}}, l.Share, l.Threads); err != nil {
			return err
		}
	}
	return nil
}

// each does something for every class of contact, so many at once as there are
// threads.
func (l *Loop) each(ctx context.Context, do func(ctx context.Context, class string) error) error {
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(max(l.Threads, 1))
	for _, class := range nn.Classes() {
		if class == nn.ClassContact || class == nn.ClassRace {
			continue
		}
		pool.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := do(ctx, class); err != nil {
				return fmt.Errorf("%s: %w", class, err)
			}
			return nil
		})
	}
	return pool.Wait()
}

// has tells whether there is a file.
func has(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// label labels a share of a class's positions by our search.
func (l *Loop) label(ctx context.Context, dir, base, class string, round uint64) error {
	from := filepath.Join(dir, "classes", ClassFile(class))
	some, to := filepath.Join(dir, "some-"+ClassFile(class)), filepath.Join(dir, "deep-"+ClassFile(class))
	if l.Labels == 0 || !has(from) {
		return nil
	}
	if !has(some) {
		if _, err := Sample(from, some, l.Labels/(int(nn.NumPlans)+1), l.Seed+round); err != nil {
			return err
		}
	}
	task := Task{Teacher: teacher.Options{Name: "own", Weights: base, Threads: 1}, Plies: l.Plies, Of: "", Most: 2048}
	if l.Send != nil {
		var err error
		if task.Of, task.Ask, err = Positions(some); err != nil {
			return err
		}
	}
	return l.send(ctx, task, func(t train.Teacher, crew piece.Crew, size int) error {
		labels := Labels{Teacher: t, Plies: l.Plies, Threads: 1, Crew: crew, Size: size}
		return labels.Label(ctx, some, to)
	})
}

// fit fits the net of a class, beginning with the present one.
func (l *Loop) fit(ctx context.Context, dir, base, class string, round uint64) error {
	data := filepath.Join(dir, "classes", ClassFile(class))
	if !has(data) {
		return nil
	}
	shape, _, err := train.LoadStart(base + ":" + class)
	if errors.Is(err, train.ErrNoNet) {
		return nil // crashed positions share the contact net
	}
	if err != nil {
		return err
	}
	f := FitRun{Class: class, Millions: l.Millions, Every: l.Millions, Start: base + ":" + class, Decisions: nil,
		Data: []string{fmt.Sprintf("%s=%g", data, 1-l.Deep)}, Out: l.Out, Err: io.Discard}
	if deep := filepath.Join(dir, "deep-"+ClassFile(class)); l.Deep > 0 && has(deep) {
		f.Data = append(f.Data, fmt.Sprintf("%s=%g", deep, l.Deep))
	}
	f.Fit = train.Fit{Shape: shape, Batch: 256, Rate: l.Rate, EndRate: 1e-5, Threads: 1, Sync: 16, Seed: l.Seed + round,
		Together: 1. / 3, Differences: 4, Checkpoint: filepath.Join(dir, strings.TrimSuffix(ClassFile(class), ".grp")+".fit")}
	return f.Run(ctx)
}

// gate chooses by one half of the held decisions and lets the set become the best
// when the other half does not speak against it.
func (l *Loop) gate(dir, base, best string, round int) error {
	c := ChooseRun{Base: base, Decisions: []string{l.at("held.bin.gz")}, Measure: true,
		Manifest: nn.Manifest{Name: fmt.Sprintf("loop-%d", round), History: []string{fmt.Sprintf(
			"round %d of train loop: %d positions, %d labels of %d plies, %g million samples a net", round, l.Positions, l.Labels, l.Plies, l.Millions)}}}
	for _, class := range nn.Classes() {
		if file := filepath.Join(dir, strings.TrimSuffix(ClassFile(class), ".grp")+".fit"); has(file) {
			c.Nets = append(c.Nets, class+"="+file)
		}
	}
	out := filepath.Join(dir, "new.weights")
	r, err := c.Choose(out)
	if err != nil {
		return err
	}
	var text strings.Builder
	r.Print(&text)
	passed := false
	for _, k := range r.Choices {
		passed = passed || k.Taken
	}
	if all := r.Losses[0]; all.Mean >= all.Teacher {
		passed = false
	}
	verdict := "the nets stay as they were"
	if passed {
		verdict = "the new nets are the best so far"
	}
	fmt.Fprintln(&text, "\n"+verdict)
	fmt.Fprint(l.Out, text.String())
	if err := atomicfile.WriteBytes(filepath.Join(dir, "report.txt"), 0o644, []byte(text.String())); err != nil || !passed {
		return err
	}
	return copyFile(out, best)
}
