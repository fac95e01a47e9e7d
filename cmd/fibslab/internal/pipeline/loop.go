package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
	"fibsbot/weights"
)

// Loop makes nets unattended: rounds of positions, labels, fits and a gate, each beginning
// with the best nets so far. It keeps everything in a folder and may be stopped at any time:
// started again it resumes at the same step.
//
//	FOLDER/best.weights        the best nets so far
//	FOLDER/held.bin.gz         decisions that choose nets, never trained on
//	FOLDER/round-1/            settings.json, positions, paths, labels, fits and report.txt of a round
type Loop struct {
	Folder string
	Base   string // weights file of the first round, "" the embedded one
	Rounds int
	RoundSettings
	Mix     [len(train.PlanNames)]float64 // games by plan
	Teacher teacher.Options
	Threads int // fits and labellings at once
	Out     io.Writer
	// Send, unless nil, gives a task to a farm, whose crew it passes to do. The result is the
	// same as here.
	Send func(task Task, do Do) error
}

// marker ends the name of the file that a finished step leaves in the round's folder.
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

// Run does the missing rounds. When ctx ends it returns ctx's error and keeps the finished
// steps. The error wraps [teacher.ErrOptions] if the settings are wrong, or others than those
// of a round that has begun.
func (l *Loop) Run(ctx context.Context) error {
	if err := l.check(); err != nil {
		return err
	}
	if _, ours := l.Out.(*lines); !ours {
		l.Out = &lines{w: l.Out} // several classes are fitted at once
	}
	if err := os.MkdirAll(l.Folder, 0o755); err != nil {
		return err
	}
	// Two loops would corrupt each other's files.
	release, err := lockfile.Take(l.at("lock"), 0o644)
	if errors.Is(err, lockfile.ErrLocked) {
		return wrong("%s: another fibslab makes nets there", l.Folder)
	}
	if err != nil {
		return err
	}
	before := l.roundsDone()
	if err = l.checkSettings(); err == nil {
		err = l.sweep()
	}
	if err == nil {
		err = l.rounds(ctx)
	}
	if err == nil {
		err = l.tellDone(before)
	}
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

func (l *Loop) at(name ...string) string {
	return filepath.Join(append([]string{l.Folder}, name...)...)
}

// begin writes the first best nets.
func (l *Loop) begin(best string) error {
	if l.Base == "" {
		return atomicfile.WriteBytes(best, 0o644, weights.File())
	}
	return copyFile(l.Base, best)
}

// step does something once: its marker says that it is done.
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

// round makes one round from the nets in best and replaces them if the new ones pass.
func (l *Loop) round(ctx context.Context, round int, best string) error {
	dir := l.at(roundName(round))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	base, values := filepath.Join(dir, "base.weights"), filepath.Join(dir, "values.weights")
	steps := []struct {
		name string
		do   func() error
	}{
		{"begin", func() error { return errors.Join(l.keepSettings(round), copyFile(best, base)) }},
		{"decisions", func() error { return l.decisions(ctx, base) }},
		{"positions", func() error { return l.positions(ctx, dir, uint64(round)) }},
		{"paths", func() error { return l.paths(ctx, dir, base, uint64(round)) }},
		{"values", func() error { return l.values(ctx, dir, base, values, uint64(round)) }},
		{"mix", func() error { return l.mix(ctx, dir, values) }},
		{"split", func() error { return l.split(dir, "mixed", "classes") }},
		{"labels", func() error {
			return l.each(ctx, func(ctx context.Context, class string) error { return l.label(ctx, dir, values, class, uint64(round)) })
		}},
		{"fits", func() error {
			return l.each(ctx, func(ctx context.Context, class string) error { return l.fit(ctx, dir, values, class, uint64(round)) })
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
