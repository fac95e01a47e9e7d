package farmcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/duel"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/internal/farm"
	"fibsbot/internal/shard"
)

// Work is the work that a command gives to a farm.
type Work struct {
	Kind remote.Kind
	Spec []byte
	// Engines do the work; Weights are the files of their nets, in the same order, ""
	// (or nothing) for the nets in the program.
	Engines []*engine.Engine
	Weights []string
	// Bearoff is the folder of bearoff databases, "" for none.
	Bearoff string
	// Table is the match equity table in the form of --met.
	Table string
	// Ask asks for part k alone, to time it, and Most bounds the parts of a piece. Without Ask a piece
	// has Most parts.
	Ask  func(k int) []byte
	Most int
	// Parts is the most parts to run, or 0 if unknown, and Done how many were run before: farm status
	// computes the rest from them.
	Parts, Done int
}

// On does the work: it calls do with a crew of the farm and how many parts a piece may have, or,
// without --farm, with nil. The job is complete if do returns nil; otherwise the computed pieces stay
// on the farm for the same command.
func (f *Flags) On(cmd *cobra.Command, w Work, do func(crew shard.Crew, size int) error) error {
	if f.URL == "" {
		return do(nil, 0)
	}
	ctx := cmd.Context()
	c, err := f.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	job := farm.Job{Kind: w.Kind.Name, Spec: w.Spec, Engine: farm.Engine{Program: w.Kind.Program, Version: build(), Kernel: nn.Kernel()}}
	if job.Engine.Answer, err = remote.Answers(ctx, w.Engines); err != nil {
		return err
	}
	if err := f.upload(ctx, c, &w, &job.Engine); err != nil {
		return err
	}
	makeRunner, err := w.Kind.Open(ctx, w.Engines, w.Spec)
	if err != nil {
		return err
	}
	judge, err := makeRunner()
	if err != nil {
		return err
	}
	say := func(text string) { tell(cmd, text) }
	crew, err := c.Submit(ctx, job, farm.Command{Warn: say, Judge: judge, Measure: w.Kind.Share, Size: func() (int, error) {
		if w.Ask == nil {
			return w.Most, nil
		}
		return remote.SizeFor(ctx, judge, w.Ask, w.Most, f.Piece)
	}})
	if err != nil {
		return err
	}
	size := max(1, crew.Job.Size)
	crew.Expect((w.Parts+size-1)/size, w.Done/size)
	say(fmt.Sprintf("job %s on %s", crew.Job.ID, f.URL))
	err = do(crew, crew.Job.Size)
	if cerr := crew.Close(ctx, err == nil); err == nil {
		err = cerr
	}
	if a := crew.Audit(); err == nil && a.Pieces > 0 {
		say(fmt.Sprintf("job %s: %s", crew.Job.ID, &a))
	}
	if kept, ok := crew.Kept(); ok {
		say(fmt.Sprintf("job %s: %s", crew.Job.ID, kept))
	}
	return err
}

// tell writes a line, on a terminal over the progress bar.
func tell(cmd *cobra.Command, text string) {
	w, start := cmd.ErrOrStderr(), ""
	if cmdline.IsTerminal(w) {
		start = "\r\x1b[K"
	}
	fmt.Fprint(w, start, cmd.Root().Name(), ": ", text, "\n")
}

// Duel plays the pairs of a duel, here or on a farm.
func (f *Flags) Duel(cmd *cobra.Command, w Work, plan *duel.Plan, run *duel.Run) (results []duel.Pair, played int, err error) {
	if w.Spec, err = plan.Spec(); err != nil {
		return nil, 0, err
	}
	w.Ask, w.Most, w.Parts, w.Done = remote.Part, duel.MaxPiece, run.Pairs-len(run.Earlier), len(run.Earlier)
	err = f.On(cmd, w, func(crew shard.Crew, size int) (err error) {
		run.Crew, run.Size = crew, size
		results, played, err = run.Play(cmd.Context())
		return err
	})
	return results, played, err
}

