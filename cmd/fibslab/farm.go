package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/internal/shard"
)

// The kinds of jobs of the laboratory. A piece of measureJob is a block of matches of tune measure
// or check, of labelJob positions, of selfPlayJob games.
var (
	measureJob = remote.Kind{Name: "measure", Program: remote.Lab, Open: func(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
		return ratings.FromSpec(ctx, engines[0], spec)
	}}
	labelJob = remote.Kind{Name: "label", Program: remote.Lab, Open: taughtBy(func(j teacherJob) (func(train.Teacher) shard.Runner, error) {
		return func(t train.Teacher) shard.Runner { return train.Labeller(t, j.Plies) }, nil
	})}
	selfPlayJob = remote.Kind{Name: "selfplay", Program: remote.Lab, Open: taughtBy(func(j teacherJob) (func(train.Teacher) shard.Runner, error) {
		return train.Gamer(j.Of)
	})}
)

// teacherJob specifies jobs of our own search.
type teacherJob struct {
	Plies int `json:"plies,omitempty"`
	// Of tells jobs of the same depth apart, or is what SelfPlay.Spec wrote.
	Of json.RawMessage `json:"of"`
}

// taughtBy opens jobs whose runners have a teacher of their own.
func taughtBy(of func(teacherJob) (func(train.Teacher) shard.Runner, error)) func(context.Context, []*engine.Engine, []byte) (func() (shard.Runner, error), error) {
	return func(_ context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
		var j teacherJob
		if err := json.Unmarshal(spec, &j); err != nil {
			return nil, fmt.Errorf("labels: %w", err)
		}
		runner, err := of(j)
		if err != nil {
			return nil, err
		}
		return func() (shard.Runner, error) { return runner(train.Own(engines[0])), nil }, nil
	}
}

// newFarmCmd is `fibslab farm`: a worker for every kind of job.
func newFarmCmd() *cobra.Command {
	kinds := slices.Concat(remote.Product(), []remote.Kind{measureJob, labelJob, selfPlayJob})
	return group("farm", "Run heavy jobs on many machines", `Workers of fibslab run the jobs of both programs. The server of a farm, its status and
its keys are commands of fibsbot farm.`, "  fibslab farm work --farm tls://desk:4333 --farm-key work.key", farmcmd.NewWork("fibslab", kinds))
}

// taught is the work of our own search, here or on a farm.
type taught struct {
	train.Options
	Farm farmcmd.Flags
}

// on gives work, whose kind, ask and most are set, to the crew of a farm, or, without
// --farm, of this process; size is 0 then. of is what the work is.
func (t *taught) on(cmd *cobra.Command, w farmcmd.Work, plies int, of any, do func(crew shard.Crew, size int) error) error {
	if err := cmdline.NeedFolder("--bearoff-dir", t.BearoffDir); err != nil {
		return err
	}
	e, err := t.Open()
	if err != nil {
		return err
	}
	defer e.Close()
	j := teacherJob{Plies: plies}
	if j.Of, err = json.Marshal(of); err != nil {
		return err
	}
	if w.Spec, err = json.Marshal(j); err != nil {
		return err
	}
	w.Engines, w.Weights, w.Bearoff = []*engine.Engine{e}, []string{t.Weights}, t.BearoffDir
	if t.Farm.URL != "" {
		return t.Farm.On(cmd, w, do)
	}
	runner, err := w.Kind.Open(cmd.Context(), w.Engines, w.Spec)
	if err != nil {
		return err
	}
	return do(&shard.Local{Threads: t.Threads, New: runner}, 0)
}

func (t *taught) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&t.BearoffDir, "bearoff-dir", "", "folder of bigger databases")
	f.Var(bounded.Of(&t.Threads, 1, 1, 1024), "threads", "threads")
	t.Farm.Add(cmd)
}
