package review_test

import (
	"os"
	"path/filepath"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
)

// A match in a folder as .mat and as gnubg's texts, a file per game from the other side, is
// one match with analysis, in either order.
func TestImport_piecesOfAMatch(t *testing.T) {
	const folder = "testdata/pieces"
	for _, files := range [][]string{
		{""},
		{"raw.txt", "an.txt"},
		{"an_003.txt", "an.txt", "an_002.txt", "raw.txt"},
	} {
		db, err := index.Open(t.Context(), t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		im := review.Importer{Filing: owner.Filing{DB: db, Account: owner.Names{"alpha"}}, Read: func(path string) ([]*record.Match, error) {
			f, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			all, _, _, err := detect.Read(f)
			return all, err
		}}
		for _, name := range files {
			if err := im.Walk(t.Context(), filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
		}
		if len(im.Bad) > 0 {
			t.Fatalf("%v: %v", files, im.Bad)
		}
		var list []*index.Match
		err = db.List(t.Context(), index.Filter{}, func(m *index.Match) error { list = append(list, m); return nil })
		if err != nil || len(list) != 1 {
			t.Fatalf("%v: %d matches, %v", files, len(list), err)
		}
		m := list[0]
		if m.Score != [2]int{0, 5} || m.Plies != 2 || m.Started.Format("2006-01-02") != "2024-08-04" {
			t.Errorf("%v: %v at %v plies, %v", files, m.Score, m.Plies, m.Started)
		}
	}
}
