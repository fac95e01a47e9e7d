package main

import (
	"errors"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/eval"
)

func (t *taught) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&t.BearoffDir, "bearoff-dir", "", "folder of bigger databases")
	f.IntVar(&t.Threads, "threads", 1, "threads")
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
