package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
	"fibsbot/internal/shard"
	"fibsbot/weights"
)

// decisions makes the set that chooses between nets, once for all rounds, rated by our search.
func (l *Loop) decisions(ctx context.Context, base string) error {
	var want []Count
	for _, tag := range train.Tags {
		if tag != "race" {
			want = append(want, Count{tag, l.Held})
		}
	}
	held, err := OpenDecisions(l.at("held.bin.gz"), want)
	if err != nil {
		return err
	}
	return l.send(ctx, l.rate(base), func(t train.Teacher, crew shard.Crew, size int) error {
		m := &train.ProblemMaker{Teacher: t, Crew: crew, Size: size, Seed: l.Seed + 1<<32, Plies: l.HeldPlies, Margin: 0.13, Threads: max(l.Threads, 1)}
		return held.Make(ctx, m, nil)
	})
}

// positions makes the round's positions, none of which is in the held set.
func (l *Loop) positions(ctx context.Context, dir string, round uint64) error {
	return l.play(ctx, dir, "sp", l.Positions, l.Teacher, &train.SelfPlay{Seed: l.Seed + round})
}

// paths makes positions of best play by the present nets, from which values are learned, and
// splits them by class.
func (l *Loop) paths(ctx context.Context, dir, base string, round uint64) error {
	sp := &train.SelfPlay{Seed: l.Seed + round + 1<<40, Trace: traced, NoLuck: true}
	if err := l.play(ctx, dir, "path", l.Paths, teacher.Options{Name: "own", Weights: base, Threads: 1}, sp); err != nil {
		return err
	}
	return l.split(dir, "path", "paths")
}

// traced is how much of the later game labels paths. The rest shortens the label's horizon:
// without luck there is little noise to reduce by it.
const traced = 0.98

// play makes n positions, none in the held set, and appends them to PREFIX-PLAN.grp in dir.
func (l *Loop) play(ctx context.Context, dir, prefix string, n int, by teacher.Options, sp *train.SelfPlay) error {
	sp.Threads, sp.Weights, sp.Seen = max(l.Threads, 1), l.Mix, train.NewKeySet(n)
	if err := families.Hide(sp.Seen); err != nil {
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
	all, have := n, 0
	if err := sp.KnowAll(dir, prefix, func(_ string, n int) { have += n }); err != nil {
		return err
	}
	// A resumed run must not draw its earlier games again.
	sp.Seed += uint64(min(have, all)) << 20
	if n -= have; n <= 0 {
		return nil
	}
	of, err := sp.Spec()
	if err != nil {
		return err
	}
	return l.send(ctx, Task{Teacher: by, Games: true, Of: json.RawMessage(of), Most: 32}, func(t train.Teacher, crew shard.Crew, size int) error {
		if sp.Teacher = t; crew != nil {
			sp.Crew, sp.Games = crew, size
		}
		shards, err := train.NewShards(dir, prefix)
		if err != nil {
			return err
		}
		err = teacher.Stopped(ctx, sp.Run(ctx, n, shards.Write))
		return errors.Join(err, shards.Close())
	})
}

// split splits the files PREFIX-PLAN.grp by class, into a folder of dir.
func (l *Loop) split(dir, prefix, folder string) error {
	files, err := filename.Match(dir, prefix+"-*.grp")
	if err != nil {
		return err
	}
	return Split(filepath.Join(dir, folder), files, func(class string, n int) error {
		_, err := fmt.Fprintf(l.Out, "  %s: %d positions\n", class, n)
		return err
	})
}

// values has the net of each class learn the values of the paths, before it learns to choose,
// and packs the result.
func (l *Loop) values(ctx context.Context, dir, base, out string, round uint64) error {
	nets, err := NetsOf(base)
	if err != nil {
		return err
	}
	name := func(class string) string {
		return filepath.Join(dir, "values-"+strings.TrimSuffix(ClassFile(class), ".grp")+".fit")
	}
	err = l.each(ctx, func(ctx context.Context, class string) error {
		data := filepath.Join(dir, "paths", ClassFile(class))
		if _, ok := nets[class]; !ok || !has(data) {
			return nil
		}
		st, err := os.Stat(data)
		if err != nil {
			return err
		}
		// Labels are a little noisy: large batches, a low rate, no position too often.
		millions := min(l.Millions, float64(st.Size())/float64(train.SizeOf(data))*timesValues/1e6)
		return l.learn(ctx, FitRun{Class: class, Start: base + ":" + class, Millions: millions, Data: []string{data},
			Fit: train.Fit{Batch: 1024, Rate: l.Rate / 2, Seed: l.Seed + round, Checkpoint: name(class)}})
	})
	if err != nil {
		return err
	}
	for class := range nets {
		if has(name(class)) {
			nets[class] = name(class)
		}
	}
	set, err := weights.Load(base)
	if err != nil {
		return err
	}
	return Pack(out, nn.Manifest{Name: set.Manifest.Name, History: set.Manifest.History}, nets, Packing{})
}

// timesValues is how often a position is seen when values are learned.
const timesValues = 6

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
		if _, _, err := Mix(from, to, Panel{Weights: []string{base}}, l.Share, l.Threads); err != nil {
			return err
		}
	}
	return nil
}

