package train

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/internal/reference"
)

func newGzip(w io.Writer) *gzip.Writer { return gzip.NewWriter(w) }

// The teacher's labels must be gnubg's, position and side: a label of the wrong
// side ruins a net without a sign.
func TestGnubg_labelsAsTheReferenceSays(t *testing.T) {
	shared := reference.Path(t)
	if _, err := exec.LookPath("gnubg"); err != nil {
		if _, err := os.Stat("/usr/games/gnubg"); err != nil {
			t.Skip("gnubg is not installed")
		}
	}
	if testing.Short() {
		t.Skip("starts gnubg")
	}
	f, err := os.Open(filepath.Join(shared, "reference", "eval.jsonl"))
	if err != nil {
		t.Skip("no eval.jsonl")
	}
	defer f.Close()
	var keys []board.Key
	var want []Label
	in := bufio.NewScanner(f)
	for in.Scan() && len(keys) < 200 {
		var q struct {
			ID string
			P0 [5]float32
		}
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		p, err := board.ParseID(q.ID)
		if err != nil {
			t.Fatal(err)
		}
		keys, want = append(keys, p.Key()), append(want, LabelOf(q.P0))
	}
	g, err := StartGnubg(context.Background(), "gnubg")
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	got := make([]Label, len(keys))
	if err := g.Label(keys, 0, got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		for j := range got[i] {
			if d := math.Abs(float64(got[i][j])-float64(want[i][j])) / 65535; d > 0.003 {
				t.Fatalf("position %d, output %d: %d, reference %d", i, j, got[i][j], want[i][j])
			}
		}
	}
}
