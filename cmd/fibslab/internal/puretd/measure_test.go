package puretd

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/engine"
	"fibsbot/internal/testsize"
)

// TestMeasure_besideOurs: nets of random weights lose far more than the program's own nets, by plays
// and by the cube, and the difference is that of both losses.
func TestMeasure_besideOurs(t *testing.T) {
	testsize.Medium(t)
	own, err := engine.Open(engine.Options{CacheMB: 1, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	all, err := reference.Load("")
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`[-+]?\d+\.\d+`)
	for _, tt := range []struct {
		net     *Net
		figures int // of the first line
		ours    int // the place of the first of ours
	}{{tiny(t, chanceInputs, 5), 5, 2}, {tiny(t, equityInputs, 1), 6, 3}} {
		var out bytes.Buffer
		if err := (&Player{Net: tt.net}).Measure(t.Context(), &out, own, all, false); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(out.String(), "\n")
		var v []float64
		for _, s := range number.FindAllString(first, -1) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		if !strings.HasPrefix(first, "all ") || len(v) != tt.figures || v[tt.ours] <= 0 || v[0] < 5*v[tt.ours] {
			t.Fatalf("%q", first)
		}
		if d := v[0] - v[tt.ours] - v[3]; tt.figures == 5 && (d > 0.02 || d < -0.02) {
			t.Errorf("%q: the difference is another one", first)
		}
	}
}
