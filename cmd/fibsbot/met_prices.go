package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/engine/advice"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// newMetPricesCmd is `met prices`.
func newMetPricesCmd() *cobra.Command {
	f := metFlags{money: true}
	var won, lost [2]float64 // gammons and backgammons in percent
	efficiency := cube.UsualEfficiency.Contact
	cmd := &cobra.Command{
		Use:   "prices",
		Short: "Take points, gammon prices and market windows without a position",
		Long: `With --length alone: the take point and the price of a gammon at every score of the
match. With --score as well, or with --length 0 for money play: the market window there,
for gammon rates of your own, of the player on roll, of the opponent, and of the opponent
once he has taken.`,
		Example: `  fibsbot met prices --length 7
  fibsbot met prices --length 7 --score 3-5 --gammons 26 --gammons-against 14
  fibsbot met prices --length 0 --jacoby=false --gammons 26 --gammons-against 14
  fibsbot met prices --length 11 --score 4-9 --cube 2 --owner me --efficiency 0.6 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.open(cmd)
			if err != nil {
				return err
			}
			to := answers{out: cmd.OutOrStdout(), asJSON: f.asJSON}
			if fl := cmd.Flags(); !fl.Changed("score") && f.state == "" && (f.length != 0 || !fl.Changed("length")) {
				if f.length < 1 || f.length > match.MaxLength {
					return usagef("--length: want the points of a match, 1 to %d, or a 0 for money play", match.MaxLength)
				}
				for _, name := range strings.Fields("cube owner crawford jacoby beavers gammons backgammons gammons-against backgammons-against efficiency") {
					if fl.Changed(name) {
						return usagef("--%s: the prices of all scores of a match have none: give one score with --score", name)
					}
				}
				p := advice.PricesOf(t, f.length)
				return to.write(p, p.Text(), false)
			}
			s, err := f.read(cmd.Flags())
			if err != nil {
				return err
			}
			rates, err := advice.Rates(won, lost)
			if err != nil {
				return positionError(err)
			}
			if !(efficiency >= 0 && efficiency <= 1) {
				return usagef("--efficiency: %v is not between 0 and 1", efficiency)
			}
			w, err := advice.WindowsAt(t, s, rates, efficiency)
			if err != nil {
				return asUsage(err)
			}
			return to.write(w, w.Text(), false)
		},
	}
	fl := cmd.Flags()
	f.addState(fl)
	fl.BoolVar(&f.jacoby, "jacoby", true, "the Jacoby rule holds in money play")
	fl.IntVar(&f.beavers, "beavers", match.DefaultBeavers, "how often money play allows to redouble at once, 0 for no beavers")
	fl.Float64Var(&won[0], "gammons", 0, "gammons and backgammons among the games won, in percent")
	fl.Float64Var(&won[1], "backgammons", 0, "backgammons among the games won, in percent")
	fl.Float64Var(&lost[0], "gammons-against", 0, "gammons and backgammons among the games lost, in percent")
	fl.Float64Var(&lost[1], "backgammons-against", 0, "backgammons among the games lost, in percent")
	fl.Float64Var(&efficiency, "efficiency", efficiency, fmt.Sprintf("cube efficiency, 0 dead to 1 live; contact positions have %v", efficiency))
	return cmd
}
