package main

import (
	"context"
	"fmt"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"

	"github.com/spf13/cobra"
)

// familiesFlags are the flags of `bench families`.
type familiesFlags struct {
	strength engineflags.Strength
	parts    engineflags.Engine
	file     string
	gnubg    int
	asJSON   bool
}

// newBenchFamiliesCmd is `fibslab bench families`.
func newBenchFamiliesCmd() *cobra.Command {
	var f familiesFlags
	cmd := &cobra.Command{
		Use:   "families",
		Short: "Measure positions of rare families on rollouts",
		Long: `Compares a preset's cubeless equity and win chance with rollouts to the end in families of
positions that are rare in play: snakes, containment after a late hit, massive and mutual back
games, saving a backgammon in a race, stacked races. The rollouts' own variance is taken out.
No net was trained on these positions. go doc of cmd/fibslab/internal/families defines the
families.`,
		Example: `  fibslab bench families
  fibslab bench families --preset worldclass --gnubg-plies 0
  fibslab bench families --weights new.weights --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagrule.NotEmpty(cmd, "families-file"); err != nil {
				return cmdline.AsUsage(err)
			}
			ps, err := families.Load(f.file)
			if err != nil {
				return cmdline.AsUsage(fmt.Errorf("bench families: %w", err))
			}
			return f.measure(cmd, ps)
		},
	}
	engineflags.AddStrength(cmd, &f.strength, "expert")
	engineflags.AddPresets(cmd, &f.strength.Config)
	engineflags.AddEngine(cmd, &f.parts)
	fl := cmd.Flags()
	fl.StringVar(&f.file, "families-file", "", "file of rolled out positions (default the set in the program)")
	fl.Var(bounded.Of(&f.gnubg, -1, -1, 3), "gnubg-plies", "depth of gnubg beside us; -1 for none")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// measure prints the distances of the preset, and of gnubg if asked for.
func (f *familiesFlags) measure(cmd *cobra.Command, ps []families.Position) error {
	pr, err := f.strength.Resolve(cmd)
	if err != nil {
		return err
	}
	e, err := f.parts.Open(cmd, f.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	pr.Cube.Cubeful = false
	ours := func(ctx context.Context, p board.Position) (eval.Probs, error) {
		v, err := e.Evaluate(ctx, p, match.Money(false, 0), pr)
		return v.Probs, err
	}
	var by families.Estimate
	name := ""
	if f.gnubg >= 0 {
		t, err := train.StartGnubg(cmd.Context())
		if err != nil {
			return cmdline.AsUsage(err)
		}
		defer t.Close()
		by, name = families.ByTeacher(t, f.gnubg), fmt.Sprintf("gnubg %d-ply", f.gnubg)
	}
	bar := cmdline.Bar(cmd)
	list, err := families.Measure(cmd.Context(), ps, ours, by, bar.Show)
	if bar.Clear(); err != nil {
		return err
	}
	if f.asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), list)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s, preset %s, %d-ply: distance from rollouts, root mean square\n", e.Manifest().Name, pr.Name, pr.Cube.Plies)
	families.Print(cmd.OutOrStdout(), list, name)
	return nil
}
