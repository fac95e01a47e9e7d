package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibsbot/farmcmd"
	"fibsbot/engine"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/engine/remote"
	"fibsbot/engine/train"
	"fibsbot/engine/train/teacher"
	"fibsbot/internal/piece"
)

func addTeacherFlags(f *pflag.FlagSet, o *teacher.Options) {
	f.StringVar(&o.Name, "teacher", "gnubg", teacher.Names)
	f.StringVar(&o.GnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for gnubg")
	f.StringVar(&o.Weights, "weights", "", "weights file of own and rollout (default the embedded one)")
	f.StringVar(&o.BearoffDir, "bearoff-dir", "", "folder of bigger databases, for bearoff, own and rollout")
	f.IntVar(&o.Threads, "threads", 1, "threads of own and rollout")
}

// openTeacher starts the teacher that the flags name.
func openTeacher(ctx context.Context, o teacher.Options) (train.Teacher, error) {
	t, err := teacher.Open(ctx, o)
	return t, asOptions(err)
}

// taught is work that a teacher does here or on a farm.
type taught struct {
	teacher.Options
	farm farmcmd.Flags
}

func (t *taught) add(cmd *cobra.Command) {
	addTeacherFlags(cmd.Flags(), &t.Options)
	t.farm.Add(cmd)
}

// on gives work of a teacher to the crew of a farm, or, without --farm, to the teacher
// that the flags name: then there is no crew. of says what the work is.
func (t *taught) on(cmd *cobra.Command, kind string, plies int, of any, ask func(k int) []byte, most int, do func(t train.Teacher, crew piece.Crew, size int) error) error {
	ctx := cmd.Context()
	if t.farm.URL != "" && !teacher.IsOwn(t.Name) {
		return usagef("--farm: the teacher %q is of this machine; own and rollout:TRIALS work on a farm", t.Name)
	}
	from, err := openTeacher(ctx, t.Options)
	if err != nil {
		return err
	}
	defer from.Close()
	if t.farm.URL == "" {
		return asOptions(do(from, nil, 0))
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	spec, err := remote.Taught{Teacher: t.Name, Plies: plies, Of: text}.Spec()
	if err != nil {
		return err
	}
	e, err := engine.Open(engine.Options{Weights: t.Weights, BearoffDir: t.BearoffDir, Threads: 1})
	if err != nil {
		return err
	}
	defer e.Close()
	work := farmcmd.Work{Kind: kind, Spec: spec, Engines: []*engine.Engine{e}, Weights: []string{t.Weights}, Bearoff: t.BearoffDir, Ask: ask, Most: most}
	return asOptions(t.farm.On(cmd, work, func(crew piece.Crew, size int) error { return do(from, crew, size) }))
}

// openStatic opens the static evaluation of a weights file, "" being the embedded one.
func openStatic(path string) (eval.Evaluator, *nn.Set, error) {
	judge, set, err := teacher.Static(path)
	return judge, set, asOptions(err)
}

// asOptions marks as the user's mistake what no teacher can be made of.
func asOptions(err error) error {
	if errors.Is(err, teacher.ErrOptions) {
		return asUsage(err)
	}
	return err
}
