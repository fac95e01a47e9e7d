package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// newMetPricesCmd is `met prices`.
func newMetPricesCmd() *cobra.Command {
	var f metFlags
	var won, lost [2]float64 // gammons and backgammons in percent
	efficiency := cube.UsualEfficiency.Contact
	cmd := &cobra.Command{
		Use:  "prices",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.open(cmd)
			if err != nil {
				return err
			}
			to := answers{out: cmd.OutOrStdout(), asJSON: f.asJSON}
			if fl := cmd.Flags(); f.state.Score == nil && f.state.Position == "" && (f.state.Length == nil || *f.state.Length != 0) {
				if f.state.Length == nil || *f.state.Length < 1 || *f.state.Length > match.MaxLength {
					return cmdline.Usagef("--length: want the points of a match, 1 to %d, or 0 for money play", match.MaxLength)
				}
				for _, name := range strings.Fields("cube owner crawford jacoby beavers gammons backgammons gammons-against backgammons-against efficiency") {
					if fl.Changed(name) {
						return cmdline.Usagef("--%s: only for one score (give it with --score)", name)
					}
				}
				p := advice.PricesOf(t, *f.state.Length)
				return to.write(p, p.Text(), false)
			}
			s, err := f.read(true)
			if err != nil {
				return err
			}
			rates, err := advice.Rates(won, lost)
			if err != nil {
				return positionError(err)
			}
			if !(efficiency >= 0 && efficiency <= 1) {
				return cmdline.Usagef("--efficiency: %v is not between 0 and 1", efficiency)
			}
			w, err := advice.WindowsAt(t, s, rates, efficiency)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			return to.write(w, w.Text(), false)
		},
	}
	fl := cmd.Flags()
	f.addState(fl)
	fl.Float64Var(&won[0], "gammons", 0, "gammons and backgammons among the games won, in percent")
	fl.Float64Var(&won[1], "backgammons", 0, "backgammons among the games won, in percent")
	fl.Float64Var(&lost[0], "gammons-against", 0, "gammons and backgammons among the games lost, in percent")
	fl.Float64Var(&lost[1], "backgammons-against", 0, "backgammons among the games lost, in percent")
	fl.Float64Var(&efficiency, "efficiency", efficiency, fmt.Sprintf("cube efficiency from 0 (dead) to 1 (live); %v in contact positions", efficiency))
	return cmd
}
