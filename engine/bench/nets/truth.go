package nets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/train"
	"fibsbot/engine/truth"
	"fibsbot/internal/piece"
)

// Truth says on which rolled out decisions something is measured, and beside whom.
type Truth struct {
	File    string // of train truth, "" the set in the program
	Release bool   // on the reserved half
	// Bearoffs, where it is not 0, measures the cube on so many exact bearoffs instead.
	Bearoffs int
	Gnubg    int // depth of gnubg, -1 for none
	GnubgDir string
	// Send has the plays chosen elsewhere; nil is this process, on all its processors.
	Send Send
	// Progress, where it is not nil, is told how much of a part of the work is done.
	Progress Progress
	// Warn is told why gnubg is not measured, in one line; nil where nobody has asked for it.
	Warn func(string)
}

// MaxBearoffs is how many exact bearoffs a measurement may be on.
const MaxBearoffs = 10_000

// ErrTruth is wrapped where the options or the file cannot be used.
var ErrTruth = errors.New("cannot measure on rolled out decisions")

// open reads the decisions and starts gnubg, nil where there is none.
func (o *Truth) open(ctx context.Context) ([]truth.Reference, *train.Gnubg, error) {
	if o.Gnubg < -1 || o.Gnubg > 3 {
		return nil, nil, fmt.Errorf("%w: gnubg at %d plies, want -1 to 3", ErrTruth, o.Gnubg)
	}
	ds, err := truth.Load(o.File)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrTruth, err)
	}
	if o.Gnubg < 0 {
		return ds, nil, nil
	}
	g, err := train.StartGnubg(ctx, o.GnubgDir)
	if errors.Is(err, os.ErrNotExist) {
		if o.Warn != nil {
			o.Warn("gnubg is not measured: " + strings.TrimPrefix(err.Error(), train.ErrTeacher.Error()+": "))
		}
		return ds, nil, nil
	}
	return ds, g, err
}

// Plays measures checker play: the losses of a preset and, where it is installed,
// gnubg's. Where it is not they are 0, and o.Gnubg is -1 then.
func (o *Truth) Plays(ctx context.Context, e *engine.Engine, pr preset.Preset) ([]train.Loss, error) {
	all, g, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	if g != nil {
		defer g.Close()
	}
	ds, err := truth.Plays(all, o.Release)
	if err != nil {
		return nil, err
	}
	mine, err := o.losses(ctx, ds, e, pr)
	if err != nil {
		return nil, err
	}
	theirs := make([]float64, len(ds))
	if g == nil {
		o.Gnubg = -1
		out := train.CompareLosses(ds, mine, theirs)
		for i := range out {
			out[i].Ratio, out[i].Paired = 0, 0
		}
		return out, nil
	}
	player := &train.TeacherPlayer{Teacher: g, Plies: o.Gnubg}
	if theirs, err = truth.Losses(ds, o.countedPlays(truth.ByPlayer(player), len(ds))); err == nil {
		err = player.Err
	}
	if err != nil {
		return nil, err
	}
	return train.CompareLosses(ds, mine, theirs), nil
}

// losses are those of a search.
func (o *Truth) losses(ctx context.Context, ds []train.Problem, e *engine.Engine, pr preset.Preset) (out []float64, err error) {
	report := o.Progress.of("decisions", len(ds))
	if o.Send == nil {
		return truth.LossesOn(ctx, ds, &piece.Local{New: func() (piece.Runner, error) { return Choosers(e, pr), nil }}, 1, report)
	}
	spec, err := json.Marshal(plays{pr, digest(ds)})
	if err != nil {
		return nil, err
	}
	err = o.Send(KindPlays, spec, func(crew piece.Crew, size int) (err error) {
		out, err = truth.LossesOn(ctx, ds, crew, size, report)
		return err
	})
	return out, err
}

// plays describes a job of KindPlays. Decisions tells the sets apart.
type plays struct {
	Preset    preset.Preset `json:"preset"`
	Decisions string        `json:"decisions"`
}

