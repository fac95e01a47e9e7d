package train

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
)

// TestText_roundTrip: records come back as they were.
func TestText_roundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var recs []Record
	p := board.Start
	for i := range 500 {
		if plays := board.AppendPlays(nil, p, board.Rolls[i%len(board.Rolls)].Dice); len(plays) > 0 {
			p = plays[rng.IntN(len(plays))].Result.Swap()
		}
		if p.Result() != 0 {
			p = board.Start
		}
		r := Record{Key: p.Key(), Group: uint32(i / 3)}
		for k := range r.Label {
			r.Label[k] = uint16(rng.IntN(65536))
		}
		recs = append(recs, r)
	}
	var b bytes.Buffer
	if err := WriteText(&b, recs); err != nil {
		t.Fatal(err)
	}
	back, err := ReadText(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(recs, back); diff != "" {
		t.Error(diff)
	}
}

func TestReadText_refuses(t *testing.T) {
	for _, text := range []string{
		"4HPwATDgc/ABMA 0.5", "xx 0.5 0 0 0 0", "4HPwATDgc/ABMA 1.5 0 0 0 0", "4HPwATDgc/ABMA NaN 0 0 0 0",
		"4HPwATDgc/ABMA 0.5 0 0 0 0 -1", "4HPwATDgc/ABMA 0.5 0 0 0 0 1 2", "# " + strings.Repeat("x", maxTextLine),
	} {
		if _, err := ReadText(strings.NewReader("\n" + text)); !errors.Is(err, ErrBadRecord) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func FuzzReadText(f *testing.F) {
	f.Add("# x\n4HPwATDgc/ABMA 0.5 0.1 0 0.1 0 3\n")
	f.Add("4HPwATDgc/ABMA 1e-3 0 0 0 0")
	f.Fuzz(func(t *testing.T, text string) {
		recs, err := ReadText(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteText(&b, recs); err != nil {
			t.Fatal(err)
		}
		if back, err := ReadText(&b); err != nil || cmp.Diff(recs, back) != "" {
			t.Errorf("%q: %v", text, err)
		}
	})
}
