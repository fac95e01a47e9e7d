package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
)

func newArchiveStatsCmd(f *archiveFlags) *cobra.Command {
	var by, sort, chart string
	var ratings, pr, dice bool
	var players []string
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Sum up results, errors and luck; rating history; dice",
		Long: `Without more flags the sums over all matches that fit; --by sums up apart. --rating
lists the rating after each match with two estimates of the strength shown: from the
results and from the errors; --chart draws it. --dice counts the rolls and tests them.

Where archive.me of the configuration names you, only your matches count unless --account
names another (* for any). --player NAME sums up a player on either side of the matches;
given twice it compares two players, and lists the matches between them.`,
		Example: `  fibsbot archive stats --by opponent
  fibsbot archive stats --by month --account MyName
  fibsbot archive stats --by cube
  fibsbot archive stats --player alice --player bob
  fibsbot archive stats --rating --chart rating.svg
  fibsbot archive stats --pr --chart pr.svg
  fibsbot archive stats --dice`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n := len(players); n > 2 || n > 0 && (by != "" || ratings || pr || dice || chart != "" || f.account != "" || f.opponent != "" || f.result != "") {
				return usagef("--player takes one or two players, and no --account, --opponent, --result, --by, --rating, --pr, --chart or --dice")
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
	cmd.Flags().StringVar(&by, "by", "", "sum up by "+strings.Join(index.Groups, ", ")+"; decisions by "+strings.Join(index.SplitBy, ", "))
	cmd.Flags().StringVar(&sort, "sort", "", "best first by a statistic, such as pr or won")
	cmd.Flags().BoolVar(&ratings, "rating", false, "rating history and estimates")
	cmd.Flags().StringVar(&chart, "chart", "", "draw the rating history, or with --pr that of PR, into this .svg or .png file")
	cmd.Flags().BoolVar(&pr, "pr", false, "PR of each match and its mean over 20")
	cmd.Flags().BoolVar(&dice, "dice", false, "count the rolls of both sides and test them")
	cmd.Flags().StringArrayVar(&players, "player", nil, "a player on either side; give two to compare them")
	f.addFilter(cmd)
	return cmd
}

// printStats prints statistics, sorted if sort names one of them.
func printStats(cmd *cobra.Command, list []index.Stats, by, sort string, asJSON bool) error {
	if sort != "" {
		if err := index.SortStats(list, sort); err != nil {
			return usagef("--sort: %w", err)
		}
	}
	if asJSON {
		return printJSONLines(cmd.OutOrStdout(), list)
	}
	return review.StatsTable(cmd.OutOrStdout(), by, list)
}

// printSplits prints the sums by phase, plan or category of cube error.
func printSplits(cmd *cobra.Command, db *index.DB, filter index.Filter, by string, asJSON bool) error {
	list, err := db.Splits(cmd.Context(), filter, by)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSONLines(cmd.OutOrStdout(), list)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no judged match fits (archive analyse judges matches; archive rebuild brings an older index up to date)")
		return nil
	}
	return review.SplitTable(cmd.OutOrStdout(), by, list)
}
