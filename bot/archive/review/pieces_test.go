package review_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

func newArchive(t *testing.T) *index.DB {
	t.Helper()
	db, err := index.Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	db.Log().NoSync = true
	t.Cleanup(func() { db.Close() })
	return db
}

func importer(db *index.DB) *review.Importer {
	return &review.Importer{Filing: owner.Filing{DB: db, Account: owner.Names{"alpha"}}, Read: func(path string) ([]*record.Match, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		all, _, _, err := detect.ReadFile(path, f)
		return all, err
	}}
}

// set imports files as one set.
func set(t *testing.T, db *index.DB, files ...string) *review.Importer {
	t.Helper()
	im := importer(db)
	if err := im.Import(t.Context(), files...); err != nil || len(im.Bad) > 0 {
		t.Fatal(err, im.Bad)
	}
	return im
}

// archived are the matches of an archive with what files of any format hold.
func archived(t *testing.T, db *index.DB) (rows []*index.Match, facts []string) {
	t.Helper()
	if err := db.List(t.Context(), index.Filter{}, func(m *index.Match) error { rows = append(rows, m); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		m, _, err := sgf.ReadFile(filepath.Join(db.Dir(), row.File))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.EqualFold(m.Players[0].Name, row.Account) {
			m = m.Swapped()
		}
		var b strings.Builder
		fmt.Fprintln(&b, m.Players[0].Name, m.Players[1].Name, m.Length, m.Date, row.Result, row.Score, row.Games, row.Moves)
		for i := range m.Games {
			g := &m.Games[i]
			fmt.Fprintln(&b, g.Number, g.Score, g.Result.Winner, g.Result.Points)
			for turn := range m.Turns(g) {
				fmt.Fprintln(&b, turn.Player, turn.Action.Kind, turn.Action.Dice.Sorted(), turn.Play.Result.ID())
			}
		}
		facts = append(facts, b.String())
	}
	slices.Sort(facts)
	return rows, facts
}

// A match in a folder as .mat and as gnubg's texts, a file per game from the other side, is
// one match with analysis, in either order.
func TestImport_piecesOfAMatch(t *testing.T) {
	testsize.Medium(t)
	const folder = "testdata/pieces"
	for _, files := range [][]string{
		{""},
		{"raw.txt", "an.txt", "an_002.txt", "an_003.txt"},
		{"an_003.txt", "an.txt", "an_002.txt", "raw.txt"},
	} {
		db := newArchive(t)
		for i := range files {
			files[i] = filepath.Join(folder, files[i])
		}
		set(t, db, files...)
		list, _ := archived(t, db)
		if len(list) != 1 {
			t.Fatalf("%v: %d matches", files, len(list))
		}
		m := list[0]
		if m.Score != [2]int{0, 5} || m.Plies != 2 || m.Started.Format("2006-01-02") != "2024-08-04" {
			t.Errorf("%v: %v at %v plies, %v", files, m.Score, m.Plies, m.Started)
		}
	}
}

// The same matches give the same archive, whole, one file a game, in pieces cut at ten places,
// in two formats, in any order and in one set or in many.
func TestImport_anyPiecesAnyOrder(t *testing.T) {
	testsize.Large(t)
	read := func(name string) *record.Match {
		all, err := importer(nil).Read(filepath.Join("testdata/pieces", name))
		if err != nil {
			t.Fatal(err)
		}
		return all[0]
	}
	first, second := read("raw.txt"), read("raw.txt").Swapped()
	first.Date, second.Date = "2024-08-04", "2024-08-05"
	second.Players = [2]record.Player{{Name: "alpha"}, {Name: "rivalab"}} // other rolls for alpha
	dir := t.TempDir()
	write := func(name string, m *record.Match, as func(*os.File, *record.Match) error) string {
		t.Helper()
		f, err := os.Create(filepath.Join(dir, name))
		if err == nil {
			err = as(f, m)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return f.Name()
	}
	asMat := func(f *os.File, m *record.Match) error { return mat.WriteXG(f, m) }
	asSGF := func(f *os.File, m *record.Match) error { return sgf.Write(f, m) }
	var whole, games, pieces []string
	for k, m := range []*record.Match{first, second} {
		whole = append(whole, write(fmt.Sprintf("whole%d.mat", k), m, asMat))
		for i := range m.Games {
			one := *m
			one.Games = m.Games[i : i+1]
			games = append(games, write(fmt.Sprintf("games%d-%d.sgf", k, i+1), &one, asSGF))
		}
		text, err := os.ReadFile(whole[k])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		for i := range 10 { // each one longer than the last, as of a file that is still written
			name := filepath.Join(dir, fmt.Sprintf("cut%d-%d.mat", k, i))
			end := len(lines) * (i + 2) / 11
			if err := os.WriteFile(name, []byte(strings.Join(lines[:max(end, 28)], "")), 0o600); err != nil {
				t.Fatal(err)
			}
			pieces = append(pieces, name)
		}
	}
	db := newArchive(t)
	set(t, db, whole...)
	_, want := archived(t, db)
	if len(want) != 2 {
		t.Fatalf("%d matches, want 2", len(want))
	}
	r := rand.New(rand.NewPCG(5, 7))
	for name, files := range map[string][]string{"games": games, "pieces": pieces, "all": slices.Concat(whole, games, pieces), "whole and games": slices.Concat(whole, games)} {
		for _, one := range []bool{true, false} {
			if !one && name == "games" {
				continue // nothing in them proves that they are one
			}
			r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			db := newArchive(t)
			if one {
				im := set(t, db, files...)
				if im.Sum.New != 2 || im.Sum.New+im.Sum.Joined+im.Sum.Merged+im.Sum.Known > len(files) {
					t.Errorf("%s: %d new, %d joined, %d completed, %d known", name, im.Sum.New, im.Sum.Joined, im.Sum.Merged, im.Sum.Known)
				}
			} else {
				for _, f := range files {
					set(t, db, f)
				}
			}
			_, got := archived(t, db)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, in one set %v: %v\n%s", name, one, files, diff)
			}
		}
	}
}

// full has no room for a position.
type full struct{}

func (full) Import(string, []*record.Match, time.Time) (string, error) {
	return "", errors.New("no room")
}

// A file whose positions no collection takes says so; none of them becomes a match.
func TestImport_positionsNotTaken(t *testing.T) {
	db := newArchive(t)
	file := filepath.Join(t.TempDir(), "one.txt")
	if err := os.WriteFile(file, []byte("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	im := importer(db)
	im.Positions = full{}
	if err := im.Import(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if rows, _ := archived(t, db); len(rows) != 0 || im.Unread != 1 || len(im.Files) != 1 || im.Files[0].Problem != "no room" {
		t.Errorf("%d matches, %d unread, %+v", len(rows), im.Unread, im.Files)
	}
}
