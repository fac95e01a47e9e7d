package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/internal/testsize"
)

// Every form of a position and the flags give the same Match ID, in every command.
func TestPosition_formsAndFlagsMeanTheSame(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	const want = "UQngAFAAGAAE" // 3-5 in a match of 7, the cube 2 with the player on roll
	for name, args := range map[string][]string{
		"flags":   {"4HPwATDgc/ABMA", "--length", "7", "--score", "3-5", "--cube", "2", "--owner", "me"},
		"colon":   {"4HPwATDgc/ABMA:" + want},
		"blank":   {"4HPwATDgc/ABMA", want},
		"gnubg":   {" GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : " + want},
		"xgid":    {"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:5:0:7:10"},
		"seen by": {"4HPwATDgc/ABMA", "--on-roll", "opponent", "--length", "7", "--score", "3-5", "--cube", "2", "--owner", "me"},
	} {
		for _, head := range [][]string{{"eval", "--plies", "0"}, {"hint", "--plies", "0"}, {"rollout", "--trials", "6", "--truncate", "1"}} {
			code, out, errOut := cli(t, append(append(head, "--json"), args...)...)
			var v struct {
				MatchID string `json:"match_id"`
				XGID    string `json:"xgid"`
				Rules   string `json:"rules"`
			}
			if err := json.Unmarshal([]byte(out), &v); code != cmdline.ExitDone || err != nil || v.MatchID != want ||
				v.XGID != "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:5:0:7:10" ||
				v.Rules != "7-point match, score 3-5 (4-away 2-away), cube 2 with the player on roll" {
				t.Errorf("%s %s: status %d, %v, %s%s", head[0], name, code, err, out, errOut)
			}
		}
	}
}

// The price of a pass by the position is a flag and a field: a gammon in this race.
func TestPosition_priceOfAPass(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	const race = "XGID=-----EEE-----------eee----:0:0:1:00:0:0:0:7:10"
	field := fmt.Sprintf(`{"position": %q, "drops": "position"}`, race)
	for _, c := range []struct {
		in   string
		args []string
		most bool // more than a single game
	}{
		{"", []string{race}, false},
		{"", []string{race, "--drops", "position"}, true},
		{field, []string{"-"}, true},
	} {
		code, out, errOut := command(t, c.in, append([]string{"eval", "--json", "--plies", "0"}, c.args...)...)
		var v advice.Evaluation
		if err := json.Unmarshal([]byte(out), &v); code != cmdline.ExitDone || err != nil || v.Cube == nil || (v.Cube.DoublePass > 1.5) != c.most {
			t.Errorf("%v: status %d, %v, %s%s", c.args, code, err, out, errOut)
		}
	}
}

// A wrong flag gives one line that names it, exit status 2 and nothing on stdout.
func TestPosition_wrongFlagsAreNamed(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for flags, want := range map[string]string{
		"--score 3":              `--score: "3" is not a score`,
		"--score 3-1":            "--score: money play",
		"--length 100":           "--length: 100",
		"--length 7 --score 7-1": "--score: 7-1 is not possible in a match to 7",
		"--cube 3":               "--cube: 3",
		"--owner us":             `--owner: unknown value "us"`,
		"--on-roll you":          `--on-roll: unknown value "you"`,
		"--crawford":             "--crawford: money play has no Crawford game",
		"--length 5 --jacoby":    "--jacoby: ",
		"--beavers 99":           "--beavers: 99",
		"--drops twice":          `--drops: unknown value "twice"`,
	} {
		for _, command := range []string{"eval", "hint", "rollout", "board"} {
			code, out, errOut := cli(t, append([]string{command, "4HPwATDgc/ABMA"}, strings.Fields(flags)...)...)
			if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
				t.Errorf("%s %s: status %d, %q, %q", command, flags, code, out, errOut)
			}
		}
	}
}

// A wrong line of stdin is reported and the others are answered.
func TestPosition_standardInput(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	const in = "4HPwATDgc/ABMA\nnonsense\n" + `{"position": "4HPwATDgc/ABMA", "length": 5, "score": [4, 2], "dice": [3, 1]}` + "\n"
	code, out, errOut := command(t, in, "hint", "-", "--json", "--plies", "0", "--limit", "1")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != cmdline.ExitUsage || len(lines) != 2 || !strings.Contains(errOut, "line 2: position: ") || !strings.Contains(errOut, "1 of 3") {
		t.Fatalf("status %d, %q, %q", code, out, errOut)
	}
	var plays advice.Plays
	if err := json.Unmarshal([]byte(lines[1]), &plays); err != nil || len(plays.Moves) != 1 || plays.Moves[0].Move != "8/5 6/5" {
		t.Errorf("%v, %s", err, lines[1])
	}
	if code, out, errOut = command(t, "# nothing\n", "eval", "-"); code != cmdline.ExitUsage || out != "" || !strings.Contains(errOut, "stdin is empty") {
		t.Errorf("nothing: status %d, %q, %q", code, out, errOut)
	}
	if code, _, errOut = command(t, in, "rollout", "-", "--resume", "r.json"); code != cmdline.ExitUsage || !strings.Contains(errOut, "one position") {
		t.Errorf("--resume: status %d, %q", code, errOut)
	}
}

