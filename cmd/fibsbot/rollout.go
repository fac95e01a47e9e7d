package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

// rolloutFlags are the flags of one run.
type rolloutFlags struct {
	strength              engineflags.Strength
	parts                 engineflags.Engine
	farm                  farmcmd.Flags
	late, cubes, lateCube string
	opp                   opponentFlags
	where                 input.Position
	moves                 []string
	cube                  cubeFlag
	set                   rollout.Settings
	noVR                  bool
	noTwoSided, noOne     bool
	resume, sgf           string
	plays                 []board.Play // those rolled out
}

// opponentFlags name the presets of the other side, "" for those of the player.
type opponentFlags struct{ preset, cube, late, lateCube string }

func newRolloutCmd() *cobra.Command {
	var f rolloutFlags
	cmd := cmdline.New("rollout POSITION", f.run)
	cmd.Args = cobra.MinimumNArgs(1)
	engineflags.Add(cmd, &f.strength, &f.parts, "expert")
	addPositionFlags(cmd, &f.where)
	engineflags.AddDice(cmd, &f.set.Dice)
	f.farm.Add(cmd)
	fl := cmd.Flags()
	f.where.AddDice(fl, "roll out the plays of this roll")
	fl.StringArrayVar(&f.moves, "move", nil, "play to roll out, by rank or notation; may be repeated (default the best 3)")
	fl.Var(&f.cube, "cube", "cube decision to roll out; with a number its value")
	fl.Lookup("cube").NoOptDefVal = "true"
	f.addTrials(fl)
	fl.BoolVar(&f.noVR, "no-variance-reduction", false, "do not subtract the luck of the dice")
	fl.BoolVar(&f.set.PlainDice, "plain-dice", false, "random first rolls instead of balanced ones")
	fl.BoolVar(&f.set.InitialPosition, "initial", false, "start of a game: the first roll is not a double")
	fl.BoolVar(&f.noTwoSided, "no-truncate-two-sided", false, "play on in exact bearoff positions")
	fl.BoolVar(&f.noOne, "no-truncate-one-sided", false, "play on in one-sided bearoff positions")
	fl.StringVar(&f.cubes, "cube-preset", "", "strength of cube decisions (default --preset)")
	fl.StringVar(&f.lateCube, "late-cube-preset", "", "strength of late cube decisions (default --late-preset)")
	fl.StringVar(&f.opp.preset, "opponent-preset", "", "strength of the opponent (default --preset)")
	fl.StringVar(&f.opp.cube, "opponent-cube-preset", "", "strength of the opponent's cube decisions (default --opponent-preset)")
	fl.StringVar(&f.opp.late, "opponent-late-preset", "", "strength of the opponent's late plies (default --late-preset)")
	fl.StringVar(&f.opp.lateCube, "opponent-late-cube-preset", "", "strength of the opponent's late cube decisions (default --opponent-late-preset)")
	fl.Var(bounded.Of(&f.set.MinTrials, 144, 0, 1<<30), "min-trials", "games before --stop-stderr or --stop-jsd apply")
	fl.Float64Var(&f.set.StopStdErr, "stop-stderr", 0, "stop when all standard errors are below X, 0 for off")
	fl.Float64Var(&f.set.StopJSD, "stop-jsd", 0, "drop plays X standard deviations behind the best, 0 for off")
	fl.StringVar(&f.resume, "resume", "", "file with the totals, to continue and to write")
	fl.StringVar(&f.sgf, "sgf", "", "also write the result as .sgf for gnubg (with --dice or --cube)")
	cmdline.AddJSON(cmd)
	return cmd
}

