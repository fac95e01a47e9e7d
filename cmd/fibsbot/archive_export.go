package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/internal/scrub"
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
	c := csv.NewWriter(w)
	if err := c.Write([]string{"id", "started", "account", "opponent", "length", "score", "opponent_score", "result", "rating", "opponent_rating",
		"rating_after", "preset", "plies", "error_per_decision", "opponent_error_per_decision", "luck", "luck_adjusted_result", "file"}); err != nil {
		return err
	}
	err := db.List(cmd.Context(), filter, func(m *index.Match) error {
		started := ""
		if !m.Started.IsZero() {
			started = m.Started.UTC().Format(time.RFC3339)
		}
		// plies, both errors, luck and the result without it, empty without an analysis
		found := make([]string, 5)
		if m.Plies >= 0 {
			ours, theirs, _ := strings.Cut(review.ErrorRate(m), "/")
			found = []string{fmt.Sprint(m.Plies), ours, theirs, fmt.Sprintf("%.4f", m.Luck[0]), fmt.Sprintf("%.4f", m.Adjusted)}
		}
		row := append([]string{m.ID, started, scrub.Cell(m.Account), scrub.Cell(m.Opponent), fmt.Sprint(m.Length), fmt.Sprint(m.Score[0]), fmt.Sprint(m.Score[1]), review.Result(m.Result),
			number2(m.Rating[0]), number2(m.Rating[1]), number2(m.RatingAfter[0]), scrub.Cell(m.Preset)}, found...)
		return c.Write(append(row, scrub.Cell(m.File)))
	})
	c.Flush()
	return errors.Join(err, c.Error())
}

// number2 leaves an unknown figure empty.
func number2(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x)
}

func exportMatches(cmd *cobra.Command, db *index.DB, filter index.Filter, format, folder string) error {
	ext := map[string]string{"mat": ".mat", "oldmoves": ".fibs", "sgf": ".sgf"}[format]
	if err := makeFolder("--output", folder); err != nil {
		return err
	}
	var files []string
	if err := db.List(cmd.Context(), filter, func(m *index.Match) error {
		files = append(files, m.File)
		return nil
	}); err != nil {
		return err
	}
	for _, file := range files {
		if cmd.Context().Err() != nil {
			return errInterrupted
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ext
		if err := convert(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), filepath.Join(db.Dir(), filepath.FromSlash(file)), filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d matches written to %s\n", len(files), folder)
	return nil
}
