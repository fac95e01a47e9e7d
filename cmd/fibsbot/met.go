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

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// metFlags are the state of a match and the table that judges it.
type metFlags struct {
	state  input.Position
	length int // of `met show`
	table  string
}

func newMetCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "met"}
	cmd.AddCommand(newMetConvertCmd(true), newMetConvertCmd(false), newMetPricesCmd(), newMetShowCmd())
	return cmd
}

// newMetConvertCmd is `met eq2mwc`, or else `met mwc2eq`.
func newMetConvertCmd(toMWC bool) *cobra.Command {
	var f metFlags
	cmd := &cobra.Command{
		Use:  "mwc2eq CHANCE...",
		Args: cobra.ArbitraryArgs,
		// Negative equities look like flags: see shieldNegative.
		DisableFlagParsing: true,
	}
	if toMWC {
		cmd.Use = "eq2mwc EQUITY..."
	}
	fl := cmd.Flags()
	f.addState(cmd)
	var stderr string
	fl.StringVar(&stderr, "stderr", "", "standard error of the arguments, also converted")
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

// addState adds the flags of a state, of the table and --json.
func (f *metFlags) addState(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.state.Position, "state", "", "state as a Match ID, or a POSITION with one; other flags override it")
	f.state.AddState(fl)
	f.state.AddCube(fl)
	engineflags.AddMet(fl, &f.table)
	cmdline.AddJSON(cmd)
}

// convert prints the arguments converted; stderr is the text of --stderr.
func (f *metFlags) convert(cmd *cobra.Command, toMWC bool, stderr string) error {
	fl := cmd.Flags()
	if fl.NArg() == 0 {
		return cmdline.UsageIn(cmd, fmt.Errorf("want `%s`, got no argument", cmd.CommandPath()+strings.TrimPrefix(cmd.Use, cmd.Name())))
	}
	t, err := f.open(cmd)
	if err != nil {
		return err
	}
	s, err := f.read(false)
	if err != nil {
		return err
	}
	out := advice.NewConversion(t, s)
	var spread *float64
	if stderr != "" {
		e, err := readAmount("--stderr", stderr, !toMWC)
		if err != nil {
			return err
		}
		if spread = &e; e < 0 {
			return cmdline.Usagef("--stderr: %s is negative", stderr)
		}
	}
	for _, text := range fl.Args() {
		text = strings.Replace(text, minus, "-", 1)
		v, err := readValue(out, text, toMWC, spread)
		if err != nil {
			return err
		}
		if !v.Possible() {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: no position has an equity of %s at this score (the chance would be %.4f)\n", text, v.MWC)
		}
	}
	return cmdline.Answer(cmd, out, out.Text())
}

// readValue adds one argument to the conversion.
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
		return advice.Converted{}, cmdline.Usagef("CHANCE: %s is not between 0 and 1 (43 percent is 0.43 or 43%%)", text)
	}
	return to.AddChance(v, spread), nil
}

// minus replaces the - of a negative number while flags are parsed.
const minus = "\u2212"

var negative = regexp.MustCompile(`^-(\d|\.\d)`)

// shieldNegative replaces the - of negative arguments by minus, except in values of flags
// of fl.
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

// readAmount reads a finite number, with percent also one like 43%. what names it in errors.
func readAmount(what, text string, percent bool) (float64, error) {
	number, scale := text, 1.0
	if rest, ok := strings.CutSuffix(number, "%"); ok && percent {
		number, scale = strings.TrimSpace(rest), 0.01
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, cmdline.Usagef("%s: %q is not a number", what, text)
	}
	return v * scale, nil
}

// read returns the state that the flags give, with money also one of money play.
func (f *metFlags) read(money bool) (match.State, error) {
	s, err := f.state.MatchState(money)
	var field *advice.FieldError
	switch {
	case errors.As(err, &field) && field.Field == "position":
		return s, cmdline.Usagef("--state: %s", field.Problem)
	case err != nil:
		return s, positionError(err)
	}
	return s, nil
}

// open opens the table; a warning about it goes to cmd's stderr.
func (f *metFlags) open(cmd *cobra.Command) (*match.Table, error) {
	t, err := engine.LoadTable(f.table)
	if err != nil {
		return nil, cmdline.Usagef("--met: %w", err)
	}
	if text := t.Warning(); text != "" {
		cmd.PrintErrln("fibsbot: " + text)
	}
	return t, nil
}

func newMetShowCmd() *cobra.Command {
	var f metFlags
	cmd := cmdline.New("show", func(cmd *cobra.Command, _ []string) error {
		t, err := f.open(cmd)
		if err != nil {
			return err
		}
		out := advice.MatchTableOf(t, f.length)
		return cmdline.Answer(cmd, out, out.Text())
	})
	engineflags.AddMet(cmd.Flags(), &f.table)
	cmd.Flags().Var(bounded.Of(&f.length, 7, 1, match.MaxLength), "length", fmt.Sprintf("print scores of up to N points, 1 to %d", match.MaxLength))
	cmdline.AddJSON(cmd)
	return cmd
}

// newMetPricesCmd is `met prices`.
func newMetPricesCmd() *cobra.Command {
	var f metFlags
	var won, lost [2]float64 // gammons and backgammons in percent
	efficiency := cube.UsualEfficiency.Contact
	cmd := cmdline.New("prices", func(cmd *cobra.Command, _ []string) error {
		t, err := f.open(cmd)
		if err != nil {
			return err
		}
		if fl := cmd.Flags(); f.state.Score == nil && f.state.Position == "" && (f.state.Length == nil || *f.state.Length != 0) {
			if f.state.Length == nil || *f.state.Length < 1 || *f.state.Length > match.MaxLength {
				return cmdline.Usagef("--length: want the points of a match, 1 to %d, or 0 for money play", match.MaxLength)
			}
			for _, name := range strings.Fields("cube owner crawford jacoby beavers gammons backgammons gammons-against backgammons-against efficiency") {
				if fl.Changed(name) {
					return cmdline.Usagef("--%s: only for one score (give it with --score)", name)
				}
			}
			p := advice.PricesOf(t, *f.state.Length)
			return cmdline.Answer(cmd, p, p.Text())
		}
		s, err := f.read(true)
		if err != nil {
			return err
		}
		rates, err := advice.Rates(won, lost)
		if err != nil {
			return positionError(err)
		}
		w, err := advice.WindowsAt(t, s, rates, efficiency)
		if err != nil {
			return cmdline.AsUsage(err)
		}
		return cmdline.Answer(cmd, w, w.Text())
	})
	fl := cmd.Flags()
	f.addState(cmd)
	fl.Float64Var(&won[0], "gammons", 0, "gammons and backgammons among the games won, in percent")
	fl.Float64Var(&won[1], "backgammons", 0, "backgammons among the games won, in percent")
	fl.Float64Var(&lost[0], "gammons-against", 0, "gammons and backgammons among the games lost, in percent")
	fl.Float64Var(&lost[1], "backgammons-against", 0, "backgammons among the games lost, in percent")
	fl.Var(bounded.Of(&efficiency, efficiency, 0, 1), "efficiency", fmt.Sprintf("cube efficiency from 0 (dead) to 1 (live); %v in contact positions", efficiency))
	return cmd
}