// --cube alone asks for the cube decision, with a number it is the value of the cube.
func TestRollout_cubeIsADecisionOrAValue(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	const race = "XGID=---BBCCCB--------bcccbb---:0:0:1:00:0:0:0:0:10"
	for name, c := range map[string]struct {
		args []string
		arms int
		best string
	}{
		"alone":   {[]string{"--cube", race}, 2, "Double, take|Double, pass|No double, take|No double, beaver|Double, beaver"},
		"a value": {[]string{race, "--cube", "2", "--owner", "me"}, 1, ""},
		"both":    {[]string{race, "--cube", "--cube=2", "--owner", "me"}, 2, "Redouble, take|Redouble, pass|No redouble, take|No redouble, beaver|Redouble, beaver"},
	} {
		code, out, errOut := cli(t, append([]string{"rollout", "--json", "--trials", "36", "--truncate", "3"}, c.args...)...)
		var v advice.Rollout
		if err := json.Unmarshal([]byte(out), &v); code != cmdline.ExitDone || err != nil || len(v.Arms) != c.arms {
			t.Fatalf("%s: status %d, %v, %s%s", name, code, err, out, errOut)
		}
		if c.best != "" && (v.Cube == nil || !strings.Contains("|"+c.best+"|", "|"+v.Cube.Words+"|")) {
			t.Errorf("%s: %+v", name, v.Cube)
		}
	}
	if code, _, errOut := cli(t, "rollout", race, "--cube=x"); code != cmdline.ExitUsage || strings.Count(errOut, "\n") != 1 {
		t.Errorf("--cube=x: status %d, %q", code, errOut)
	}
}

