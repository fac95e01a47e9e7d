// Package nets measures the static evaluation: its errors against positions labelled by a
// stronger judge, and the loss of its plays on rated decisions.
package nets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// Report is the strength of nets.
type Report struct {
	Name      string       `json:"name"`
	Positions train.Errors `json:"positions"`
	Backgames train.Errors `json:"rolled_backgames"` // against rollouts of games that began as back games
	Varied    train.Errors `json:"rolled_varied"`    // and of all plans
	Losses    []train.Loss `json:"losses"`           // millipoints a decision, ours and gnubg 0-ply's
}

// Progress is called with a part of the work and how much of it is done.
type Progress func(what string, done, total int)

// of is the progress of one part, or nil.
func (p Progress) of(what string, total int) func(done int) {
	if p == nil {
		return nil
	}
	return func(done int) { p(what, done, total) }
}

// Measure measures the nets of a weights file, "" being the embedded one. The error is
// a [cmdline.UsageError] if the file cannot be used.
func Measure(path string) (r Report, err error) {
	judge, set, err := train.OpenStatic(path)
	if err != nil {
		return r, err
	}
	recs, err := train.BenchPositions()
	if err != nil {
		return r, err
	}
	ds, err := train.BenchProblems()
	if err != nil {
		return r, err
	}
	backgames, varied, err := train.BenchValues()
	if err != nil {
		return r, err
	}
	return Report{Name: set.Manifest.Name, Positions: train.MeasureErrors(recs, judge),
		Backgames: train.MeasureErrors(backgames, judge), Varied: train.MeasureErrors(varied, judge), Losses: train.MeasureProblems(ds, judge)}, nil
}

// Print writes the report for people.
func (r *Report) Print(out io.Writer) {
	fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n",
		r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
	fmt.Fprintf(out, "off rollouts in the mean by %.4f in %d positions of back games, %.4f in %d of all plans\n\n",
		r.Backgames.EquityAbs, r.Backgames.Positions, r.Varied.EquityAbs, r.Varied.Positions)
	PrintLosses(out, r.Losses, "gnubg 0")
}

// PrintLosses writes a table of the losses of plays, in millipoints, beside those of the judge
// other if they were measured.
func PrintLosses(w io.Writer, ls []train.Loss, other string) {
	head := ""
	if len(ls) > 0 && ls[0].Beside != nil {
		head = fmt.Sprintf(" %9s %6s", other, "ratio")
	}
	fmt.Fprintf(w, "%-15s %9s %9s %7s%s %8s\n", "plan", "decisions", "loss", "+-", head, "blunders")
	for _, l := range ls {
		beside := ""
		if b := l.Beside; b != nil {
			beside = fmt.Sprintf(" %9.2f %6.2f", b.Mean, min(b.Ratio, 999))
		}
		fmt.Fprintf(w, "%-15s %9d %9.2f %7.2f%s %8d\n", l.Tag, l.Decisions, l.Mean, l.Error, beside, l.Blunders)
	}
}

// Truth says on which rolled out decisions to measure, and beside which other program.
type Truth struct {
	File    string // of decisions, as reference.Load takes it
	Weights string // file of the engine's nets, "" the ones in the program
	// The engine's match equity table and folder of bearoff databases, "" those in the program.
	Met, BearoffDir string
	Release         bool // on the reserved half
	// Bearoffs, unless 0, measures the cube on so many exact bearoffs instead.
	Bearoffs int
	Gnubg    int // depth of gnubg, -1 for none
	// Progress, unless nil, is called as parts of the work are done.
	Progress Progress
	// Warn is called with the reason why gnubg is not measured, in one line; nil if the user
	// did not ask for gnubg.
	Warn func(string)
}

// ErrTruth means that the options or the file cannot be used.
var ErrTruth = errors.New("cannot measure on rolled out decisions")

