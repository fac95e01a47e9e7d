package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// Files that prove the order of day and month decide for the others of the archive, whether they
// come before, after or in the same set; what nothing proves stays unknown.
func TestImport_datesByTheArchive(t *testing.T) {
	testsize.Medium(t)
	text, err := os.ReadFile("testdata/pieces/raw.txt")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, day string) string {
		path := filepath.Join(t.TempDir(), name) // a folder of its own
		lines := strings.Replace(string(text), "2024.08.04", day, 1)
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(lines, "alpha", "alpha"+name[:1])), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	vague, proof, other := write("a.mat", "04/08/2024"), write("b.mat", "13/07/2024"), write("c.mat", "07/14/2024")
	for _, c := range []struct {
		sets [][]string
		day  string
	}{
		{[][]string{{vague}}, "0001-01-01"}, {[][]string{{vague}, {proof}}, "2024-08-04"}, {[][]string{{proof}, {vague}}, "2024-08-04"},
		{[][]string{{other}, {vague, proof}}, "2024-08-04"}, {[][]string{{other}, {vague}}, "2024-04-08"}, {[][]string{{other}, {proof}, {vague}}, "0001-01-01"},
	} {
		db := newArchive(t)
		for _, files := range c.sets {
			set(t, db, files...)
		}
		rows, _ := archived(t, db)
		for _, row := range rows {
			if (row.Account == "alphaa" || row.Opponent == "alphaa") && row.Started.Format("2006-01-02") != c.day {
				t.Errorf("%v: %v, want %s", c.sets, row.Started, c.day)
			}
		}
	}
}
