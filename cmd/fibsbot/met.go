package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/match"
)

// metFlags are the state of a match and the table it is judged by.
type metFlags struct {
	state        string
	score, owner string
	length, cube int
	crawford     bool
	table        string
	asJSON       bool
	// money lets a length of 0 be money play, by the rules jacoby and beavers.
	money, jacoby bool
	beavers       int
}

func newMetCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "met",
		Short: "Match equity tables: chances at a score, equities to chances and back",
		Long: `A match equity table says how often the match is won from each score. With it a
normalised equity (EMG: -1 loses the game singly at the present cube, +1 wins it
singly) becomes a match winning chance, and a chance an equity.`,
		Example: `  fibsbot met eq2mwc --length 7 --score 3-5 --cube 2 0.25
  fibsbot met mwc2eq --length 7 --score 3-5 --cube 2 43%
  fibsbot met prices --length 7 --score 3-5 --gammons 26
  fibsbot met show --length 7`,
	}
	cmd.AddCommand(newMetConvertCmd(true), newMetConvertCmd(false), newMetPricesCmd(), newMetShowCmd())
	return cmd
}

// newMetConvertCmd is `met eq2mwc`, or else `met mwc2eq`.
func newMetConvertCmd(toMWC bool) *cobra.Command {
	var f metFlags
	cmd := &cobra.Command{
		Use:   "mwc2eq CHANCE...",
		Short: "Turn match winning chances into equities at a score",
		Long: `Turns match winning chances, 0 to 1 or with a percent sign, into normalised
equities (EMG) of the player on roll. Who owns the cube is part of the state and
changes nothing here. The state is that before a double is taken.`,
		Example: `  fibsbot met mwc2eq --length 7 --score 3-5 --cube 2 0.43
  fibsbot met mwc2eq --state 4HPwATDgc/ABMA:cAmgAAAAAAAA --stderr 0.45% 51.2% --json`,
		Args: cobra.ArbitraryArgs,
		// A negative equity is no flag: it is told from one below.
		DisableFlagParsing: true,
	}
	if toMWC {
		cmd.Use, cmd.Short = "eq2mwc EQUITY...", "Turn equities into match winning chances at a score"
		cmd.Long = `Turns normalised equities (EMG) into the match winning chances of the player on
roll. Who owns the cube is part of the state and changes nothing here. The state
is that before a double is taken.`
		cmd.Example = `  fibsbot met eq2mwc --length 7 --score 3-5 --cube 2 0.25 -0.1
  fibsbot met eq2mwc --state 4HPwATDgc/ABMA:cAmgAAAAAAAA --stderr 0.012 0.371 --json`
	}
	fl := cmd.Flags()
	f.addState(fl)
	var stderr string
	fl.StringVar(&stderr, "stderr", "", "standard error of what is given, to be turned too")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cmd.DisableFlagParsing = false
		if err := cmd.ParseFlags(shieldNegative(fl, args)); errors.Is(err, pflag.ErrHelp) {
			return cmd.Help()
		} else if err != nil {
			return cmd.FlagErrorFunc()(cmd, err)
		}
		if help, err := fl.GetBool("help"); err == nil && help {
			return cmd.Help()
		}
		return f.convert(cmd, toMWC, stderr)
	}
	return cmd
}

// addState puts the flags of a state of a match on fl, with those of the table and --json.
func (f *metFlags) addState(fl *pflag.FlagSet) {
	fl.StringVar(&f.state, "state", "", "the state as a Match ID or a POSITION with one, instead of the flags below")
	fl.IntVar(&f.length, "length", 0, fmt.Sprintf("match length in points, 1 to %d", match.MaxLength))
	fl.StringVar(&f.score, "score", "0-0", "points of the player on roll and of the opponent")
	fl.IntVar(&f.cube, "cube", 1, "value of the cube")
	fl.StringVar(&f.owner, "owner", "centre", "who owns the cube: me, opponent or centre")
	fl.BoolVar(&f.crawford, "crawford", false, "this is the Crawford game")
	f.addTable(fl)
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
}

