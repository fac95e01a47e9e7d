package train

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// The script comes from the program, and the error names gnubg if it is missing.
func TestStartGnubg(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	t.Run("no gnubg", func(t *testing.T) {
		t.Setenv("PATH", "")
		had := debianGnubg
		debianGnubg = filepath.Join(t.TempDir(), "gnubg")
		defer func() { debianGnubg = had }()
		_, err := StartGnubg(t.Context())
		if _, check := FindGnubg(); !errors.Is(err, ErrTeacher) || !errors.Is(err, os.ErrNotExist) || check == nil || !strings.HasPrefix(check.Error(), "gnubg is not installed") {
			t.Errorf("%v, %v", err, check)
		}
	})
	if _, err := FindGnubg(); err != nil {
		t.Skip("gnubg is not installed")
	}
	testsize.Large(t)
	g, err := StartGnubg(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out [1]Label
	if err := g.Label(t.Context(), []board.Key{board.Start.Key()}, 0, out[:]); err != nil || out[0][0] < 30000 {
		t.Errorf("%v, %v", out, err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d files left, %v", len(left), err)
	}
}

func newGzip(w io.Writer) *gzip.Writer { return gzip.NewWriter(w) }

// The teacher's labels must be gnubg's, position and side: labels of the wrong side silently ruin a net.
func TestGnubg_labelsAsTheReferenceSays(t *testing.T) {
	shared := reference.Path(t)
	if _, err := FindGnubg(); err != nil {
		t.Skip("gnubg is not installed")
	}
	testsize.Large(t)
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
	g, err := StartGnubg(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	got := make([]Label, len(keys))
	if err := g.Label(t.Context(), keys, 0, got); err != nil {
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

// Cube decisions of money play and of matches equal those that gnubg gave to other questions: score,
// owner and side are passed on correctly.
func TestGnubg_cubesAsTheReferenceSays(t *testing.T) {
	shared := reference.Path(t)
	if _, err := FindGnubg(); err != nil {
		t.Skip("gnubg is not installed")
	}
	testsize.Large(t)
	f, err := os.Open(filepath.Join(shared, "reference", "cube.jsonl"))
	if err != nil {
		t.Skip("no cube.jsonl")
	}
	defer f.Close()
	g, err := StartGnubg(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var asked [3]int // money, matches, money with the Jacoby rule
	in := bufio.NewScanner(f)
	for in.Scan() {
		var q struct {
			ID                                         string
			Ml, Crawford, Cube, Owner, Jacoby, Beavers int
			Score                                      [2]int
			P0                                         struct{ Nd, Dt, Dp float64 }
		}
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		kind := 2 * q.Jacoby
		st := match.Money(q.Jacoby == 1, 0)
		if q.Ml > 0 {
			kind, st.Length, st.Score, st.Jacoby = 1, q.Ml, q.Score, false
		}
		st.Cube = q.Cube
		switch q.Owner {
		case 0:
			st.Owner = match.Mine
		case 1:
			continue // the opponent's
		}
		if q.Crawford == 1 || q.Beavers > 0 || asked[kind] == 40 {
			continue
		}
		p, err := board.ParseID(q.ID)
		if err != nil {
			t.Fatal(err)
		}
		asked[kind]++
		got, err := g.Cube(CubeQuestion{Key: p.Key(), State: st}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range [3]float64{q.P0.Nd, q.P0.Dt, q.P0.Dp} {
			// gnubg's sigmoid divides by the processor's approximate reciprocal: processors differ by 0.001 of
			// chances, 0.003 of equity.
			if math.Abs(float64(got[i])-want) > 0.01 {
				t.Fatalf("%s, %+v: equities %v, reference %+v", q.ID, st, got, q.P0)
			}
		}
	}
	if asked[0] < 5 || asked[1] < 20 || asked[2] < 5 {
		t.Errorf("only %v questions in the reference", asked)
	}
	theirs := match.Money(false, 0)
	theirs.Owner = match.Theirs
	if _, err := g.Cube(CubeQuestion{State: theirs}, 0); err == nil {
		t.Error("a question about the opponent's cube is not refused")
	}
}
