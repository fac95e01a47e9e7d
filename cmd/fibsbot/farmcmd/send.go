package farmcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/duel"
	"fibsbot/engine/nn/kernel"
	"fibsbot/engine/remote"
	"fibsbot/engine/train"
	"fibsbot/internal/farm"
	"fibsbot/internal/piece"
)

// Work is what a command has done by a farm.
type Work struct {
	Kind string // one of package remote
	Spec []byte
	// Engines do the work; Weights are the files of their nets, in the same order, ""
	// (or nothing) for the nets in the program.
	Engines []*engine.Engine
	Weights []string
	// Bearoff is the folder of bearoff databases, "" for none.
	Bearoff string
	// Ask asks for part k alone, to see how long it takes, and Most bounds the parts of a
	// piece. Without Ask a piece has Most parts.
	Ask  func(k int) []byte
	Most int
}

// On does the work: do is called with a crew of the farm and how many parts a piece may
// have, or, without --farm, with nil. What do returns ends the job: it is complete where
// that is nil; otherwise what was computed stays on the farm for the same command.
func (f *Flags) On(cmd *cobra.Command, w Work, do func(crew piece.Crew, size int) error) error {
	if f.URL == "" {
		return do(nil, 0)
	}
	ctx := cmd.Context()
	c, err := f.dial()
	if err != nil {
		return err
	}
	defer c.Close()
	job := farm.Job{Kind: w.Kind, Spec: w.Spec, Engine: farm.Engine{Version: build(), Kernel: kernel.Name()}}
	if job.Engine.Answer, err = remote.Answers(ctx, w.Engines); err != nil {
		return err
	}
	if err := f.upload(ctx, c, &w, &job.Engine); err != nil {
		return err
	}
	makeRunner, err := remote.Open(ctx, w.Engines, w.Kind, w.Spec)
	if err != nil {
		return err
	}
	judge, err := makeRunner()
	if err != nil {
		return err
	}
	crew, err := c.Submit(ctx, job, func() (int, error) {
		if w.Ask == nil {
			return w.Most, nil
		}
		return remote.SizeFor(ctx, judge, w.Ask, w.Most, f.Piece)
	})
	if err != nil {
		return err
	}
	crew.SetWarn(func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "fibsbot: "+text) })
	crew.SetJudge(judge)
	fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: job %s on %s\n", crew.Job.ID, f.URL)
	err = do(crew, crew.Job.Size)
	if cerr := crew.Close(ctx, err == nil); err == nil {
		err = cerr
	}
	return err
}

// Sender gives several jobs to the farm that differ in kind and specification alone:
// nets.Send.
func (f *Flags) Sender(cmd *cobra.Command, w Work) func(kind string, spec []byte, do func(piece.Crew, int) error) error {
	return func(kind string, spec []byte, do func(piece.Crew, int) error) error {
		w.Kind, w.Spec = kind, spec
		return f.On(cmd, w, do)
	}
}

// Duel has the pairs of a duel played, here or on a farm.
func (f *Flags) Duel(cmd *cobra.Command, w Work, plan *duel.Plan, run *duel.Run) (results []duel.Pair, played int, err error) {
	if w.Spec, err = plan.Spec(); err != nil {
		return nil, 0, err
	}
	w.Ask, w.Most = remote.Part, duel.MaxPiece
	err = f.On(cmd, w, func(crew piece.Crew, size int) (err error) {
		run.Crew, run.Size = crew, size
		results, played, err = run.Play(cmd.Context())
		return err
	})
	return results, played, err
}

// NetsSender sends games between nets: weights against those of against, where that is
// not "". closeAll ends the engines.
func (f *Flags) NetsSender(cmd *cobra.Command, weights, against string) (send func(kind string, spec []byte, do func(piece.Crew, int) error) error, closeAll func(), err error) {
	w := Work{Weights: []string{weights}, Ask: remote.Part, Most: train.MaxPairs}
	if against != "" {
		w.Weights = append(w.Weights, against)
	}
	closeAll = func() {
		for _, e := range w.Engines {
			_ = e.Close() // nothing is written
		}
	}
	for _, path := range w.Weights {
		e, err := engine.Open(engine.Options{Weights: path, CacheMB: 1, Threads: 1, Seed: 1})
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		w.Engines = append(w.Engines, e)
	}
	return f.Sender(cmd, w), closeAll, nil
}

// upload takes weights and bearoff files to the farm.
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
	if w.Bearoff == "" {
		return nil
	}
	files, err := os.ReadDir(w.Bearoff)
	if err != nil {
		return mistakef("--bearoff-dir: %w", err)
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

// bench holds the engines of a worker, by the signature of their jobs.
type bench struct {
	cacheMB int
	warn    func(string)
	engines map[string][]*engine.Engine
}

// prepare opens what a job wants: farm.Worker.Prepare.
func (b *bench) prepare(ctx context.Context, j farm.Job, weights []string, bearoff string) (p farm.Prepared, err error) {
	sig := j.Engine.Sig()
	list := b.engines[sig]
	if list == nil {
		for _, path := range weights {
			e, err := engine.Open(engine.Options{Weights: path, BearoffDir: bearoff, CacheMB: b.cacheMB / len(weights), Threads: 1, Seed: 1, Warn: b.warn})
			if err != nil {
				return p, err
			}
			list = append(list, e)
		}
		if b.engines == nil {
			b.engines = map[string][]*engine.Engine{}
		}
		b.engines[sig] = list
	}
	if p.Answer, err = remote.Answers(ctx, list); err != nil || p.Answer != j.Engine.Answer {
		return p, err
	}
	p.New, err = remote.Open(ctx, list, j.Kind, j.Spec)
	debug.FreeOSMemory() // what unpacking the nets has left
	return p, err
}
