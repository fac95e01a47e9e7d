package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/rollout"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Settings of the sides: equal settings change nothing, a weak opponent loses, and a saved
// rollout resumes with its own settings.
func TestRollout_sides(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	// A race: without contact the trials are short.
	const race = "XGID=---BBCCCB--------bcccbb---:0:0:1:00:0:0:0:0:10"
	roll := func(args ...string) []rollout.Result {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"rollout", race, "--json", "--trials", "72", "--truncate", "7"}, args...)...)
		if code != cmdline.ExitDone {
			t.Fatalf("%q: status %d, %s", args, code, errOut)
		}
		var v advice.Rollout
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatal(err)
		}
		return v.Arms
	}
	file := filepath.Join(t.TempDir(), "r.json")
	plain := roll("--late-ply", "3", "--resume", file)
	if diff := cmp.Diff(plain, roll("--late-ply", "3", "--cube-preset", "expert", "--late-cube-preset", "expert", "--opponent-preset", "expert",
		"--opponent-cube-preset", "expert", "--opponent-late-preset", "expert", "--opponent-late-cube-preset", "expert")); diff != "" {
		t.Errorf("the same preset named for everything: %s", diff)
	}
	weak := roll("--late-ply", "3", "--opponent-preset", "beginner", "--opponent-late-preset", "beginner")
	if gain := weak[0].Equity - plain[0].Equity; gain < 0.01 {
		t.Errorf("against a beginner %.4f is gained", gain)
	}
	if mine := roll("--late-ply", "3", "--preset", "beginner", "--opponent-preset", "expert"); mine[0].Equity > plain[0].Equity-0.005 {
		t.Errorf("a beginner against an expert has %.4f, an expert %.4f", mine[0].Equity, plain[0].Equity)
	}
	if diff := cmp.Diff(weak, roll("--late-ply", "3", "--opponent-preset", "beginner", "--opponent-late-preset", "beginner", "--threads", "1")); diff != "" {
		t.Errorf("one thread: %s", diff)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"another opponent": {[]string{"--late-ply", "3", "--resume", file, "--opponent-preset", "beginner"}, "not a file of this rollout"},
		"unknown":          {[]string{"--opponent-preset", "godlike"}, "--opponent-preset: unknown preset"},
		"unknown cube":     {[]string{"--cube-preset", "godlike"}, "--cube-preset: unknown preset"},
		"never late":       {[]string{"--opponent-late-preset", "casual"}, "--opponent-late-preset: needs --late-ply"},
		"late cube":        {[]string{"--late-cube-preset", "casual"}, "--late-cube-preset: needs --late-ply"},
		"no cube":          {[]string{"--cube-preset", "casual", "--cubeless"}, "--cube-preset: does not go with"},
	} {
		code, out, errOut := cli(t, append([]string{"rollout", race, "--trials", "36"}, c.args...)...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %q, %q", name, code, out, errOut)
		}
	}
}

// readRollout reads back what --sgf wrote: the analysis of its one decision.
// TestRollout_cubeTwice: --cube asks for the decision beside the value of the cube, before
// or behind it; the question was lost, and the position rolled out instead.
func TestRollout_cubeTwice(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	short := []string{"rollout", "4HPwATDgc/ABMA", "--trials", "36", "--truncate", "1", "--owner", "me"}
	for arms, cubes := range map[int][][]string{
		1: {{"--cube", "2"}, {"--cube=2"}},
		2: {{"--cube", "2", "--cube"}, {"--cube", "--cube", "2"}, {"--cube=2", "--cube"}, {"--cube", "--cube=2"}},
	} {
		for _, flags := range cubes {
			code, out, errOut := cli(t, append(short, flags...)...)
			if code != cmdline.ExitDone || !strings.Contains(out, "cube 2 ") || strings.Contains(out, "double/take") != (arms == 2) {
				t.Errorf("%q: status %d, %s%s", flags, code, out, errOut)
			}
		}
	}
	if code, _, errOut := cli(t, append(short[:7:7], "opponent", "--cube", "2", "--cube")...); code != cmdline.ExitUsage || !strings.Contains(errOut, "--cube") {
		t.Errorf("a cube that the opponent has: status %d, %s", code, errOut)
	}
}

func readRollout(t *testing.T, path string) (*record.Match, *record.Analysis) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, warnings, err := sgf.Read(f)
	if err != nil || len(m.Games) != 1 || len(m.Games[0].Actions) == 0 {
		t.Fatalf("%s: %v", path, err)
	}
	a := m.Games[0].Actions[len(m.Games[0].Actions)-1]
	// gnubg forgets who is on roll when it saves a set-up position that it has
	// loaded, its own ones too.
	if wrong := a.Illegal || len(warnings) > 0; wrong && !strings.Contains(path, "again") || a.Analysis == nil {
		t.Fatalf("%s: %+v", path, a)
	}
	return m, a.Analysis
}