// convert turns the arguments and prints them; stderr is the text of --stderr.
func (f *metFlags) convert(cmd *cobra.Command, toMWC bool, stderr string) error {
	fl := cmd.Flags()
	if fl.NArg() == 0 {
		return usageIn(cmd, fmt.Errorf("want `%s`, got no argument", cmd.CommandPath()+strings.TrimPrefix(cmd.Use, cmd.Name())))
	}
	t, err := f.open(cmd)
	if err != nil {
		return err
	}
	if !fl.Changed("owner") && f.cube > 1 {
		f.owner = "me" // someone holds a turned cube, and who it is changes nothing
	}
	s, err := f.read(fl)
	if err != nil {
		return err
	}
	out, to := advice.NewConversion(t, s), answers{out: cmd.OutOrStdout(), asJSON: f.asJSON}
	var spread *float64
	if stderr != "" {
		e, err := readAmount("--stderr", stderr, !toMWC)
		if err != nil {
			return err
		}
		if spread = &e; e < 0 {
			return usagef("--stderr: %s is negative", stderr)
		}
	}
	for _, text := range fl.Args() {
		text = strings.Replace(text, minus, "-", 1)
		v, err := readValue(out, text, toMWC, spread)
		if err != nil {
			return err
		}
		if !v.Possible() {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: no position has an equity of %s here: the chance would be %.4f\n", text, v.MWC)
		}
	}
	return to.write(out, out.Text(), false)
}

// readValue adds one argument to what is converted.
func readValue(to *advice.Conversion, text string, equity bool, spread *float64) (advice.Converted, error) {
	if equity {
		v, err := readAmount("EQUITY", text, false)
		if err != nil {
			return advice.Converted{}, err
		}
		return to.AddEquity(v, spread), nil
	}
	v, err := readAmount("CHANCE", text, true)
	if err != nil {
		return advice.Converted{}, err
	}
	if v < 0 || v > 1 {
		return advice.Converted{}, usagef("CHANCE: %s is not between 0 and 1; 43 of a hundred are 0.43 or 43%%", text)
	}
	return to.AddChance(v, spread), nil
}

// minus stands before a negative number while flags are parsed.
const minus = "\u2212"

var negative = regexp.MustCompile(`^-(\d|\.\d)`)

// shieldNegative gives negative numbers a minus sign that does not begin a flag,
// but for those that are the value of a flag of fl.
func shieldNegative(fl *pflag.FlagSet, args []string) []string {
	out := make([]string, len(args))
	wanted := false
	for i, a := range args {
		if negative.MatchString(a) && !wanted {
			a = minus + a[1:]
		}
		out[i] = a
		name, isFlag := strings.CutPrefix(a, "--")
		flag := fl.Lookup(name)
		wanted = isFlag && !wanted && flag != nil && flag.NoOptDefVal == ""
	}
	return out
}

// readAmount reads a finite number; percent lets it be in hundredths. what names
// it in errors.
func readAmount(what, text string, percent bool) (float64, error) {
	number, scale := text, 1.0
	if rest, ok := strings.CutSuffix(number, "%"); ok && percent {
		number, scale = strings.TrimSpace(rest), 0.01
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, usagef("%s: %q is not a number", what, text)
	}
	return v * scale, nil
}

