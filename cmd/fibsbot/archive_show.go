package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/history"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

func newArchiveListCmd(f *archiveFlags) *cobra.Command {
	cmd := cmdline.New("list", f.on(func(cmd *cobra.Command, _ []string, db *index.DB, filter index.Filter) error {
		w := cmd.OutOrStdout()
		if cmdline.JSON(cmd) {
			return db.List(cmd.Context(), filter, func(m *index.Match) error { return cmdline.PrintJSONLine(w, m) })
		}
		return review.Matches(cmd.Context(), db, filter, w)
	}))
	f.addFilter(cmd)
	return cmd
}

func newArchiveShowCmd(f *archiveFlags) *cobra.Command {
	cmd := cmdline.New("show ID|FILE", f.on(func(cmd *cobra.Command, args []string, db *index.DB, _ index.Filter) error {
		m, err := review.Row(cmd.Context(), db, args[0])
		if err != nil {
			return err
		}
		details, err := review.DetailsOf(db, m)
		if err != nil {
			complain(sanitize.Writer(cmd.ErrOrStderr()), err) // the index has the rest
		}
		doc := struct {
			*index.Match
			review.Details
		}{m, details}
		return cmdline.AnswerBy(cmd, doc, func(w io.Writer) error { return review.Show(sanitize.Writer(w), m, details) })
	}))
	cmd.ValidArgsFunction = f.complete
	return cmd
}

// complete suggests IDs of matches, and files.
func (f *archiveFlags) complete(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	dir, file := f.dir, f.configFile
	if dir == "" {
		dir = config.Default().Archive.Dir
		if c, _, err := config.Load(cmp.Or(file, defaultConfig)); err == nil {
			dir = c.Archive.Dir
		}
	}
	return review.Suggest(cmd.Context(), dir, begin), cobra.ShellCompDirectiveDefault
}

func newArchiveStatsCmd(f *archiveFlags) *cobra.Command {
	var by, sort, chart string
	var ratings, pr, dice bool
	var players []string
	cmd := cmdline.New("stats", func(cmd *cobra.Command, _ []string) error {
		if n := len(players); n > 2 || n > 0 && (by != "" || ratings || pr || dice || chart != "" || f.Account != "" || f.Opponent != "" || f.Result != "") {
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
				return printStats(cmd, list, "player", sort)
			case dice:
				total, err := db.DiceCount(cmd.Context(), filter)
				if err != nil {
					return err
				}
				return review.DiceTable(cmd.OutOrStdout(), total, cmdline.JSON(cmd))
			case slices.Contains(index.SplitBy, by):
				return printSplits(cmd, db, filter, by)
			case ratings || pr || chart != "":
				return printRatings(cmd, db, filter, chart, pr)
			}
			list, err := db.Stats(cmd.Context(), filter, by)
			if err != nil {
				return err
			}
			return printStats(cmd, list, by, sort)
		})
	})
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
func printStats(cmd *cobra.Command, list []index.Stats, by, sort string) error {
	if sort != "" {
		if err := index.SortStats(list, sort); err != nil {
			return err
		}
	}
	if cmdline.JSON(cmd) {
		return cmdline.PrintJSONLines(cmd.OutOrStdout(), list)
	}
	return review.StatsTable(cmd.OutOrStdout(), by, list)
}

// printSplits prints sums by phase, plan or category of cube error.
func printSplits(cmd *cobra.Command, db *index.DB, filter index.Filter, by string) error {
	list, err := db.Splits(cmd.Context(), filter, by)
	if err != nil {
		return err
	}
	if cmdline.JSON(cmd) {
		return cmdline.PrintJSONLines(cmd.OutOrStdout(), list)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no analysed match fits (analyse some: fibsbot archive analyse)")
		return nil
	}
	return review.SplitTable(cmd.OutOrStdout(), by, list)
}

func printRatings(cmd *cobra.Command, db *index.DB, filter index.Filter, chart string, pr bool) error {
	points, rep, err := history.Ratings(cmd.Context(), db, filter)
	if err != nil {
		return err
	}
	if chart != "" {
		draw := history.Chart
		if pr {
			draw = history.ChartPR
		}
		if err := drawRatings(chart, points, draw); err != nil {
			return err
		}
	}
	w := cmd.OutOrStdout()
	if cmdline.JSON(cmd) {
		if err := cmdline.PrintJSONLines(w, points); err != nil {
			return err
		}
		return cmdline.PrintJSONLine(w, rep)
	}
	shallow := rep.Shallow > 0
	for _, p := range points {
		shallow = shallow || p.MeanShallow
		est := ""
		if p.ErrorEst.Known() {
			est = p.ErrorEst.Text("  by errors %.0f") + index.Star(p.Shallow)
		}
		if p.PR.Known() {
			est += p.PR.Text("  PR %.2f") + index.Star(p.Shallow) + p.PRMean.Text(", mean %.2f") + index.Star(p.MeanShallow)
		}
		fmt.Fprintf(w, "%-16s  %-20s %9s  %-4s  %8s%s\n", index.Day(p.At), p.Opponent, review.Length(p.Length), review.ResultWord(p.Result), p.Rating.Text("%.2f"), est)
	}
	if rep.Results != nil {
		fmt.Fprintf(w, "strength by results: %.0f (90%% between %.0f and %.0f)\n", rep.Results.Estimate, rep.Results.Low, rep.Results.High)
	}
	if rep.Errors.Known() {
		fmt.Fprintln(w, rep.Errors.Text("strength by errors: %.0f")+index.Star(rep.Shallow > 0))
	}
	if shallow {
		fmt.Fprintln(w, index.ShallowNote)
	}
	return nil
}

