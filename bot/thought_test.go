package bot

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/search"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestThoughts_stayInTheArchive plays a match of the engine against rules of thumb over
// a server. The file has what the engine thought at its own decisions and nothing at the
// opponent's, counts as not analysed, and an analysis judges it whole.
func TestThoughts_stayInTheArchive(t *testing.T) {
	testsize.Medium(t)
	eng, err := engine.Open(engine.Options{Seed: 1, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	pr, err := preset.ByName("casual")
	if err != nil {
		t.Fatal(err)
	}
	if pr.Checker.Noise == 0 || pr.Cube.Noise == 0 {
		t.Fatal("the test wants a preset with noise")
	}
	_, addr := startServer(t, server.Options{Seed: 11, AutoAccounts: true})
	dirAnna, dirBert := testDir(t, "anna"), testDir(t, "bert")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	anna, bert := quickAccount("anna", addr, dirAnna), quickAccount("bert", addr, dirBert)
	anna.Decider, anna.MaxMatches = Player{Engine: eng, Preset: pr}, 1
	anna.Log, bert.Log = testLog(t), testLog(t)
	plain := anna.Conduct.(*Plain)
	plain.Invite, plain.Length = "bert", 5
	bertDone := make(chan error, 1)
	go func() { bertDone <- bert.Run(ctx) }()
	if err := anna.Run(ctx); err != nil {
		t.Fatal(err)
	}
	files := sgfFiles(t, dirAnna)
	cancel()
	if err := <-bertDone; err != nil {
		t.Error(err)
	}
	if len(files) != 1 {
		t.Fatalf("filed %q", files)
	}
	m := readMatch(t, files[0], func(f *os.File) (*record.Match, []record.Warning, error) { return sgf.Read(f) })
	checkThoughts(t, m, pr)
	if row := index.Describe(m, index.Meta{Account: "anna"}, "x.sgf"); row.Plies.Known() || row.Counted[0].Known() || row.Counted[1].Known() || row.Error[0].Known() || row.Error[1].Known() || row.Luck[0].Known() || len(row.Splits) > 0 {
		t.Errorf("thoughts alone count as an analysis: %+v", row)
	}
	replaysTheSame(t, dirAnna, files[0], m)

	// Rules of thumb have no analysis.
	for _, f := range sgfFiles(t, dirBert) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "DA[") || strings.Contains(string(text), "A[0]") {
			t.Errorf("%s has thoughts", f)
		}
	}

	judge := analyse.New(eng.RolloutOptions(), pr.WithPlies(0))
	judge.Checker.Noise, judge.Cube.Noise = 0, 0
	if _, err := judge.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	row := index.Describe(m, index.Meta{Account: "anna"}, "x.sgf")
	if row.Plies != 0 || row.Counted[0] == 0 || row.Counted[1] == 0 {
		t.Errorf("analysed: %v plies, %v decisions", row.Plies, row.Counted)
	}
	for i := range m.Games {
		for _, a := range m.Games[i].Actions {
			if a.Analysis != nil && len(a.Analysis.Candidates) > 0 && a.Analysis.Candidates[0].Settings.Noise > 0 {
				t.Fatal("a noisy thought stands where an analysis was asked for")
			}
			if a.Analysis != nil && a.Analysis.Cube != nil && a.Analysis.Cube.Settings.Noise > 0 {
				t.Fatalf("a noisy analysis remains at a %v after an analysis was requested", a.Kind)
			}
		}
	}
}

// checkThoughts checks that all decisions of player 1 have the engine's analysis, and none
// of player 0.
func checkThoughts(t *testing.T, m *record.Match, pr preset.Preset) {
	t.Helper()
	plays, cubes := 0, 0
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			a := turn.Action
			switch {
			case turn.Player != int(sheet.Us):
				if a.Analysis != nil {
					t.Errorf("game %d: the opponent's %v has an analysis", i+1, a.Kind)
				}
			case a.Kind == record.Move && !turn.Forced:
				if a.Analysis == nil || len(a.Analysis.Candidates) < 2 {
					t.Errorf("game %d: no candidates at %v", i+1, a.Dice)
					continue
				}
				list := a.Analysis.Candidates
				if k := a.Analysis.Played; k < 0 || list[0].Settings.Plies != pr.Checker.Plies {
					t.Errorf("game %d, %v: played %d at %d plies", i+1, a.Dice, k, list[0].Settings.Plies)
				}
				plays++
			case a.Kind == record.Double || a.Kind == record.Take || a.Kind == record.Drop:
				if a.Analysis == nil || a.Analysis.Cube == nil {
					t.Errorf("game %d: nothing at the %v", i+1, a.Kind)
				}
			}
			if a.Analysis != nil && a.Analysis.Cube != nil {
				cubes++
			}
		}
	}
	if plays < 10 || cubes < 5 {
		t.Errorf("%d plays and %d cube decisions with thoughts", plays, cubes)
	}
	t.Logf("%d plays, %d cube decisions with thoughts", plays, cubes)
}

