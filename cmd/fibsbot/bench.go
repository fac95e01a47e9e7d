package main

import (
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/bench"
)

func newBenchCmd() *cobra.Command {
	var parts engineflags.Engine
	var seconds float64
	cmd := cmdline.New("bench", func(cmd *cobra.Command, _ []string) error {
		if !(seconds > 0 && seconds <= 3600) {
			return cmdline.Usagef("--seconds: %v is not a time (more than 0, at most 3600)", seconds)
		}
		parts.Threads = 1
		e, err := parts.Open(cmd, 1)
		if err != nil {
			return err
		}
		defer e.Close()
		e.Warm()
		out, err := bench.Measure(cmd.Context(), e, time.Duration(seconds*float64(time.Second)))
		if err != nil {
			return err
		}
		return cmdline.AnswerBy(cmd, out, out.Print)
	})
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().Float64Var(&seconds, "seconds", 1, "seconds to measure each figure")
	cmdline.AddJSON(cmd)
	return cmd
}
