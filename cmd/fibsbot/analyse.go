package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/pdf"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/explain"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/filename"
	"fibsbot/internal/shard"
)

// analyseOptions are the flags of `analyse`.
type analyseOptions struct {
	strength engineflags.Strength
	parts    engineflags.Engine
	farm     farmcmd.Flags
	format   string
	asJSON   bool
	out      string
	text     report.TextOptions
	share    shareFlags
	entries  []report.Entry // of the pages written into a folder
	annotate string
	again    bool
	only     bool
	language languageFlag
	font     string
	page     report.PageOptions // language of pages
	pdf      pdf.Options
	limits   []float64
	luck     []float64
	depth    engineflags.Depth
	why      bool
	also     string
	second   asked // by also
	faults   int   // of it
}

func newAnalyseCmd() *cobra.Command {
	var o analyseOptions
	cmd := cmdline.New("analyse FILE...", o.run)
	cmd.Aliases = []string{"analyze"}
	engineflags.Add(cmd, &o.strength, &o.parts, "worldclass")
	o.farm.Add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&o.format, "format", "text", "report: text, html, pdf or json")
	fl.BoolVar(&o.asJSON, "json", false, "same as --format json: one object a match")
	fl.StringVarP(&o.out, "output", "o", "", "file for the report, or folder for several (default stdout)")
	fl.BoolVar(&o.text.Boards, "boards", false, "draw the board of every error (text)")
	fl.BoolVar(&o.text.All, "all", false, "list every decision, not only errors (text)")
	fl.IntVar(&o.text.Game, "game", 0, "report game N only, counted from 1 (text, JSON)")
	fl.IntVar(&o.text.Player, "player", 0, "analyse and report player 1 or 2 only (text, JSON)")
	fl.Var(bounded.Of(&o.text.Plays, 4, 0, maxPlays), "limit", "plays listed per decision, 0 for all (JSON lists all by default)")
	o.language.add(fl, "language of text, HTML and PDF")
	fl.StringVar(&o.font, "font", "", "TrueType font (.ttf) for letters that the PDF's own fonts lack")
	o.depth.Add(cmd)
	fl.BoolVar(&o.why, "why", false, "reason of each marked error in words")
	fl.StringVar(&o.also, "also", "", "another engine or preset, shown where it chooses otherwise (text, HTML, JSON)")
	o.share.add(fl)
	fl.StringVar(&o.annotate, "annotate", "", "folder for the analysed matches as .sgf")
	fl.BoolVar(&o.again, "again", false, "re-analyse decisions that already have an analysis")
	fl.BoolVar(&o.only, "stored", false, "report the analysis in the file; analyse nothing")
	fl.Float64SliceVar(&o.limits, "marks", []float64{0.04, 0.08, 0.16}, "equity losses of doubtful, bad and very bad decisions")
	fl.Lookup("marks").DefValue = "0.04,0.08,0.16"
	fl.Float64SliceVar(&o.luck, "luck-marks", []float64{0.3, 0.6}, "equity gains of lucky and very lucky rolls")
	fl.Lookup("luck-marks").DefValue = "0.3,0.6"
	return cmd
}

// maxPlays is how many plays of a decision an analysis keeps.
const maxPlays = 24

// check refuses wrong flags and returns the limits of the marks.
func (o *analyseOptions) check(files []string) (lim analyse.Limits, err error) {
	if o.asJSON {
		o.format = "json"
	}
	if !slices.Contains([]string{"text", "html", "pdf", "json"}, o.format) {
		return lim, cmdline.Usagef("--format: unknown format %q (use text, html, pdf or json)", o.format)
	}
	lim = analyse.DefaultLimits
	if len(o.limits) != 3 || !(o.limits[0] > 0 && o.limits[0] <= o.limits[1] && o.limits[1] <= o.limits[2]) {
		return lim, cmdline.Usagef("--marks: not three growing losses (as 0.04,0.08,0.16)")
	}
	if len(o.luck) != 2 || !(o.luck[0] > 0 && o.luck[0] <= o.luck[1]) {
		return lim, cmdline.Usagef("--luck-marks: not two growing numbers (as 0.3,0.6)")
	}
	o.text.Plays = cmp.Or(o.text.Plays, maxPlays)
	lim.Lucky, lim.VeryLucky = o.luck[0], o.luck[1]
	lim.Doubtful, lim.Bad, lim.VeryBad = o.limits[0], o.limits[1], o.limits[2]
	if o.paged() && o.text.Part != (report.Part{}) {
		return lim, cmdline.Usagef("--game, --player: only for text and JSON (pages show all games and have filters)")
	}
	if o.only && (o.again || o.annotate != "") {
		return lim, cmdline.Usagef("--stored: does not go with --again or --annotate")
	}
	if o.also != "" && o.format == "pdf" {
		return lim, cmdline.Usagef("--also: not for --format pdf (use text, html or json)")
	}
	if err := o.share.check(); err != nil {
		return lim, err
	}
	if o.share.on && (o.format != "text" || o.text.Part != (report.Part{})) {
		return lim, cmdline.Usagef("--share: prints links and no report (leave out --format, --json, --game and --player)")
	}
	if o.font != "" && o.format != "pdf" {
		return lim, cmdline.Usagef("--font: only for --format pdf")
	}
	return lim, o.spare(files)
}

