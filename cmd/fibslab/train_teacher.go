package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/eval"
)

func addTeacherFlags(f *pflag.FlagSet, o *teacher.Options) {
	f.StringVar(&o.Name, "teacher", "gnubg", teacher.Names)
	f.StringVar(&o.GnubgDir, "gnubg-dir", train.GnubgDir, "folder of label.py, for gnubg; outside a checkout the file in the program is used")
	f.StringVar(&o.Weights, "weights", "", "weights file of own and rollout (default the embedded one)")
	f.StringVar(&o.BearoffDir, "bearoff-dir", "", "folder of bigger databases, for bearoff, own and rollout")
	f.IntVar(&o.Threads, "threads", 1, "threads of own and rollout")
}

func (t *taught) add(cmd *cobra.Command) {
	addTeacherFlags(cmd.Flags(), &t.Options)
	t.Farm.Add(cmd)
}

// openStatic opens the static evaluation of a weights file, "" being the embedded one.
func openStatic(path string) (eval.Evaluator, error) {
	judge, _, err := teacher.Static(path)
	return judge, asOptions(err)
}

// asOptions marks as the user's mistake options that cannot be used.
func asOptions(err error) error {
	if errors.Is(err, teacher.ErrOptions) {
		return cmdline.AsUsage(err)
	}
	return err
}
