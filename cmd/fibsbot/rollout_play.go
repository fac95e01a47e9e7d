package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/rollout"
	"fibsbot/engine/rollout/recorded"
	"fibsbot/internal/shard"
)

func (f *rolloutFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	args, err := f.cube.rest(args)
	if err != nil {
		return err
	}
	if f.cube.value != 0 {
		f.where.Cube = &f.cube.value
	}
	open := opener{parts: &f.parts}
	defer open.close()
	to := answers{cmd: cmd}
	var me rollout.Side
	var opp *rollout.Side
	return eachPosition(cmd, f.where, args, func(q input.Question, several bool) error {
		if err := f.checkWith(q.Situation, several); err != nil {
			return err
		}
		if open.e == nil {
			p, err := f.strength.Resolve(cmd)
			if err != nil {
				return err
			}
			if me, opp, err = f.sides(cmd, "--preset", p); err != nil {
				return err
			}
		}
		e, err := open.engine(cmd, f.strength.Seed, q.Rules)
		if err != nil {
			return err
		}
		return f.answer(cmd, e, q, f.settings(me, opp), to, several)
	})
}

// answer rolls one position out and prints the results, even if the user stops it.
func (f *rolloutFlags) answer(cmd *cobra.Command, e *engine.Engine, q input.Question, settings rollout.Settings, to answers, several bool) error {
	job, err := rollout.New(cmd.Context(), e.RolloutOptions(), q.Position, q.State, settings)
	if err != nil {
		return cmdline.AsUsage(err)
	}
	f.plays = nil
	if err := f.addArms(cmd.Context(), e, job, q.Situation); err != nil {
		return err
	}
	took, err := f.play(cmd, e, job, q)
	stopped := err != nil && cmd.Context().Err() != nil && job.Trials() > 0
	if err != nil && !stopped {
		return err
	}
	if f.sgf != "" {
		if stopped {
			settings.Trials = job.Trials() // a file must not pass for a longer rollout
		}
		m := recorded.Match(e.Rules(), q.Situation, settings, job.Results(), f.plays, e.Table())
		if err := cmdline.WriteOutput(f.sgf, func(w io.Writer) error { return sgf.Write(w, m) }); err != nil {
			return err
		}
	}
	out := advice.RolloutOf(job, q.Situation)
	out.Trials, out.Seed, out.Seconds, out.Assumed, out.Interrupted = f.set.Trials, f.strength.Seed, took.Seconds(), q.Assumed, stopped
	if q.Dice.Valid() && !f.cube.decide {
		out.Dice = &[2]int{int(q.Dice.A), int(q.Dice.B)}
	}
	if err := to.write(out, out.Text(q.State), several); err != nil || !stopped {
		return err
	}
	return cmdline.ErrInterrupted
}

// checkWith refuses flags that do not go with the position.
func (f *rolloutFlags) checkWith(sit match.Situation, several bool) error {
	if several && (f.resume != "" || f.sgf != "") {
		return cmdline.Usagef("--resume, --sgf: only for one position")
	}
	if f.cube.decide && (f.where.Dice != nil || len(f.moves) > 0) {
		return cmdline.Usagef("--cube: does not go with --dice or --move (the cube comes before the roll)")
	}
	if len(f.moves) > 0 && !sit.Dice.Valid() {
		return cmdline.Usagef("--move: needs a roll (give --dice)")
	}
	if f.set.InitialPosition && (f.cube.decide || sit.Dice.Valid()) {
		return cmdline.Usagef("--initial: does not go with --dice or --cube (it is the first roll of a game)")
	}
	if f.sgf != "" && !f.cube.decide && !sit.Dice.Valid() {
		return cmdline.Usagef("--sgf: needs plays or a cube decision (give --dice or --cube)")
	}
	return cmdline.WantParent("--sgf", f.sgf)
}