// translate opens the language and the font.
func (o *analyseOptions) translate(w io.Writer) error {
	c, err := o.language.open(w)
	if err != nil {
		return err
	}
	o.text.Texts, o.page.Texts, o.pdf.Texts = c, c, c
	if o.font != "" {
		if o.pdf.Font, err = os.ReadFile(o.font); err != nil {
			return cmdline.Usagef("--font: %w", err)
		}
	}
	return nil
}

func (o *analyseOptions) run(cmd *cobra.Command, files []string) error {
	lim, err := o.check(files)
	if err != nil {
		return err
	}
	if err := o.translate(cmd.ErrOrStderr()); err != nil {
		return err
	}
	o.why = o.why || o.format == "html" // which opens with the worst decisions
	p, err := o.strength.Judge(cmd)
	if err != nil {
		return err
	}
	var judge *analyse.Analyst
	var e *engine.Engine
	workers := o.parts.Threads
	if !o.only || o.why || o.also != "" {
		o.parts.Threads = 1 // decisions are shared out, not the search of one
		if e, err = o.parts.Open(cmd, o.strength.Seed); err != nil {
			return err
		}
		defer e.Close()
	}
	if o.also != "" {
		var end func()
		if o.second, end, err = openAlso(cmd, e, o.also, o.strength.Config); err != nil {
			return err
		}
		defer end()
	}
	if !o.only {
		judge = analyse.New(e.RolloutOptions(), p)
		judge.Limits, judge.Workers, judge.Again, judge.Player = lim, workers, o.again, o.text.Player
		if err := o.depth.Set(cmd, judge); err != nil {
			return err
		}
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
	if o.only {
		return finish.after(o.all(cmd, &series{w: w, lim: lim, e: e}, files))
	}
	spec, err := judge.Spec(files...)
	if err != nil {
		return err
	}
	work := o.parts.Work(remote.Analyse, spec, e)
	work.Ask, work.Most = func(int) []byte { return analyse.Sample(1) }, analyse.MaxPiece
	err = o.farm.On(cmd, work, func(crew shard.Crew, size int) error {
		judge.Crew, judge.Size = crew, size
		return o.all(cmd, &series{judge: judge, w: w, lim: lim, e: e}, files)
	})
	return finish.after(err)
}

// unread are files that could not be read, among others.
type unread struct{ error }

// Unwrap gives the cause.
func (u *unread) Unwrap() error { return u.error }

// item is a match whose turn comes.
type item struct {
	m          *record.Match
	file, name string
}

// series is the matches of a run.
type series struct {
	judge *analyse.Analyst // nil: nothing is judged
	w     io.Writer
	lim   analyse.Limits
	e     *engine.Engine // for --why
	line  analyse.Line[item]
	n     int // reported
}

// all reads the files, and analyses and reports their matches in order.
func (o *analyseOptions) all(cmd *cobra.Command, s *series, files []string) error {
	onePage := o.paged() && s.w != nil
	errPages := cmdline.Usagef("--format %s: one file holds one match (for several give a folder, as -o reports/)", o.format)
	if onePage && len(files) > 1 {
		return errPages
	}
	s.line = analyse.Line[item]{Analyst: s.judge, Turn: func(x item, w *analyse.Work, later []*analyse.Work) error { return o.one(cmd, s, x, w, later) }}
	bad := 0
	names := filename.Taken{}
	for _, file := range files {
		if err := cmd.Context().Err(); err != nil {
			return cmdline.ErrInterrupted
		}
		matches, err := readMatches(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), file)
		if errors.Is(err, cmdline.ErrInterrupted) {
			return err
		}
		if err != nil {
			if len(files) == 1 {
				return cmdline.AsUsage(err)
			}
			complain(cmd.ErrOrStderr(), err)
			bad++
			continue
		}
		if onePage && len(matches) > 1 {
			return errPages
		}
		for i, m := range matches {
			name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
			if len(matches) > 1 {
				name = fmt.Sprintf("%s-%d", name, i+1)
			}
			x := item{m: m, file: file, name: names.Free(name)}
			var w *analyse.Work
			if s.judge != nil {
				o.takeOver(cmd, s.judge, m, x.name)
				if w, err = s.judge.Prepare(cmd.Context(), m); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			if err := s.line.Add(w, x); err != nil {
				return err
			}
		}
	}
	if err := s.line.End(); err != nil {
		return err
	}
	if bad > 0 {
		return &unread{cmdline.Usagef("%d of %s could not be read", bad, figure.Count(len(files), "file"))}
	}
	return nil
}

// one analyses and reports one match; later are those that come next.
func (o *analyseOptions) one(cmd *cobra.Command, s *series, x item, work *analyse.Work, later []*analyse.Work) error {
	defer func() { s.n++ }()
	var sum *analyse.Summary
	if s.judge == nil {
		sum = analyse.Summarise(x.m, nil, s.lim)
	} else {
		bar := cmdline.Bar(cmd)
		s.judge.Progress = func(done, total int) { bar.Show("analyse "+filepath.Base(x.file), done, total) }
		var err error
		sum, err = s.judge.Do(cmd.Context(), work, later)
		bar.Clear()
		if o.annotate != "" {
			if serr := o.store(x.m, x.name); serr != nil {
				return errors.Join(err, serr)
			}
		}
		if errors.Is(err, context.Canceled) {
			return cmdline.ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("%s: %w", x.file, err)
		}
	}
	if o.share.on {
		return o.share.write(s.w, x.m)
	}
	var why report.Why
	if o.why {
		why = explain.Errors(cmd.Context(), s.e, x.m, o.text.Texts)
	}
	o.text.Why, o.page.Why, o.pdf.Why = why, why, why
	var also report.Also
	if o.second != nil {
		also = opinions(cmd.Context(), strings.TrimPrefix(o.also, "engine:"), o.second, x.m, func(err error) {
			if o.faults++; o.faults <= toldFaults {
				complain(cmd.ErrOrStderr(), fmt.Errorf("--also: %w", err))
			}
		})
		o.text.Also, o.page.Also = also, also
	}
	if err := o.print(cmd, s, x, sum, why, also); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return cmdline.ErrInterrupted
	}
	return nil
}

