package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/chart"
	"fibsbot/engine/tune/results"
	"fibsbot/internal/atomicfile"
)

func newTuneMergeCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "merge OUT IN...",
		Short:   "Put results of several runs or machines together",
		Long:    "Results of another engine, other nets, another seed, and blocks that are there twice are refused; OUT is replaced at once.",
		Example: "  fibsbot tune merge all.results part0.results part1.results",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all *tune.Store
			for _, path := range args[1:] {
				s, _, err := results.Read(path)
				if err != nil {
					return asUsage(err)
				}
				if all == nil {
					all = s
				} else if err := all.Merge(s); err != nil {
					return asUsage(fmt.Errorf("%s: %w", path, err))
				}
			}
			if err := results.Write(args[0], all); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d blocks, %d matches\n", args[0], all.Len(), all.Matches())
			return err
		},
	}
}

// readSurface reads a table of strength; "" means the one in the program.
func readSurface(path string) (*tune.Surface, error) {
	if path == "" {
		return tune.Measured()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, asUsage(fmt.Errorf("--table: %w", err))
	}
	s, err := tune.ReadSurface(data)
	if err != nil {
		return nil, asUsage(fmt.Errorf("--table: %s: %w", path, err))
	}
	return s, nil
}

func newTuneReportCmd() *cobra.Command {
	var table, chartFile, save string
	var anchor float64
	var asJSON, residuals, errorRates bool
	cmd := &cobra.Command{
		Use:   "report [RESULTS]",
		Short: "Print the table of measured strength",
		Long: `Without RESULTS the table in the program; with a results file of fibsbot tune
measure the ratings fitted to it. Each rating has its 90 % interval against expert.
--residuals compares every pair, those by differences (fibsbot tune import) apart,
with the fit and with the published formulas of rating against error rates (fitted by
Kees van den Doel with gnubg). --errors counts
the errors of each setting and how many of them are large.`,
		Example: `  fibsbot tune report
  fibsbot tune report tune.results --residuals
  fibsbot tune report tune.results --save measured.json --chart strength.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if len(args) == 0 && (residuals || errorRates || save != "" || cmd.Flags().Changed("anchor")) {
				return usagef("--residuals, --errors, --save and --anchor need a results file")
			}
			if err := cmp.Or(wantParent("--chart", chartFile), wantParent("--save", save)); err != nil {
				return err
			}
			var surface *tune.Surface
			var fit *tune.Fitted
			var totals []tune.Total
			var err error
			if len(args) == 0 {
				surface, err = readSurface(table)
			} else {
				var store *tune.Store
				if store, _, err = results.Read(args[0]); err != nil {
					return asUsage(err)
				}
				for _, name := range store.Redefined() {
					fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s: preset %s was redefined since: its ratings are those of the one that played\n", args[0], name)
				}
				totals = store.Totals()
				if fit, err = tune.Fit(totals, anchor); err != nil {
					return asUsage(fmt.Errorf("%s: %w", args[0], err))
				}
				surface, err = tune.NewSurface(fit.Table(store.Header))
			}
			if err != nil {
				return err
			}
			if save != "" {
				data, err := json.MarshalIndent(surface.Table, "", " ")
				if err != nil {
					return err
				}
				if err := atomicfile.WriteBytes(save, 0o644, append(data, '\n')); err != nil {
					return err
				}
			}
			if chartFile != "" {
				if err := writeChart(chartFile, surface); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(w, surface.Table)
			}
			err = printTable(w, surface)
			if err == nil && residuals {
				err = printResiduals(w, fit)
			}
			if err == nil && errorRates {
				err = printErrors(w, tune.ErrorsOf(totals))
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&table, "table", "", "table of measured strength instead of the one in the program")
	fl.StringVar(&chartFile, "chart", "", "draw rating against error by match length: .svg or .png")
	fl.StringVar(&save, "save", "", "write the fitted table, as the program holds it")
	fl.Float64Var(&anchor, "anchor", tune.DefaultAnchor, "rating of expert")
	fl.BoolVar(&residuals, "residuals", false, "compare every pair with the fit and the published formulas")
	fl.BoolVar(&errorRates, "errors", false, "count the errors of each setting and the large ones among them")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func writeChart(path string, s *tune.Surface) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if format != "svg" && format != "png" {
		return usagef("--chart: %s: the name must end in .svg or .png", path)
	}
	return atomicfile.Write(path, 0o644, func(f *os.File) error { return chart.Write(f, format, s) })
}

// lengthsOf lists the measured lengths of a table.
func lengthsOf(t *tune.Table) (out []int) {
	for _, p := range t.Ratings {
		if len(out) == 0 || out[len(out)-1] != p.Length {
			out = append(out, p.Length)
		}
	}
	return out
}

func printTable(w io.Writer, s *tune.Surface) error {
	t := s.Table
	matches := fmt.Sprintf("%d matches", t.Matches)
	if t.Differences > 0 {
		matches += fmt.Sprintf(" (%d of them valued by differences)", t.Differences)
	}
	fmt.Fprintf(w, "nets %s, engine %s, %s; expert = %.0f; 90 %% intervals against expert\n\n", t.Nets, t.Signature, matches, t.Anchor)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	lengths := lengthsOf(t)
	fmt.Fprint(tab, "setting\t")
	for _, n := range lengths {
		fmt.Fprintf(tab, "%d points\t", n)
	}
	fmt.Fprintln(tab)
	row := func(name string, x tune.Setting) {
		cells := make([]string, len(lengths))
		some := false
		for i, n := range lengths {
			cells[i] = "-"
			if iv, ok := s.At(x, n); ok {
				cells[i] = fmt.Sprintf("%.0f ±%.0f", iv.Estimate, iv.Estimate-iv.Low)
				some = true
			}
		}
		if some {
			fmt.Fprintf(tab, "%s\t%s\t\n", name, strings.Join(cells, "\t"))
		}
	}
	for _, p := range preset.All() {
		if x, err := tune.OfPreset(p); err == nil {
			row(p.Name, x)
		}
	}
	seen := map[tune.Setting]bool{tune.Expert: true}
	for _, p := range t.Ratings {
		if x := p.Setting; (x.Deep == "" || x.Share > 0) && !seen[x] {
			seen[x] = true
			row(x.String(), x)
		}
	}
	return tab.Flush()
}

// printResiduals shows every cell beside the fit and the published formulas.
func printResiduals(w io.Writer, f *tune.Fitted) error {
	fmt.Fprintln(w, "\nrating differences of pairs: as played, fitted, and as the published formulas say\nfrom the errors made (decisions; moves and cube); millipoints lost a move and a cube decision")
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "pair\tmatches\twon %\tplayed\tfit\tz\tdecisions\tmoves+cube\tEPM\tEPC\t")
	squares := 0.0
	for _, c := range f.Cells {
		t := &c.Total
		squares += c.Z * c.Z
		a, b := ratesOf(&t.Errors[0]), ratesOf(&t.Errors[1])
		published := [2]string{"-", "-"}
		if t.Errors[0].Moves > 0 && t.Errors[1].Moves > 0 {
			n := t.Cell.Length
			published[0] = fmt.Sprintf("%.0f", rating.LossByDecision(b, n)-rating.LossByDecision(a, n))
			published[1] = fmt.Sprintf("%.0f", rating.LossByMoveAndCube(b, n)-rating.LossByMoveAndCube(a, n))
		}
		played := "-"
		if !math.IsInf(c.Difference, 0) {
			played = fmt.Sprintf("%.0f", c.Difference)
		}
		won := strconv.FormatFloat(100*t.Mean, 'f', 1, 64)
		if t.Differences {
			won = strconv.FormatFloat(100*t.Mean, 'f', 2, 64) // so near to 50 are they
		}
		fmt.Fprintf(tab, "%s\t%d\t%s\t%s\t%.0f\t%+.1f\t%s\t%s\t%.1f\t%.1f\t\n", t.Name(), 2*t.Pairs, won, played, c.Fit, c.Z,
			published[0], published[1], 1000*(b.Checker-a.Checker), 1000*(b.Cube-a.Cube))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nsum of z²: %.1f over %d pairs and %d parameters (%.0f degrees of freedom)\n", squares, len(f.Cells), len(f.Params), f.Freedom)
	return err
}

func ratesOf(e *tune.Errors) rating.ErrorRates {
	r := rating.ErrorRates{Checker: e.PerMove(), Cube: e.PerCube()}
	if n := e.Moves + e.CubeCases; n > 0 {
		r.PerDecision = (e.MoveLoss + e.CubeLoss) / float64(n)
	}
	return r
}

// printErrors shows what settings at 0 plies lose and how much of it in large
// errors.
func printErrors(w io.Writer, list []tune.SettingErrors) error {
	fmt.Fprintf(w, "\nerrors judged at 0 plies without noise: millipoints lost a move and a cube decision; plays that lose more\nthan %.1f and %.1f per 1000 moves, the worst, and the share of all loss in those above %.1f\n", tune.Blunder, tune.Absurd, tune.Blunder)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tab, "setting\tpoints\tmoves\tEPM\tEPC\t> %.1f\t> %.1f\tworst\tshare\t\n", tune.Blunder, tune.Absurd)
	for i := range list {
		e := &list[i].Errors
		per := 1000 / math.Max(1, float64(e.Moves))
		fmt.Fprintf(tab, "%s\t%d\t%d\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\t%.0f %%\t\n", list[i].Setting, list[i].Length, e.Moves,
			1000*e.PerMove(), 1000*e.PerCube(), per*float64(e.Blunders), per*float64(e.Absurd), e.WorstMove, 100*e.BigLoss/math.Max(1e-9, e.MoveLoss))
	}
	return tab.Flush()
}
