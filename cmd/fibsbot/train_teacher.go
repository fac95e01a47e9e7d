package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/engine/train"

	"github.com/spf13/pflag"
)

// teacherHelp lists the teachers for the commands' help.
const teacherHelp = `gnubg, own (our search), bearoff (databases; only what they know is written), rollout:TRIALS (our rollouts), or exec:COMMAND (any engine that answers "eval ID")`

// teacherOptions say how a teacher is made.
type teacherOptions struct {
	name, gnubgDir, weights, bearoffDir string
	threads                             int
}

func addTeacherFlags(f *pflag.FlagSet, o *teacherOptions) {
	f.StringVar(&o.name, "teacher", "gnubg", teacherHelp)
	f.StringVar(&o.gnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for gnubg")
	f.StringVar(&o.weights, "weights", "", "weights file of own and rollout (default the embedded one)")
	f.StringVar(&o.bearoffDir, "bearoff-dir", "", "folder of bigger databases, for bearoff, own and rollout")
	f.IntVar(&o.threads, "threads", 1, "threads of own and rollout")
}

// openTeacher starts the teacher that the options name.
func openTeacher(ctx context.Context, o teacherOptions) (train.Teacher, error) {
	name, rest, _ := strings.Cut(o.name, ":")
	switch name {
	case "gnubg":
		return train.StartGnubg(ctx, o.gnubgDir)
	case "exec":
		if strings.TrimSpace(rest) == "" {
			return nil, usagef("exec: needs a command, as in exec:\"./engine -2ply\"")
		}
		return startLineTeacher(ctx, rest)
	case "bearoff":
		return nil, usagef("the teacher bearoff only works with train label")
	case "own", "rollout":
		trials := 0
		if name == "rollout" {
			n, err := strconv.Atoi(rest)
			if err != nil || n < 36 || n > 1<<20 {
				return nil, usagef("rollout:%s: want a number of trials from 36", rest)
			}
			trials = n
		}
		e, err := engine.Open(engine.Options{Weights: o.weights, BearoffDir: o.bearoffDir, Threads: max(o.threads, 1)})
		if err != nil {
			return nil, usageError{err}
		}
		return &ownTeacher{ctx: ctx, e: e, static: e.Model().Evaluator(), trials: trials, threads: max(o.threads, 1)}, nil
	}
	return nil, usagef("unknown teacher %q, want %s", o.name, teacherHelp)
}

// ownTeacher labels by our own search, or by rollouts when trials is not 0.
type ownTeacher struct {
	ctx     context.Context
	e       *engine.Engine
	static  eval.Evaluator
	trials  int
	threads int
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
			v, err := t.e.Search().Evaluate(t.ctx, p, st, search.Settings{Plies: plies, Prune: true})
			if err != nil {
				return err
			}
			out[i] = train.LabelOf(v.Probs)
		default:
			if out[i], err = t.rollOut(p, plies); err != nil {
				return err
			}
		}
	}
	return nil
}

// rollOut plays the position out, plies deep in the choice of plays.
func (t *ownTeacher) rollOut(p board.Position, plies int) (l train.Label, err error) {
	s := rollout.Default()
	s.Trials, s.MinTrials, s.Cubeful, s.Threads = t.trials, t.trials, false, t.threads
	s.Checker = search.Settings{Plies: plies}
	s.Cube = search.Settings{}
	job, err := rollout.New(rollout.Options{Evaluator: t.e.Model().Evaluator, Search: t.e.Search()}, p, match.Money(false, 0), s)
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
func (t *ownTeacher) Close() error { return t.e.Close() }

// labelFromBearoff replaces the labels of the positions that the databases know
// and returns those records only.
func labelFromBearoff(recs []train.Record, dir string) []train.Record {
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

// lineTeacher is an engine that speaks the line protocol of the duel tool with
// the request "eval ID". The engine's own settings decide the depth.
type lineTeacher struct {
	cmd *exec.Cmd
	to  io.WriteCloser
	in  *bufio.Reader
}

// stopped is what ended a teacher's work: when the user did, the teacher's process
// goes first and looks as if it had failed.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func startLineTeacher(ctx context.Context, command string) (*lineTeacher, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.Stderr = os.Stderr
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", train.ErrTeacher, command, err)
	}
	t := &lineTeacher{cmd: cmd, to: to, in: bufio.NewReader(io.LimitReader(from, 1<<40))}
	answer, err := t.ask("hello 1")
	if err != nil || !strings.HasPrefix(answer, "ok") {
		t.Close()
		return nil, fmt.Errorf("%w: %s answers %q to hello 1: %v", train.ErrTeacher, command, answer, err)
	}
	return t, nil
}

func (t *lineTeacher) ask(line string) (string, error) {
	if _, err := io.WriteString(t.to, line+"\n"); err != nil {
		return "", err
	}
	answer, err := t.in.ReadString('\n')
	return strings.TrimSpace(answer), err
}

// Label implements train.Teacher; plies is the engine's own affair.
func (t *lineTeacher) Label(keys []board.Key, _ int, out []train.Label) error {
	for i, k := range keys {
		p, err := board.FromKey(k)
		if err != nil {
			return err
		}
		answer, err := t.ask("eval " + p.ID())
		if err != nil {
			return fmt.Errorf("%w: %w", train.ErrTeacher, err)
		}
		fields := strings.Fields(answer)
		if len(fields) < 5 {
			return fmt.Errorf("%w: answer %q to eval, want five chances", train.ErrTeacher, answer)
		}
		var pr eval.Probs
		for j := range pr {
			v, err := strconv.ParseFloat(fields[j], 32)
			if err != nil || !(v >= 0 && v <= 1) {
				return fmt.Errorf("%w: answer %q to eval, want five chances", train.ErrTeacher, answer)
			}
			pr[j] = float32(v)
		}
		out[i] = train.LabelOf(pr)
	}
	return nil
}

// Close implements train.Teacher.
func (t *lineTeacher) Close() error {
	_, _ = io.WriteString(t.to, "quit\n")
	t.to.Close()
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	return nil
}