// Measured names the measurement and its decisions.
type Measured struct {
	Preset   string  `json:"preset"`
	Plies    int     `json:"plies"`
	Noise    float64 `json:"noise,omitempty"`
	Filter   string  `json:"filter,omitempty"`   // of moves
	Rollouts bool    `json:"rollouts,omitempty"` // close decisions were rolled out
	Nets     string  `json:"nets"`               // name in the weights' manifest
	Weights  string  `json:"weights,omitempty"`  // their file, "" for the nets in the program
	// Met and BearoffDir are the engine's, unless they are those in the program.
	Met        string  `json:"met,omitempty"`
	BearoffDir string  `json:"bearoff_dir,omitempty"`
	File       string  `json:"file,omitempty"`     // of the decisions, "" for the set in the program
	Half       string  `json:"half,omitempty"`     // open or reserved
	Bearoffs   int     `json:"bearoffs,omitempty"` // exact ones, drawn by Seed, instead of File and Half
	Seed       *uint64 `json:"seed,omitempty"`     // nil without bearoffs
	// Gnubg is the depth of gnubg beside us, or nil if not measured.
	Gnubg *int `json:"gnubg_plies,omitempty"`
}

// about describes what o measures with a preset whose settings for the kind of decision are s.
func (o *Truth) about(e *engine.Engine, pr preset.Preset, s search.Settings, rollouts bool) Measured {
	return Measured{Preset: pr.Name, Plies: s.Plies, Noise: s.Noise, Filter: s.Filter.Name, Rollouts: rollouts,
		Nets: e.Manifest().Name, Weights: o.Weights, Met: o.Met, BearoffDir: o.BearoffDir, File: o.File, Half: o.half()}
}

func (o *Truth) half() string {
	if o.Release {
		return "reserved"
	}
	return "open"
}

// none is the error for a file without decisions of that kind to measure on.
func (o *Truth) none(kind string) error {
	return fmt.Errorf("%w: no %s %s decisions in %s", ErrTruth, o.half(), kind, cmp.Or(o.File, "the set in the program"))
}

// load reads the decisions.
func (o *Truth) load() ([]reference.Reference, error) {
	ds, err := reference.Load(o.File)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTruth, err)
	}
	return ds, nil
}

// gnubg starts gnubg, or returns nil if it is missing or not asked for.
func (o *Truth) gnubg(ctx context.Context) (*train.Gnubg, error) {
	if o.Gnubg < 0 {
		return nil, nil
	}
	g, err := train.StartGnubg(ctx)
	if errors.Is(err, os.ErrNotExist) {
		if o.Warn != nil {
			o.Warn("gnubg is not measured: " + strings.TrimPrefix(err.Error(), train.ErrTeacher.Error()+": "))
		}
		return nil, nil
	}
	return g, err
}

// Plays are the losses in checker play.
type Plays struct {
	Measured
	Losses []train.Loss `json:"losses"` // of all decisions, then by tag
}

// Plays measures checker play: the losses of a preset and, if it is installed, gnubg's. The
// error wraps ErrTruth if the options or the file cannot be used, or the file has no such
// decisions.
func (o *Truth) Plays(ctx context.Context, e *engine.Engine, pr preset.Preset) (r Plays, err error) {
	r.Measured = o.about(e, pr, pr.Checker, pr.Close.Trials > 0)
	all, err := o.load()
	if err != nil {
		return r, err
	}
	ds, err := reference.Plays(all, o.Release)
	if err != nil {
		return r, err
	}
	if len(ds) == 0 {
		return r, o.none("checker")
	}
	g, err := o.gnubg(ctx)
	if err != nil {
		return r, err
	}
	if g != nil {
		defer g.Close()
		r.Gnubg = &o.Gnubg
	}
	mine, err := reference.Losses(ctx, ds, func() reference.Chooser { return reference.ByPreset(ctx, e, pr) }, o.Progress.of("decisions", len(ds)))
	if err != nil {
		return r, err
	}
	var theirs []float64
	if g != nil {
		by := reference.ByTeacher(ctx, g, o.Gnubg)
		if theirs, err = reference.Losses(ctx, ds, func() reference.Chooser { return by }, o.Progress.of("gnubg's decisions", len(ds))); err != nil {
			return r, err
		}
	}
	r.Losses = train.CompareLosses(ds, mine, theirs)
	return r, nil
}

