package eval

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/board"
)

// sharedDir is the folder of reference data beside the repository, or "" where
// there is none.
func sharedDir() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			s := filepath.Join(filepath.Dir(dir), "shared")
			if _, e := os.Stat(s); e == nil {
				return s
			}
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

type reference struct {
	ID  string     `json:"id"`
	Cls string     `json:"cls"`
	P0  [5]float32 `json:"p0"`
	P2  [5]float32 `json:"p2"`
}

// references reads gnubg's evaluations of 2,985 positions.
func references(t *testing.T) []reference {
	t.Helper()
	dir := sharedDir()
	if dir == "" {
		t.Skip("no shared folder beside the repository")
	}
	f, err := os.Open(filepath.Join(dir, "reference", "eval.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	var all []reference
	for s := bufio.NewScanner(f); s.Scan(); {
		var r reference
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestClassOf_agreesWithGnubg(t *testing.T) {
	for _, r := range references(t) {
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got := ClassOf(&p).String(); got != r.Cls {
			t.Errorf("%s: %s, gnubg says %s", r.ID, got, r.Cls)
		}
	}
}
