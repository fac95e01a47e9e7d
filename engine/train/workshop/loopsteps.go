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

	"golang.org/x/sync/errgroup"

	"fibsbot/engine/nn"
	"fibsbot/engine/train"
	"fibsbot/engine/train/teacher"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
	"fibsbot/internal/piece"
)

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
