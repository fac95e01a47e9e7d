package eval

import (
	"encoding/json"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/internal/reference"
)

type row struct {
	ID  string     `json:"id"`
	Cls string     `json:"cls"`
	P0  [5]float32 `json:"p0"`
	P2  [5]float32 `json:"p2"`
}

// references reads gnubg's evaluations of 2,985 positions.
func references(t *testing.T) []row {
	t.Helper()
	s := reference.Lines(t, "reference/eval.jsonl")
	var all []row
	for s.Scan() {
		var r row
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
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
