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

// The play that ended a game outweighs the result that the file states; what contradicts
// each other stays in the file.
func TestRead_resultAgainstThePlay(t *testing.T) {
	m, ws := read(t, "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RE[W+1]\n;B[31qtst];W[double];B[drop])(;GM[6]MI[length:3][game:1][ws:1][bs:0]PW[a]PB[b]\n;B[31qtst])")
	if m.Games[0].Disputed != "" || len(ws) > 0 {
		t.Fatal(ws, m.Games[0])
	}
	m, ws = read(t, "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RE[B+1]\n;B[31qtst];W[double];B[drop])")
	const told = "game 1: by the result b wins, by the last play a: read as won by a"
	if r := m.Games[0].Result; r != (record.Result{Winner: 0, Points: 1}) || m.Games[0].Disputed != told || len(ws) != 1 {
		t.Fatal(r, m.Games[0].Disputed, ws)
	}
	if again, ws := read(t, write(t, m)); again.Games[0].Disputed != told || len(ws) > 0 {
		t.Error(ws, again.Games[0].Disputed)
	}
	// Without any result the score of the next game has it.
	m, _ = read(t, "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]\n;B[31qtst])(;GM[6]MI[length:3][game:1][ws:2][bs:0]PW[a]PB[b]\n;B[31qtst])")
	if r := m.Games[0].Result; r != (record.Result{Winner: 0, Points: 2, Resigned: true}) {
		t.Error(r)
	}
}

// gnubg writes R for each end without a last play or a drop, also for that of a .mat it read, which
// may have been one on time: only other programs name a resignation by it.
func TestRead_resultOfGNUBG(t *testing.T) {
	const plays = "]\n;B[31qtst]\n;W[21xwmk])"
	for _, test := range []struct {
		app, result string
		unknown     bool
	}{
		{"GNU Backgammon:1.07.001", "W+1R", true},
		{"GNU Backgammon", "B+2R", true},
		{Application, "W+1R", false},
		{"mybot:1", "W+1R", false},
		{"mybot:1", "W+1T", true},
	} {
		m, ws := read(t, "(;FF[4]GM[6]AP["+test.app+"]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]RE["+test.result+plays)
		for range 2 {
			g := &m.Games[0]
			if !g.Result.Resigned || g.EndUnknown != test.unknown || g.GivenUp() == test.unknown || len(ws) > 0 {
				t.Errorf("%s %s: %+v, end unknown %t %v", test.app, test.result, g.Result, g.EndUnknown, ws)
			}
			m, ws = read(t, write(t, m)) // a file of ours keeps it
		}
	}
	for _, result := range []string{"W+1R", "B+1R", "W+1T"} { // the record shows a drop
		m, _ := read(t, "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RE["+result+"]\n;B[31qtst];W[double];B[drop])")
		if g := m.Games[0]; g.Result != (record.Result{Winner: 0, Points: 1}) || g.EndUnknown {
			t.Errorf("a drop with %s: %+v, end unknown %t", result, g.Result, g.EndUnknown)
		}
	}
}
