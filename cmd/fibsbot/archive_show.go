package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

func newArchiveListCmd(f *archiveFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "list",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, filter index.Filter) error {
				w := cmd.OutOrStdout()
				if f.asJSON {
					return db.List(cmd.Context(), filter, func(m *index.Match) error { return cmdline.PrintJSONLine(w, m) })
				}
				return review.Matches(cmd.Context(), db, filter, w)
			})
		},
	}
	f.addFilter(cmd)
	return cmd
}

func newArchiveShowCmd(f *archiveFlags) *cobra.Command {
	return &cobra.Command{
		Use:               "show ID|FILE",
		ValidArgsFunction: f.complete,
		Args:              cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, func(db *index.DB, _ index.Filter) error {
				m, err := review.Row(cmd.Context(), db, args[0])
				if err != nil {
					return err
				}
				details, err := review.DetailsOf(db, m)
				if err != nil {
					complain(sanitize.Writer(cmd.ErrOrStderr()), err) // the index has the rest
				}
				w := cmd.OutOrStdout()
				if f.asJSON {
					return cmdline.PrintJSON(w, struct {
						*index.Match
						review.Details
					}{m, details})
				}
				return review.Show(sanitize.Writer(w), m, details)
			})
		},
	}
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
