package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/ask"
	"fibsbot/cmd/fibsbot/internal/farmcmd"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/remote"
	"fibsbot/engine/rolled"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/piece"
)

// rolloutFlags are the flags of one run.
type rolloutFlags struct {
	strength              strengthFlags
	parts                 engineFlags
	farm                  farmcmd.Flags
	late, cubes, lateCube string
	opp                   opponentFlags
	latePly               int
	where                 positionFlags
	moves                 []string
	cube                  cubeFlag
	asJSON                bool
	noVR, plain, initial  bool
	noTwoSided, noOne     bool
	trials, truncate, min int
	stderr, jsd           float64
	resume, sgf           string
	rng                   dice.Generator
	plays                 []board.Play // those rolled out
}

// opponentFlags name the presets of the other side, "" for those of the player.
type opponentFlags struct{ preset, cube, late, lateCube string }

func newRolloutCmd() *cobra.Command {
	var f rolloutFlags
	cmd := &cobra.Command{
		Use:   "rollout POSITION",
		Short: "Play a position out many times, with standard errors",
		Long: `Rolls out a position before the roll, the best plays of a roll (--dice, and --move
for chosen ones, by rank in 'fibsbot hint' or in notation), or a cube decision
(--cube). All arms share their dice. Equities are normalised (EMG) and come with
their standard errors; jsd is how many standard deviations of the difference an
arm is behind the best.

Both sides play at --preset. --cube-preset sets cube decisions apart from plays,
--opponent-preset the other side apart from the player on roll, --late-preset what
holds from --late-ply on; each may be combined with the others. A double is answered
at the strength of the side that answers. --plies, --noise and --filter change
--preset alone.

On a terminal the equities are shown while they settle. Ctrl-C ends the rollout and
prints what it has; the exit status is 130 then.

With --resume the totals are kept in FILE: an interrupted rollout goes on from
there, and a finished one is extended by more --trials. With --sgf FILE the result
can be looked at in gnubg.

` + positionForms + `
--cube alone asks for the cube decision; with a number (--cube 2) it is the value of
the cube, and both may be given.`,
		Example: `  fibsbot rollout 4HPwATDgc/ABMA --dice 31 --move 1 --move '24/23 13/10'
  fibsbot rollout 4HPwATDgc/ABMA --trials 5184 --initial --json
  fibsbot rollout 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10' --cube --truncate 11
  fibsbot rollout 4HPwATDgc/ABMA --cube --length 7 --score 3-5
  fibsbot rollout 4HPwATDgc/ABMA --preset worldclass --opponent-preset casual --late-ply 6
  fibsbot rollout 4HPwATDgc/ABMA --dice 31 --sgf opening.sgf
  fibsbot rollout 4HPwATDgc/ABMA --cube --stop-stderr 0.005 --trials 46656 --resume r.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	addStrengthFlags(cmd, &f.strength, "expert")
	addPresetsFlag(cmd, &f.strength.config)
	addEngineFlags(cmd, &f.parts)
	f.parts.heed(cmd, &f.strength.config)
	addRulesFlags(cmd, &f.parts.variation, &f.parts.egyptian)
	addPositionFlags(cmd, &f.where)
	f.where.game = &f.parts.variation
	addDiceFlag(cmd, &f.rng)
	f.farm.Add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.where.dice, "dice", "", "roll out plays of this roll, as 31")
	fl.StringArrayVar(&f.moves, "move", nil, "play to roll out: its rank in 'fibsbot hint', or notation (repeat; default the best 3)")
	fl.Var(&f.cube, "cube", "roll out no double and double/take; with a number the value of the cube")
	fl.Lookup("cube").NoOptDefVal = "true"
	f.addTrials(fl)
	fl.BoolVar(&f.noVR, "no-variance-reduction", false, "do not subtract the luck of the dice")
	fl.BoolVar(&f.plain, "plain-dice", false, "random dice from the first roll on instead of balanced ones")
	fl.BoolVar(&f.initial, "initial", false, "the first roll is never a double, as at the start of a game (without --dice and --cube)")
	fl.BoolVar(&f.noTwoSided, "no-truncate-two-sided", false, "play on in the exact bearoff databases")
	fl.BoolVar(&f.noOne, "no-truncate-one-sided", false, "play on in the one-sided bearoff databases")
	fl.StringVar(&f.cubes, "cube-preset", "", "strength of cube decisions (default that of the plays)")
	fl.StringVar(&f.lateCube, "late-cube-preset", "", "strength of late cube decisions (default that of the late plays)")
	fl.StringVar(&f.opp.preset, "opponent-preset", "", "strength of the opponent of the player on roll (default the player's)")
	fl.StringVar(&f.opp.cube, "opponent-cube-preset", "", "strength of the opponent's cube decisions (default that of --opponent-preset, or the player's)")
	fl.StringVar(&f.opp.late, "opponent-late-preset", "", "strength of the opponent's late plies (default the player's)")
	fl.StringVar(&f.opp.lateCube, "opponent-late-cube-preset", "", "strength of the opponent's late cube decisions (default that of --opponent-late-preset, or the player's)")
	fl.IntVar(&f.min, "min-trials", 144, "games before a stop rule may end the rollout")
	fl.Float64Var(&f.stderr, "stop-stderr", 0, "stop when all equities are that exact, 0 for off")
	fl.Float64Var(&f.jsd, "stop-jsd", 0, "give an arm up when it is that many joint standard deviations behind, 0 for off")
	fl.StringVar(&f.resume, "resume", "", "file with the totals, to go on from and to write")
	fl.StringVar(&f.sgf, "sgf", "", "write position, results and settings to this .sgf as well, as gnubg reads them (with --dice or --cube)")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// addTrials adds what annotate has of rollouts too.
func (f *rolloutFlags) addTrials(fl *pflag.FlagSet) {
	fl.IntVar(&f.trials, "trials", 1296, "games for each arm")
	fl.IntVar(&f.truncate, "truncate", 0, "end games after that many plies with the static value, 0 to play to the end")
	fl.IntVar(&f.latePly, "late-ply", 0, "from that ply on play with --late-preset, 0 for never")
	fl.StringVar(&f.late, "late-preset", "expert", "strength of the late plies")
}

func (f *rolloutFlags) settings(me rollout.Side, opp *rollout.Side) rollout.Settings {
	s := rollout.Default()
	s.Trials, s.Seed, s.Dice, s.Truncate = f.trials, f.strength.seed, f.rng, f.truncate
	s.Cubeful = !f.strength.cubeless
	s.VarianceReduction, s.PlainDice, s.InitialPosition = !f.noVR, f.plain, f.initial
	s.TruncateTwoSided, s.TruncateOneSided = !f.noTwoSided, !f.noOne
	s.Checker, s.Cube = me.Checker, me.Cube
	s.LatePly, s.LateChecker, s.LateCube = f.latePly, me.LateChecker, me.LateCube
	s.Opponent = opp
	s.MinTrials, s.StopStdErr, s.StopJSD = f.min, f.stderr, f.jsd
	s.Threads = f.parts.threads
	return s
}

// sides finds how the two sides decide, p being the player's preset, which flag names; opp
// is nil where no flag tells them apart.
func (f *rolloutFlags) sides(cmd *cobra.Command, flag string, p preset.Preset) (me rollout.Side, opp *rollout.Side, err error) {
	// Rollouts know settings of the search; who plays by more than those is told.
	plain := func(flag, name string, p preset.Preset) {
		if p.Human != (human.Style{}) {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s: rollouts leave out the human-like errors of %q\n", flag, name)
		}
	}
	plain(flag, f.strength.preset, p)
	late, err := findPreset("--late-preset", f.late, f.strength.config)
	if err != nil {
		return me, nil, err
	}
	plain("--late-preset", f.late, late)
	me = rollout.Side{Checker: p.Checker, Cube: p.Cube, LateChecker: late.Checker, LateCube: late.Cube}
	// apart reads a preset that replaces some settings, if it was given.
	apart := func(flag, name string, checker, cube *search.Settings) {
		if name == "" || err != nil {
			return
		}
		var p preset.Preset
		if p, err = findPreset(flag, name, f.strength.config); err != nil {
			return
		}
		plain(flag, name, p)
		if checker != nil {
			*checker = p.Checker
		}
		*cube = p.Cube
	}
	apart("--cube-preset", f.cubes, nil, &me.Cube)
	apart("--late-cube-preset", f.lateCube, nil, &me.LateCube)
	if f.opp == (opponentFlags{}) {
		return me, nil, err
	}
	other := me
	apart("--opponent-preset", f.opp.preset, &other.Checker, &other.Cube)
	apart("--opponent-cube-preset", f.opp.cube, nil, &other.Cube)
	apart("--opponent-late-preset", f.opp.late, &other.LateChecker, &other.LateCube)
	apart("--opponent-late-cube-preset", f.opp.lateCube, nil, &other.LateCube)
	return me, &other, err
}

// check names the flag with a number that makes no sense; package rollout knows
// no flags.
func (f *rolloutFlags) check() error {
	for _, n := range []struct {
		flag       string
		value, low int
	}{{"--trials", f.trials, 1}, {"--truncate", f.truncate, 0}, {"--late-ply", f.latePly, 0}, {"--min-trials", f.min, 0}} {
		if n.value < n.low || n.value > 1<<30 {
			return usagef("%s: %d is not between %d and %d", n.flag, n.value, n.low, 1<<30)
		}
	}
	if !(f.stderr >= 0) {
		return usagef("--stop-stderr: %v is not 0 or more", f.stderr)
	}
	if !(f.jsd >= 0) {
		return usagef("--stop-jsd: %v is not 0 or more", f.jsd)
	}
	for _, g := range []struct {
		flag, value string
		late, cube  bool
	}{
		{"--cube-preset", f.cubes, false, true}, {"--late-cube-preset", f.lateCube, true, true},
		{"--opponent-cube-preset", f.opp.cube, false, true}, {"--opponent-late-preset", f.opp.late, true, false},
		{"--opponent-late-cube-preset", f.opp.lateCube, true, true},
	} {
		switch {
		case g.value == "":
		case g.late && f.latePly == 0:
			return usagef("%s: no ply is late without --late-ply", g.flag)
		case g.cube && f.strength.cubeless:
			return usagef("%s: there is no cube with --cubeless", g.flag)
		}
	}
	return nil
}

func (f *rolloutFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	args, err := f.cube.rest(args)
	if err != nil {
		return err
	}
	f.where.cube = f.cube.value
	open := opener{parts: &f.parts}
	defer open.close()
	to := answers{out: cmd.OutOrStdout(), asJSON: f.asJSON}
	var me rollout.Side
	var opp *rollout.Side
	return f.where.each(cmd, args, func(q ask.Question, several bool) error {
		if err := f.checkWith(q.Situation, several); err != nil {
			return err
		}
		if open.e == nil {
			p, err := f.strength.resolve(cmd)
			if err != nil {
				return err
			}
			if me, opp, err = f.sides(cmd, "--preset", p); err != nil {
				return err
			}
		}
		e, err := open.engine(cmd, f.strength.seed)
		if err != nil {
			return err
		}
		return f.answer(cmd, e, q, f.settings(me, opp), to, several)
	})
}

// answer rolls one position out and prints what came of it, also where the user stops it.
func (f *rolloutFlags) answer(cmd *cobra.Command, e *engine.Engine, q ask.Question, settings rollout.Settings, to answers, several bool) error {
	job, err := rollout.New(e.RolloutOptions(), q.Position, q.State, settings)
	if err != nil {
		return asUsage(err)
	}
	f.plays = nil
	if err := f.addArms(cmd.Context(), e, job, q.Situation); err != nil {
		return err
	}
	took, err := f.play(cmd, e, job, q)
	stopped := err != nil && cmd.Context().Err() != nil && trialsOf(job) > 0
	if err != nil && !stopped {
		return err
	}
	if f.sgf != "" {
		m := rolled.Match(q.Situation, settings, job.Results(), f.plays, e.Table())
		if err := writeOutput(f.sgf, func(w io.Writer) error { return sgf.Write(w, m) }); err != nil {
			return err
		}
	}
	out := advice.RolloutOf(job, q.Situation)
	out.Trials, out.Seed, out.Seconds, out.Assumed, out.Interrupted = f.trials, f.strength.seed, took.Seconds(), q.Assumed, stopped
	if q.Dice.Valid() && !f.cube.decide {
		out.Dice = &[2]int{int(q.Dice.A), int(q.Dice.B)}
	}
	if err := to.write(out, out.Text(q.State), several); err != nil || !stopped {
		return err
	}
	return errInterrupted
}

// checkWith refuses flags that do not go with the position.
func (f *rolloutFlags) checkWith(sit match.Situation, several bool) error {
	if several && (f.resume != "" || f.sgf != "") {
		return usagef("--resume and --sgf are for one position")
	}
	if f.cube.decide && (f.where.dice != "" || len(f.moves) > 0) {
		return usagef("--cube is a decision before the roll: leave --dice and --move out")
	}
	if len(f.moves) > 0 && !sit.Dice.Valid() {
		return usagef("--move needs a roll: give --dice")
	}
	if f.initial && (f.cube.decide || sit.Dice.Valid()) {
		return usagef("--initial: the first roll of a game comes before any play or double: leave --dice and --cube out")
	}
	if f.sgf != "" && !f.cube.decide && !sit.Dice.Valid() {
		return usagef("--sgf: the file holds plays or a cube decision: give --dice or --cube")
	}
	return wantParent("--sgf", f.sgf)
}

// roll has the trials played, here or on --farm.
func (f *rolloutFlags) roll(cmd *cobra.Command, e *engine.Engine, job *rollout.Job, report func(n, total int)) error {
	ctx := cmd.Context()
	spec, err := job.Spec(remote.Nets(e))
	if err != nil {
		return err
	}
	work := f.parts.work(remote.Rollout, spec, e)
	work.Ask, work.Most = remote.Trial, rollout.MaxPiece
	for _, r := range job.Results() {
		work.Parts, work.Done = work.Parts+f.trials-r.Trials, work.Done+r.Trials
	}
	return f.farm.On(cmd, work, func(crew piece.Crew, size int) error {
		if crew == nil {
			return job.Run(ctx, report)
		}
		return job.RunOn(ctx, crew, size, report)
	})
}

// play runs the job, goes on from --resume and keeps what was played there.
func (f *rolloutFlags) play(cmd *cobra.Command, e *engine.Engine, job *rollout.Job, q ask.Question) (took time.Duration, err error) {
	ctx, nets := cmd.Context(), remote.Nets(e)
	if f.resume != "" {
		found, err := job.Load(f.resume, nets)
		if err == nil && !found {
			err = job.Save(f.resume, nets) // a file that cannot be written is better known now than at the end
		}
		if err != nil {
			return 0, asUsage(err)
		}
	}
	show, done := liveText(cmd)
	start := time.Now()
	saved := start
	var saveErr error
	look := func(n, total int) {
		show(func() string {
			r := advice.RolloutOf(job, q.Situation)
			return r.Live(n, total, time.Since(start))
		})
	}
	look(0, f.trials)
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
		fmt.Fprintln(cmd.ErrOrStderr(), f.stopped(job))
	}
	return time.Since(start), errors.Join(err, saveErr)
}

// stopped says what an interruption has left.
func (f *rolloutFlags) stopped(job *rollout.Job) string {
	if f.resume == "" {
		return fmt.Sprintf("stopped after %d trials; with --resume FILE they would have been kept", trialsOf(job))
	}
	return fmt.Sprintf("stopped after %d trials, kept in %s; the same command goes on from there", trialsOf(job), f.resume)
}

// trialsOf is how many trials the arm has that has most.
func trialsOf(job *rollout.Job) (n int) {
	for _, r := range job.Results() {
		n = max(n, r.Trials)
	}
	return n
}

// cubeFlag is --cube of rollout: alone it asks for the cube decision, with a number
// it is the value of the cube.
type cubeFlag struct {
	decide bool
	value  int // 0 where not given
}

// String, Set and Type are pflag.Value's.
func (c *cubeFlag) String() string { return "" }

// Type names the value in help texts.
func (c *cubeFlag) Type() string { return "V" }

// Set takes true, false or a number.
func (c *cubeFlag) Set(text string) (err error) {
	if yes, err := strconv.ParseBool(text); err == nil && text != "1" && text != "0" {
		c.decide = yes
		return nil
	}
	if c.value, err = strconv.Atoi(text); err != nil || c.value < 1 {
		return fmt.Errorf("%q: want 1, 2, 4, 8 and so on", text)
	}
	return nil
}

// rest takes the number of `--cube 2` from the arguments: an optional value stands
// behind a = for pflag, and no POSITION is a number.
func (c *cubeFlag) rest(args []string) ([]string, error) {
	for i, text := range args {
		if n, err := strconv.Atoi(text); err == nil && c.decide && len(args) > 1 {
			if c.value != 0 || n < 1 {
				return nil, usagef("--cube: %q: want one number, 1, 2, 4, 8 and so on", text)
			}
			c.decide, c.value = false, n
			return slices.Delete(slices.Clone(args), i, i+1), nil
		}
	}
	return args, nil
}

// addArms adds what the flags ask for.
func (f *rolloutFlags) addArms(ctx context.Context, e *engine.Engine, job *rollout.Job, sit match.Situation) error {
	switch {
	case f.cube.decide:
		return asUsage(job.AddCube())
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
		return usagef("no legal play with %d%d", sit.Dice.A, sit.Dice.B)
	}
	moves := f.moves
	for n := 1; len(f.moves) == 0 && n <= min(3, len(list)); n++ {
		moves = append(moves, strconv.Itoa(n))
	}
	for _, text := range moves {
		var play board.Play
		if n, err := strconv.Atoi(text); err == nil {
			if n < 1 || n > len(list) {
				return usagef("--move %d: there are %d plays", n, len(list))
			}
			play = list[n-1].Play
		} else if play, err = e.Rules().ParsePlay(sit.Position, sit.Dice, text); err != nil {
			return usagef("--move %q: %v", text, err)
		}
		if err := job.AddPlay(board.FormatPlay(sit.Position, play), play); err != nil {
			return asUsage(err)
		}
		f.plays = append(f.plays, play)
	}
	return nil
}
