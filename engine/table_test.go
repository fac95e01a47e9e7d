package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

func TestLoadTable(t *testing.T) {
	for _, name := range []string{"", "kazaross-xg2", "Woolsey"} {
		if _, err := LoadTable(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := LoadTable("none.xml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "bad.xml")
	if err := os.WriteFile(bad, []byte("<met/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadTable(bad); !errors.Is(err, match.ErrTable) {
		t.Errorf("not a table file: %v", err)
	}
}

// TestTableName: a file is called by its chances too, which may change under the same path.
func TestTableName(t *testing.T) {
	mine := match.WoolseyTable()
	for name, want := range map[string]string{"": "", "kazaross-xg2": "", "Kazaross-XG2": "", "Woolsey": "woolsey", "woolsey": "woolsey", "dir/Mine.xml": "dir/Mine.xml " + mine.Sum()} {
		if got := TableName(name, mine); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
	if one, two := TableName("t.xml", mine), TableName("t.xml", match.DefaultTable()); one == two {
		t.Errorf("tables of other chances are both called %q", one)
	}
}

// TestOptions_table: the same position is worth something else by another table.
func TestOptions_table(t *testing.T) {
	st := match.State{Length: 7, Score: [2]int{2, 5}, Cube: 1}
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	var mwc []float64
	for _, name := range []string{"", "woolsey"} {
		table, err := LoadTable(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := open(t, Options{Table: table}).Evaluate(context.Background(), board.Start, st, expert)
		if err != nil {
			t.Fatal(err)
		}
		mwc = append(mwc, v.MWC)
	}
	if mwc[0] == mwc[1] {
		t.Errorf("both tables say %v", mwc[0])
	}
}
