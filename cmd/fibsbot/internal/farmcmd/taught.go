package farmcmd

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/remote"
	"fibsbot/engine/train"
	"fibsbot/engine/train/teacher"
	"fibsbot/engine/train/workshop"
	"fibsbot/internal/shard"
)

// Taught is work that a teacher does here or on a farm.
type Taught struct {
	teacher.Options
	Farm Flags
}

// On gives work, of which kind, ask and most count, to the crew of a farm, or, without
// --farm, to the teacher that the flags name: then there is no crew. of says what the
// work is. The error wraps teacher.ErrOptions where no such teacher can be had.
func (t *Taught) On(cmd *cobra.Command, w Work, plies int, of any, do func(t train.Teacher, crew shard.Crew, size int) error) error {
	if t.Farm.URL != "" && !teacher.IsOwn(t.Name) {
		return mistakef("--farm: the teacher %q is of this machine; own and rollout:TRIALS work on a farm", t.Name)
	}
	if err := t.Check(plies); err != nil {
		return err
	}
	from, err := teacher.Open(cmd.Context(), t.Options)
	if err != nil {
		return err
	}
	defer from.Close()
	if t.Farm.URL == "" {
		return do(from, nil, 0)
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if w.Spec, err = (remote.Taught{Teacher: t.Name, Plies: plies, Of: text}).Spec(); err != nil {
		return err
	}
	e, err := engine.Open(engine.Options{Weights: t.Weights, BearoffDir: t.BearoffDir, Threads: 1})
	if err != nil {
		return err
	}
	defer e.Close()
	w.Engines, w.Weights, w.Bearoff = []*engine.Engine{e}, []string{t.Weights}, t.BearoffDir
	return t.Farm.On(cmd, w, func(crew shard.Crew, size int) error { return do(from, crew, size) })
}

// Send is what a loop sends its tasks by, workshop.Loop.Send: nil without --farm.
func (f *Flags) Send(cmd *cobra.Command) func(workshop.Task, workshop.Do) error {
	if f.URL == "" {
		return nil
	}
	return func(task workshop.Task, do workshop.Do) error {
		w := Work{Kind: remote.Label, Ask: task.Ask, Most: task.Most}
		if task.Games {
			w.Kind = remote.SelfPlay
		}
		if w.Ask == nil {
			w.Ask = remote.Part
		}
		t := Taught{Options: task.Teacher, Farm: *f}
		return t.On(cmd, w, task.Plies, task.Of, do)
	}
}
