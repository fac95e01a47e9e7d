package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

const samples = "../../../engine/analyse/testdata/gnubg"

func load(t testing.TB, name string) *record.Match {
	t.Helper()
	f, err := os.Open(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := sgf.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func open(t testing.TB, dir, dsn string) *DB {
	t.Helper()
	d, err := Open(t.Context(), dir, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// archive copies the samples to a new archive with Meta files.
func archive(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for i, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf", "session5.sgf"} {
		data, err := os.ReadFile(filepath.Join(samples, name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		day := time.Date(2026, 5, 1+i, 12, 0, 0, 0, time.UTC)
		if err := WriteMeta(file, Meta{Account: "Bob", Server: "fibs.com:4321", Started: day, Finished: day.Add(time.Hour), Preset: "expert", RatingAfter: [2]float64{1490.5, 1610.25}}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func list(t testing.TB, d *DB, f Filter) (files []string) {
	t.Helper()
	if err := d.List(t.Context(), f, func(m *Match) error {
		files = append(files, m.File)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// database returns the database behind an index that is not in memory.
func database(d *DB) *sqlRows { return d.rows.(*sqlRows) }

// exercise tests the index of the archive that open opens.
func exercise(t *testing.T, open func(dir string) *DB) {
	dir := archive(t)
	d := open(dir)
	if err := os.WriteFile(filepath.Join(dir, "broken.sgf"), []byte("(;FF[4"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second rebuild changes nothing
		r, err := d.Rebuild(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Added != 4 || r.Duplicates != 0 || len(r.Bad) != 1 || !strings.Contains(r.Bad[0].Error(), "broken.sgf") {
			t.Fatalf("rebuild: %+v", r)
		}
	}
	for _, tt := range []struct {
		name string
		f    Filter
		want []string
	}{
		{"all, newest first", Filter{}, []string{"session5.sgf", "match7.sgf", "match5.sgf", "match3.sgf"}},
		{"by opponent", Filter{Opponent: "aLI*"}, []string{"session5.sgf", "match7.sgf", "match5.sgf", "match3.sgf"}},
		{"nobody", Filter{Opponent: "a_ice"}, nil},
		{"won", Filter{Result: "won"}, []string{"session5.sgf", "match5.sgf"}},
		{"lost", Filter{Result: "lost"}, []string{"match7.sgf", "match3.sgf"}},
		{"by length", Filter{Length: 7}, []string{"match7.sgf"}},
		{"unlimited", Filter{Unlimited: true}, []string{"session5.sgf"}},
		{"by date", Filter{From: time.Date(2026, 5, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 5, 3, 0, 0, 0, 0, time.UTC)}, []string{"match5.sgf"}},
		{"limit", Filter{Limit: 1}, []string{"session5.sgf"}},
	} {
		if diff := cmp.Diff(tt.want, list(t, d, tt.f)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
	if err := d.List(t.Context(), Filter{Result: "drawn"}, nil); !errors.Is(err, ErrFilter) {
		t.Errorf("nonsense filter: %v", err)
	}
	m, err := d.Show(t.Context(), "match5.sgf")
	if err != nil {
		t.Fatal(err)
	}
	if m.Account != "Bob" || m.Opponent != "Alice" || m.Result != 1 || m.Score != [2]int{5, 0} || len(m.Rows) != 3 || m.Plies != 0 ||
		m.RatingAfter != [2]Figure{1610.25, 1490.5} || m.Preset != "expert" || !m.Started.Equal(time.Date(2026, 5, 2, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("show: %+v", m)
	}
	if same, err := d.Show(t.Context(), m.ID[:8]); err != nil || same.ID != m.ID {
		t.Errorf("by identity: %v", err)
	}
	if _, err := d.Show(t.Context(), "nothing"); !errors.Is(err, ErrNotFound) {
		t.Errorf("missing: %v", err)
	}
	if _, err := d.Show(t.Context(), "match"); !errors.Is(err, ErrNotFound) {
		t.Errorf("ambiguous: %v", err)
	}
	st, err := d.Stats(t.Context(), Filter{}, "opponent")
	if err != nil || len(st) != 1 {
		t.Fatalf("stats: %v %v", st, err)
	}
	s := st[0]
	if e := s.Get("error_per_decision"); s.Key != "Alice" || s.Get("matches") != 4 || s.Get("won") != 2 || s.Get("lost") != 2 || s.Get("analysed") != 4 || e < 20 || e > 60 {
		t.Errorf("stats: %+v", s)
	}
	if st, err := d.Stats(t.Context(), Filter{}, "length"); err != nil || len(st) != 4 {
		t.Errorf("by length: %v %v", st, err)
	}
	if _, err := d.Stats(t.Context(), Filter{}, "shoe size"); !errors.Is(err, ErrFilter) {
		t.Errorf("by nonsense: %v", err)
	}
	pair, err := d.Compare(t.Context(), Filter{}, "bob", "ALI*")
	if err != nil || len(pair) != 3 || pair[0].Get("won") != pair[1].Get("lost") || pair[0].Get("pr") != pair[1].Get("opponent_pr") || pair[2].Get("matches") != 4 {
		t.Errorf("compared: %+v, %v", pair, err)
	}
	dice, err := d.DiceCount(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for p := range dice.Dice {
		for _, k := range dice.Dice[p] {
			n += k
		}
	}
	if n < 600 || dice.Matches != 4 || dice.Games < 4 {
		t.Errorf("%d rolls counted in %d games of %d matches", n, dice.Games, dice.Matches)
	}
	importTwice(t, d)
}

func importTwice(t *testing.T, d *DB) {
	t.Helper()
	m := load(t, "setscore.sgf")
	for i, want := range []Outcome{WasAdded, WasKnown} {
		m.Date = fmt.Sprintf("2024-01-0%d", i+1) // dates do not make another match
		got, err := d.Import(t.Context(), m, Meta{})
		if err != nil || got != want {
			t.Fatalf("import %d: %v, %v", i+1, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(d.dir, ImportDir, Identity(m)+".sgf")); err != nil {
		t.Error(err)
	}
	if r, err := d.Rebuild(t.Context(), nil); err != nil || r.Added != 5 {
		t.Errorf("rebuild after import: %+v, %v", r, err)
	}
}

func TestIndex_SQLite(t *testing.T) {
	testsize.Medium(t)
	exercise(t, func(dir string) *DB { return open(t, dir, "") })
}

func TestIndex_memory(t *testing.T) { exercise(t, OpenMemory) }

// Files have only the day; matches of one day are sorted by their ends.
func TestList_newestFirstWithinADay(t *testing.T) {
	dir := archive(t)
	for i, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf", "session5.sgf"} {
		meta := Meta{Account: "Bob", Started: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Finished: time.Date(2026, 5, 1, 20-i, 0, 0, 0, time.UTC)}
		if err := WriteMeta(filepath.Join(dir, name), meta); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, dir, "")
	if _, err := d.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"match3.sgf", "match5.sgf", "match7.sgf", "session5.sgf"}, list(t, d, Filter{})); diff != "" {
		t.Errorf("newest first (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"match3.sgf"}, list(t, d, Filter{Limit: 1})); diff != "" {
		t.Errorf("the newest (-want +got):\n%s", diff)
	}
}

func TestOpen_refusesAnIndexOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir, "")
	if _, err := database(d).db.ExecContext(t.Context(), `UPDATE format SET version = 999`); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := Open(t.Context(), dir, ""); !errors.Is(err, ErrNewer) {
		t.Errorf("got %v", err)
	}
}

func TestOpen_aDamagedFileIsAnErrorAndStays(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, FileName)
	if err := os.WriteFile(file, []byte("a diary, not a database"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir, ""); err == nil {
		t.Fatal("opened")
	}
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "a diary") {
		t.Error("the file was changed")
	}
}

func TestIdentity_doesNotDependOnTheFormat(t *testing.T) {
	a, b := load(t, "match5.sgf"), load(t, "match5.sgf")
	for i := range b.Games {
		for k := range b.Games[i].Actions {
			x := &b.Games[i].Actions[k]
			x.Analysis, x.Comment = nil, "nice"
			x.Dice.A, x.Dice.B = x.Dice.B, x.Dice.A
		}
	}
	b.Date, b.Event = "", "elsewhere"
	if Identity(a) != Identity(b) {
		t.Error("the same match has two identities")
	}
	b.Games[0].Actions[3].Dice.A = 7 - b.Games[0].Actions[3].Dice.A
	if Identity(a) == Identity(b) {
		t.Error("another roll is another match")
	}
}

// fill puts n made-up matches into an index.
func fill(tb testing.TB, d *DB, n int) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	base := Describe(load(tb, "match5.sgf"), Meta{Account: "Bob"}, "x.sgf")
	if err := d.rows.update(context.Background(), func(tx edits) error {
		for i := range n {
			m := base
			m.ID = fmt.Sprintf("%020x", rng.Uint64())
			m.File = fmt.Sprintf("%d.sgf", i)
			m.Opponent = fmt.Sprintf("player_%d", rng.IntN(3000))
			m.Started = time.Unix(1_600_000_000+int64(i)*600, 0)
			m.Result = 1 - 2*rng.IntN(2)
			if err := add(context.Background(), tx, &m); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkArchive measures lists and statistics of 100,000 matches, see docs/records/robustness.md.
func BenchmarkArchive(b *testing.B) {
	d := open(b, b.TempDir(), "")
	fill(b, d, 100_000)
	drop := func(*Match) error { return nil }
	for _, tt := range []struct {
		name string
		do   func() error
	}{
		{"list newest 100", func() error { return d.List(b.Context(), Filter{Limit: 100}, drop) }},
		{"list one opponent", func() error { return d.List(b.Context(), Filter{Opponent: "player_77"}, drop) }},
		{"stats total", func() error { _, err := d.Stats(b.Context(), Filter{}, ""); return err }},
		{"stats by opponent", func() error { _, err := d.Stats(b.Context(), Filter{}, "opponent"); return err }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				if err := tt.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Without a match there is no row, for every group.
func TestStats_ofNothing(t *testing.T) {
	d := open(t, t.TempDir(), "")
	fill(t, d, 3)
	for _, by := range append([]string{""}, Groups...) {
		some, err := d.Stats(t.Context(), Filter{}, by)
		if err != nil || len(some) == 0 || some[0].Get("matches") == 0 {
			t.Errorf("by %q: %+v, %v", by, some, err)
		}
		if none, err := d.Stats(t.Context(), Filter{Opponent: "nobody"}, by); err != nil || none == nil || len(none) != 0 {
			t.Errorf("by %q of nothing: %+v, %v", by, none, err)
		}
	}
}

// Special characters of a URI in the folder's name do no harm.
func TestOpen_anyFolder(t *testing.T) {
	for _, name := range []string{"matches [2026]", "what?now", "a#b", "100%41", "a b&c=d"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Skip(err) // Windows has no such names
			}
			open(t, dir, "")
			if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
				t.Error(err)
			}
			if list, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(list) != 1 {
				t.Errorf("beside the folder: %v, %v", list, err)
			}
		})
	}
}

// An archive that cannot be read, such as on a missing disk, does not empty an index elsewhere.
func TestRebuild_folderGone(t *testing.T) {
	dir := archive(t)
	d := open(t, dir, "")
	if _, err := d.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	want := list(t, d, Filter{})
	d.dir = filepath.Join(dir, "gone")
	if _, err := d.Rebuild(t.Context(), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("rebuilt without a folder: %v", err)
	}
	if got := list(t, d, Filter{}); len(got) != len(want) || len(got) == 0 {
		t.Errorf("%d matches, want %d", len(got), len(want))
	}
	if _, err := database(d).db.ExecContext(t.Context(), `INSERT INTO incomplete (version) VALUES (1)`); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Complete(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("complete without a folder: %v", err)
	}
	n := 0
	if err := database(d).db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM incomplete`).Scan(&n); err != nil || n != 1 {
		t.Errorf("it passes for complete: %d, %v", n, err)
	}
}

// Matches of one day are listed in the order of their times, matches of an unknown day last,
// and in a period of their own.
func TestList_daysAndUnknownDays(t *testing.T) {
	db := open(t, t.TempDir(), "")
	day := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	for i, m := range []Match{
		{ID: "a", File: "imported/a.sgf", Started: day, Clock: 60 * 60},
		{ID: "b", File: "imported/b.sgf", Started: day, Clock: 19 * 60 * 60},
		{ID: "c", File: "imported/c.sgf"},
		{ID: "d", File: "imported/d.sgf", Started: day.AddDate(0, -1, 0)},
	} {
		m.Account, m.Opponent, m.Plies = "me", "you", -1
		if err := db.Add(t.Context(), &m); err != nil {
			t.Fatal(i, err)
		}
	}
	ids := ""
	if err := db.List(t.Context(), Filter{}, func(m *Match) error {
		text, err := json.Marshal(m)
		if strings.Contains(string(text), "0001-01-01") {
			t.Errorf("%s", text)
		}
		ids += m.ID
		return err
	}); err != nil || ids != "badc" {
		t.Errorf("%q, %v", ids, err)
	}
	for by, want := range map[string]string{"day": "2024-04-06,2024-05-06,", "month": "2024-04,2024-05,", "year": "2024,"} {
		list, err := db.Stats(t.Context(), Filter{}, by)
		var keys []string
		for i := range list {
			keys = append(keys, list[i].Key)
		}
		if err != nil || strings.Join(keys, ",") != want {
			t.Errorf("by %s: %q, %v", by, keys, err)
		}
	}
	if list, err := db.Stats(t.Context(), Filter{IDs: []string{"a", "b", "nowhere"}}, ""); err != nil || list[0].Get("matches") != 2 {
		t.Errorf("two matches by their IDs: %+v, %v", list, err)
	}
}
