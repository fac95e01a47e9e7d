package sgf

import (
	"strings"
	"testing"

	"fibsbot/engine/record"

	"github.com/google/go-cmp/cmp"
)

// A result by resignation, on time or by forfeit has its word in full or as one letter.
func TestRead_resultWords(t *testing.T) {
	for _, word := range []string{"R", "Resign", "T", "Time", "F", "Forfeit"} {
		m, ws := read(t, "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]RE[W+2"+word+"]\n;B[31qtst]\n;W[21xwmk])")
		if diff := cmp.Diff(record.Result{Winner: 0, Points: 2, Resigned: true}, m.Games[0].Result); diff != "" || len(ws) > 0 {
			t.Errorf("W+2%s: %v\n%s", word, ws, diff)
		}
		if got := write(t, m); !strings.Contains(got, "RE[W+2R]") {
			t.Errorf("W+2%s is written as %s", word, got)
		}
	}
	for _, v := range []string{"W+", "W+Time", "W+2Lost", "W+2RR", "2R"} {
		if m, ws := read(t, "(;GM[6]RE["+v+"];W[31hefe])"); m.Games[0].Result.Finished() || len(ws) == 0 {
			t.Errorf("%s: %+v %v", v, m.Games[0].Result, ws)
		}
	}
}
