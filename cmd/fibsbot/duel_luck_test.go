package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/edge"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/reference"
)

// judged returns set with the luck of the dice judged.
func judged(e *engine.Engine, set duelSettings) duelSettings {
	set.luck = &luck.Judge{Search: e.Search(), Settings: search.Settings{Cubeful: !set.cubeless, Prune: true}}
	return set
}

// duelModes are the kinds of duel there are.
var duelModes = map[string]duelSettings{
	"cubeless": {seed: 5, cubeless: true}, "money": {seed: 5}, "jacoby": {seed: 5, jacoby: true},
	"match": {seed: 5, length: 3}, "cubeless match": {seed: 5, length: 3, cubeless: true},
}

func TestDuelLuck_equalPlayersStillScoreZero(t *testing.T) {
	t.Parallel()
	e := openTestEngine(t)
	equal := func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "expert")}, nil }
	for name, set := range duelModes {
		set = judged(e, set)
		run := duelRun{makers: [2]playerMaker{equal, equal}, set: set, pairs: 2, progress: func(int) {}}
		results, _, err := run.play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if d := summarise(results, set); *d.LuckAdjusted != 0 || *d.LuckAdjustedStderr != 0 || d.PPG != 0 {
			t.Errorf("%s: %+v", name, d)
		}
		if results[0].Luck == [2]float64{} {
			t.Errorf("%s: no luck at all", name)
		}
	}
}

// With different players the adjusted results vary far less and agree with the
// raw ones.
func TestDuelLuck_variesLess(t *testing.T) {
	t.Parallel()
	e := openTestEngine(t)
	makers := [2]playerMaker{
		func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "expert")}, nil },
		func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "intermediate")}, nil },
	}
	for name, set := range duelModes {
		set = judged(e, set)
		run := duelRun{makers: makers, set: set, pairs: 12, progress: func(int) {}}
		results, _, err := run.play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		d := summarise(results, set)
		if *d.LuckAdjustedStderr <= 0 || *d.LuckAdjustedStderr > 0.6*d.Stderr {
			t.Errorf("%s: standard error %.4f with luck taken off, %.4f without", name, *d.LuckAdjustedStderr, d.Stderr)
		}
		if gap := *d.LuckAdjusted - d.PPG; gap*gap > 16*d.Stderr*d.Stderr {
			t.Errorf("%s: %+.3f with luck taken off, %+.3f +- %.3f without", name, *d.LuckAdjusted, d.PPG, d.Stderr)
		}
	}
}

// lastListed is a poor player: he makes the play that the generator lists last,
// never doubles and always takes.
type lastListed struct{}

func (lastListed) move(_ context.Context, p board.Position, d board.Dice, _ match.State, _ bool, _ uint64) (board.Position, error) {
	if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
		return plays[len(plays)-1].Result, nil
	}
	return p, nil
}

func (lastListed) double(context.Context, board.Position, match.State, uint64) (bool, error) {
	return false, nil
}

func (lastListed) take(context.Context, board.Position, match.State, uint64) (bool, error) {
	return true, nil
}
func (lastListed) close() {}

func TestDuelDifferences(t *testing.T) {
	t.Parallel()
	e := openTestEngine(t)
	judge := edge.Judge{Options: e.RolloutOptions(), Settings: rollout.Default()}
	judge.Settings.Trials, judge.Settings.Truncate = 1, 2 // fast; good enough to tell a blunder
	expert := func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "expert")}, nil }
	poor := func(context.Context) (player, error) { return lastListed{}, nil }
	play := func(makers [2]playerMaker, set duelSettings, jobs int) []pairResult {
		t.Helper()
		run := duelRun{makers: makers, set: set, pairs: 2, jobs: jobs, progress: func(int) {}}
		results, _, err := run.play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	for name, set := range map[string]duelSettings{"money": {seed: 4}, "match": {seed: 4, length: 1}} {
		plain := play([2]playerMaker{expert, poor}, set, 1)
		set.edge = &judge
		if d := summarise(play([2]playerMaker{expert, expert}, set, 1), set); *d.Edge != 0 || *d.EdgeStderr != 0 || *d.Differ != 0 {
			t.Errorf("%s: equal players differ: %+v", name, d)
		}
		results := play([2]playerMaker{expert, poor}, set, 1)
		for k := range results {
			if results[k].Result != plain[k].Result {
				t.Errorf("%s: looking at differences changed pair %d", name, k)
			}
		}
		there, back := summarise(results, set), summarise(play([2]playerMaker{poor, expert}, set, 2), set)
		if *there.Edge < 0.3 || *there.Differ < 20 {
			t.Errorf("%s: the edge over a poor player is %.3f from %d differences", name, *there.Edge, *there.Differ)
		}
		if *back.Edge > -0.3 {
			t.Errorf("%s: the poor player's edge is %.3f", name, *back.Edge)
		}
	}
}

