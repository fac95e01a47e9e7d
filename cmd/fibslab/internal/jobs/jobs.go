// Package jobs has the kinds of jobs that the laboratory gives to a farm.
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/internal/shard"
)

// The kinds. A piece of Measure is a block of matches of tune measure
// or check, of Label positions, of SelfPlay
// games.
var (
	Measure  = remote.Kind{Name: "measure", Program: remote.Lab, Open: openMeasure}
	Label    = remote.Kind{Name: "label", Program: remote.Lab, Open: openLabel}
	SelfPlay = remote.Kind{Name: "selfplay", Program: remote.Lab, Open: openSelfPlay}
)

// All are the kinds that fibslab farm work runs: its own and the product's.
func All() []remote.Kind {
	return slices.Concat(remote.Product(), []remote.Kind{Measure, Label, SelfPlay})
}

// TeacherJob specifies jobs of Label and SelfPlay.
type TeacherJob struct {
	Plies int `json:"plies,omitempty"`
	// Of tells jobs of the same depth apart, or is what SelfPlay.Spec wrote.
	Of json.RawMessage `json:"of"`
}

// Spec returns the specification of the job.
func (j TeacherJob) Spec() ([]byte, error) { return json.Marshal(j) }

func openMeasure(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	return ratings.FromSpec(ctx, engines[0], spec)
}

func openLabel(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	var j TeacherJob
	if err := json.Unmarshal(spec, &j); err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	return taught(ctx, engines[0], func(t train.Teacher) shard.Runner { return train.Labeller(t, j.Plies) }), nil
}

func openSelfPlay(ctx context.Context, engines []*engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	var j TeacherJob
	if err := json.Unmarshal(spec, &j); err != nil {
		return nil, fmt.Errorf("selfplay: %w", err)
	}
	runner, err := train.Gamer(j.Of)
	if err != nil {
		return nil, err
	}
	return taught(ctx, engines[0], runner), nil
}

// taught returns what makes runners with a teacher of their own. A runner lives longer than the
// context that opened the job.
func taught(ctx context.Context, e *engine.Engine, runner func(train.Teacher) shard.Runner) func() (shard.Runner, error) {
	ctx = context.WithoutCancel(ctx)
	return func() (shard.Runner, error) { return runner(train.Own(ctx, e)), nil }
}