// digest names a set of decisions.
func digest(ds []train.Problem) string {
	h := sha256.New()
	for i := range ds {
		k := ds[i].Position.Key()
		h.Write(append(k[:], ds[i].Dice.A, ds[i].Dice.B))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Choosers runs pieces of decisions as a preset plays.
func Choosers(e *engine.Engine, pr preset.Preset) piece.Runner {
	return truth.Player(func(ctx context.Context) truth.Chooser { return truth.ByPreset(ctx, e, pr) })
}

// PlaysFromSpec returns what makes runners of decisions.
func PlaysFromSpec(e *engine.Engine, spec []byte) (func() (piece.Runner, error), error) {
	var p plays
	if err := json.Unmarshal(spec, &p); err != nil {
		return nil, fmt.Errorf("%w: %w", train.ErrPiece, err)
	}
	if err := p.Preset.Checker.Validate(); err != nil {
		return nil, err
	}
	return func() (piece.Runner, error) { return Choosers(e, p.Preset), nil }, nil
}

// Cubes are the losses in cube decisions.
type Cubes struct {
	Ours  []truth.CubeLoss `json:"ours"`
	Gnubg []truth.CubeLoss `json:"gnubg,omitempty"`
}

// Cubes measures cube decisions: those of a preset and gnubg's. Bearoffs are drawn by seed.
func (o *Truth) Cubes(ctx context.Context, e *engine.Engine, pr preset.Preset, seed uint64) (r Cubes, err error) {
	if o.Bearoffs < 0 || o.Bearoffs > MaxBearoffs {
		return r, fmt.Errorf("%w: %d bearoffs are not between 0 and %d", ErrTruth, o.Bearoffs, MaxBearoffs)
	}
	ds, g, err := o.open(ctx)
	if err != nil {
		return r, err
	}
	if g != nil {
		defer g.Close()
	}
	if o.Bearoffs > 0 {
		if ds, err = truth.Bearoffs(ctx, e.Search().Table(), seed, o.Bearoffs, o.Progress.of("bearoffs", o.Bearoffs)); err != nil {
			return r, err
		}
	}
	counted := func(what string, choose truth.CubeChooser) truth.CubeChooser {
		return o.countedCubes(ds, what, choose)
	}
	if r.Ours, err = truth.CubeLosses(ds, o.Release, counted("cube decisions", truth.CubeByPreset(ctx, e, pr))); err != nil || g == nil {
		return r, err
	}
	r.Gnubg, err = truth.CubeLosses(ds, o.Release, counted("gnubg's cube decisions", func(p board.Position, st match.State) (double, take bool, err error) {
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		q, err := g.Cube(train.CubeQuestion{Key: p.Key(), State: st}, o.Gnubg)
		return min(q[1], q[2]) > q[0], q[1] <= q[2], err
	}))
	return r, err
}

// countedPlays tells Progress of gnubg's choices.
func (o *Truth) countedPlays(choose truth.Chooser, total int) truth.Chooser {
	if o.Progress == nil {
		return choose
	}
	n := 0
	return func(p board.Position, d board.Dice) (board.Play, bool, error) {
		o.Progress("gnubg's decisions", n, total)
		n++
		return choose(p, d)
	}
}

// countedCubes tells Progress of choices in those cube decisions of ds that are measured.
func (o *Truth) countedCubes(ds []truth.Reference, what string, choose truth.CubeChooser) truth.CubeChooser {
	if o.Progress == nil {
		return choose
	}
	n, total := 0, 0
	for i := range ds {
		if ds[i].Cube != nil && ds[i].Reserved == o.Release {
			total++
		}
	}
	return func(p board.Position, st match.State) (double, take bool, err error) {
		o.Progress(what, n, total)
		n++
		return choose(p, st)
	}
}

// PrintCubes writes the losses as a person reads them; plies is gnubg's depth.
func PrintCubes(w io.Writer, r Cubes, plies int) {
	fmt.Fprintf(w, "%-15s %9s %9s %9s %7s %6s", "", "decisions", "doubling", "taking", "+-", "wrong")
	if r.Gnubg != nil {
		fmt.Fprintf(w, "   %9s %9s %6s", fmt.Sprintf("gnubg %d:", plies), "taking", "wrong")
	}
	fmt.Fprintln(w)
	for i, l := range r.Ours {
		fmt.Fprintf(w, "%-15s %9d %9.2f %9.2f %7.2f %6d", l.Tag, l.Decisions, l.Doubling, l.Taking, l.Error, l.Wrong)
		if r.Gnubg != nil {
			g := r.Gnubg[i]
			fmt.Fprintf(w, "   %9.2f %9.2f %6d", g.Doubling, g.Taking, g.Wrong)
		}
		fmt.Fprintln(w)
	}
}
