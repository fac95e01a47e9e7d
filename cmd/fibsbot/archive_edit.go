package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

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
