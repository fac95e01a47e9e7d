// Package teacher opens those who label training positions: gnubg, our own search or
// rollouts, the bearoff databases, or any program that speaks the line protocol.
package teacher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/weights"
)

// Names lists the teachers for help texts.
const Names = `gnubg, own (our search), bearoff (databases; only what they know is written), rollout:TRIALS or rollout:TRIALS:PLIES (our rollouts; trials end after PLIES, 0 at the end of the game, without it after 10, or 14 where the plan is decided late), or exec:COMMAND (any engine that answers "eval ID")`

// Options say how a teacher is made.
type Options struct {
	Name       string // one of Names
	GnubgDir   string // folder of label.py, for gnubg; see train.StartGnubg
	Weights    string // weights file of own and rollout, "" for the embedded one
	BearoffDir string // folder of bigger databases, for bearoff, own and rollout
	Threads    int    // of own and rollout, for callers: forks at a time
}

// ErrOptions means an unknown teacher, or one that cannot be opened with these options.
var ErrOptions = errors.New("no such teacher")

// mistake is an error with its own text that errors.Is finds as ErrOptions.
type mistake struct{ error }

// Is implements the interface of errors.Is.
func (mistake) Is(target error) bool { return target == ErrOptions }

// Unwrap returns the cause.
func (e mistake) Unwrap() error { return e.error }

func wrong(format string, args ...any) error { return mistake{fmt.Errorf(format, args...)} }

// Open starts the teacher that the options name. The error wraps [ErrOptions] if the options
// are wrong. ctx ends the teacher.
func Open(ctx context.Context, o Options) (train.Teacher, error) {
	if err := o.Check(0); err != nil {
		return nil, err
	}
	name, rest, _ := strings.Cut(o.Name, ":")
	switch name {
	case "gnubg":
		return train.StartGnubg(ctx, o.GnubgDir)
	case "exec":
		return startProgram(ctx, rest, os.Stderr)
	case "own", "rollout":
		e, err := engine.Open(engine.Options{Weights: o.Weights, BearoffDir: o.BearoffDir, Threads: 1})
		if err != nil {
			return nil, mistake{err}
		}
		t, err := Own(ctx, e, o.Name)
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		return &owner{t.(*ownTeacher)}, nil
	}
	return nil, o.Check(0)
}

// Check refuses options with which [Open] or a search of that depth would fail, without
// starting a program. The error wraps [ErrOptions].
func (o Options) Check(plies int) error {
	if o.Threads < 0 || o.Threads > 1024 {
		return wrong("--threads: %d is not between 0 and 1024", o.Threads)
	}
	most := 9 // of gnubg and others
	switch name, rest, _ := strings.Cut(o.Name, ":"); name {
	case "gnubg":
		if err := train.CheckGnubg(o.GnubgDir); err != nil {
			return mistake{err}
		}
	case "exec":
		if strings.TrimSpace(rest) == "" {
			return wrong("--teacher: exec: without a command (exec:\"./engine -2ply\")")
		}
	case "bearoff":
		return wrong("--teacher: bearoff only works with train label")
	case "own", "rollout":
		if most = search.MaxPlies; o.BearoffDir != "" {
			if info, err := os.Stat(o.BearoffDir); err != nil || !info.IsDir() {
				return wrong("--bearoff-dir: %s is not a folder", o.BearoffDir)
			}
		}
		if _, err := ownOf(o.Name); err != nil {
			return wrong("--teacher: %w", err)
		}
	default:
		return wrong("--teacher: unknown teacher %q (use %s)", o.Name, Names)
	}
	if plies < 0 || plies > most {
		return wrong("--plies: %d is not between 0 and %d", plies, most)
	}
	return nil
}

// IsOwn reports whether a teacher of that name is this program's engine, which other
// processes can run.
func IsOwn(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	return name == "own" || name == "rollout"
}

// usual means that trials end after shortTrial plies, or longTrial.
const usual = -1

