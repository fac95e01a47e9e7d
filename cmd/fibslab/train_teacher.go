package main

import (
	"errors"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/internal/cmdline"
)

func (t *taught) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&t.BearoffDir, "bearoff-dir", "", "folder of bigger databases")
	f.IntVar(&t.Threads, "threads", 1, "threads")
	t.Farm.Add(cmd)
}

// asOptions marks as the user's mistake options that cannot be used.
func asOptions(err error) error {
	if errors.Is(err, teacher.ErrOptions) {
		return cmdline.AsUsage(err)
	}
	return err
}