// drawRatings draws a chart in the format of the file's extension.
func drawRatings(file string, points []history.Point, draw func([]history.Point, string) (io.WriterTo, error)) error {
	ext := strings.ToLower(filepath.Ext(file))
	if ext != ".svg" && ext != ".png" {
		return cmdline.Usagef("--chart: %s: unknown kind of picture (use .svg or .png)", file)
	}
	w, err := draw(points, ext[1:])
	if err != nil {
		return fmt.Errorf("chart %s: %w", file, err)
	}
	return cmdline.WriteOutput(file, func(out io.Writer) error {
		_, err := w.WriteTo(out)
		return err
	})
}

func newArchiveEditCmd(f *archiveFlags) *cobra.Command {
	var names, tags []string
	var c index.Change
	cmd := cmdline.New("edit ID|FILE", func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("names") {
			if len(names) != 2 {
				return cmdline.Usagef("--names: want two names (--names MyName,Opponent)")
			}
			c.Players = &[2]string{names[0], names[1]}
		}
		if cmd.Flags().Changed("tag") {
			c.Tags = &[]string{}
			for _, t := range tags {
				if t != "" {
					*c.Tags = append(*c.Tags, t)
				}
			}
		}
		if c == (index.Change{}) {
			return cmdline.Usagef("archive edit: nothing to change (give --event, --names, --tag or another flag)")
		}
		return f.with(cmd, func(db *index.DB, _ index.Filter) error {
			row, err := review.Row(cmd.Context(), db, args[0])
			if err == nil {
				row, err = db.Change(cmd.Context(), row, c)
			}
			return f.changed(cmd, row, err)
		})
	})
	cmd.ValidArgsFunction = f.complete
	fl := cmd.Flags()
	fl.Var(input.Text(&c.Account), "account", "player whose match it is")
	fl.StringSliceVar(&names, "names", nil, "new names: account,opponent")
	fl.Var(input.Text(&c.Event), "event", "event")
	fl.Var(input.Text(&c.Round), "round", "round")
	fl.Var(input.Text(&c.Place), "place", "place")
	fl.Var(input.Text(&c.Date), "date", "day of play, YYYY-MM-DD")
	fl.Var(input.Text(&c.Annotator), "annotator", "annotator")
	fl.Var(input.Text(&c.Comment), "comment", "comment on the match")
	fl.StringArrayVar(&tags, "tag", nil, `tag, repeatable; replaces all tags ("" deletes them)`)
	fl.BoolVar(&c.Swap, "swap", false, "exchange player 1 and player 2 in the file")
	return cmd
}

// changed prints the row of a changed match, or returns the error.
func (f *archiveFlags) changed(cmd *cobra.Command, row *index.Match, err error) error {
	if err != nil {
		return err
	}
	return cmdline.Answer(cmd, row, fmt.Sprintf("%.8s %s\n", row.ID, sanitize.Text(review.Line(row))))
}

func newArchiveRenameCmd(f *archiveFlags) *cobra.Command {
	return cmdline.New("rename OLD NEW", f.on(func(cmd *cobra.Command, args []string, db *index.DB, _ index.Filter) error {
		n, err := db.Rename(cmd.Context(), args[0], args[1])
		if field := new(index.FieldError); n == 0 && errors.As(err, &field) {
			return cmdline.Usagef("archive rename: %s", field.Problem)
		}
		return errors.Join(cmdline.Answer(cmd, map[string]int{"changed": n}, figure.Count(n, "match")+" changed\n"), err)
	}))
}

func newArchiveMergeCmd(f *archiveFlags) *cobra.Command {
	cmd := cmdline.New("merge A B", f.on(func(cmd *cobra.Command, args []string, db *index.DB, _ index.Filter) error {
		row, err := db.Merge(cmd.Context(), args[0], args[1])
		return f.changed(cmd, row, err)
	}))
	cmd.ValidArgsFunction = f.complete
	return cmd
}

func newArchiveDeleteCmd(f *archiveFlags) *cobra.Command {
	cmd := cmdline.New("delete ID...", f.on(func(cmd *cobra.Command, args []string, db *index.DB, _ index.Filter) error {
		var rows []*index.Match
		for _, id := range args { // a wrong ID deletes nothing
			row, err := db.Show(cmd.Context(), id)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		for _, row := range rows {
			if err := f.changed(cmd, row, db.Delete(cmd.Context(), row)); err != nil {
				return err
			}
		}
		return nil
	}))
	cmd.ValidArgsFunction = f.complete
	return cmd
}

func newArchiveUndeleteCmd(f *archiveFlags) *cobra.Command {
	return cmdline.New("undelete [ID...]", f.on(func(cmd *cobra.Command, args []string, db *index.DB, _ index.Filter) error {
		if len(args) == 0 {
			list, err := db.Trash()
			if err != nil {
				return err
			}
			if cmdline.JSON(cmd) {
				return cmdline.PrintJSONLines(cmd.OutOrStdout(), list)
			}
			tw := tabwriter.NewWriter(sanitize.Writer(cmd.OutOrStdout()), 0, 4, 2, ' ', 0)
			fmt.Fprintln(tw, "ID\tSTARTED\tACCOUNT\tOPPONENT\tLENGTH\tDELETED")
			for _, x := range list {
				fmt.Fprintf(tw, "%.8s\t%s\t%s\t%s\t%s\t%s\n", x.ID, index.Day(x.Started), x.Account, x.Opponent, review.Length(x.Length), index.Day(x.Deleted))
			}
			return tw.Flush()
		}
		for _, id := range args {
			row, err := db.Undelete(cmd.Context(), id)
			if err := f.changed(cmd, row, err); err != nil {
				return err
			}
		}
		return nil
	}))
}