// engine.met of bot.yaml applies to every command that judges decisions, and --met overrides
// it; a missing table is refused with its key.
func TestPosition_tableOfTheConfiguration(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bot.yaml")
	write := func(met string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("engine:\n  met: "+met+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(args ...string) string {
		t.Helper()
		code, out, errOut := cli(t, append(args, "--length", "5", "--score", "3-1", "--json")...)
		if code != cmdline.ExitDone {
			t.Fatalf("%v: status %d, %s", args, code, errOut)
		}
		return regexp.MustCompile(`"seconds": [0-9.e-]+`).ReplaceAllString(out, "")
	}
	for _, command := range [][]string{
		{"eval", "4HPwATDgc/ABMA", "--plies", "0"}, {"hint", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "0"},
		{"rollout", "4HPwATDgc/ABMA", "--trials", "36", "--truncate", "2", "--plies", "0", "--threads", "1"},
	} {
		write("woolsey")
		usual, woolsey, heeded := ask(command...), ask(append(command, "--met", "woolsey")...), ask(append(command, "-c", file)...)
		if usual == woolsey {
			t.Fatalf("%s: the tables make no difference here", command[0])
		}
		if heeded != woolsey {
			t.Errorf("%s does not count by engine.met:\n%s", command[0], heeded)
		}
		if own := ask(append(command, "-c", file, "--met", "kazaross-xg2")...); own != usual {
			t.Errorf("%s: --met does not come before engine.met", command[0])
		}
	}
	write("nowhere.xml")
	for _, args := range [][]string{
		{"eval", "4HPwATDgc/ABMA"}, {"analyse", "testdata/../position_test.go"}, {"engine"}, {"play", "--archive", t.TempDir()},
		{"web", "--archive", t.TempDir(), "--listen", "127.0.0.1:0"}, {"archive", "analyse", "--archive", t.TempDir()},
	} {
		if code, _, errOut := cli(t, append(args, "-c", file)...); code != cmdline.ExitUsage || !strings.Contains(errOut, file+": engine.met: ") {
			t.Errorf("%v: status %d, %s", args, code, errOut)
		}
	}
}

// The name of a game means its start position and selects its rules. Another --variation is
// refused.
func TestPosition_namesOfGames(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for name, want := range map[string]string{
		"hypergammon1 21": "XGID=-a----------------------A-:0:0:1:21:", "Hypergammon2": "XGID=-aa--------------------AA-:",
		"longgammon": "XGID=-o----------------------O-:", "backgammon 31": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:",
	} {
		code, out, errOut := cli(t, "board", name)
		if code != cmdline.ExitDone || !strings.Contains(out, want) {
			t.Errorf("board %s: status %d, %s%s", name, code, out, errOut)
		}
	}
	code, named, errOut := cli(t, "eval", "hypergammon1", "--plies", "0", "--json")
	_, given, _ := cli(t, "eval", "AACAAAAAAgAAAA", "--variation", "hypergammon1", "--plies", "0", "--json")
	if code != cmdline.ExitDone || named != given || named == "" {
		t.Errorf("eval hypergammon1: status %d, %s\n%s, want\n%s", code, errOut, named, given)
	}
	for _, args := range [][]string{{"eval", "hypergammon2", "--variation", "nackgammon"}, {"hint", "hypergammon2", "--variation", "hypergammon1"},
		{"eval", "nackgammon", "--variation", "longgammon"}, {"rollout", "backgammon", "--variation", "nackgammon"}, {"board", "longgammon", "--variation", "hypergammon2"}} {
		if code, _, errOut := cli(t, args...); code != cmdline.ExitUsage || !strings.Contains(errOut, "POSITION: "+args[1]+" is not the start of "+args[3]) {
			t.Errorf("%v: status %d, %s", args, code, errOut)
		}
	}
	for _, name := range []string{"eval", "hint --dice 31", "rollout", "board"} {
		for _, in := range []string{"4HPwATDgc/ABMA", "-"} {
			for game, has := range map[string]int{"hypergammon2": 2, "hypergammon": 3} {
				var out, errOut bytes.Buffer
				code := run(t.Context(), append(strings.Fields(name), in, "--variation", game), strings.NewReader("4HPwATDgc/ABMA\n"), &out, &errOut)
				if want := fmt.Sprintf("15 checkers on one side: %s has %d", game, has); code != cmdline.ExitUsage || out.Len() > 0 || !strings.Contains(errOut.String(), want) {
					t.Errorf("%s %s: status %d, %s%s, want %q", name, in, code, &out, &errOut, want)
				}
			}
		}
	}
	for _, args := range [][]string{{"eval", "nackgammon", "--variation", "nackgammon", "--plies", "0"}, {"board", "backgammon"}} {
		if code, _, errOut := cli(t, args...); code != cmdline.ExitDone {
			t.Errorf("%v: status %d, %s", args, code, errOut)
		}
	}
	if code, _, errOut := cli(t, "met", "eq2mwc", "--state", "hypergammon", "0"); code != cmdline.ExitUsage || !strings.Contains(errOut, "--state: money play") {
		t.Errorf("status %d, %s", code, errOut)
	}
}

// The output names the game above the verdict, and hypergammon is judged by its database, not
// by a net.
func TestPosition_theGameIsNamed(t *testing.T) {
	testsize.Medium(t)
	for _, c := range []struct {
		args string
		want []string
	}{
		{"eval hypergammon1 --plies 0", []string{"  hypergammon, 0-ply\n", "\nhypergammon with 1 checker; assumed: money play"}},
		{"eval hypergammon1 --plies 0 --json", []string{`"class": "hypergammon"`, `"game": "hypergammon with 1 checker"`}},
		{"hint hypergammon1 21 --plies 0 --length 3", []string{"\nhypergammon with 1 checker; 3-point match"}},
		{"rollout hypergammon1 --trials 36 --plies 0", []string{"\nhypergammon with 1 checker; "}},
		{"eval backgammon --egyptian --plies 0", []string{"  contact, 0-ply\n", "\nEgyptian rule; assumed: money play"}},
		{"hint backgammon 31 --egyptian --plies 0", []string{"\nEgyptian rule; "}},
		{"hint backgammon 31 --egyptian --plies 0 --json", []string{`"game": "Egyptian rule"`}},
		{"rollout backgammon --egyptian --trials 36 --plies 0 --truncate 2", []string{"\nEgyptian rule; "}},
		{"board hypergammon2", []string{"|                  |     cube 1", "\nhypergammon with 2 checkers; "}},
		{"board backgammon --egyptian", []string{"\nEgyptian rule; "}},
	} {
		code, out, errOut := cli(t, strings.Fields(c.args)...)
		for _, want := range c.want {
			if code != cmdline.ExitDone || !strings.Contains(out, want) {
				t.Errorf("%s: status %d, no %q in\n%s%s", c.args, code, want, out, errOut)
			}
		}
		if strings.Contains(out, "OO\n") {
			t.Errorf("%s: checkers are off at the start:\n%s", c.args, out)
		}
	}
}