// Print writes the losses for people.
func (r *Plays) Print(w io.Writer) {
	other := ""
	if r.Gnubg != nil {
		other = fmt.Sprintf("gnubg %d", *r.Gnubg)
	}
	PrintLosses(w, r.Losses, other)
}

// Cubes are the losses in cube decisions.
type Cubes struct {
	Measured
	Ours   []reference.CubeLoss `json:"ours"`
	Theirs []reference.CubeLoss `json:"gnubg,omitempty"`
}

// Cubes measures cube decisions: those of a preset and gnubg's. Bearoffs are drawn by seed.
// Errors are those of Plays.
func (o *Truth) Cubes(ctx context.Context, e *engine.Engine, pr preset.Preset, seed uint64) (r Cubes, err error) {
	r.Measured = o.about(e, pr, pr.Cube, pr.Close.CubeTrials > 0)
	if o.Bearoffs > 0 && (o.Release || o.File != "") {
		return r, fmt.Errorf("%w: --bearoffs draws decisions and goes with neither --release nor --truth-file", ErrTruth)
	}
	var ds []reference.Reference
	if o.Bearoffs > 0 {
		r.Half, r.Bearoffs, r.Seed = "", o.Bearoffs, &seed
		ds, err = reference.Bearoffs(ctx, e.Search().Table(), seed, o.Bearoffs, o.Progress.of("bearoffs", o.Bearoffs))
	} else if ds, err = o.load(); err == nil && !slices.ContainsFunc(ds, o.asksCube) {
		err = o.none("cube")
	}
	if err != nil {
		return r, err
	}
	g, err := o.gnubg(ctx)
	if err != nil {
		return r, err
	}
	if g != nil {
		defer g.Close()
		r.Gnubg = &o.Gnubg
	}
	counted := func(what string, choose reference.CubeChooser) reference.CubeChooser {
		return o.countedCubes(ds, what, choose)
	}
	if r.Ours, err = reference.CubeLosses(ds, o.Release, counted("cube decisions", reference.CubeByPreset(ctx, e, pr))); err != nil || g == nil {
		return r, err
	}
	r.Theirs, err = reference.CubeLosses(ds, o.Release, counted("gnubg's cube decisions", func(p board.Position, st match.State) (double, take bool, err error) {
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		q, err := g.Cube(train.CubeQuestion{Key: p.Key(), State: st}, o.Gnubg)
		return min(q[1], q[2]) > q[0], q[1] <= q[2], err
	}))
	return r, err
}

// countedCubes calls Progress for choices in those cube decisions of ds that are measured.
func (o *Truth) countedCubes(ds []reference.Reference, what string, choose reference.CubeChooser) reference.CubeChooser {
	if o.Progress == nil {
		return choose
	}
	n, total := 0, 0
	for i := range ds {
		if o.asksCube(ds[i]) {
			total++
		}
	}
	return func(p board.Position, st match.State) (double, take bool, err error) {
		o.Progress(what, n, total)
		n++
		return choose(p, st)
	}
}

// asksCube reports whether d is a cube decision that is measured.
func (o *Truth) asksCube(d reference.Reference) bool { return d.Cube != nil && d.Reserved == o.Release }

// Print writes the losses for people.
func (r *Cubes) Print(w io.Writer) {
	fmt.Fprintf(w, "%-15s %9s %9s %9s %7s %6s", "", "decisions", "doubling", "taking", "+-", "wrong")
	if r.Theirs != nil {
		fmt.Fprintf(w, "   %9s %9s %6s", fmt.Sprintf("gnubg %d:", *r.Gnubg), "taking", "wrong")
	}
	fmt.Fprintln(w)
	for i, l := range r.Ours {
		fmt.Fprintf(w, "%-15s %9d %9.2f %9.2f %7.2f %6d", l.Tag, l.Decisions, l.Doubling, l.Taking, l.Error, l.Wrong)
		if r.Theirs != nil {
			g := r.Theirs[i]
			fmt.Fprintf(w, "   %9.2f %9.2f %6d", g.Doubling, g.Taking, g.Wrong)
		}
		fmt.Fprintln(w)
	}
}