// replaysTheSame checks that the journal alone gives the same file, with the bot's analysis;
// a journal without analysis gives the same match without it.
func replaysTheSame(t *testing.T, dir, file string, m *record.Match) {
	t.Helper()
	path := archive.JournalOf(dir, file)
	protocols := func(string) protocol.Protocol { return fibs.Protocol{} }
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := archive.Replay(path, protocols)
	if err != nil {
		t.Fatal(err)
	}
	if got := sgfText(t, r.Match); got != string(want) {
		t.Error("the journal read again gives another file")
	}
	journal, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var old strings.Builder
	dropped := 0
	for line := range strings.SplitAfterSeq(string(journal), "\n") {
		var e struct{ K string }
		if line != "" && json.Unmarshal([]byte(line), &e) == nil && e.K == "thought" {
			dropped += len(line)
			continue
		}
		old.WriteString(line)
	}
	t.Logf("%d bytes of a journal of %d are thoughts, the file has %d", dropped, len(journal), len(want))
	path = filepath.Join(t.TempDir(), "old.journal")
	if err := os.WriteFile(path, []byte(old.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err = archive.Replay(path, protocols); err != nil {
		t.Fatal(err)
	}
	if got := sgfText(t, r.Match); dropped == 0 || got != sgfText(t, analyse.Bare(m)) {
		t.Errorf("a journal of old: %d bytes left out, and another match", dropped)
	}
}

func sgfText(t *testing.T, m *record.Match) string {
	t.Helper()
	var b strings.Builder
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestThoughts_rolledOut: rollouts within a decision are kept with their trials and standard
// errors, also by a later analysis.
func TestThoughts_rolledOut(t *testing.T) {
	eng, err := engine.Open(engine.Options{Seed: 1, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	near := preset.Close{Plays: 3, Within: 0.2, Trials: 36, CubeWithin: 10, CubeTrials: 36, Truncate: 3}
	p := Player{Engine: eng, Preset: preset.Preset{Name: "rolling", Checker: search.Settings{Cubeful: true}, Cube: search.Settings{Cubeful: true}, Close: near}}
	sit := table.Situation{Ask: table.AskPlay, Position: board.Start, Dice: board.Dice{A: 2, B: 1}, State: match.State{Length: 5, Cube: 1}}
	d, err := p.Decide(t.Context(), sit)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range d.Thought.Candidates {
		if (i < 3) != (c.Rollout != nil) {
			t.Fatalf("candidate %d: rollout %v", i, c.Rollout)
		}
		if r := c.Rollout; r != nil && (r.Trials != 36 || r.StdErr[0].Cubeful <= 0 || r.StdErr[0].Cubeful > 0.2 || r.Output <= 0 || r.Output >= 1 || !strings.Contains(r.Settings, "RC")) {
			t.Errorf("candidate %d: %+v", i, r)
		}
	}
	if k := d.Thought.Played; k != 0 {
		t.Errorf("played %d", k)
	}
	sit.Ask, sit.MayDouble = table.AskRoll, true
	if d, err = p.Decide(t.Context(), sit); err != nil {
		t.Fatal(err)
	}
	if c := d.Thought.Cube; c == nil || c.Rollout == nil || c.Rollout.Trials != 36 || c.Rollout.StdErr[1].Cubeful <= 0 || c.NoDouble.Cubeful <= 0 || c.NoDouble.Cubeful >= 1 {
		t.Errorf("cube: %+v", c)
	}
	// A choice that was not rolled out must not be judged by rollouts of others.
	list, err := eng.RankPlays(t.Context(), sit.Position, board.Dice{A: 2, B: 1}, sit.State, p.Preset)
	if err != nil {
		t.Fatal(err)
	}
	list = append(list[len(list)-1:], list[:len(list)-1]...)
	for _, c := range analyse.Thought(list, p.Preset.Checker, d.Thought.Candidates).Candidates {
		if c.Rollout != nil {
			t.Error("a rollout is compared with a choice that was only searched")
		}
	}
}