// print reports one match.
func (o *analyseOptions) print(cmd *cobra.Command, s *series, x item, sum *analyse.Summary, why report.Why, also report.Also) error {
	switch o.format {
	case "json":
		d, err := report.BuildPart(x.m, sum, o.text.Part)
		if err != nil {
			return cmdline.Usagef("%s: %w", x.file, err)
		}
		d.File = x.file
		d.Explain(why)
		d.Ask(also)
		if cmd.Flags().Changed("limit") {
			d.LimitPlays(o.text.Plays)
		}
		return cmdline.PrintJSONLine(s.w, d)
	case "html", "pdf":
		write := func(w io.Writer) error { return o.onePage(w, x.m, sum) }
		if s.w != nil {
			return write(s.w)
		}
		if o.format == "html" {
			o.entries = append(o.entries, report.EntryOf(x.name+".html", x.m, sum))
		}
		return cmdline.WriteOutput(filepath.Join(o.out, x.name+"."+o.format), write)
	}
	if s.n > 0 {
		fmt.Fprintln(s.w)
	}
	if err := report.WriteText(s.w, x.m, sum, o.text); errors.Is(err, report.ErrPart) {
		return cmdline.Usagef("%s: %w", x.file, err)
	} else if err != nil {
		return err
	}
	return nil
}

// onePage writes a match as HTML or PDF.
func (o *analyseOptions) onePage(w io.Writer, m *record.Match, s *analyse.Summary) error {
	if o.format == "html" {
		page := o.page
		page.Me = o.seat(m)
		return report.HTML(w, m, s, page)
	}
	printed := o.pdf
	printed.Me = o.seat(m)
	err := pdf.Write(w, m, s, printed)
	if errors.Is(err, pdf.ErrFont) {
		return cmdline.Usagef("--font: %s: %w", o.font, err)
	}
	return err
}