// What --sgf writes is what --json says, in files that gnubg loads and saves with
// nothing lost.
func TestRollout_sgf(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	dir := t.TempDir()
	plays, cubes := filepath.Join(dir, "plays.sgf"), filepath.Join(dir, "cube.sgf")
	const score = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:5:0:7:10"
	roll := func(args ...string) (v advice.Rollout) {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"rollout", "--json", "--trials", "12", "--truncate", "2"}, args...)...)
		if err := json.Unmarshal([]byte(out), &v); code != cmdline.ExitDone || err != nil {
			t.Fatalf("%q: status %d, %v, %s", args, code, err, errOut)
		}
		return v
	}
	v := roll(score, "--dice", "52", "--move", "13/8 6/4", "--move", "13/11 13/8", "--sgf", plays)
	m, a := readRollout(t, plays)
	if m.Length != 7 || m.Games[0].Score != [2]int{5, 3} || len(a.Candidates) != 2 || a.Played != 0 {
		t.Fatalf("%+v, %+v", m, a)
	}
	best := v.Arms[0]
	if best.Equity < v.Arms[1].Equity {
		best = v.Arms[1]
	}
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
	if c := a.Candidates[0]; !near(c.Outcome.Cubeful, best.Equity) || !near(c.Rollout.Output, *best.MWC) || !near(c.Rollout.StdErr[0].Cubeful, float64(*best.MWCErr)) ||
		!near(c.Outcome.Probs[0], best.Probs[0]) || !near(c.Rollout.StdErr[0].Probs[0], float64(best.ProbsErr[0])) || c.Rollout.Trials != 12 {
		t.Errorf("best play %+v %+v, want %+v", c, c.Rollout, best)
	}
	v = roll(score, "--cube", "--sgf", cubes, "--late-ply", "1", "--late-preset", "worldclass", "--opponent-preset", "casual", "--seed", "5")
	_, a = readRollout(t, cubes)
	if c := a.Cube; c == nil || !near(c.NoDouble.Cubeful, *v.Arms[0].MWC) || !near(c.DoubleTake.Cubeful, *v.Arms[1].MWC) || !near(c.Rollout.StdErr[1].Cubeful, float64(*v.Arms[1].MWCErr)) {
		t.Errorf("cube %+v, want %+v", a.Cube, v.Arms)
	} else if want := `SK 0 RC 1 1 0 1 1 1 2 1 1 1 "PCG" 5  cube0 ver 3 0C 0 0.050000`; !strings.HasPrefix(c.Rollout.Settings, want) || !strings.Contains(c.Rollout.Settings, " latefilt1 0 8 0.12000 0 3 0.04000 ") {
		t.Errorf("settings %s, want %s...", c.Rollout.Settings, want)
	}
	for name, args := range map[string][]string{
		"nothing to hold": {"4HPwATDgc/ABMA", "--sgf", plays},
		// Said before the work, which is an hour's here.
		"no folder": {"4HPwATDgc/ABMA", "--cube", "--trials", "1000000", "--sgf", filepath.Join(dir, "none", "x.sgf")},
	} {
		if code, out, errOut := cli(t, append([]string{"rollout"}, args...)...); code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q", name, code, out, errOut)
		}
	}

	gnubg, err := exec.LookPath("gnubg")
	if err != nil {
		if gnubg, err = exec.LookPath("/usr/games/gnubg"); err != nil {
			t.Skip("gnubg is not installed: it does not see the files")
		}
	}
	for _, path := range []string{plays, cubes} {
		again := path + ".again.sgf"
		cmd := exec.CommandContext(t.Context(), gnubg, "-t", "-q", "-r")
		cmd.Env = append(os.Environ(), "HOME="+dir)
		cmd.Stdin = strings.NewReader("load match " + path + "\nsave match " + again + "\n")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("gnubg: %v\n%s", err, said)
		}
		_, want := readRollout(t, path)
		_, got := readRollout(t, again)
		same := cmp.Options{cmpopts.EquateApprox(0, 1e-6), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Settings" },
			cmp.Transformer("kept", func(s string) string {
				s, _, _ = strings.Cut(strings.Replace(s, "PCG", "Mersenne Twister", 1), " asked ") // gnubg passes that over
				return s
			}))}
		if want.Cube == nil {
			got.Cube = nil // gnubg evaluates what it misses
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Errorf("gnubg on %s: %s", filepath.Base(path), diff)
		}
	}
}

// A preset with human errors is rolled out without them, and a warning names the flag that
// selected it.
func TestRollout_warnsOfHumanErrors(t *testing.T) {
	testsize.Medium(t)
	t.Chdir(t.TempDir())
	text := "presets: {club: {base: expert, style: human, checker: {noise: 0.1}}}\n"
	if err := os.WriteFile("bot.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--preset", "--late-preset", "--opponent-preset"} {
		args := []string{"rollout", startID, "--trials", "1", "--truncate", "1", "--late-ply", "1", flag, "club"}
		code, _, errOut := command(t, "", args...)
		if want := "fibsbot: " + flag + ": rollouts do not play the human errors of \"club\"\n"; code != cmdline.ExitDone || errOut != want {
			t.Errorf("%s: status %d, %q, want %q", flag, code, errOut, want)
		}
	}
}
