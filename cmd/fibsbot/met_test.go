package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// gnubgConversions are the answers of GNU Backgammon 1.07.001 (its Python
// functions eq2mwc, mwc2eq, eq2mwc_stderr and mwc2eq_stderr, with the table
// Kazaross XG2): the chances of six equities, the equities of three chances, the
// standard errors 0.0123 as a chance and 0.0045 as an equity. The score is that of
// the player on move.
var gnubgConversions = []struct {
	state    string
	mwc      [6]float64
	eq       [3]float64
	mwcError float64
	eqError  float64
}{
	{"--length 7", [6]float64{0.43739, 0.4843475, 0.5, 0.5232283, 0.56261, 0.618959}, [3]float64{-6.388757, 0, 3.673536}, 0.0007701028, 0.07187352},
	{"--length 7 --score 3-5 --cube 2 --owner me", [6]float64{0, 0.1875, 0.25, 0.34275, 0.5, 0.725}, [3]float64{-0.6, 1, 1.92}, 0.003075, 0.018},
	{"--length 7 --score 3-5 --cube 2 --owner opponent", [6]float64{0, 0.1875, 0.25, 0.34275, 0.5, 0.725}, [3]float64{-0.6, 1, 1.92}, 0.003075, 0.018},
	{"--length 9 --score 7-2 --cube 4 --owner opponent", [6]float64{0.59947, 0.7496688, 0.799735, 0.8740333, 1, 1.180238}, [3]float64{-3.494045, -1.496692, -0.3482136}, 0.002463259, 0.02247023},
	{"--length 5 --score 4-2 --crawford", [6]float64{0.51197, 0.6949813, 0.755985, 0.8465146, 1, 1.219613}, [3]float64{-2.688298, -1.049055, -0.1064894}, 0.003001384, 0.01844149},
	{"--length 5 --score 2-4 --crawford", [6]float64{0, 0.1830112, 0.244015, 0.3345445, 0.48803, 0.7076434}, [3]float64{-0.5901891, 1.049055, 1.99162}, 0.003001384, 0.01844149},
	{"--length 5 --score 4-2", [6]float64{0.51197, 0.6949813, 0.755985, 0.8465146, 1, 1.219613}, [3]float64{-2.688298, -1.049055, -0.1064894}, 0.003001384, 0.01844149},
	{"--length 5 --score 4-2 --cube 2 --owner opponent", [6]float64{0.5, 0.6875, 0.75, 0.84275, 1, 1.225}, [3]float64{-2.6, -1, -0.07999992}, 0.003075, 0.018},
	{"--length 3 --score 2-2", [6]float64{0, 0.375, 0.5, 0.6855, 1, 1.45}, [3]float64{-0.8, 0, 0.46}, 0.00615, 0.009},
	{"--length 25", [6]float64{0.46914, 0.492285, 0.5, 0.511449, 0.53086, 0.558634}, [3]float64{-12.96176, 0, 7.453012}, 0.0003795781, 0.1458198},
	{"--length 15 --score 14-3 --cube 4 --owner opponent", [6]float64{0.89094, 0.9318375, 0.94547, 0.9657006, 1, 1.049077}, [3]float64{-15.50468, -8.169265, -3.951402}, 0.0006707189, 0.08252338},
}

type metAnswer struct {
	Values []struct {
		Equity, MWC float64
		EquityErr   float64 `json:"equity_stderr"`
		MWCErr      float64 `json:"mwc_stderr"`
	}
}

