package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/pdf"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// analyseOptions are the flags of `analyse`.
type analyseOptions struct {
	strength strengthFlags
	parts    engineFlags
	format   string
	asJSON   bool
	out      string
	text     report.TextOptions
	entries  []report.Entry // of the pages written into a folder
	annotate string
	again    bool
	only     bool
	limits   []float64
	skip     analyse.Skip
}

// addSkipFlags adds the flags that switch parts of an analysis off.
func addSkipFlags(cmd *cobra.Command, s *analyse.Skip) {
	fl := cmd.Flags()
	fl.BoolVar(&s.Checker, "no-checker", false, "leave checker plays unjudged")
	fl.BoolVar(&s.Cube, "no-cube", false, "leave cube decisions unjudged")
	fl.BoolVar(&s.Luck, "no-luck", false, "leave the luck of the rolls out")
}

func newAnalyseCmd() *cobra.Command {
	var o analyseOptions
	cmd := &cobra.Command{
		Use:     "analyse FILE...",
		Aliases: []string{"analyze"},
		Short:   "Analyse matches: errors, luck, ratings",
		Long: `Judges every play and cube action of the matches in the files (.sgf, .mat, FIBS
oldmoves, Snowie text; the format is found out by itself) and reports errors, luck and
ratings for both players by the definitions of GNU Backgammon.

What a file already holds of an analysis at the same depth is kept, and with --annotate
also what the folder holds of the same match, noise and depth: the same command goes on
where it was interrupted. --again judges everything anew. Presets that roll out close plays, such as
grandmaster, do so here too. A file that cannot be read is
named and the rest goes on; the exit status says so at the end.

With --format html or pdf and several matches -o names a folder.`,
		Example: `  fibsbot analyse match.sgf
  fibsbot analyse --preset supremo --format html -o report.html match.mat
  fibsbot analyse --format pdf -o report.pdf match.mat
  fibsbot analyse --json logs/archive/*.sgf
  fibsbot analyse --annotate analysed/ logs/archive/*.sgf`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	addStrengthFlags(cmd, &o.strength, "worldclass")
	addPresetsFlag(cmd, &o.strength.config)
	addEngineFlags(cmd, &o.parts)
	fl := cmd.Flags()
	fl.StringVar(&o.format, "format", "text", "report: text, html, pdf or json")
	fl.BoolVar(&o.asJSON, "json", false, "the same as --format json; one object a match")
	fl.StringVarP(&o.out, "output", "o", "", "file of the report instead of stdout; a folder for several HTML reports")
	fl.BoolVar(&o.text.Boards, "boards", false, "text report: draw the board of every error")
	fl.BoolVar(&o.text.All, "all", false, "text report: every decision of the match")
	fl.IntVar(&o.text.Game, "game", 0, "figures and decisions of this game alone, from 1 (text, JSON)")
	fl.IntVar(&o.text.Player, "player", 0, "those of player 1 or 2 alone (text, JSON)")
	addSkipFlags(cmd, &o.skip)
	fl.StringVar(&o.annotate, "annotate", "", "folder for the analysed matches as .sgf")
	fl.BoolVar(&o.again, "again", false, "judge anew what the file has an analysis of")
	fl.BoolVar(&o.only, "stored", false, "judge nothing: report what the file holds")
	fl.Float64SliceVar(&o.limits, "marks", []float64{0.04, 0.08, 0.16}, "losses from which a decision is doubtful, bad, very bad")
	return cmd
}

// check refuses what the flags say wrongly and returns the limits of the marks.
func (o *analyseOptions) check(files []string) (lim analyse.Limits, err error) {
	if o.asJSON {
		o.format = "json"
	}
	if !slices.Contains([]string{"text", "html", "pdf", "json"}, o.format) {
		return lim, usagef("--format: %q is none of text, html, pdf, json", o.format)
	}
	lim = analyse.DefaultLimits
	if len(o.limits) != 3 || o.limits[0] <= 0 || o.limits[1] < o.limits[0] || o.limits[2] < o.limits[1] {
		return lim, usagef("--marks: want three growing losses, as 0.04,0.08,0.16")
	}
	lim.Doubtful, lim.Bad, lim.VeryBad = o.limits[0], o.limits[1], o.limits[2]
	if o.paged() && o.text.Part != (report.Part{}) {
		return lim, usagef("--game and --player are for text and JSON: the page has every game and a list that filters")
	}
	if o.only && (o.again || o.annotate != "") {
		return lim, usagef("--stored judges nothing: leave --again and --annotate out")
	}
	return lim, o.spare(files)
}

func (o *analyseOptions) run(cmd *cobra.Command, files []string) error {
	lim, err := o.check(files)
	if err != nil {
		return err
	}
	p, err := o.strength.resolve(cmd)
	if err != nil {
		return err
	}
	var judge *analyse.Analyst
	if !o.only {
		if err := o.parts.check(); err != nil {
			return err
		}
		workers := o.parts.threads
		o.parts.threads = 1 // decisions are shared out, not the search of one
		e, err := o.parts.open(cmd, o.strength.seed)
		if err != nil {
			return err
		}
		defer e.Close()
		judge = analyse.New(e.RolloutOptions(), p)
		judge.Limits, judge.Workers, judge.Again, judge.Skip = lim, workers, o.again, o.skip
	}
	if o.annotate != "" {
		if err := makeFolder("--annotate", o.annotate); err != nil {
			return err
		}
	}
	w, finish, err := o.open(cmd, len(files) > 1)
	if err != nil {
		return err
	}
	onePage := o.paged() && w != nil
	errPages := usagef("--format %s: a file holds one match; for several name a folder, such as -o reports", o.format)
	if onePage && len(files) > 1 {
		return errors.Join(errPages, finish(false))
	}
	var bad []error
	n := 0
	names := fileNames{}
	for _, file := range files {
		if err := cmd.Context().Err(); err != nil {
			return errors.Join(errInterrupted, finish(false))
		}
		matches, err := readMatches(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), file)
		if errors.Is(err, errInterrupted) {
			return errors.Join(err, finish(false))
		}
		if err != nil {
			if len(files) == 1 {
				return errors.Join(asUsage(err), finish(false))
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %v\n", err)
			bad = append(bad, err)
			continue
		}
		if onePage && len(matches) > 1 {
			return errors.Join(errPages, finish(false))
		}
		for i, m := range matches {
			name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			if len(matches) > 1 {
				name = fmt.Sprintf("%s-%d", name, i+1)
			}
			if err := o.one(cmd, judge, m, lim, file, names.free(name), n, w); err != nil {
				return errors.Join(err, finish(false))
			}
			n++
		}
	}
	if err := finish(true); err != nil {
		return err
	}
	if len(bad) > 0 {
		return usagef("%d of %d files could not be read", len(bad), len(files))
	}
	return nil
}

// paged tells whether each match has a report of its own.
func (o *analyseOptions) paged() bool { return o.format == "html" || o.format == "pdf" }

// spare refuses a report in the place of one of the matches to analyse.
func (o *analyseOptions) spare(files []string) error {
	report, err := os.Stat(o.out)
	if err != nil || !report.Mode().IsRegular() {
		return nil // nothing there to lose
	}
	for _, file := range files {
		if match, err := os.Stat(file); err == nil && os.SameFile(report, match) {
			return usagef("--output: %s is a match to analyse, the report would replace it", o.out)
		}
	}
	return nil
}

// fileNames are the names, without extension, that a run has written under.
type fileNames map[string]bool

// free returns name, or name-2 and so on where an earlier match of the run has it:
// files of one name come from several folders, and in several formats.
func (f fileNames) free(name string) string {
	free := name
	for n := 2; f[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	f[free] = true
	return free
}

// one analyses and reports one match, the n-th of the run.
func (o *analyseOptions) one(cmd *cobra.Command, judge *analyse.Analyst, m *record.Match, lim analyse.Limits, file, name string, n int, w io.Writer) error {
	var s *analyse.Summary
	if judge == nil {
		s = analyse.Summarise(m, nil, lim)
	} else {
		o.takeOver(cmd, judge, m, name)
		show, done := meter(cmd, "analyse "+filepath.Base(file))
		var mu sync.Mutex
		judge.Progress = func(done, total int) {
			if show != nil {
				mu.Lock()
				defer mu.Unlock()
				show(uint64(done), uint64(total))
			}
		}
		var err error
		s, err = judge.Analyse(cmd.Context(), m)
		done()
		if o.annotate != "" {
			if serr := o.store(m, name); serr != nil {
				return errors.Join(err, serr)
			}
		}
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	switch o.format {
	case "json":
		d, err := report.BuildPart(m, s, o.text.Part)
		if err != nil {
			return usagef("%s: %w", file, err)
		}
		d.File = file
		return printJSONLine(w, d)
	case "html":
		if w != nil {
			return report.HTML(w, m, s, nil)
		}
		o.entries = append(o.entries, report.EntryOf(name+".html", m, s))
		return writeOutput(filepath.Join(o.out, name+".html"), func(w io.Writer) error { return report.HTML(w, m, s, nil) })
	}
	if o.format == "pdf" {
		if w != nil {
			return pdf.Write(w, m, s)
		}
		return writeOutput(filepath.Join(o.out, name+".pdf"), func(w io.Writer) error { return pdf.Write(w, m, s) })
	}
	if n > 0 {
		fmt.Fprintln(w)
	}
	if err := report.WriteText(w, m, s, o.text); errors.Is(err, report.ErrPart) {
		return usagef("%s: %w", file, err)
	} else if err != nil {
		return err
	}
	return nil
}

// annotated is where --annotate keeps the match called name.
func (o *analyseOptions) annotated(name string) string { return filepath.Join(o.annotate, name+".sgf") }

// takeOver puts into m what an earlier run with --annotate found and says how much
// that was. A file that is not there, cannot be read or is another match gives nothing:
// the match is judged from the beginning.
func (o *analyseOptions) takeOver(cmd *cobra.Command, judge *analyse.Analyst, m *record.Match, name string) {
	if o.annotate == "" || o.again {
		return
	}
	file := o.annotated(name)
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	earlier, _, err := sgf.Read(f)
	if err != nil {
		return
	}
	if n := judge.TakeOver(m, earlier); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d decisions judged before are kept (--again judges them anew)\n", file, n)
	}
}

// store writes the analysed match into the folder of --annotate.
func (o *analyseOptions) store(m *record.Match, name string) error {
	return writeOutput(o.annotated(name), func(w io.Writer) error { return sgf.Write(w, m) })
}

// open returns where the report goes, nil for one file a match in a folder, and
// what makes it final: nothing is left of a report that was not finished.
func (o *analyseOptions) open(cmd *cobra.Command, several bool) (io.Writer, func(ok bool) error, error) {
	if o.out == "" {
		return cmd.OutOrStdout(), func(bool) error { return nil }, nil
	}
	st, err := os.Stat(o.out)
	folder := err == nil && st.IsDir() || strings.HasSuffix(o.out, string(filepath.Separator)) ||
		errors.Is(err, os.ErrNotExist) && o.paged() && several && filepath.Ext(o.out) == ""
	if folder {
		if !o.paged() {
			return nil, nil, usagef("--output: %s is a folder; a %s report is one file", o.out, o.format)
		}
		if err := makeFolder("--output", o.out); err != nil {
			return nil, nil, err
		}
		return nil, func(bool) error {
			if len(o.entries) < 2 {
				return nil
			}
			return writeOutput(filepath.Join(o.out, "index.html"), func(w io.Writer) error { return report.Index(w, o.entries) })
		}, nil
	}
	if err := wantParent("--output", o.out); err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	return &b, func(ok bool) error {
		if !ok {
			return nil
		}
		return writeFileAtomic(o.out, b.Bytes())
	}, nil
}

// makeFolder makes a folder that a flag names, before the work whose results it is
// to hold; that it cannot be made or written to is the user's mistake.
func makeFolder(flag, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usagef("%s: %w", flag, err)
	}
	return wantParent(flag, filepath.Join(dir, "any"))
}

// writeFileAtomic writes a file whole or not at all.
func writeFileAtomic(file string, data []byte) error {
	return writeOutput(file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