func TestDuelLuck_json(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string // keys that must be there
		not  string // and that must not
	}{
		{[]string{"--games", "2", "--vr"}, "luck_adjusted luck_adjusted_stderr", "win_rate win_rate_adjusted matches"},
		{[]string{"--matches", "2", "--length", "1", "--vr"}, "luck_adjusted luck_adjusted_stderr win_rate win_rate_adjusted win_rate_adjusted_stderr matches", ""},
		{[]string{"--games", "2", "--differences", "--trials", "1"}, "edge edge_stderr differ", "luck_adjusted"},
		{[]string{"--games", "2"}, "games ppg stderr games_per_s a b seed", "luck_adjusted luck_adjusted_stderr win_rate_adjusted edge differ"},
	} {
		code, out, errOut := command(t, "", append([]string{"duel", "expert", "advanced", "--json"}, c.args...)...)
		if code != 0 {
			t.Fatalf("%q: status %d: %s", c.args, code, errOut)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Fields(c.want) {
			if _, ok := got[key]; !ok {
				t.Errorf("%q: no %s in %s", c.args, key, out)
			}
		}
		for _, key := range strings.Fields(c.not) {
			if _, ok := got[key]; ok {
				t.Errorf("%q: %s in %s", c.args, key, out)
			}
		}
	}
}

func TestDuelLog_goesOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "duel.jsonl")
	duel := func(games int, more ...string) (out duelJSON, errOut string, code int) {
		t.Helper()
		args := append([]string{"duel", "expert", "advanced", "--json", "--vr", "--jobs", "2", "--games", fmt.Sprint(games)}, more...)
		code, text, errOut := command(t, "", args...)
		if code == 0 {
			if err := json.Unmarshal([]byte(text), &out); err != nil {
				t.Fatal(err)
			}
		}
		out.GamesPerS = 0
		return out, errOut, code
	}
	want, _, _ := duel(6)
	duel(4, "--log", path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(whole), "\n"); n != 3 {
		t.Fatalf("%d lines after 2 pairs:\n%s", n, whole)
	}
	// A kill in the middle of a line costs that pair.
	if err := os.WriteFile(path, whole[:len(whole)-7], 0o644); err != nil {
		t.Fatal(err)
	}
	got, errOut, code := duel(6, "--log", path)
	if code != 0 {
		t.Fatal(errOut)
	}
	for _, p := range [][2]*float64{{got.LuckAdjusted, want.LuckAdjusted}, {got.LuckAdjustedStderr, want.LuckAdjustedStderr}, {&got.PPG, &want.PPG}} {
		if *p[0] != *p[1] {
			t.Errorf("gone on: %v, at one go: %v", *p[0], *p[1])
		}
	}
	if got.Games != want.Games {
		t.Errorf("%d games, want %d", got.Games, want.Games)
	}
	before, _ := os.ReadFile(path)
	for _, other := range [][]string{{"--seed", "2"}, {"--plies", "1"}, {"--vr-plies", "1"}, {"--jacoby"}, {"--differences"}} {
		_, errOut, code := duel(6, append(other, "--log", path)...)
		if code != exitUsage || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, path) {
			t.Errorf("%q: status %d, %s", other, code, errOut)
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("a refused duel has changed the log")
	}
}

