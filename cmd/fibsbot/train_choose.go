package main

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/engine/bench/nets"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/engine/train"
	"fibsbot/weights"

	"github.com/spf13/cobra"
)

// newTrainChooseCmd gates nets class by class.
func newTrainChooseCmd() *cobra.Command {
	var (
		decisions, nets, history []string
		base, name               string
		sigmas                   float64
		measure, asJSON          bool
	)
	cmd := &cobra.Command{
		Use:   "choose OUT",
		Short: "Gate new nets class by class and pack those that win",
		Long: `Takes the nets of --base and tries every --net CLASS=CHECKPOINT in its place: it stays
when the whole set then gives up less on one half of the decisions. The other half,
which had no part in the choice, tells what that is worth. OUT is a weights file of
what was chosen.

The decisions are files of train decisions or train truth.`,
		Example: `  fibsbot train choose new.weights --net contact/backgame=back.fit --net crashed=crashed.fit --decisions held.bin.gz`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := baseNets(base)
			if err != nil {
				return err
			}
			set, err := weights.Load(base)
			if err != nil {
				return usageError{err}
			}
			candidates, from := map[string]*nn.Net{}, map[string]string{}
			for _, arg := range nets {
				class, file, ok := strings.Cut(arg, "=")
				if !ok || !slices.Contains(nn.Classes(), class) {
					return usagef("bad --net %q, want CLASS=CHECKPOINT with a class of %s", arg, strings.Join(nn.Classes(), " "))
				}
				shape, p, err := train.LoadStart(file)
				if err != nil {
					return usagef("%v", err)
				}
				if candidates[class], err = nn.NewNet(p.Weights(shape)); err != nil {
					return usagef("%s: %v", file, err)
				}
				from[class] = file
			}
			var ds []train.Decision
			for _, file := range decisions {
				more, err := train.ReadDecisions(file)
				if err != nil {
					return usagef("%v", err)
				}
				ds = append(ds, more...)
			}
			if len(ds) == 0 || len(candidates) == 0 {
				return usagef("want --net and --decisions")
			}
			db := bearoff.NewSource(bearoff.Options{})
			chosen, choices, err := train.ChooseNets(ds, set, db, candidates, sigmas)
			if err != nil {
				return err
			}
			for _, c := range choices {
				if c.Taken {
					files[c.Class] = from[c.Class]
				}
			}
			m := nn.Manifest{Name: name, History: append(slices.Clone(set.Manifest.History), history...)}
			if err := train.Pack(args[0], m, files); err != nil {
				return usagef("%v", err)
			}
			if measure {
				if m.Measured, err = measured(args[0]); err != nil {
					return err
				}
				if err := train.Pack(args[0], m, files); err != nil {
					return err
				}
			}
			return printChoices(cmd, ds, set, chosen, db, choices, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&base, "base", "weights/fibsbot.weights", "weights file with the present nets")
	f.StringArrayVar(&nets, "net", nil, "CLASS=CHECKPOINT, may be repeated")
	f.StringArrayVar(&decisions, "decisions", nil, "file of rated decisions that were not trained on, may be repeated")
	f.StringVar(&name, "name", "fibsbot", "name in the manifest")
	f.StringArrayVar(&history, "history", nil, "a line to add to the training history, may be repeated")
	f.Float64Var(&sigmas, "sigmas", 0, "standard errors by which a net must be better")
	f.BoolVar(&measure, "measure", false, "measure the nets as bench nets does and put the figures into the manifest")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// chooseReport is what `train choose --json` prints: the losses on the half that
// reports, with those of the present nets in the place of gnubg's.
type chooseReport struct {
	Choices []train.Choice `json:"choices"`
	Losses  []train.Loss   `json:"losses"`
}

func printChoices(cmd *cobra.Command, ds []train.Decision, old, chosen *nn.Set, db eval.BearoffSource, choices []train.Choice, asJSON bool) error {
	_, reporting := train.Halves(ds)
	var losses [2][]float64
	for i, s := range []*nn.Set{chosen, old} {
		m, err := eval.NewModel(s, db)
		if err != nil {
			return err
		}
		losses[i] = train.LossesOf(reporting, m.Evaluator())
	}
	r := chooseReport{Choices: choices, Losses: train.CompareLosses(reporting, losses[0], losses[1])}
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, r)
	}
	fmt.Fprintf(out, "%-21s %6s %9s %18s %18s\n", "net", "", "decisions", "choosing half", "other half")
	for _, c := range choices {
		taken := "stays"
		if c.Taken {
			taken = "taken"
		}
		fmt.Fprintf(out, "%-21s %6s %9d %+9.2f +- %5.2f %+9.2f +- %5.2f\n", c.Class, taken, c.Decisions, c.Choosing, c.ChooseErr, c.Reporting, c.ReportErr)
	}
	fmt.Fprintln(out, "\nthe half that had no part in the choice:")
	nets.PrintLosses(out, r.Losses, "before")
	return nil
}
