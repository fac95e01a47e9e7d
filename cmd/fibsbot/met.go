package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/engine/match"
)

// metFlags are the state of a match and the table it is judged by.
type metFlags struct {
	state        string
	score, owner string
	length, cube int
	crawford     bool
	table        string
	stderr       float64
	asJSON       bool
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
  fibsbot met show --length 7`,
	}
	cmd.AddCommand(newMetConvertCmd(true), newMetConvertCmd(false), newMetShowCmd())
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
	fl.StringVar(&f.state, "state", "", "the state as a Match ID or a POSITION with one, instead of the flags below")
	fl.IntVar(&f.length, "length", 0, fmt.Sprintf("match length in points, 1 to %d", match.MaxPoints))
	fl.StringVar(&f.score, "score", "0-0", "points of the player on roll and of the opponent")
	fl.IntVar(&f.cube, "cube", 1, "value of the cube")
	fl.StringVar(&f.owner, "owner", "centre", "who owns the cube: me, opponent or centre")
	fl.BoolVar(&f.crawford, "crawford", false, "this is the Crawford game")
	var stderr string
	fl.StringVar(&stderr, "stderr", "", "standard error of what is given, to be turned too")
	f.addTable(fl)
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
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

// convert turns the arguments and prints them; stderr is the text of --stderr.
func (f *metFlags) convert(cmd *cobra.Command, toMWC bool, stderr string) error {
	fl := cmd.Flags()
	if fl.NArg() == 0 {
		return usageIn(cmd, fmt.Errorf("want `%s`, got no argument", cmd.CommandPath()+strings.TrimPrefix(cmd.Use, cmd.Name())))
	}
	t, err := f.open()
	if err != nil {
		return err
	}
	s, err := f.read(fl)
	if err != nil {
		return err
	}
	if stderr != "" {
		if f.stderr, err = readAmount("--stderr", stderr, !toMWC); err != nil {
			return err
		}
		if f.stderr < 0 {
			return usagef("--stderr: %s is negative", stderr)
		}
	}
	out := metJSON{Table: t.Name, Length: s.Length, Score: s.Score, Cube: s.Cube,
		Owner: metOwners[s.Owner], Crawford: s.Crawford, Win: t.After(s, s.Cube), Lose: t.After(s, -s.Cube)}
	for _, text := range fl.Args() {
		text = strings.Replace(text, minus, "-", 1)
		v, err := f.value(t, s, text, toMWC, stderr != "")
		if err != nil {
			return err
		}
		if v.MWC < -1e-9 || v.MWC > 1+1e-9 {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: no position has an equity of %s here: the chance would be %.4f\n", text, v.MWC)
		}
		out.Values = append(out.Values, v)
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), out)
	}
	return out.print(cmd.OutOrStdout())
}

// metJSON is the output of `met eq2mwc` and `met mwc2eq`.
type metJSON struct {
	Table    string     `json:"table"`
	Length   int        `json:"length"`
	Score    [2]int     `json:"score"`
	Cube     int        `json:"cube"`
	Owner    string     `json:"owner"`
	Crawford bool       `json:"crawford"`
	Win      float64    `json:"mwc_win"`  // after winning singly at this cube
	Lose     float64    `json:"mwc_lose"` // after losing so
	Values   []metValue `json:"values"`
}

type metValue struct {
	Equity    float64  `json:"equity"`
	MWC       float64  `json:"mwc"`
	EquityErr *float64 `json:"equity_stderr,omitempty"`
	MWCErr    *float64 `json:"mwc_stderr,omitempty"`
}

// value turns one argument. Match and cube are those of s.
func (f *metFlags) value(t *match.Table, s match.State, text string, toMWC, withErr bool) (metValue, error) {
	var v metValue
	var err error
	unit := t.MWCPerEMG(s)
	eqErr, mwcErr := f.stderr, f.stderr*unit
	if toMWC {
		if v.Equity, err = readAmount("EQUITY", text, false); err != nil {
			return v, err
		}
		v.MWC = t.MWC(s, v.Equity)
	} else {
		if v.MWC, err = readAmount("CHANCE", text, true); err != nil {
			return v, err
		}
		if v.MWC < 0 || v.MWC > 1 {
			return v, usagef("CHANCE: %s is not between 0 and 1; 43 of a hundred are 0.43 or 43%%", text)
		}
		v.Equity = t.EMG(s, v.MWC)
		eqErr, mwcErr = f.stderr/unit, f.stderr
	}
	if withErr {
		v.EquityErr, v.MWCErr = &eqErr, &mwcErr
	}
	return v, nil
}

func (m metJSON) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-%d to %d, cube %d", m.Score[0], m.Score[1], m.Length, m.Cube)
	if m.Crawford {
		b.WriteString(", Crawford game")
	}
	fmt.Fprintf(&b, ", %s: losing singly %.3f %%, winning singly %.3f %%\n", m.Table, 100*m.Lose, 100*m.Win)
	for _, v := range m.Values {
		fmt.Fprintf(&b, "equity %+.4f", v.Equity)
		if v.EquityErr != nil {
			fmt.Fprintf(&b, " +- %.4f", *v.EquityErr)
		}
		fmt.Fprintf(&b, "  match winning chance %.3f %%", 100*v.MWC)
		if v.MWCErr != nil {
			fmt.Fprintf(&b, " +- %.3f %%", 100**v.MWCErr)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
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

// metOwners are the names of --owner, by match.Owner.
var metOwners = [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}

// read finds the state of the match that the flags say.
func (f *metFlags) read(fl *pflag.FlagSet) (match.State, error) {
	if f.state != "" {
		for _, name := range []string{"length", "score", "cube", "owner", "crawford"} {
			if fl.Changed(name) {
				return match.State{}, usagef("--%s: the state is given by --state already", name)
			}
		}
		return stateOf(f.state)
	}
	s := match.State{Length: f.length, Cube: f.cube, Crawford: f.crawford}
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
	switch f.owner {
	case "me":
		s.Owner = match.Mine
	case "opponent":
		s.Owner = match.Theirs
	case "centre", "center":
	default:
		return s, usagef("--owner: %q is none of me, opponent and centre", f.owner)
	}
	return s, asUsage(s.Validate())
}

// stateOf reads a Match ID, or any form of a position that has one.
func stateOf(text string) (match.State, error) {
	var sit match.Situation
	var err error
	if len(text) == match.MatchIDLength {
		sit, err = match.ParseMatchID(text)
	} else {
		sit, err = readSituation(text)
	}
	if err == nil {
		err = sit.State.Validate()
	}
	if err != nil {
		return sit.State, usagef("--state: %s", strings.TrimPrefix(err.Error(), "POSITION: "))
	}
	if sit.State.Length == 0 {
		return sit.State, usagef("--state: money play has no match to win; give PositionID:MatchID of a match")
	}
	return sit.State, nil
}

func (f *metFlags) addTable(fl *pflag.FlagSet) {
	fl.StringVar(&f.table, "table", "kazaross-xg2", "match equity table: kazaross-xg2, woolsey, or a FILE.xml as gnubg has them")
}

// open finds the table.
func (f *metFlags) open() (*match.Table, error) {
	switch strings.ToLower(f.table) {
	case "kazaross-xg2":
		return match.DefaultTable(), nil
	case "woolsey":
		return match.WoolseyTable(), nil
	}
	in, err := os.Open(f.table)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("--table: no table and no file called %q: kazaross-xg2, woolsey or a FILE.xml", f.table)
	}
	if err != nil {
		return nil, usagef("--table: %w", err)
	}
	defer in.Close()
	t, err := match.ReadXML(in)
	if err != nil {
		return nil, usagef("--table: %s: %w", f.table, err)
	}
	return t, nil
}

// metTable is the output of `met show`.
type metTable struct {
	Table       string      `json:"table"`
	Description string      `json:"description"`
	Published   int         `json:"published"`
	Pre         [][]float64 `json:"pre_crawford"`  // [needs of the player - 1][needs of the opponent - 1]
	Post        []float64   `json:"post_crawford"` // of the trailer, by his needs - 1
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
		Example: "  fibsbot met show --length 9\n  fibsbot met show --table /usr/share/gnubg/met/zadeh.xml --length 7 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.length < 1 || f.length > match.MaxLength {
				return usagef("--length: %d is not between 1 and %d", f.length, match.MaxLength)
			}
			t, err := f.open()
			if err != nil {
				return err
			}
			out := metTable{Table: t.Name, Description: t.Description, Published: t.Published}
			for me := 1; me <= f.length; me++ {
				row := make([]float64, f.length)
				for opp := range row {
					row[opp] = t.Equity(me, opp+1, false)
				}
				out.Pre = append(out.Pre, row)
				out.Post = append(out.Post, t.Equity(me, 1, true))
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), out)
			}
			return out.print(cmd.OutOrStdout())
		},
	}
	f.addTable(cmd.Flags())
	cmd.Flags().IntVar(&f.length, "length", 7, fmt.Sprintf("points up to which to print, 1 to %d", match.MaxLength))
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

func (m metTable) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nneeds  ", m.Table, m.Description)
	for opp := range m.Pre {
		fmt.Fprintf(&b, "%6d", opp+1)
	}
	b.WriteString("\n")
	for me, row := range m.Pre {
		fmt.Fprintf(&b, "%5d  ", me+1)
		for _, v := range row {
			fmt.Fprintf(&b, "%6.2f", 100*v)
		}
		b.WriteString("\n")
	}
	b.WriteString(" post  ")
	for _, v := range m.Post {
		fmt.Fprintf(&b, "%6.2f", 100*v)
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}