// read finds the state of the match that the flags say.
func (f *metFlags) read(fl *pflag.FlagSet) (match.State, error) {
	if f.state != "" {
		for _, name := range []string{"length", "score", "cube", "owner", "crawford", "jacoby", "beavers"} {
			if fl.Changed(name) {
				return match.State{}, usagef("--%s: the state is given by --state already", name)
			}
		}
		return f.stateOf()
	}
	s := match.State{Length: f.length, Cube: f.cube, Crawford: f.crawford}
	for _, name := range []string{"jacoby", "beavers"} {
		if f.length > 0 && fl.Changed(name) {
			return s, usagef("--%s: that rule is of money play, --length 0", name)
		}
	}
	if f.money && f.length == 0 {
		if fl.Changed("score") {
			return s, usagef("--score: money play, --length 0, has none")
		}
		s.Jacoby, s.Beavers = f.jacoby, f.beavers
		return s, f.own(&s)
	}
	if !fl.Changed("length") {
		return s, usagef("a match is needed: give --length and --score, or --state")
	}
	if f.length < 1 {
		return s, usagef("--length: %d is not between 1 and %d; money play has no match to win", f.length, match.MaxPoints)
	}
	me, opp, ok := strings.Cut(f.score, "-")
	var err1, err2 error
	s.Score[0], err1 = strconv.Atoi(me)
	s.Score[1], err2 = strconv.Atoi(opp)
	if !ok || err1 != nil || err2 != nil {
		return s, usagef("--score: %q is no score, write 3-5 for three points against five", f.score)
	}
	return s, f.own(&s)
}

// own says who owns the cube of s, and checks it.
func (f *metFlags) own(s *match.State) error {
	switch f.owner {
	case "me":
		s.Owner = match.Mine
	case "opponent":
		s.Owner = match.Theirs
	case "centre", "center":
	default:
		return usagef("--owner: %q is none of me, opponent and centre", f.owner)
	}
	if err := advice.CheckState(*s); err != nil {
		return positionError(err)
	}
	return nil
}

// stateOf reads --state: a Match ID, or any form of a position that has one.
func (f *metFlags) stateOf() (match.State, error) {
	var sit match.Situation
	var err error
	if len(f.state) == match.MatchIDLength {
		sit, err = match.ParseMatchID(f.state)
	} else {
		sit, err = readSituation(f.state)
	}
	if err == nil {
		err = advice.CheckState(sit.State)
	}
	if err != nil {
		return sit.State, usagef("--state: %s", strings.TrimPrefix(err.Error(), "POSITION: "))
	}
	if sit.State.Length == 0 && !f.money {
		return sit.State, usagef("--state: money play has no match to win; give PositionID:MatchID of a match")
	}
	return sit.State, nil
}

func (f *metFlags) addTable(fl *pflag.FlagSet) {
	addMetFlag(fl, &f.table)
	fl.StringVar(&f.table, "table", "", "the same as --met")
	_ = fl.MarkHidden("table") // its name until 2026
}

// open finds the table; what it cannot be is told on cmd's stderr.
func (f *metFlags) open(cmd *cobra.Command) (*match.Table, error) {
	t, err := engine.LoadTable(f.table)
	if err != nil {
		return nil, usagef("--met: %w", err)
	}
	if text := t.Warning(); text != "" {
		cmd.PrintErrln("fibsbot: " + text)
	}
	return t, nil
}

func newMetShowCmd() *cobra.Command {
	var f metFlags
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print a match equity table",
		Long: `Prints the chance to win the match, in percent, by the points that the player
(rows) and the opponent (columns) still need before a game begins, and the chance
of the trailer after the Crawford game. Scores beyond what the source of the
table covers are computed here.`,
		Example: "  fibsbot met show --length 9\n  fibsbot met show --met /usr/share/gnubg/met/Kazaross-XG2.xml --length 7 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.length < 1 || f.length > match.MaxLength {
				return usagef("--length: %d is not between 1 and %d", f.length, match.MaxLength)
			}
			t, err := f.open(cmd)
			if err != nil {
				return err
			}
			out, to := advice.MatchTableOf(t, f.length), answers{out: cmd.OutOrStdout(), asJSON: f.asJSON}
			return to.write(out, out.Text(), false)
		},
	}
	f.addTable(cmd.Flags())
	cmd.Flags().IntVar(&f.length, "length", 7, fmt.Sprintf("points up to which to print, 1 to %d", match.MaxLength))
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}
