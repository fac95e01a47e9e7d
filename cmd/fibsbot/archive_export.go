package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
)

func newArchiveExportCmd(f *archiveFlags) *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export the list of matches as CSV or JSON, or the matches as one oldmoves or .mat file each",
		Long: `--format csv and json write the rows of the index. --format mat, oldmoves and sgf
write the matches themselves into the folder given by -o.`,
		Example: `  fibsbot archive export --format csv -o matches.csv
  fibsbot archive export --format mat -o exported/ --opponent bob`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, filter index.Filter) error {
				switch format {
				case "csv", "json":
					write := func(w io.Writer) error { return exportRows(cmd, db, filter, format, w) }
					if out == "" {
						return write(cmd.OutOrStdout())
					}
					return writeOutput(out, write)
				case "mat", "oldmoves", "sgf":
					if out == "" {
						return usagef("--format %s needs -o FOLDER", format)
					}
					return exportMatches(cmd, db, filter, format, out)
				}
				return usagef("--format: %q is none of csv, json, mat, oldmoves, sgf", format)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "csv", "csv, json, mat, oldmoves or sgf")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file, or folder for match files")
	f.addFilter(cmd)
	return cmd
}

func exportRows(cmd *cobra.Command, db *index.DB, filter index.Filter, format string, w io.Writer) error {
	if format == "json" {
		return db.List(cmd.Context(), filter, func(m *index.Match) error { return printJSONLine(w, m) })
	}
	return review.WriteCSV(cmd.Context(), db, filter, w)
}

func exportMatches(cmd *cobra.Command, db *index.DB, filter index.Filter, format, folder string) error {
	ext := map[string]string{"mat": ".mat", "oldmoves": ".fibs", "sgf": ".sgf"}[format]
	if err := makeFolder("--output", folder); err != nil {
		return err
	}
	var files []string
	if err := db.List(cmd.Context(), filter, func(m *index.Match) error {
		if !m.Pruned {
			files = append(files, m.File)
		}
		return nil
	}); err != nil {
		return err
	}
	c := converter{ctx: cmd.Context(), stdin: cmd.InOrStdin(), stdout: io.Discard, stderr: cmd.ErrOrStderr(), lost: map[string]int{}}
	for _, file := range files {
		if cmd.Context().Err() != nil {
			return errInterrupted
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ext
		if err := c.run([]string{filepath.Join(db.Dir(), filepath.FromSlash(file))}, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for _, what := range slices.Sorted(maps.Keys(c.lost)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s cannot hold %s: left out of %d of %d matches\n", ext, what, c.lost[what], len(files))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d matches written to %s\n", len(files), folder)
	return nil
}
