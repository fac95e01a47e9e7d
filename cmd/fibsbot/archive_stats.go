package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/internal/cmdline"
)

func newArchiveStatsCmd(f *archiveFlags) *cobra.Command {
	var by, sort, chart string
	var ratings, pr, dice bool
	var players []string
	cmd := &cobra.Command{
		Use:  "stats",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n := len(players); n > 2 || n > 0 && (by != "" || ratings || pr || dice || chart != "" || f.account != "" || f.opponent != "" || f.result != "") {
				return cmdline.Usagef("--player: give it once or twice, without --account, --opponent, --result, --by, --rating, --pr, --chart or --dice")
			}
			f.aboutMe = len(players) == 0
			return f.with(cmd, func(db *index.DB, filter index.Filter) error {
				switch {
				case len(players) > 0:
					list, err := db.Compare(cmd.Context(), filter, players...)
					if err != nil {
						return err
					}
					return printStats(cmd, list, "player", sort, f.asJSON)
				case dice:
					total, err := db.DiceCount(cmd.Context(), filter)
					if err != nil {
						return err
					}
					return review.DiceTable(cmd.OutOrStdout(), total, f.asJSON)
				case slices.Contains(index.SplitBy, by):
					return printSplits(cmd, db, filter, by, f.asJSON)
				case ratings || pr || chart != "":
					return printRatings(cmd, db, filter, chart, pr, f.asJSON)
				}
				list, err := db.Stats(cmd.Context(), filter, by)
				if err != nil {
					return err
				}
				return printStats(cmd, list, by, sort, f.asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "one row per "+strings.Join(index.Groups, ", ")+"; or by kind of decision: "+strings.Join(index.SplitBy, ", "))
	cmd.Flags().StringVar(&sort, "sort", "", "statistic to sort by, best first")
	cmd.Flags().BoolVar(&ratings, "rating", false, "rating history and estimates of strength")
	cmd.Flags().StringVar(&chart, "chart", "", "chart of the ratings (with --pr of PR), .svg or .png")
	cmd.Flags().BoolVar(&pr, "pr", false, "PR of each match and its mean over 20 matches")
	cmd.Flags().BoolVar(&dice, "dice", false, "rolls of both sides, tested for fairness")
	cmd.Flags().StringArrayVar(&players, "player", nil, "player on either side; repeat to compare two")
	f.addFilter(cmd)
	return cmd
}

// printStats prints statistics, sorted if sort names one of them.
func printStats(cmd *cobra.Command, list []index.Stats, by, sort string, asJSON bool) error {
	if sort != "" {
		if err := index.SortStats(list, sort); err != nil {
			return err
		}
	}
	if asJSON {
		return cmdline.PrintJSONLines(cmd.OutOrStdout(), list)
	}
	return review.StatsTable(cmd.OutOrStdout(), by, list)
}

// printSplits prints sums by phase, plan or category of cube error.
func printSplits(cmd *cobra.Command, db *index.DB, filter index.Filter, by string, asJSON bool) error {
	list, err := db.Splits(cmd.Context(), filter, by)
	if err != nil {
		return err
	}
	if asJSON {
		return cmdline.PrintJSONLines(cmd.OutOrStdout(), list)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no analysed match fits (analyse some: fibsbot archive analyse)")
		return nil
	}
	return review.SplitTable(cmd.OutOrStdout(), by, list)
}