// addTrials adds what annotate has of rollouts too.
func (f *rolloutFlags) addTrials(fl *pflag.FlagSet) {
	fl.Var(bounded.Of(&f.set.Trials, 1296, 1, 1<<30), "trials", "games for each play or cube action")
	fl.Var(bounded.Of(&f.set.Truncate, 0, 0, 1<<30), "truncate", "end games after N plies, 0 to play to the end")
	fl.Var(bounded.Of(&f.set.LatePly, 0, 0, 1<<30), "late-ply", "play with --late-preset from ply N on, 0 for never")
	fl.StringVar(&f.late, "late-preset", "expert", "strength from --late-ply on")
}

func (f *rolloutFlags) settings(me rollout.Side, opp *rollout.Side) rollout.Settings {
	s := f.set
	s.Seed, s.Threads, s.Cubeful, s.VarianceReduction = f.strength.Seed, f.parts.Threads, !f.strength.Cubeless, !f.noVR
	s.TruncateTwoSided, s.TruncateOneSided = !f.noTwoSided, !f.noOne
	s.Checker, s.Cube = me.Checker, me.Cube
	s.LateChecker, s.LateCube = me.LateChecker, me.LateCube
	s.Opponent = opp
	return s
}

// sides finds how the two sides decide, p being the player's preset, which flag names; opp
// is nil if no flag sets them apart.
func (f *rolloutFlags) sides(cmd *cobra.Command, flag string, p preset.Preset) (me rollout.Side, opp *rollout.Side, err error) {
	// A rollout plays by settings of the search only.
	plain := func(flag, name string, p preset.Preset) {
		if p.Human != (human.Style{}) {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s: rollouts do not play the human errors of %q\n", flag, name)
		}
	}
	plain(flag, f.strength.Preset, p)
	late, err := engineflags.FindPreset("--late-preset", f.late, f.strength.Config)
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
		if p, err = engineflags.FindPreset(flag, name, f.strength.Config); err != nil {
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

// check reports flags with numbers that make no sense.
func (f *rolloutFlags) check() error {
	if !(f.set.StopStdErr >= 0) {
		return cmdline.Usagef("--stop-stderr: %v is negative (0 for off)", f.set.StopStdErr)
	}
	if !(f.set.StopJSD >= 0) {
		return cmdline.Usagef("--stop-jsd: %v is negative (0 for off)", f.set.StopJSD)
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
		case g.late && f.set.LatePly == 0:
			return cmdline.Usagef("%s: needs --late-ply", g.flag)
		case g.cube && f.strength.Cubeless:
			return cmdline.Usagef("%s: does not go with --cubeless", g.flag)
		}
	}
	return nil
}

// cubeFlag is --cube of rollout: alone it asks for the cube decision, with a number
// it is the value of the cube.
type cubeFlag struct {
	decide bool
	bare   int // how often it was given without a value behind =
	value  int // 0 where not given
}

// String, Set and Type are pflag.Value's.
func (c *cubeFlag) String() string { return "" }

// Type names the value in help texts.
func (c *cubeFlag) Type() string { return "V" }

// Set takes true, false or a number.
func (c *cubeFlag) Set(text string) (err error) {
	if yes, err := strconv.ParseBool(text); err == nil && text != "1" && text != "0" {
		if c.decide = yes; yes {
			c.bare++
		}
		return nil
	}
	if c.value, err = strconv.Atoi(text); err != nil || c.value < 1 {
		return fmt.Errorf("%q is not a cube value (use 1, 2, 4, 8, ...)", text)
	}
	return nil
}

// rest takes the number of `--cube 2` from the arguments: pflag reads an optional value
// only after a =, and no POSITION is a number.
func (c *cubeFlag) rest(args []string) ([]string, error) {
	for i, text := range args {
		if n, err := strconv.Atoi(text); err == nil && c.decide && len(args) > 1 {
			if c.value != 0 || n < 1 {
				return nil, cmdline.Usagef("--cube: %q is not a cube value (use one of 1, 2, 4, 8, ...)", text)
			}
			c.decide, c.value = c.bare > 1, n
			return slices.Delete(slices.Clone(args), i, i+1), nil
		}
	}
	return args, nil
}
