package archive

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
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

// aMatch is a whole one-point match as the server tells it: an opening, two
// moves, and a resignation.
var aMatch = []string{
	"< ** You are now playing a 1 point match with bob",
	"< Starting a new game with bob.",
	"< You rolled 6, bob rolled 2",
	"< It's your turn to move.",
	"< board:You:bob:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
	"> move 24-18 13-11",
	"< bob rolls 3 and 1.",
	"< bob moves 17-20 19-20 .",
	"< You roll 4 and 2.",
	"> move 8-4 6-4",
	"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.",
	"> accept",
	"< You accept and win 1 point.",
	"< You win the 1 point match 1-0 .",
}

func notes(lines []string) []table.Note {
	out := []table.Note{{Kind: table.NoteOpen, Opponent: "bob", Length: 1, Ratings: [2]string{"1600.00", "1500.00"}}}
	for _, l := range lines {
		kind := table.NoteLine
		if l[0] == '>' {
			kind = table.NoteSent
		}
		out = append(out, table.Note{Kind: kind, Opponent: "bob", Raw: l[2:]})
	}
	return out
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
		if turn.Action.Kind == record.Move {
			moves++
		}
	}
	if moves < 2 {
		t.Errorf("%d moves, want at least 2", moves)
	}
}

// TestJournal_recordGoesAlong: the match that is handed on is the one that stands in
// the file, so that nobody has to read the file again.
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

// TestRecover_everyCut cuts the journal at every byte, as a crash may, restarts,
// and plays the rest of the match: nothing before the cut is lost, and the file
// in the end is the same.
func TestRecover_everyCut(t *testing.T) {
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
		// The entries that were whole are still there; the rest comes again.
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
	for range 2 { // the second start finds nothing left to do
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

func TestRecover_damageIsSetAsideAndOthersGoOn(t *testing.T) {
	dir := t.TempDir()
	j := openTest(t, dir)
	write(t, j, notes(aMatch)...)
	j.Close()
	bad := filepath.Join(dir, openDir, "2026-01-01_000000_bot-eve_3pt.journal")
	if err := os.WriteFile(bad, []byte("{\"k\":\"match\",\"account\":\"bot\",\"opponent\":\"eve\"}\nrubbish\n{\"k\":\"<\"}\n"), 0o644); err != nil {
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
	// A new match with bob: the saved one exists no more.
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

// TestJournal_gameIsKeptBeyondTheBound: what says nothing about the match ends at
// the bound, which the journal tells; the game goes on.
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
	if m := rebuild(fibs.Protocol{}, entries).Record(headOf(entries).about(protocol.Rules{})); len(m.Games) != 1 || !m.Games[0].Result.Finished() {
		t.Errorf("the game was not kept: %+v", m.Games)
	}
}

func TestSafe_fileNamesOfHostileServers(t *testing.T) {
	for in, want := range map[string]string{"bob": "bob", "../../etc": "______etc", "": "_", "a:b c": "a_b_c", strings.Repeat("x", 99): strings.Repeat("x", 32)} {
		if got := safe(in); got != want {
			t.Errorf("safe(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzReadEntries(f *testing.F) {
	f.Add("{\"k\":\"match\",\"account\":\"a\",\"opponent\":\"b\"}\n{\"k\":\"<\",\"raw\":\"bob rolls 3 and 1.\"}\n")
	f.Add("{\"k\":\"match\"}\n")
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
			m := rebuild(fibs.Protocol{}, entries).Record(headOf(entries).about(protocol.Rules{}))
			if len(m.Games) > len(entries) {
				t.Fatal(fmt.Sprint("games from nowhere: ", len(m.Games)))
			}
		}
	})
}