// Trials end after so many plies with the value of a search as deep as their plays. The longer
// length is for plans that are decided late, where that value is biased as long as the plan
// lasts. The reference decisions (cmd/fibslab/internal/reference) have the same lengths.
const (
	shortTrial = 10
	longTrial  = 14
)

// late reports whether a class is of such plans.
func late(class string) bool {
	return slices.ContainsFunc([]string{nn.ClassCrashed, nn.ClassOfPlan(nn.PlanBackgame), nn.ClassOfPlan(nn.PlanContainment), nn.ClassOfPlan(nn.PlanShutout), nn.ClassOfPlan(nn.PlanBearoff)},
		func(own string) bool { return strings.HasPrefix(class, own) }) // or the opponent's
}

// ownTask is the task of one of our own teachers: trials is 0 for a search; truncate is after
// how many plies trials end, 0 for the end of the game, or usual.
type ownTask struct{ trials, truncate int }

// ownOf parses the name of one of our own teachers.
func ownOf(name string) (ownTask, error) {
	kind, rest, more := strings.Cut(name, ":")
	switch kind {
	case "own":
		if more {
			return ownTask{}, wrong("own:%s: own has no settings in its name", rest)
		}
		return ownTask{}, nil
	case "rollout":
		trials, truncate, ends := strings.Cut(rest, ":")
		n, err := strconv.Atoi(trials)
		if err != nil || n < 36 || n > 1<<20 {
			return ownTask{}, wrong("rollout:%s: the number of trials is not 36 or more", rest)
		}
		task := ownTask{trials: n, truncate: usual}
		if ends {
			if task.truncate, err = strconv.Atoi(truncate); err != nil || task.truncate < 0 || task.truncate > 1000 {
				return ownTask{}, wrong("rollout:%s: after the trials comes their length in plies, 0 to 1000", rest)
			}
		}
		return task, nil
	}
	return ownTask{}, wrong("teacher %q is not one of our own", name)
}

// lasts returns after how many plies trials of a position end, 0 for the end of the game.
func (t *ownTask) lasts(p *board.Position) int {
	switch {
	case t.truncate != usual:
		return t.truncate
	case late(train.ClassOf(p)):
		return longTrial
	}
	return shortTrial
}

// Own makes a teacher of an engine: name is own, rollout:TRIALS or rollout:TRIALS:PLIES.
// Closing it leaves the engine open. ctx ends it.
func Own(ctx context.Context, e *engine.Engine, name string) (train.Teacher, error) {
	task, err := ownOf(name)
	if err != nil {
		return nil, err
	}
	return &ownTeacher{ctx: ctx, e: e, static: e.Model().Evaluator(), ownTask: task}, nil
}

// owner is a teacher with its own engine.
type owner struct{ *ownTeacher }

// Close implements train.Teacher.
func (t *owner) Close() error { return t.e.Close() }

// ownTeacher labels by our own search, or by rollouts when trials is not 0.
type ownTeacher struct {
	ctx    context.Context
	e      *engine.Engine
	static eval.Evaluator
	ownTask
}

// Fork implements train.Forker: the engine is shared.
func (t *ownTeacher) Fork() train.Teacher {
	f := *t
	f.static = t.e.Model().Evaluator()
	return &f
}

// Label implements train.Teacher.
func (t *ownTeacher) Label(keys []board.Key, plies int, out []train.Label) error {
	st := match.Money(false, 0)
	for i, k := range keys {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		p, err := board.FromKey(k)
		if err != nil {
			return err
		}
		switch {
		case p.Result() != 0 || plies == 0 && t.trials == 0:
			out[i] = train.LabelOf(t.static.Eval(&p))
		case t.trials == 0:
			// One ply is searched in full: replies that the small net leaves out cost a side 0.0001 to
			// 0.0015 points a ply, which add up to 0.02 in the labels of long games.
			v, err := t.e.Search().Evaluate(t.ctx, p, st, search.Settings{Plies: plies, Prune: plies > 1})
			if err != nil {
				return err
			}
			out[i] = train.LabelOf(v.Probs)
		default:
			if out[i], err = t.rollOut(t.ctx, p, plies); err != nil {
				return err
			}
		}
	}
	return nil
}