func askMet(t *testing.T, line string) (a metAnswer) {
	t.Helper()
	code, out, errOut := cli(t, append([]string{"met"}, strings.Fields(line)...)...)
	if code != cmdline.ExitDone {
		t.Fatalf("%s: status %d, %s", line, code, errOut)
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return a
}

func TestMet_convertsAsGnubg(t *testing.T) {
	testsize.Medium(t)
	// gnubg computes in float32.
	near := func(got, want float64) bool { return math.Abs(got-want) <= 2e-6*max(1, math.Abs(want)) }
	for _, c := range gnubgConversions {
		a := askMet(t, "eq2mwc "+c.state+" --json --stderr 0.0123 -1 -0.25 0 0.371 1 1.9")
		b := askMet(t, "mwc2eq "+c.state+" --json --stderr 0.45% 10% 0.5 .73")
		for i, want := range c.mwc {
			if v := a.Values[i]; !near(v.MWC, want) || !near(v.MWCErr, c.mwcError) {
				t.Errorf("%s: equity %v is %v +- %v, gnubg says %v +- %v", c.state, v.Equity, v.MWC, v.MWCErr, want, c.mwcError)
			}
			back := askMet(t, fmt.Sprintf("eq2mwc %s --json %v", c.state, a.Values[i].Equity))
			if back.Values[0].MWC != a.Values[i].MWC {
				t.Errorf("%s: one value and six differ", c.state)
			}
		}
		for i, want := range c.eq {
			if v := b.Values[i]; !near(v.Equity, want) || !near(v.EquityErr, c.eqError) {
				t.Errorf("%s: chance %v is %v +- %v, gnubg says %v +- %v", c.state, v.MWC, v.Equity, v.EquityErr, want, c.eqError)
			}
		}
	}
}

// Flags, a Match ID, a position and an XGID give the same state.
func TestMet_formsOfTheState(t *testing.T) {
	want := askMet(t, "eq2mwc --json --length 7 --score 3-5 --cube 2 --owner me -0.4").Values[0].MWC
	for _, state := range []string{
		"UQngAFAAGAAE", "4HPwATDgc/ABMA --length 7 --score 3:5 --cube 2 --owner me", "UQngAFAAGAAE --owner opponent", "4HPwATDgc/ABMA:UQngAFAAGAAE", "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:5:0:7:10",
	} {
		if got := askMet(t, "eq2mwc --json --state "+state+" -- -0.4").Values[0].MWC; got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
}

func TestMet_show(t *testing.T) {
	code, out, _ := cli(t, "met", "show", "--length", "3", "--json")
	var v struct {
		Pre  [][]float64 `json:"pre_crawford"`
		Post []float64   `json:"post_crawford"`
	}
	if err := json.Unmarshal([]byte(out), &v); code != cmdline.ExitDone || err != nil {
		t.Fatal(code, err)
	}
	if len(v.Pre) != 3 || v.Pre[1][0] != 0.32264 || v.Pre[0][1] != 1-0.32264 || v.Post[1] != 0.48803 {
		t.Error(out)
	}
}

// Every mistake gives one line on stderr and exit status 2.
func TestMet_mistakes(t *testing.T) {
	testsize.Medium(t)
	for line, want := range map[string]string{
		"eq2mwc":                                              "got no argument",
		"eq2mwc 0.3":                                          "a match is needed",
		"eq2mwc --length 5":                                   "got no argument",
		"eq2mwc --length 5 x":                                 `"x" is not a number`,
		"eq2mwc --length 5 NaN":                               "not a number",
		"eq2mwc --length 5 -x":                                "unknown shorthand flag",
		"eq2mwc --length 5 --nosuch 1":                        "unknown flag",
		"eq2mwc --length 0 1":                                 "--length: money play has no match to win",
		"eq2mwc --length -3 1":                                "--length: -3",
		"eq2mwc --length 5 --score 5-0 1":                     "--score: 5-0 is not possible",
		"eq2mwc --length 5 --score 5 1":                       `--score: "5" is not a score (use 3-5`,
		"eq2mwc --length 5 --cube 3 1":                        "--cube: 3 is not",
		"eq2mwc --length 5 --owner you 1":                     `--owner: unknown value "you" (use me, opponent or centre)`,
		"eq2mwc --length 5 --crawford 1":                      "--crawford: at 5-away",
		"eq2mwc --length 5 --stderr -1 1":                     "negative",
		"eq2mwc --length 5 --score 4-2 --crawford --cube 2 1": "--cube: 2: in the Crawford game",
		"prices --length 5 --score 4-2 --crawford --cube 2":   "--cube: 2: in the Crawford game",
		"prices --length 5 --score 4-2 --crawford --owner me": "--owner: in the Crawford game",
		"prices --state XGID=-b----E-C---eE---c-e----B-:1:1:1:00:4:2:1:5:10": "--state: not a position: a cube of 2 that was turned in the Crawford game",
		"show --met /dev/null":             "--met: /dev/null: bad match equity table: the file is empty",
		"eq2mwc --length 5 --stderr 1% 1":  "not a number",
		"eq2mwc --length 5 --met nosuch 1": "--met: match equity table: nosuch: no such file",
		"eq2mwc --state 4HPwATDgc/ABMA 1":  "--state: money play",
		"eq2mwc --state XGID=- 1":          "--state: not a position",
		"eq2mwc --state x --length 5 1":    "--state: not a position ID",
		"mwc2eq --length 5 43":             "not between 0 and 1",
		"mwc2eq --length 5 -0.1":           "not between 0 and 1",
		"show --length 100":                "--length: 100",
		"show 7":                           "takes no argument",
		"nosuch":                           "unknown command",
	} {
		code, out, errOut := cli(t, append([]string{"met"}, strings.Fields(line)...)...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
			t.Errorf("met %s: status %d, %q, want %q", line, code, errOut, want)
		}
	}
	// An equity that no position can have is converted with a warning.
	if code, out, errOut := cli(t, "met", "eq2mwc", "--length", "1", "1.9"); code != cmdline.ExitDone || !strings.Contains(out, "145.000 %") || !strings.Contains(errOut, "no position") {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
	if code, _, errOut := cli(t, "convert", "eq2mwc", "0.5"); code != cmdline.ExitUsage || !strings.Contains(errOut, "fibsbot met eq2mwc --help") {
		t.Errorf("convert: status %d, %q", code, errOut)
	}
}

// A table for players of unequal strength, of which the mean is taken, gives a warning, from
// met and from an engine.
func TestMet_uneven(t *testing.T) {
	testsize.Medium(t)
	file := filepath.Join(t.TempDir(), "fish.xml")
	const text = `<met><info><name>fish</name><length>1</length></info>
<pre-crawford-table type="explicit"><row><me>0.53</me></row></pre-crawford-table>
<post-crawford-table type="explicit"><row><me>0.5</me></row></post-crawford-table></met>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"met show", "met prices --length 3", "met eq2mwc --length 3 0.5", "eval backgammon --plies 0 --length 3"} {
		code, out, errOut := cli(t, append(strings.Fields(line), "--met", file)...)
		if code != cmdline.ExitDone || out == "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, `"fish" is for players of unequal strength`) || !strings.Contains(errOut, "by up to 0.060") {
			t.Errorf("%s: status %d, %q", line, code, errOut)
		}
	}
}

// Without gammons the take point is a quarter with a dead cube and a fifth with a live one.
// The gammon price in money play is a half, and zero under the Jacoby rule before a double.
func TestMetPrices_money(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  []string
	}{
		{[]string{"--length", "0", "--jacoby=false"}, []string{"dead cube              25.00%   50.00%   75.00%  100.00%", "live cube              20.00%   80.00%   80.00%   80.00%",
			"the opponent beavers below", "gammon price 0.500 won, 0.500 lost"}},
		{[]string{"--length", "0", "--gammons", "20"}, []string{"gammon price 0.000 won"}},
		{[]string{"--length", "0", "--owner", "me", "--cube", "2", "--gammons", "20"}, []string{"gammon price 0.500 won"}},
		{[]string{"--state", "4HPwATDgc/ABMA:cAkAAAAAAAAA"}, []string{"winning chance for"}},
	} {
		code, out, errOut := cli(t, append([]string{"met", "prices"}, c.flags...)...)
		for _, want := range c.want {
			if code != cmdline.ExitDone || !strings.Contains(out, want) {
				t.Errorf("%v: %d, no %q: %s%s", c.flags, code, want, out, errOut)
			}
		}
	}
}

// TestMetPrices: take points and gammon prices follow from the table.
func TestMetPrices(t *testing.T) {
	testsize.Medium(t)
	code, out, _ := cli(t, "met", "prices", "--length", "5")
	if code != cmdline.ExitDone || !strings.Contains(out, "    2     0.00  32.26  26.18") || !strings.Contains(out, "    2    1.000  0.910") {
		t.Errorf("%d %s", code, out)
	}
	code, out, _ = cli(t, "met", "prices", "--length", "7", "--score", "3-5", "--gammons", "26", "--gammons-against", "14")
	for _, want := range []string{"winning chance for", "for the opponent", "after the take", "gammon price 0.463 won, 0.864 lost"} {
		if code != cmdline.ExitDone || !strings.Contains(out, want) {
			t.Errorf("%d, no %q: %s", code, want, out)
		}
	}
	for _, bad := range [][]string{
		{"--length"}, {"--score", "--length", "0", "--score", "1-1"}, {"--crawford", "--length", "0", "--crawford"}, {"--jacoby", "--length", "7", "--score", "1-1", "--jacoby"}, {"--score", "--length", "7", "--score", "9-1"},
		{"--score", "--length", "7", "--score", "1-7"}, {"--score", "--length", "7", "--score", "-1-3"}, {"--length", "--length", "100"}, {"--length", "--length", "-1"}, {"--length", "--length", "-1", "--score", "0-0"}, {"--length", "--length", "40000", "--score", "0-0"},
		{"--crawford", "--length", "7", "--score", "3-3", "--crawford"}, {"--crawford", "--length", "7", "--score", "6-6", "--crawford"}, {"--cube", "--length", "0", "--cube", "3"}, {"--cube", "--length", "7", "--score", "1-1", "--cube", "-2"},
		{"--beavers", "--length", "0", "--beavers", "-1"}, {"--beavers", "--length", "0", "--beavers", "99"}, {"--owner", "--length", "0", "--owner", "you"},
		{"--gammons", "--length", "7", "--score", "1-1", "--gammons", "101"}, {"--gammons", "--length", "0", "--gammons", "-5"}, {"--gammons", "--length", "0", "--gammons", "NaN"}, {"--gammons-against", "--length", "0", "--gammons-against", "-1"},
		{"--backgammons", "--length", "7", "--score", "1-1", "--backgammons", "3"}, {"--backgammons-against", "--length", "0", "--gammons-against", "10", "--backgammons-against", "20"}, {"--efficiency", "--length", "7", "--score", "1-1", "--efficiency", "2"},
		// Prices at all scores of a match are for no cube, no rates and no rule of money play.
		{"--gammons", "--length", "7", "--gammons", "20"}, {"--cube", "--length", "7", "--cube", "2"}, {"--crawford", "--length", "7", "--crawford"}, {"--jacoby", "--length", "7", "--jacoby"}, {"--efficiency", "--length", "7", "--efficiency", "0.5"},
		{"--met", "--length", "7", "--met", "none"},
	} {
		code, out, errOut := cli(t, append([]string{"met", "prices"}, bad[1:]...)...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.HasPrefix(errOut, "fibsbot: "+bad[0]+": ") {
			t.Errorf("%v: %d %q %q, want one line about %s", bad[1:], code, out, errOut, bad[0])
		}
	}
	if code, _, errOut := cli(t, "eval", "backgammon", "--plies", "0", "--cube", "0"); code != cmdline.ExitUsage || !strings.HasPrefix(errOut, "fibsbot: --cube: 0") {
		t.Errorf("a cube of 0: %d %q", code, errOut)
	}
}
