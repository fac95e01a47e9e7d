package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"

	"github.com/spf13/cobra"
)

// newTrainPackCmd packs checkpoints of fit into a weights file.
func newTrainPackCmd() *cobra.Command {
	var (
		contact, crashed, crashedTheirs, race, name, base string
		how                                               pipeline.Packing
		history, plans                                    []string
	)
	cmd := &cobra.Command{
		Use:   "pack OUT",
		Short: "Write a weights file from the checkpoints of fit",
		Long: `Writes the nets of checkpoints, or FILE.weights:CLASS, into one weights file. With
--base the other nets come from that file.

A PLAN whose name ends in -theirs is the opponent's, the others with such a twin are those of
the player on roll (classes: ` + strings.Join(nn.Classes(), " ") + `).
A plan without a net has that of the plan from which it was cut: attack of blitz, shutout of
containment, loose of mutual, NAME-deep and NAME-theirs of NAME.`,
		Example: `  fibslab train pack new.weights --contact contact.fit --race race.fit --history "0-ply, 100M samples"
  fibslab train pack new.weights --base weights/fibsbot.weights --plan backgame=back.fit --plan blitz=blitz.fit`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := pipeline.NetsOf(base)
			if err != nil {
				return asOptions(err)
			}
			for _, arg := range plans {
				plan, file, ok := strings.Cut(arg, "=")
				if !ok {
					return cmdline.Usagef("--plan %q: not PLAN=CHECKPOINT", arg)
				}
				if !slices.Contains(nn.PlanNames(), plan) {
					return cmdline.Usagef("--plan %q: no plan %q, there are %s", arg, plan, strings.Join(nn.PlanNames(), ", "))
				}
				files[nn.ClassContact+"/"+plan] = file
			}
			for class, path := range map[string]string{nn.ClassContact: contact, nn.ClassCrashed: crashed, nn.ClassCrashedTheirs: crashedTheirs, nn.ClassRace: race} {
				if path != "" {
					files[class] = path
				}
			}
			m := nn.Manifest{Name: name, History: history}
			return asOptions(pipeline.Pack(args[0], m, files, how))
		},
	}
	f := cmd.Flags()
	f.StringVar(&contact, "contact", "", "checkpoint of the contact net")
	f.StringVar(&crashed, "crashed", "", "checkpoint of the net for crashed positions; the contact net when empty")
	f.StringVar(&crashedTheirs, "crashed-theirs", "", "checkpoint of the net for positions that are crashed on the opponent's side alone; that of --crashed when empty")
	f.StringVar(&race, "race", "", "checkpoint of the race net")
	f.StringVar(&base, "base", "", "weights file for the nets that are not named")
	f.StringArrayVar(&plans, "plan", nil, "PLAN=CHECKPOINT, the net of a plan of contact; may be repeated")
	f.StringVar(&name, "name", "fibsbot", "name in the manifest")
	f.BoolVar(&how.Coarse, "coarse", false, "round the weights of all nets but that of races, so that the file compresses better")
	f.BoolVar(&how.Measure, "measure", false, "add the figures of bench nets to the manifest")
	f.StringArrayVar(&history, "history", nil, "a line of the training history, may be repeated")
	return cmd
}

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