// roll has the trials played, here or on --farm.
func (f *rolloutFlags) roll(cmd *cobra.Command, e *engine.Engine, job *rollout.Job, report func(n, total int)) error {
	ctx := cmd.Context()
	spec, err := job.Spec(remote.Nets(e))
	if err != nil {
		return err
	}
	work := f.parts.Work(remote.Rollout, spec, e)
	work.Ask, work.Most = remote.Trial, rollout.MaxPiece
	for _, r := range job.Results() {
		work.Parts, work.Done = work.Parts+f.set.Trials-r.Trials, work.Done+r.Trials
	}
	return f.farm.On(cmd, work, func(crew shard.Crew, size int) error {
		if crew == nil {
			return job.Run(ctx, report)
		}
		return job.RunOn(ctx, crew, size, report)
	})
}

// play runs the job, resumes from --resume and saves the trials there.
func (f *rolloutFlags) play(cmd *cobra.Command, e *engine.Engine, job *rollout.Job, q input.Question) (took time.Duration, err error) {
	ctx, nets := cmd.Context(), remote.Nets(e)
	if f.resume != "" {
		found, err := job.Load(f.resume, nets)
		if err == nil && !found {
			err = job.Save(f.resume, nets) // a file that cannot be written is better known now than at the end
		}
		if err != nil {
			return 0, cmdline.AsUsage(err)
		}
	}
	show, done := cmdline.LiveText(cmd)
	start := time.Now()
	saved := start
	var saveErr error
	look := func(n, total int) {
		show(func() string {
			r := advice.RolloutOf(job, q.Situation)
			return r.Live(n, total, time.Since(start))
		})
	}
	look(0, f.set.Trials)
	err = f.roll(cmd, e, job, func(n, total int) {
		look(n, total)
		if f.resume != "" && f.farm.URL == "" && time.Since(saved) > 10*time.Second { // a farm keeps them itself, and checks them
			saved = time.Now()
			saveErr = job.Save(f.resume, nets)
		}
	})
	done()
	if f.resume != "" && (err == nil || f.farm.URL == "") {
		saveErr = job.Save(f.resume, nets)
	}
	if err != nil && f.farm.URL != "" {
		return time.Since(start), err // what was played stays on the farm
	}
	if err != nil && ctx.Err() != nil && saveErr == nil {
		kept := "; with --resume FILE they would have been kept"
		if f.resume != "" {
			kept = ", kept in " + f.resume + "; the same command goes on from there"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "stopped after %d trials%s\n", job.Trials(), kept)
	}
	return time.Since(start), errors.Join(err, saveErr)
}

// addArms adds what the flags ask for.
func (f *rolloutFlags) addArms(ctx context.Context, e *engine.Engine, job *rollout.Job, sit match.Situation) error {
	switch {
	case f.cube.decide:
		if err := job.AddCube(); err != nil {
			return cmdline.Usagef("--cube: %w", err)
		}
		return nil
	case !sit.Dice.Valid():
		job.AddPosition("position")
		return nil
	}
	p, err := preset.ByName("worldclass")
	if err != nil {
		return err
	}
	list, err := e.RankPlays(ctx, sit.Position, sit.Dice, sit.State, p)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return cmdline.Usagef("--dice: no legal play with %d%d", sit.Dice.A, sit.Dice.B)
	}
	moves := f.moves
	for n := 1; len(f.moves) == 0 && n <= min(3, len(list)); n++ {
		moves = append(moves, strconv.Itoa(n))
	}
	for _, text := range moves {
		var play board.Play
		if n, err := strconv.Atoi(text); err == nil {
			if n < 1 || n > len(list) {
				return cmdline.Usagef("--move: no play number %d (there are %d)", n, len(list))
			}
			play = list[n-1].Play
		} else if play, err = e.Rules().ParsePlay(sit.Position, sit.Dice, text); err != nil {
			return cmdline.Usagef("--move: %s", strings.TrimPrefix(err.Error(), board.ErrBadPlay.Error()+": "))
		}
		if err := job.AddPlay(board.FormatPlay(sit.Position, play), play); err != nil {
			return cmdline.AsUsage(err)
		}
		f.plays = append(f.plays, play)
	}
	return nil
}