// upload sends weights, match equity table and bearoff files to the farm.
func (f *Flags) upload(ctx context.Context, c *farm.Client, w *Work, e *farm.Engine) error {
	for i := range w.Engines {
		var file farm.File
		if i < len(w.Weights) && w.Weights[i] != "" {
			var err error
			if file, err = c.Upload(ctx, w.Weights[i]); err != nil {
				return err
			}
		}
		switch {
		case i > 0:
			e.Others = append(e.Others, file)
		case file != (farm.File{}):
			e.Weights = &file
		}
	}
	switch t, named := engine.NamedTable(w.Table); {
	case !named:
		file, err := c.Upload(ctx, w.Table)
		if err != nil {
			return err
		}
		e.Table = &file
	case t != match.DefaultTable():
		e.Table = &farm.File{Name: strings.ToLower(w.Table)}
	}
	if w.Bearoff == "" {
		return nil
	}
	files, err := os.ReadDir(w.Bearoff)
	if err != nil {
		return cmdline.Usagef("--bearoff-dir: %w", err)
	}
	for _, d := range files {
		if !d.Type().IsRegular() {
			continue
		}
		file, err := c.Upload(ctx, filepath.Join(w.Bearoff, d.Name()))
		if err != nil {
			return err
		}
		e.Bearoff = append(e.Bearoff, file)
	}
	return nil
}

// bench holds the engines of a worker.
type bench struct {
	kinds   []remote.Kind
	cacheMB int
	warn    func(string)
	bays    []bay // the one used last at the end
}

// bay is the engines of a signature and their answer to the fixed questions.
type bay struct {
	sig     string
	engines []*engine.Engine
	answer  string
}

// mostBays bounds the engines kept for later jobs: a worker that runs for months sees many nets.
const mostBays = 3

// prepare opens the engines of a job: farm.Worker.Prepare.
func (b *bench) prepare(ctx context.Context, j farm.Job, paths farm.Paths) (p farm.Prepared, err error) {
	k := slices.IndexFunc(b.kinds, func(k remote.Kind) bool { return k.Name == j.Kind })
	if k < 0 {
		return p, fmt.Errorf("this program does not run jobs of kind %.40q (run: %s)", j.Kind, kindNames(b.kinds))
	}
	sig := j.Engine.Sig()
	i := slices.IndexFunc(b.bays, func(x bay) bool { return x.sig == sig })
	var at bay
	if i >= 0 {
		at = b.bays[i]
		b.bays = slices.Delete(b.bays, i, i+1)
	} else if at, err = b.open(ctx, j, paths); err != nil {
		return p, err
	}
	// The engines left out here are freed with the runners of their last job.
	b.bays = append(b.bays[max(0, len(b.bays)-mostBays+1):], at)
	if p.Answer = at.answer; p.Answer != j.Engine.Answer {
		return p, nil
	}
	p.New, err = b.kinds[k].Open(ctx, at.engines, j.Spec)
	debug.FreeOSMemory() // left from unpacking the nets
	return p, err
}

func kindNames(kinds []remote.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name
	}
	return strings.Join(names, ", ")
}

// open opens the engines of a signature and asks them the fixed questions.
func (b *bench) open(ctx context.Context, j farm.Job, paths farm.Paths) (at bay, err error) {
	at.sig = j.Engine.Sig()
	table, named := engine.NamedTable(paths.Table)
	if !named && j.Engine.Table.SHA256 == "" {
		return at, fmt.Errorf("no match equity table %.40q", paths.Table)
	}
	if !named {
		if table, err = engine.LoadTable(paths.Table); err != nil {
			return at, err
		}
	}
	for _, path := range paths.Weights {
		e, err := engine.Open(engine.Options{Table: table, Weights: path, BearoffDir: paths.Bearoff, CacheMB: b.cacheMB / len(paths.Weights),
			Threads: 1, Seed: 1, Warn: b.warn})
		if err != nil {
			return at, err
		}
		at.engines = append(at.engines, e)
	}
	at.answer, err = remote.Answers(ctx, at.engines)
	return at, err
}
