package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/fibs"
	"fibsbot/bot/internal/linestest"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/testsize"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// openTest opens the journal of bot in dir.
func openTest(t *testing.T, dir string) *Journal {
	t.Helper()
	j, err := Open(Options{Protocol: fibs.Protocol{}, Dir: dir, Account: "bot", Server: "host:4321", Now: func() time.Time { return noon }, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

var aMatch = linestest.OnePoint

func notes(lines []string) []table.Note {
	out := []table.Note{{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Ratings: [2]string{"1600.00", "1500.00"}}}
	for _, l := range lines {
		kind := table.NoteLine
		if l[0] == '>' {
			kind = table.NoteSent
		}
		if l == "> move 24-18 13-11" {
			out = append(out, table.Note{Kind: table.NoteThought, Opponent: "bob", Minor: true, Thought: aThought(0.25)})
		}
		out = append(out, table.Note{Kind: kind, Opponent: "bob", Raw: l[2:]})
	}
	return out
}

// aThought is the bot's thought before its first play of aMatch.
func aThought(equity float64) *table.Thought {
	candidate := func(equity float64, steps ...board.Step) record.Candidate {
		return record.Candidate{Steps: steps, Settings: record.Settings{Plies: 2, Cubeful: true}, Outcome: record.Outcome{Probs: [5]float64{0.5, 0.125}, Cubeful: equity}}
	}
	return &table.Thought{Game: 1, Ask: table.AskPlay, Position: board.Start, Dice: board.Dice{A: 2, B: 6}, Cube: 1, Owner: match.Centred,
		Analysis: &record.Analysis{Candidates: []record.Candidate{
			candidate(equity, board.Step{From: 23, To: 17}, board.Step{From: 12, To: 10}),
			candidate(0.125, board.Step{From: 23, To: 15}),
			candidate(0, board.Step{From: 120, To: -90}), // as in a damaged file
		}}}
}

var over = table.Note{Kind: table.NoteOver, Opponent: "bob"}

func write(t *testing.T, j *Journal, n ...table.Note) []string {
	t.Helper()
	files, err := j.Write(n, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Sync(); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Files...)
	}
	return paths
}

func readSGF(t *testing.T, path string) *record.Match {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, warns, err := sgf.Read(f)
	if err != nil || len(warns) > 0 {
		t.Fatal(err, warns)
	}
	return m
}

func checkMatch(t *testing.T, m *record.Match) {
	t.Helper()
	if m.Players[0].Name != "bob" || m.Players[1].Name != "bot" || m.Players[0].Rating != "1600.00" || m.Length != 1 || m.Date != "2026-11-21" {
		t.Errorf("head of the match: %+v %d %s", m.Players, m.Length, m.Date)
	}
	if len(m.Games) != 1 || m.Games[0].Result != (record.Result{Points: 1, Winner: 1, Resigned: true}) {
		t.Fatalf("games: %+v", m.Games)
	}
	moves := 0
	for turn := range m.Turns(&m.Games[0]) {
		if !turn.Legal {
			t.Errorf("illegal: %s", turn.Problem)
		}
		if a := turn.Action.Analysis; (a != nil) != (moves == 0) {
			t.Errorf("action %d: analysis %+v, want one at the first play alone", turn.Index, a)
		} else if a != nil && (a.Played != 0 || len(a.Candidates) != 2 || a.Candidates[0].Outcome.Cubeful != 0.25 || a.Candidates[1].Settings.Plies != 2) {
			t.Errorf("thoughts %+v", a)
		}
		if turn.Action.Kind == record.Move {
			moves++
		}
	}
	if moves < 2 {
		t.Errorf("%d moves, want at least 2", moves)
	}
}

// The match returned equals the one in the file.
func TestJournal_recordGoesAlong(t *testing.T) {
	j := openTest(t, t.TempDir())
	write(t, j, notes(aMatch)...)
	filed, err := j.Write([]table.Note{over}, noon)
	if err != nil || len(filed) != 1 || filed[0].Match == nil {
		t.Fatalf("filed %+v, %v", filed, err)
	}
	var b strings.Builder
	if err := sgf.Write(&b, filed[0].Match); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filed[0].Files[0])
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(text) {
		t.Errorf("the file holds\n%s\nthe record is\n%s", text, b.String())
	}
}

func TestJournal_matchIsFiled(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	files := write(t, j, over)
	if len(files) != 2 || filepath.Base(files[0]) != "2026-11-21_120000_bot-bob_1pt.sgf" || !strings.HasSuffix(files[1], ".fibs") {
		t.Fatalf("filed %q", files)
	}
	checkMatch(t, readSGF(t, files[0]))
}

func TestJournal_namesNeverCollide(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	seen := map[string]bool{}
	for range 3 {
		write(t, j, notes(aMatch)...)
		for _, f := range write(t, j, over) {
			if seen[f] {
				t.Errorf("%s written twice", f)
			}
			seen[f] = true
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d files, want 6", len(seen))
	}
}

// TestRecover_everyCut cuts the journal at every byte, restarts, and plays the rest of the
// match: nothing before the cut is lost, and the final file is the same.
func TestRecover_everyCut(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	paths, _ := filepath.Glob(filepath.Join(dir, openDir, "*"+suffix))
	if len(paths) != 1 {
		t.Fatalf("open journals: %q", paths)
	}
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	head := strings.IndexByte(string(whole), '\n') + 1
	for cut := head; cut <= len(whole); cut += 7 {
		dir := t.TempDir()
		j := openTest(t, dir)
		path := filepath.Join(dir, openDir, filepath.Base(paths[0]))
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		found, err := j.Recover()
		if err != nil || len(found) != 1 || found[0].Sheet.Opponent != "bob" {
			t.Fatalf("cut at %d: %v %v", cut, found, err)
		}
		// Whole entries are still there; the rest is written again.
		kept := strings.Count(string(whole[:cut]), "\n")
		n := notes(aMatch)
		rest := append([]table.Note{{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Resumed: true}}, n[min(len(n), max(1, kept-1)):]...)
		write(t, j, rest...)
		files := write(t, j, over)
		if len(files) != 2 {
			t.Fatalf("cut at %d: filed %q", cut, files)
		}
		checkMatch(t, readSGF(t, files[0]))
		j.Close()
	}
}

func TestRecover_matchThatEndedBeforeItsFiles(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	// The crash comes after the last entry and before the first file.
	if err := j.append(j.current, entry{Kind: kindOver, At: noon}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	for range 2 { // the second start has nothing to do
		j = openTest(t, dir)
		if _, err := j.Recover(); err != nil {
			t.Fatal(err)
		}
		j.Close()
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	checkMatch(t, readSGF(t, files[0]))
}

// Of two open matches with one opponent the older is filed and returned.
func TestRecover_twoWithOneOpponent(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	j.Close()
	open, err := filepath.Glob(filepath.Join(dir, openDir, "*"+suffix))
	if err != nil || len(open) != 1 {
		t.Fatal(open, err)
	}
	data, err := os.ReadFile(open[0])
	if err != nil {
		t.Fatal(err)
	}
	older := filepath.Join(dir, openDir, "2026-01-01_000000_bot-bob_1pt"+suffix)
	if err := os.WriteFile(older, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := openTest(t, dir).Recover()
	if err != nil {
		t.Fatal(err)
	}
	var filed []string
	for _, r := range found {
		if r.Ended {
			filed = append(filed, r.Filed.Files...)
		}
	}
	if len(filed) != 2 || filepath.Base(filed[0]) != "2026-01-01_000000_bot-bob_1pt.sgf" || found[len(found)-1].Ended {
		t.Errorf("filed %q, found %+v", filed, found)
	}
}

func TestRecover_damageIsSetAsideAndOthersGoOn(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	j.Close()
	bad := filepath.Join(dir, openDir, "2026-01-01_000000_bot-eve_3pt.journal")
	if err := os.WriteFile(bad, []byte("{\"k\":\"match\",\"format\":1,\"account\":\"bot\",\"opponent\":\"eve\"}\nrubbish\n{\"k\":\"<\"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := openTest(t, dir).Recover()
	if err == nil || !strings.Contains(err.Error(), "2026-01-01_000000_bot-eve_3pt.journal:2") {
		t.Errorf("error %v, want one that names file and line", err)
	}
	if len(found) != 1 || found[0].Sheet.Opponent != "bob" {
		t.Errorf("found %v", found)
	}
	if _, err := os.Stat(bad + ".damaged"); err != nil {
		t.Error(err)
	}
}

// A journal of another format stays where it is, and the error says what to do.
func TestRecover_anotherFormat(t *testing.T) {
	for _, format := range []string{"", `"format":2,`} {
		dir := t.TempDir()
		openTest(t, dir).Close()
		file := filepath.Join(dir, openDir, "2026-01-01_000000_bot-eve_3pt.journal")
		if err := os.WriteFile(file, []byte(`{"k":"match",`+format+`"account":"bot","opponent":"eve"}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := openTest(t, dir).Recover()
		if !errors.Is(err, ErrFormat) || !errors.Is(err, ErrUnread) || !strings.Contains(err.Error(), "archive rebuild") {
			t.Errorf("%q: error %v", format, err)
		}
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
}

func TestRecover_otherAccountsAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	j.Close()
	other, err := Open(Options{Protocol: fibs.Protocol{}, Dir: dir, Account: "someone", NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := other.Recover(); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestJournal_discardedMatchIsFiledUnfinished(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch[:8])...)
	write(t, j, table.Note{Kind: table.NoteSaved, Opponent: "bob"})
	// A new match with bob replaces the saved one.
	files := write(t, j, notes(aMatch)...)
	if len(files) != 2 {
		t.Fatalf("filed %q", files)
	}
	if m := readSGF(t, files[0]); m.Games[0].Result.Finished() {
		t.Error("an abandoned match is filed as finished")
	}
	write(t, j, over)
	if all, _ := filepath.Glob(filepath.Join(dir, "*.sgf")); len(all) != 2 {
		t.Errorf("%d files, want 2", len(all))
	}
}

// Beyond MaxJournal only lines of the game are kept, and an entry marks this.
func TestJournal_gameIsKeptBeyondTheBound(t *testing.T) {
	dir := t.TempDir()
	var told []string
	j, err := Open(Options{Protocol: fibs.Protocol{}, Dir: dir, Account: "bot", Server: "host:4321", Now: func() time.Time { return noon }, NoSync: true,
		Filled: func(opponent string) { told = append(told, opponent) }})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	n := notes(aMatch)
	write(t, j, n[:6]...)
	j.current.size += MaxJournal // as if they had been written
	for range 3 {
		write(t, j, table.Note{Kind: table.NoteSent, Opponent: "bob", Raw: "board", Minor: true})
	}
	write(t, j, n[6:]...)
	path := j.current.path
	entries, _, err := readJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	full := 0
	for _, e := range entries {
		if e.Kind == kindFull {
			full++
		}
		if e.Raw == "board" {
			t.Error("the journal took more than its bound")
		}
	}
	if full != 1 || len(told) != 1 || told[0] != "bob" {
		t.Errorf("marked %d times, told %q; want once", full, told)
	}
	if m := rebuild(fibs.Protocol{}, entries).Record(aboutOf(entries, protocol.Rules{})); len(m.Games) != 1 || !m.Games[0].Result.Finished() {
		t.Errorf("the game was not kept: %+v", m.Games)
	}
}

// A thought that cannot be written or read does not affect the match.
func TestJournal_aThoughtIsNoReasonToStop(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	n := notes(aMatch)
	for i := range n {
		if n[i].Kind == table.NoteThought {
			n[i].Thought = aThought(math.NaN())
		}
	}
	write(t, j, n...)
	if err := j.append(j.current, entry{Kind: kindThought, At: noon, Thought: []byte(`{"g":"one","p":7}`)}); err != nil {
		t.Fatal(err)
	}
	files := write(t, j, over)
	if len(files) != 2 {
		t.Fatalf("filed %q", files)
	}
	m := readSGF(t, files[0])
	for _, a := range m.Games[0].Actions {
		if a.Analysis != nil {
			t.Errorf("a thought from nowhere: %+v", a.Analysis)
		}
	}
}

func TestSafe_fileNamesOfHostileServers(t *testing.T) {
	for in, want := range map[string]string{"bob": "bob", "../../etc": "______etc", "": "_", "a:b c": "a_b_c", strings.Repeat("x", 99): strings.Repeat("x", 32)} {
		if got := safe(in); got != want {
			t.Errorf("safe(%q) = %q, want %q", in, got, want)
		}
	}
}

// A rollout is the same in the journal and the file.
func TestThought_rolledOut(t *testing.T) {
	a := aThought(0.25)
	c := &a.Analysis.Candidates[0]
	settings := `SK 0 RC 1 1 0 1 0 1 11 0 0 0 "PCG" 7`
	off := record.Outcome{Probs: [5]float64{0.01, 0.002}, Cubeless: 0.02, Cubeful: 0.03}
	c.Rollout = &record.Rollout{Trials: 144, StdErr: [2]record.Outcome{off}, Output: 0.53, Settings: settings}
	c.Settings, c.Score = record.Settings{}, [2]float64{c.Outcome.Cubeful, c.Outcome.Cubeless}
	a.Analysis.Cube = &record.CubeAnalysis{NoDouble: off, DoubleTake: off, Rollout: &record.Rollout{Trials: 72, StdErr: [2]record.Outcome{off, {Cubeful: 0.5}}, Settings: settings}}
	e, ok := thought(table.Note{Thought: a})
	if !ok {
		t.Fatal("not written down")
	}
	var k kept
	if err := json.Unmarshal(e.Thought, &k); err != nil {
		t.Fatal(err)
	}
	got := k.Analysis
	if diff := cmp.Diff(a.Analysis.Candidates[0], got.Candidates[0]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(a.Analysis.Cube, got.Cube); diff != "" {
		t.Error(diff)
	}
	if got.Candidates[1].Rollout != nil || got.Candidates[1].Settings.Plies != 2 {
		t.Errorf("beside it %+v", got.Candidates[1])
	}
}

func FuzzReadEntries(f *testing.F) {
	f.Add("{\"k\":\"match\",\"account\":\"a\",\"opponent\":\"b\"}\n{\"k\":\"<\",\"raw\":\"bob rolls 3 and 1.\"}\n")
	f.Add("{\"k\":\"match\"}\n")
	f.Add("{\"k\":\"match\",\"account\":\"a\",\"opponent\":\"b\"}\n{\"k\":\"<\",\"raw\":\"Starting a new game with b.\"}\n{\"k\":\"<\",\"raw\":\"You rolled 6, b rolled 2\"}\n" +
		"{\"k\":\"thought\",\"thought\":{\"g\":1,\"a\":\"play\",\"id\":\"4HPwATDgc/ABMA\",\"d\":{\"A\":6,\"B\":2},\"c\":1,\"o\":0,\"t\":{\"Candidates\":[{\"m\":[{\"From\":23,\"To\":17},{\"From\":12,\"To\":10}],\"o\":{\"p\":[0.5,0,0,0,0]}}]}}}\n" +
		"{\"k\":\">\",\"raw\":\"move 24-18 13-11\"}\n{\"k\":\"<\",\"raw\":\"b rolls 3 and 1.\"}\n")
	f.Add("{\"k\":\"match\",\"account\":\"a\",\"opponent\":\"b\"}\n{\"k\":\"said\",\"raw\":\"b says: hi\"}\n{\"k\":\"<\",\"raw\":\"Starting a new game with b.\"}\n" +
		"{\"k\":\"<\",\"raw\":\"You rolled 6, b rolled 2\"}\n{\"k\":\"said\",\"game\":-7,\"raw\":\"b kibitzes: \\u001b]\"}\n{\"k\":\"saved\"}\n{\"k\":\"said\",\"game\":1}\n")
	f.Add("{")
	f.Fuzz(func(t *testing.T, text string) {
		entries, good, err := readEntries(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		if good > int64(len(text)) {
			t.Fatalf("%d good bytes of %d", good, len(text))
		}
		if len(entries) > 0 {
			m := rebuild(fibs.Protocol{}, entries).Record(aboutOf(entries, protocol.Rules{}))
			thoughts(m, entries)
			for i := range m.Games {
				for _, a := range m.Games[i].Actions {
					if len(a.Comment) > (maxSaid+40)*len(entries) || sanitize.Lines(a.Comment) != a.Comment {
						t.Fatalf("a comment of %d bytes: %.200q", len(a.Comment), a.Comment)
					}
				}
			}
			if len(m.Games) > len(entries) {
				t.Fatal(fmt.Sprint("games from nowhere: ", len(m.Games)))
			}
		}
	})
}
