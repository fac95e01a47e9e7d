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
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/figure"
)

func newArchiveExportCmd(f *archiveFlags) *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:  "export",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(db *index.DB, filter index.Filter) error {
				switch format {
				case "csv", "json":
					write := func(w io.Writer) error { return exportRows(cmd, db, filter, format, w) }
					if out == "" {
						return write(cmd.OutOrStdout())
					}
					return cmdline.WriteOutput(out, write)
				}
				written, err := formats.Find(formats.Written, format, "")
				if err != nil {
					return cmdline.Usagef("--format: unknown format %.40q (use csv, json, %s)", format, strings.Join(formats.Names(formats.Written), ", "))
				}
				if out == "" {
					return cmdline.Usagef("--format %s needs -o FOLDER", format)
				}
				return exportMatches(cmd, db, filter, written, out)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "csv", "csv, json, or a format of match files: "+strings.Join(formats.Names(formats.Written), ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "output file, or folder for match files")
	f.addFilter(cmd)
	return cmd
}

func exportRows(cmd *cobra.Command, db *index.DB, filter index.Filter, format string, w io.Writer) error {
	if format == "json" {
		return db.List(cmd.Context(), filter, func(m *index.Match) error { return cmdline.PrintJSONLine(w, m) })
	}
	return review.WriteCSV(cmd.Context(), db, filter, w)
}

func exportMatches(cmd *cobra.Command, db *index.DB, filter index.Filter, format formats.Format, folder string) error {
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
	c := converter{ctx: cmd.Context(), stdin: cmd.InOrStdin(), stdout: io.Discard, stderr: cmd.ErrOrStderr(), to: format.Name, lost: map[string]int{}}
	for _, file := range files {
		if cmd.Context().Err() != nil {
			return cmdline.ErrInterrupted
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + format.Ext
		if err := c.run([]string{filepath.Join(db.Dir(), filepath.FromSlash(file))}, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for _, what := range slices.Sorted(maps.Keys(c.lost)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s cannot hold %s: omitted from %d of %s\n", format.Ext, what, c.lost[what], figure.Count(len(files), "match"))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s written to %s\n", figure.Count(len(files), "match"), folder)
	return nil
}