// each does something for every class of contact, Threads classes at once.
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

// has reports whether a file exists.
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
		if _, err := Sample(from, some, l.Labels/(int(nn.NumPlans)+2), l.Seed+round); err != nil {
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
	by, err := ByOf(task.Teacher, l.Plies)
	if err != nil {
		return err
	}
	return l.send(ctx, task, func(t train.Teacher, crew shard.Crew, size int) error {
		labels := Labels{Teacher: t, Plies: l.Plies, Threads: 1, Crew: crew, Size: size, By: by}
		return labels.Label(ctx, some, to)
	})
}

// fit fits the net of a class, beginning with the one that has learned its values.
func (l *Loop) fit(ctx context.Context, dir, base, class string, round uint64) error {
	data := filepath.Join(dir, "classes", ClassFile(class))
	if !has(data) {
		return nil
	}
	f := FitRun{Class: class, Millions: l.Millions, Start: base + ":" + class}
	rest := 1 - l.Deep
	if paths := filepath.Join(dir, "paths", ClassFile(class)); has(paths) {
		rest /= 2 // so that values stay while choices are learned
		f.Data = append(f.Data, fmt.Sprintf("%s=%g", paths, rest))
	}
	f.Data = append(f.Data, fmt.Sprintf("%s=%g", data, rest))
	if deep := filepath.Join(dir, "deep-"+ClassFile(class)); l.Deep > 0 && has(deep) {
		f.Data = append(f.Data, fmt.Sprintf("%s=%g", deep, l.Deep))
	}
	f.Fit = train.Fit{Batch: 256, Rate: l.Rate, Seed: l.Seed + round, Together: 1. / 3, Differences: 4,
		Checkpoint: filepath.Join(dir, strings.TrimSuffix(ClassFile(class), ".grp")+".fit")}
	return l.learn(ctx, f)
}

// learn runs a fit, unless the weights file that it starts from has no net of its class:
// crashed positions then share the contact net.
func (l *Loop) learn(ctx context.Context, f FitRun) error {
	shape, _, err := train.LoadStart(f.Start)
	if errors.Is(err, train.ErrNoNet) {
		return nil
	}
	if err != nil {
		return err
	}
	f.Shape, f.EndRate, f.Threads, f.Sync = shape, 1e-5, 1, 16
	f.Every, f.Out, f.Err = f.Millions, l.Out, io.Discard
	return f.Run(ctx)
}

// gate chooses by one half of the held decisions and makes the set the best unless it is worse
// on the other half.
func (l *Loop) gate(dir, base, best string, round int) error {
	c := ChooseRun{Base: base, Decisions: []string{l.at("held.bin.gz")}, Measure: true,
		Manifest: nn.Manifest{Name: fmt.Sprintf("loop-%d", round), History: []string{fmt.Sprintf(
			"round %d of train loop: %d positions, %d of games without luck, %d labels of %d plies, %g million samples a net", round, l.Positions, l.Paths, l.Labels, l.Plies, l.Millions)}}}
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
