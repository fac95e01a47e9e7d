package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fibsbot/engine/bench/nets"
	"fibsbot/engine/nn"
	"fibsbot/engine/train"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"

	"github.com/spf13/cobra"
)

// newTrainPackCmd turns checkpoints of fit into a weights file.
func newTrainPackCmd() *cobra.Command {
	var (
		contact, crashed, race, name, base string
		measure                            bool
		history, plans                     []string
	)
	cmd := &cobra.Command{
		Use:   "pack OUT",
		Short: "Write a weights file from the checkpoints of fit",
		Long: `Writes the nets of checkpoints, or FILE.weights:CLASS, into one weights file. With
--base the nets that are not named are those of that file.`,
		Example: `  fibsbot train pack new.weights --contact contact.fit --race race.fit --history "0-ply, 100M samples"
  fibsbot train pack new.weights --base weights/fibsbot.weights --plan backgame=back.fit --plan blitz=blitz.fit`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := baseNets(base)
			if err != nil {
				return err
			}
			for _, arg := range plans {
				plan, file, ok := strings.Cut(arg, "=")
				class := nn.ClassContact + "/" + plan
				if !ok || !slices.Contains(nn.Classes(), class) {
					return usagef("bad --plan %q, want PLAN=CHECKPOINT", arg)
				}
				files[class] = file
			}
			for class, path := range map[string]string{nn.ClassContact: contact, nn.ClassCrashed: crashed, nn.ClassRace: race} {
				if path != "" {
					files[class] = path
				}
			}
			m := nn.Manifest{Name: name, History: history}
			if err := train.Pack(args[0], m, files); err != nil {
				return usagef("%v", err)
			}
			if !measure {
				return nil
			}
			if m.Measured, err = measured(args[0]); err != nil {
				return err
			}
			return train.Pack(args[0], m, files)
		},
	}
	f := cmd.Flags()
	f.StringVar(&contact, "contact", "", "checkpoint of the contact net")
	f.StringVar(&crashed, "crashed", "", "checkpoint of the net for crashed positions; the contact net when empty")
	f.StringVar(&race, "race", "", "checkpoint of the race net")
	f.StringVar(&base, "base", "", "weights file whose nets are taken where no other is named")
	f.StringArrayVar(&plans, "plan", nil, "PLAN=CHECKPOINT, the net of a plan of contact; may be repeated")
	f.StringVar(&name, "name", "fibsbot", "name in the manifest")
	f.BoolVar(&measure, "measure", false, "measure the nets as bench nets does and put the figures into the manifest")
	f.StringArrayVar(&history, "history", nil, "a line of the training history, may be repeated")
	return cmd
}

// baseNets names all nets of a weights file as Pack takes them, none for "".
func baseNets(path string) (map[string]string, error) {
	files := map[string]string{}
	if path == "" {
		return files, nil
	}
	if !strings.HasSuffix(path, ".weights") {
		return nil, usagef("--base %s: the name must end in .weights", path)
	}
	set, err := weights.Load(path)
	if err != nil {
		return nil, usagef("%v", err)
	}
	for _, n := range set.Manifest.Nets {
		files[n.Class] = path + ":" + n.Class
	}
	return files, nil
}

// newTrainBlendCmd averages fits that began with the same weights.
func newTrainBlendCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "blend OUT CHECKPOINT...",
		Short: "Average the weights of fits that began from the same net",
		Long: `Writes a checkpoint whose weights are the mean of the given ones. Of use only for
fits that began with --start from the same net: their errors then partly cancel.`,
		Example: `  fibsbot train blend mean.fit seed1.fit seed2.fit`,
		Args:    cobra.MinimumNArgs(3),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := train.Blend(args[0], args[1:]); err != nil {
				return usagef("%v", err)
			}
			return nil
		},
	}
}

// measured are the figures of bench nets for the manifest of a weights file.
func measured(path string) (map[string]float64, error) {
	judge, _, err := openStatic(path)
	if err != nil {
		return nil, err
	}
	ds, err := train.BenchDecisions()
	if err != nil {
		return nil, err
	}
	recs, err := train.BenchPositions()
	if err != nil {
		return nil, err
	}
	out := map[string]float64{"equity_rms": round4(train.MeasureErrors(recs, judge).Equity)}
	for _, l := range train.MeasureDecisions(ds, judge) {
		out["millipoints_"+l.Tag] = round4(l.Mean)
		out["gnubg_0ply_millipoints_"+l.Tag] = round4(l.Teacher)
	}
	return out, nil
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// newTrainGateCmd lets a net pass only when it decides better.
func newTrainGateCmd() *cobra.Command {
	var (
		accept, against string
		sigmas          float64
		asJSON          bool
	)
	cmd := &cobra.Command{
		Use:   "gate CANDIDATE",
		Short: "Let a net pass only when it decides better than the present one",
		Long: `Compares the weights file CANDIDATE with the present one on the decisions of
bench nets, decision by decision. It passes when its mean loss is smaller by more
than --sigmas standard errors of the difference and no plan with 100 decisions or more got worse by
more than two. With --accept FILE it is then copied there. Exit status 1 when it does not pass.`,
		Example: `  fibsbot train gate new.weights
  fibsbot train gate new.weights --against weights/fibsbot.weights --accept weights/fibsbot.weights`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cand, _, err := openStatic(args[0])
			if err != nil {
				return err
			}
			old, _, err := openStatic(against)
			if err != nil {
				return err
			}
			ds, err := train.BenchDecisions()
			if err != nil {
				return err
			}
			v := train.Gate(ds, cand, old, sigmas)
			if asJSON {
				if err := printJSON(cmd.OutOrStdout(), v); err != nil {
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
	f.StringVar(&accept, "accept", "", "copy a net that passes to this file")
	f.Float64Var(&sigmas, "sigmas", 1, "standard errors by which it must be better")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
