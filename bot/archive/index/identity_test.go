package index

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// given is a match that the opponent resigns after one play.
func given(day string) *record.Match {
	d := board.Dice{A: 3, B: 1}
	p := board.AppendPlays(nil, board.Start, d)[0]
	return &record.Match{
		Players: [2]record.Player{{Name: "bob"}, {Name: "Robo"}}, Length: 1, Date: day,
		Games: []record.Game{{
			Actions: []record.Action{{Kind: record.Move, Player: 1, Dice: d, Steps: p.Steps[:p.N]}},
			Result:  record.Result{Winner: 1, Points: 1, Resigned: true},
		}},
	}
}

// played files a match as a bot does.
func played(t *testing.T, dir, name string, m *record.Match) string {
	t.Helper()
	path := filepath.Join(dir, name)
	var b bytes.Buffer
	if err := errors.Join(sgf.Write(&b, m), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	at, _ := startOf(name)
	if err := WriteMeta(path, Meta{Account: "Robo", Server: "fibs.com:4321", Started: at, Finished: at.Add(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	return path
}

var twins = []string{"2026-11-22_120503_Robo-bob_1pt.sgf", "2026-11-22_120503_Robo-bob_1pt_2.sgf", "2026-11-23_070000_Robo-bob_1pt.sgf"}

// family is an archive of three matches with the same plays, and another one.
func family(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range twins {
		played(t, dir, name, given(name[:10]))
	}
	return dir
}

func count(t *testing.T, d *DB) int {
	t.Helper()
	s, err := d.Stats(t.Context(), Filter{}, "")
	if err != nil || len(s) != 1 {
		t.Fatal(s, err)
	}
	return int(s[0].Get("won"))
}

// Matches with the same plays count separately, however they are indexed.
func TestTwins_countEach(t *testing.T) {
	dir := family(t)
	d := open(t, dir, "")
	for range 2 {
		for _, name := range twins {
			if _, err := d.AddFile(t.Context(), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := count(t, d); n != 3 {
		t.Errorf("%d of 3 matches, filed one by one", n)
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != 3 || r.Duplicates != 0 || count(t, d) != 3 {
		t.Errorf("rebuilt: %+v, %v", r, err)
	}
	row, err := d.Show(t.Context(), "2026-11-23")
	if err != nil || row.File != twins[2] {
		t.Fatal(row, err)
	}
	if again, err := d.Show(t.Context(), row.ID); err != nil || again.File != twins[2] {
		t.Errorf("by its ID: %v, %v", again, err)
	}
	// One is pruned: its result stays.
	if err := WritePruned(dir, []*Match{row}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, twins[2])); err != nil {
		t.Fatal(err)
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != 2 || r.Pruned != 1 || count(t, d) != 3 {
		t.Errorf("rebuilt after pruning: %+v, %v", r, err)
	}
}

// A match counts once, in whatever form it is imported again.
func TestImport_copiesOfWhatWasPlayed(t *testing.T) {
	dir := family(t)
	d := open(t, dir, "")
	if _, err := d.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	rec, _, err := sgf.ReadFile(filepath.Join(dir, twins[2]))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.mat")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := mat.Write(f, rec); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	text, _, err := mat.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	theirs := given("2026-11-23")
	theirs.Players[0], theirs.Players[1] = theirs.Players[1], theirs.Players[0]
	theirs.Games[0].Actions[0].Player, theirs.Games[0].Result.Winner = 0, 0
	nameless := given("")
	for what, m := range map[string]*record.Match{"its .sgf": rec, "its .mat": text, "the opponent's file": theirs, "without a day": nameless} {
		if got, err := d.Import(t.Context(), m, Meta{}); err != nil || got != WasKnown {
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
	if row, err := d.Find(t.Context(), text); err != nil || row.File != twins[2] {
		t.Errorf("the row of a copy: %v, %v", row, err)
	}
	// The copy gets the comment, and only its match does.
	rec.Games[0].Actions[0].Comment = "well played"
	if got, err := d.Import(t.Context(), rec, Meta{}); err != nil || got != WasMerged {
		t.Errorf("with a comment: %v, %v", got, err)
	}
	for i, name := range twins {
		m, _, err := sgf.ReadFile(filepath.Join(dir, name))
		if err != nil || (m.Games[0].Actions[0].Comment != "") != (i == 2) {
			t.Errorf("%s: %v, %v", name, m.Games[0].Actions[0].Comment, err)
		}
	}
	if n := count(t, d); n != 3 {
		t.Errorf("%d matches after the imports", n)
	}
}

// Short imported matches with the same plays on different days count separately. A difference
// of one day may be a time zone, and a file without a day is a copy. A long match with the
// same plays is always a copy.
func TestImport_daysApart(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	d := open(t, dir, "")
	long := func(day string) *record.Match {
		m := given(day)
		g, at := &m.Games[0], board.Start
		g.Actions, m.Length = nil, 3
		for i := range fewRolls {
			dice := board.Dice{A: 2, B: 1}
			p := board.AppendPlays(nil, at, dice)[0]
			g.Actions = append(g.Actions, record.Action{Kind: record.Move, Player: i % 2, Dice: dice, Steps: p.Steps[:p.N]})
			at = p.Result.Swap()
		}
		return m
	}
	n := 0
	for _, tt := range []struct {
		m    *record.Match
		want Outcome
	}{
		{given("2026-11-20"), WasAdded}, {given("2026-11-20"), WasKnown}, {given("2026-11-21"), WasKnown}, {given(""), WasKnown},
		{given("2026-10-01"), WasAdded}, {given("2026-10-01"), WasKnown}, {given("2024-01-01"), WasAdded}, {given("2024-01-02"), WasKnown},
		{given("2026-11-20"), WasKnown},
		{long("2026-11-20"), WasAdded}, {long("2024-01-01"), WasKnown},
	} {
		got, err := d.Import(t.Context(), tt.m, Meta{Account: "Robo"})
		if err != nil || got != tt.want {
			t.Errorf("of %q, %d rolls: %v, %v", tt.m.Date, len(tt.m.Games[0].Actions), got, err)
		}
		if tt.want == WasAdded {
			n++
		}
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != n || len(list(t, d, Filter{})) != n {
		t.Errorf("rebuilt: %+v, %v; %d rows of %d", r, err, len(list(t, d, Filter{})), n)
	}
}

// The bot's file replaces an imported copy, in either order.
func TestAdd_copyAndOriginal(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, "")
	if got, err := d.Import(t.Context(), given("2026-11-22"), Meta{Account: "Robo"}); err != nil || got != WasAdded {
		t.Fatal(got, err)
	}
	own := played(t, dir, twins[0], given("2026-11-22"))
	copied := filepath.Join(dir, ImportDir, Identity(given(""))+".sgf")
	for _, path := range []string{own, copied, own} {
		if _, err := d.AddFile(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		if got := list(t, d, Filter{}); len(got) != 1 || got[0] != twins[0] {
			t.Errorf("after %s: %v", path, got)
		}
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != 1 || r.Duplicates != 1 {
		t.Errorf("rebuilt: %+v, %v", r, err)
	}
}

// A match against the engine is filed with its start.
func TestImport_playedHere(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, "")
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for i, want := range []Outcome{WasAdded, WasAdded, WasKnown} {
		meta := Meta{Account: "Robo", Server: "fibsbot", Started: at.Add(time.Duration(i%2) * time.Second)}
		if got, err := d.Import(t.Context(), given("2026-11-22"), meta); err != nil || got != want {
			t.Errorf("match %d: %v, %v", i, got, err)
		}
		if row, err := d.Show(t.Context(), PlayedID(given(""), meta)); err != nil || !row.Started.Equal(meta.Started) {
			t.Errorf("match %d: %v, %v", i, row, err)
		}
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != 2 || count(t, d) != 2 {
		t.Errorf("rebuilt: %+v, %v", r, err)
	}
}

// An index of an earlier format is rebuilt from the match files.
func TestOpen_indexOfBefore(t *testing.T) { indexOfBefore(t, "") }

func indexOfBefore(t *testing.T, dsn string) {
	dir := family(t)
	d := open(t, dir, dsn)
	if _, err := d.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{`DROP INDEX matches_same`, `ALTER TABLE matches DROP COLUMN same`, `DROP TABLE incomplete`, `UPDATE format SET version = 0`} {
		if _, err := database(d).db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(q, err)
		}
	}
	d.Close()
	d = open(t, dir, dsn)
	if list, err := d.Stats(t.Context(), Filter{}, ""); err != nil || len(list) != 0 {
		t.Fatalf("before the files were read: %+v, %v", list, err)
	}
	for range 2 {
		if _, err := d.Complete(t.Context()); err != nil || count(t, d) != 3 {
			t.Fatalf("%d matches, %v", count(t, d), err)
		}
	}
	d.Close()
	if d = open(t, dir, dsn); count(t, d) != 3 {
		t.Errorf("%d matches after opening it again", count(t, d))
	}
	if _, err := database(d).db.ExecContext(t.Context(), database(d).bind(`UPDATE format SET version = ?`), formatVersion+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir, dsn); !errors.Is(err, ErrNewer) {
		t.Errorf("an index of a later version: %v", err)
	}
}
