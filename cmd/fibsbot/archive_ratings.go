package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/history"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/internal/cmdline"
)

func printRatings(cmd *cobra.Command, db *index.DB, filter index.Filter, chart string, pr, asJSON bool) error {
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
	if asJSON {
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
		fmt.Fprintf(w, "%-16s  %-20s %9s  %-4s  %8s%s\n", review.Day(p.At), p.Opponent, review.Length(p.Length), review.ResultWord(p.Result), p.Rating.Text("%.2f"), est)
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