// rollOut rolls the position out, plies deep in the choice of plays and at a trial's end
// before the end of the game.
func (t *ownTeacher) rollOut(ctx context.Context, p board.Position, plies int) (l train.Label, err error) {
	s := rollout.Default()
	s.Trials, s.MinTrials, s.Cubeful, s.Threads = t.trials, t.trials, false, 1
	s.Truncate = t.lasts(&p)
	s.Checker = search.Settings{Plies: plies, Prune: plies > 0}
	s.Leaf, s.Cube = s.Checker, search.Settings{}
	job, err := rollout.New(ctx, rollout.Options{Evaluator: t.e.Model().Evaluator, Search: t.e.Search()}, p, match.Money(false, 0), s)
	if err != nil {
		return l, err
	}
	job.AddPosition("position")
	if err := job.Run(t.ctx, nil); err != nil {
		return l, err
	}
	var pr eval.Probs
	for j, v := range job.Results()[0].Probs {
		pr[j] = float32(v)
	}
	return train.LabelOf(pr), nil
}

// Close implements train.Teacher.
func (t *ownTeacher) Close() error { return nil }

// FromBearoff replaces the labels of the positions that the databases know and returns only
// those records.
func FromBearoff(recs []train.Record, dir string) []train.Record {
	src := bearoff.NewSource(bearoff.Options{Dir: dir})
	defer src.Close()
	out := recs[:0]
	for _, r := range recs {
		p, err := board.FromKey(r.Key)
		if err != nil {
			continue
		}
		if pr, _, ok := src.Lookup(&p); ok {
			out = append(out, train.Record{Key: r.Key, Label: train.LabelOf(pr)})
		}
	}
	return out
}

// programTeacher is an engine that speaks the line protocol with the request "eval
// ID". The engine's own settings decide the depth.
type programTeacher struct{ client *external.Client }

func startProgram(ctx context.Context, command string, stderr io.Writer) (*programTeacher, error) {
	c, err := external.Start(ctx, []string{"/bin/sh", "-c", command}, stderr)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", train.ErrTeacher, command, err)
	}
	return &programTeacher{c}, nil
}

// Label implements train.Teacher; the engine's own settings decide, not plies.
func (t *programTeacher) Label(keys []board.Key, _ int, out []train.Label) error {
	for i, k := range keys {
		p, err := board.FromKey(k)
		if err != nil {
			return err
		}
		pr, err := t.client.Eval(p)
		if err != nil {
			return fmt.Errorf("%w: %w", train.ErrTeacher, err)
		}
		out[i] = train.LabelOf(pr)
	}
	return nil
}

// Close implements train.Teacher.
func (t *programTeacher) Close() error {
	_ = t.client.Close() // however it ends, its work is done
	return nil
}

// Stopped returns the error that ended a teacher's work: if the user stopped it, the teacher's
// process ends first and looks as if it had failed.
func Stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Static opens a weights file, "" being the embedded one, with the small databases that the
// engine always has, as gnubg has its own, and returns its static evaluation. The error wraps
// [ErrOptions] if the file cannot be used.
func Static(path string) (eval.Evaluator, *nn.Set, error) {
	m, set, err := Model(path)
	if err != nil {
		return nil, nil, err
	}
	return m.Evaluator(), set, nil
}

// Model is Static for several goroutines, each of which makes its own evaluator.
func Model(path string) (*eval.Model, *nn.Set, error) {
	set, err := weights.Load(path)
	if err != nil {
		return nil, nil, mistake{err}
	}
	m, err := eval.NewModel(set, bearoff.NewSource(bearoff.Options{}))
	return m, set, err
}
