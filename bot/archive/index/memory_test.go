package index

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Both kinds of rows answer alike: random rows, filters and groups.
func TestMemory_answersAsSQLite(t *testing.T) {
	testsize.Large(t)
	mem, lite := OpenMemory(t.TempDir()), open(t, t.TempDir(), "")
	rng := rand.New(rand.NewPCG(7, 11))
	base := Describe(load(t, "match5.sgf"), Meta{Account: "Bob"}, "x.sgf")
	names := []string{"Bob", "alice", "Al_ice", "al%", "Zoe", `back\slash`}
	for i := range 300 {
		m := base
		m.ID = fmt.Sprintf("%020x", rng.IntN(200))
		m.File = fmt.Sprintf("imported/%d.sgf", i)
		if rng.IntN(4) == 0 {
			m.File = fmt.Sprintf("2026-01-02_0304%02d_Bob-x_%d.sgf", i%60, i)
			m.ID = rowID(sameOf(m.ID), m.File)
		}
		m.Account, m.Opponent = names[rng.IntN(len(names))], names[rng.IntN(len(names))]
		m.Me = rng.IntN(2)
		m.Length = []int{0, 1, 5, 7}[rng.IntN(4)]
		m.Preset = []string{"", "expert", "worldclass"}[rng.IntN(3)]
		m.Server = []string{"", "fibs.com:4321"}[rng.IntN(2)]
		m.Tags = [][]string{nil, {"club"}, {"club", "Final"}}[rng.IntN(3)]
		m.Result, m.Shallow = rng.IntN(3)-1, [2]bool{rng.IntN(2) == 0, rng.IntN(3) == 0}
		m.Rating = [2]Figure{Figure(1500 + rng.IntN(300)), unknown}
		if m.Started = time.Unix(1_600_000_000+int64(rng.IntN(40))*1_000_000, int64(rng.IntN(1000))); rng.IntN(10) == 0 {
			m.Started = time.Time{}
			m.Event = "Club Night"
		}
		if rng.IntN(3) == 0 {
			m.Plies, m.Error, m.Luck, m.Adjusted = unknown, [2]Figure{unknown, unknown}, [2]Figure{unknown, unknown}, unknown
		}
		for _, d := range []*DB{mem, lite} {
			if err := d.Add(t.Context(), &m); err != nil {
				t.Fatal(err)
			}
		}
	}
	// SQLite keeps six digits of the splits.
	alike := cmp.Options{cmpopts.EquateApprox(1e-5, 1e-5), cmpopts.EquateEmpty(),
		cmp.Comparer(func(a, b Figure) bool {
			return a.Equal(b) || math.Abs(float64(a-b)) <= 1e-5*math.Max(1, math.Abs(float64(a)))
		})}
	same := func(what string, ask func(*DB) (any, error)) {
		t.Helper()
		a, errA := ask(mem)
		b, errB := ask(lite)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%s: memory %v, SQLite %v", what, errA, errB)
		}
		if diff := cmp.Diff(b, a, alike); diff != "" {
			t.Fatalf("%s (-SQLite +memory):\n%s", what, diff)
		}
	}
	filters := []Filter{{}, {Account: "b*"}, {Opponent: "AL_*"}, {Opponent: "al%"}, {Opponent: "*l*i*e"}, {Opponent: `back\*`}, {Accounts: []string{"Bob", "Zoe"}}, {Preset: "expert"}, {Event: "Club*"}, {Text: "nIgHt"},
		{Tag: "CLUB"}, {Tag: "final"}, {Tag: "fin"}, {Text: "LIC"}, {Text: "fin"}, {Text: "b*b"}, {Text: "50%"}, {Server: "FIBS.com:4321"}, {Length: 7}, {Unlimited: true}, {Result: "won"}, {Result: "lost"}, {Result: "unfinished"}, {Limit: 7},
		{From: time.Unix(1_610_000_000, 0), To: time.Unix(1_620_000_000, 0)}, {Account: "bob", Opponent: "alice", Limit: 3}, {Opponent: "nobody"}, {Result: "drawn"}}
	for _, f := range filters {
		what := fmt.Sprintf("%+v", f)
		same("list "+what, func(d *DB) (any, error) {
			out := []Match{}
			err := d.List(t.Context(), f, func(m *Match) error { out = append(out, *m); return nil })
			return out, err
		})
		same("dice "+what, func(d *DB) (any, error) { return d.DiceCount(t.Context(), f) })
		for _, by := range append([]string{"", "shoe size"}, Groups...) {
			same("stats by "+by+" of "+what, func(d *DB) (any, error) { return d.Stats(t.Context(), f, by) })
		}
		same("compare "+what, func(d *DB) (any, error) { return d.Compare(t.Context(), f, "bob", "al*") })
		same("player "+what, func(d *DB) (any, error) { return d.Compare(t.Context(), f, "nobody") })
	}
	same("accounts", func(d *DB) (any, error) { return d.Accounts(t.Context()) })
	same("names", func(d *DB) (any, error) { return d.Names(t.Context()) })
	for i := range 200 {
		for _, id := range []string{fmt.Sprintf("%020x", i), fmt.Sprintf("%019x", i/16), fmt.Sprintf("/%d.sgf", i), fmt.Sprintf("_%d.SGF", i), "%", "nothing"} {
			same("show "+id, func(d *DB) (any, error) { return d.Show(t.Context(), id) })
		}
	}
}

// A failed update changes nothing, and a caller cannot change a row by what it was given.
func TestMemory_keepsItsRows(t *testing.T) {
	d := OpenMemory(archive(t))
	if list, err := d.Stats(t.Context(), Filter{}, ""); err != nil || len(list) != 0 {
		t.Fatalf("before the files were read: %+v, %v", list, err)
	}
	if r, err := d.Complete(t.Context()); err != nil || r == nil || r.Added != 4 {
		t.Fatalf("complete: %+v, %v", r, err)
	}
	if r, err := d.Complete(t.Context()); err != nil || r != nil {
		t.Errorf("complete again: %+v, %v", r, err)
	}
	want := list(t, d, Filter{})
	whole := d.dir
	d.dir = filepath.Join(whole, "gone")
	if _, err := d.Rebuild(t.Context(), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("rebuilt without a folder: %v", err)
	}
	d.dir = whole
	m, err := d.Show(t.Context(), "match5.sgf")
	if err != nil || len(m.Splits) == 0 || len(m.Rows) == 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	m.Splits[0].Name, m.Rows[0].Points, m.Account = "changed", 99, "changed"
	again, err := d.Show(t.Context(), "match5.sgf")
	if err != nil || again.Splits[0].Name == "changed" || again.Rows[0].Points == 99 || again.Account == "changed" {
		t.Errorf("the row changed: %+v, %v", again, err)
	}
	if got := list(t, d, Filter{}); !cmp.Equal(got, want) {
		t.Errorf("matches: %v, want %v", got, want)
	}
	if err := d.Delete(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	if got := list(t, d, Filter{}); len(got) != len(want)-1 {
		t.Errorf("%d matches after one was deleted, want %d", len(got), len(want)-1)
	}
}