func TestDuelLog_refusesDamage(t *testing.T) {
	h := duelHeader{Version: duelLogVersion, A: "a", B: "b", Settings: [2]string{"1", "2"}}
	var head strings.Builder
	if err := printJSONLine(&head, h); err != nil {
		t.Fatal(err)
	}
	one := `{"pair":3,"result":[1,-1],"luck":[0.5,0],"games":2}` + "\n"
	for name, text := range map[string]string{
		"other file": "hello\n", "other JSON": "{}\n", "no JSON": head.String() + "x\n",
		"other settings": strings.Replace(head.String(), `"settings":["1"`, `"settings":["3"`, 1),
		"no pair":        head.String() + `{"games":2}` + "\n", "twice": head.String() + one + one,
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if l, err := openDuelLog(path, h); err == nil {
			t.Errorf("%s: read as %v", name, l.earlier)
			l.close()
		}
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(head.String()+one), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := openDuelLog(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if r := l.earlier[3]; len(l.earlier) != 1 || r.Luck[0] != 0.5 || r.Games != 2 {
		t.Errorf("%+v", l.earlier)
	}
	if _, err := openDuelLog(path, h); err == nil {
		t.Error("two duels write to one log")
	}
	older := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(older, []byte(strings.Replace(head.String(), `,"settings":["1","2"]`, "", 1)+one), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := openDuelLog(older, h); err != nil || len(l.earlier) != 1 {
		t.Errorf("a log from before the settings were written: %v", err)
	} else {
		l.close()
	}
}

// TestGnubgLine asks gnubg through docs/bench/gnubg-line for plays and cube
// actions that are on record, at many scores.
func TestGnubgLine(t *testing.T) {
	for _, program := range []string{"python3", "/usr/games/gnubg"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s", program)
		}
	}
	x, err := startLinePlayer(t.Context(), []string{"../../docs/bench/gnubg-line", "--plies", "0", "--cube-plies", "0"}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	engine := x.(*linePlayer)
	asked := 0
	rows := reference.Lines(t, "reference", "cube.jsonl")
	for n := 0; rows.Scan(); n++ {
		if n%6 != 0 {
			continue
		}
		var q struct {
			ID     string
			ML     int
			Score  [2]int
			Cube   int
			Owner  int
			Craw   int `json:"crawford"`
			Jacoby int
			P0     struct {
				DT, DP float64
				Code   int
			}
		}
		if err := json.Unmarshal(rows.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if q.P0.Code > 12 || q.Craw == 1 {
			continue // nothing to decide
		}
		asked++
		request := fmt.Sprintf("%s %d %d %d %d %d 0 %d", q.ID, q.Cube, q.Owner, q.ML, q.Score[0], q.Score[1], q.Jacoby)
		want := map[string]string{"cube": "roll", "take": "drop"}
		switch q.P0.Code {
		case 0, 1, 5, 7, 8:
			want["cube"] = "double"
		}
		if q.P0.DT <= q.P0.DP {
			want["take"] = "take"
		}
		for ask, answer := range want {
			if got, err := engine.ask(ask + " " + request); err != nil || got != answer {
				t.Errorf("%s %s: %q, %v; on record: %s", ask, request, got, err, answer)
			}
		}
	}
	if err := rows.Err(); err != nil || asked < 100 {
		t.Errorf("%d cube decisions, %v", asked, err)
	}
	for request, want := range map[string]string{
		"hello 1":                                  "ok gnubg-0ply cube",
		"pos 4HPwATDgc/ABMA 3 1":                   "sGfwATDgc/ABMA",
		"pos DwAAoAAAAAAAAA 2 1":                   "AAAAHgAAAAAAAA",
		"move 4HPwATDgc/ABMA 3 1 1 -1 7 2 4 0 0":   "sGfwATDgc/ABMA",
		"gibberish":                                "error unknown request",
		"move 4HPwATDgc/ABMA 3 1 1 -1 7 2 4 0 0 9": "error unknown request",
	} {
		if got, err := engine.ask(request); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", request, got, err, want)
		}
	}
}
