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
		below := func(v uint16) uint16 { return uint16(rng.IntN(int(v) + 1)) }
		r.Label[0] = below(65535)
		r.Label[1], r.Label[3] = below(r.Label[0]), below(65535-r.Label[0])
		r.Label[2], r.Label[4] = below(r.Label[1]), below(r.Label[3])
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
	for text, want := range map[string]string{
		"4HPwATDgc/ABMA 0.5":                    "2 fields",
		"xx 0.5 0 0 0 0":                        "not a position ID",
		"4HPwATDgc/ABMA 1.5 0 0 0 0":            `win: "1.5" is not`,
		"4HPwATDgc/ABMA 0.5 0 x 0 0":            `win_backgammon: "x" is not`,
		"4HPwATDgc/ABMA NaN 0 0 0 0":            `win: "NaN"`,
		"4HPwATDgc/ABMA 0.5 0 0 0 0 -1":         `decision: "-1"`,
		"4HPwATDgc/ABMA 0.5 0 0 0 0 1 2":        "8 fields",
		"4HPwATDgc/ABMA 0.4 0.5 0 0.1 0":        "win_gammon: the chance exceeds win,",
		"4HPwATDgc/ABMA 0.4 0.1 0.102 0.1 0":    "win_backgammon: the chance exceeds win_gammon,",
		"4HPwATDgc/ABMA 0.4 0.1 0 0.602 0":      "lose_gammon: the chance exceeds 1 - win,",
		"4HPwATDgc/ABMA 0.4 0.1 0 0.1 0.2 17":   "lose_backgammon: the chance exceeds lose_gammon,",
		"# " + strings.Repeat("x", maxTextLine): "",
	} {
		if _, err := ReadText(strings.NewReader("\n" + text)); !errors.Is(err, ErrBadRecord) || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
	// Rounded separately to three digits: 0.6665 lost, all of it gammons.
	if _, err := ReadText(strings.NewReader("4HPwATDgc/ABMA 0.334 0.334 0 0.667 0")); err != nil {
		t.Error(err)
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
