package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/atomicfile"

	"github.com/spf13/cobra"
)

// newTrainGateCmd accepts a net only if it decides better.
func newTrainGateCmd() *cobra.Command {
	var (
		accept, against string
		sigmas          float64
		asJSON          bool
	)
	cmd := &cobra.Command{
		Use:   "gate CANDIDATE",
		Short: "Accept a net only if it decides better than the present one",
		Long: `Compares the weights file CANDIDATE with the present one on the decisions of bench nets,
decision by decision. It passes if its mean loss is smaller by more than --sigmas
standard errors of the difference and no plan with 100 decisions or more got worse by
more than two. --accept FILE copies it there if it passes. Exit status 1 if it does not.`,
		Example: `  fibslab train gate new.weights
  fibslab train gate new.weights --against weights/fibsbot.weights --accept weights/fibsbot.weights`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cand, err := openStatic(args[0])
			if err != nil {
				return err
			}
			old, err := openStatic(against)
			if err != nil {
				return err
			}
			ds, err := train.BenchProblems()
			if err != nil {
				return err
			}
			v := train.Gate(ds, cand, old, sigmas)
			if asJSON {
				if err := cmdline.PrintJSON(cmd.OutOrStdout(), v); err != nil {
					return err
				}
			} else {
				nets.PrintLosses(cmd.OutOrStdout(), v.Losses, "present")
				fmt.Fprintln(cmd.OutOrStdout(), v.Reason)
			}
			if !v.Passed {
				return fmt.Errorf("%s does not pass: %s", args[0], v.Reason)
			}
			if accept == "" {
				return nil
			}
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(accept), 0o755); err != nil {
				return err
			}
			return atomicfile.WriteBytes(accept, 0o644, data)
		},
	}
	f := cmd.Flags()
	f.StringVar(&against, "against", "", "present weights file (default the embedded one)")
	f.StringVar(&accept, "accept", "", "file to which a net that passes is copied")
	f.Var(bounded.Of(&sigmas, 1, 0, 100), "sigmas", "standard errors by which it must be better")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
