package clip

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// startBoard is the first example of the protocol reference: our first move,
// we are O, dice 6 2.
func startBoard() Board {
	return Board{
		Player: "You", Opponent: "bob", Length: 3,
		Points: [26]int8{1: -2, 6: 5, 8: 3, 12: -5, 13: 5, 17: -3, 19: -5, 24: 2},
		Turn:   1, PlayerDice: Dice{6, 2}, Cube: 1, PlayerMayDouble: true, OpponentMayDouble: true,
		Colour: 1, Direction: -1, Bar: 25, CanMove: 2,
	}
}

const startLine = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"

func TestParseBoard_examplesOfTheReference(t *testing.T) {
	onBar := Board{
		Player: "alice", Opponent: "bob", Length: 5,
		Points: [26]int8{0: -1, 1: -1, 5: 1, 6: 4, 8: 3, 12: -4, 13: 5, 17: -3, 18: -1, 19: -5, 21: 1, 24: 1},
		Turn:   -1, PlayerDice: Dice{3, 2}, Cube: 1, PlayerMayDouble: true, OpponentMayDouble: true,
		Colour: -1, Direction: 1, Home: 25, PlayerBar: 1, CanMove: 2, Forced: 1,
	}
	pending := startBoard()
	pending.Length, pending.PlayerScore, pending.OpponentScore = 7, 2, 3
	pending.Points[12], pending.Points[17], pending.Points[20] = -4, -4, 0
	pending.Points[19] = -5
	pending.Points = [26]int8{1: -2, 6: 5, 8: 3, 12: -4, 13: 4, 17: -4, 19: -5, 20: 1, 24: 2}
	pending.PlayerDice = Dice{}
	pending.PlayerMayDouble, pending.OpponentMayDouble, pending.WasDoubled = false, false, true
	tests := []struct {
		name, line string
		want       Board
	}{
		{"first move, we are O", startLine, startBoard()},
		{"X on the bar", "board:alice:bob:5:0:0:-1:-1:0:0:0:1:4:0:3:0:0:0:-4:5:0:0:0:-3:-1:-5:0:1:0:0:1:0:-1:3:2:0:0:1:1:1:0:-1:1:25:0:0:0:1:0:2:1:0:0", onBar},
		{"double pending", "board:You:bob:7:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-4:4:0:0:0:-4:0:-5:1:0:0:0:2:0:1:0:0:0:0:1:0:0:1:1:-1:0:25:0:0:0:0:2:0:0:0", pending},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, rest, err := ParseBoard(tt.line)
			if err != nil || rest != "" {
				t.Fatalf("ParseBoard: rest %q, error %v", rest, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("board (-want +got)\n%s", diff)
			}
			if got.String() != tt.line {
				t.Errorf("encodes as\n%s\nnot\n%s", got, tt.line)
			}
		})
	}
}

func TestBoard_questions(t *testing.T) {
	b := startBoard()
	if !b.Own() || b.PlayerTurn() != 1 || b.DoublePending() {
		t.Errorf("first move: own %v, turn %d, double pending %v", b.Own(), b.PlayerTurn(), b.DoublePending())
	}
	b.Player, b.Colour = "alice", -1
	if b.Own() || b.PlayerTurn() != -1 {
		t.Errorf("watched X while O is on roll: own %v, turn %d", b.Own(), b.PlayerTurn())
	}
	b.PlayerMayDouble, b.OpponentMayDouble = false, false
	if !b.DoublePending() {
		t.Error("no player may double, yet no double is pending")
	}
}

func TestParseBoard_glued(t *testing.T) {
	tests := []struct{ name, tail, rest string }{
		{"who line", "5 carol - - 0 0 1439.79 1262 410 1041251697 h - -", "5 carol - - 0 0 1439.79 1262 410 1041251697 h - -"},
		{"shout", "13 bob hello: hello", "13 bob hello: hello"},
		{"end of who block", "6", "6"},
		{"sentence", "bob wants to play a 5 point match with you.", "bob wants to play a 5 point match with you."},
		{"blanks only", "   ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, rest, err := ParseBoard(startLine + tt.tail)
			if err != nil || rest != tt.rest || b != startBoard() {
				t.Errorf("rest %q, error %v, board %v", rest, err, b)
			}
		})
	}
}

func TestParseBoard_damaged(t *testing.T) {
	field := func(i int, v string) string {
		f := strings.Split(startLine, ":")
		f[i] = v
		return strings.Join(f, ":")
	}
	tests := []struct{ name, line, problem string }{
		{"no board", "bob rolls 3 and 1.", "does not start"},
		{"cut in the middle", startLine[:60], "fields instead of 53"},
		{"forty checkers", field(12, "30"), "point 6 is 30"},
		{"sixteen checkers", field(12, "6"), "16 checkers for You"},
		{"opponent with fourteen", field(7, "-1"), "14 for bob"},
		{"turn of neither player", field(32, "2"), "turn is 2"},
		{"seven on a die", field(33, "7"), "player's dice is 7"},
		{"one die", field(34, "0"), "dice 6 0"},
		{"no colour", field(41, "0"), "colour is 0"},
		{"no direction", field(42, "0"), "direction is 0"},
		{"cube of three", field(37, "3"), "cube is 3"},
		{"name with a blank", field(2, "bo b"), "names"},
		{"name with a colon", field(2, "bo:b"), "match length"},
		{"no name", field(1, ""), "names"},
		{"word for a number", field(20, "x"), "point 14"},
		{"a score above 31 bits", field(4, "2147483648"), "player's score"},
		{"number without end", field(4, "99999999999999999999"), "player's score"},
		{"last field missing", strings.TrimSuffix(startLine, "0"), "redoubles"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, _, err := ParseBoard(tt.line)
			if !errors.Is(err, ErrBoard) || !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("error %v, want one about %q", err, tt.problem)
			}
			if b != (Board{}) {
				t.Errorf("half a board: %v", b)
			}
			if !strings.HasPrefix(tt.line, "board:") {
				return
			}
			if got := RunningParser().Parse(tt.line); len(got) != 1 || got[0].Kind != BadBoard || got[0].Text == "" {
				t.Errorf("event %+v", got)
			}
		})
	}
}

// drawBoard draws a board that a server could send.
func drawBoard(t *rapid.T) Board {
	b := Board{
		Player:        rapid.StringMatching(`You|[a-z][A-Za-z_]{2,19}`).Draw(t, "player"),
		Opponent:      rapid.StringMatching(`[a-z][A-Za-z_]{2,19}`).Draw(t, "opponent"),
		Length:        rapid.SampledFrom([]int{1, 5, 99, Unlimited}).Draw(t, "length"),
		PlayerScore:   rapid.IntRange(0, 120).Draw(t, "score"),
		OpponentScore: rapid.IntRange(0, 120).Draw(t, "other score"),
		Turn:          int8(rapid.IntRange(-1, 1).Draw(t, "turn")),
		Cube:          1 << rapid.IntRange(0, 12).Draw(t, "cube"),
		Colour:        1, Direction: -1, Home: 0, Bar: 25,
		PlayerMayDouble:   rapid.Bool().Draw(t, "may"),
		OpponentMayDouble: rapid.Bool().Draw(t, "other may"),
		WasDoubled:        rapid.Bool().Draw(t, "doubled"),
		CanMove:           rapid.IntRange(0, 4).Draw(t, "can move"),
		Forced:            rapid.IntRange(0, 6).Draw(t, "forced"),
		AfterCrawford:     rapid.IntRange(0, 1).Draw(t, "crawford"),
		Redoubles:         rapid.IntRange(0, 99).Draw(t, "redoubles"),
	}
	if rapid.Bool().Draw(t, "X") {
		b.Colour, b.Direction, b.Home, b.Bar = -1, 1, 25, 0
	}
	if rapid.Bool().Draw(t, "rolled") {
		die := rapid.IntRange(1, 6)
		b.PlayerDice = Dice{uint8(die.Draw(t, "die")), uint8(die.Draw(t, "die"))}
	}
	place := func(colour int8, home, bar *uint8) {
		for range Checkers {
			switch p := rapid.IntRange(0, 25).Draw(t, "point"); {
			case p == 0:
				*home++
			case p == 25:
				*bar++
			case b.Points[p]*colour >= 0:
				b.Points[p] += colour
			default:
				*home++
			}
		}
	}
	place(b.Colour, &b.PlayerHome, &b.PlayerBar)
	place(-b.Colour, &b.OpponentHome, &b.OpponentBar)
	x, o := b.OpponentBar, b.PlayerBar
	if b.Colour < 0 {
		x, o = o, x
	}
	b.Points[0], b.Points[25] = -int8(x), int8(o)
	return b
}

func TestBoard_encodingIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoard(t)
		got, rest, err := ParseBoard(b.String())
		if err != nil || rest != "" || got != b {
			t.Fatalf("read back as %v, rest %q, error %v", got, rest, err)
		}
		tail := rapid.SampledFrom([]string{"5 carol", "13 bob hello", "bob doubles.", "6"}).Draw(t, "tail")
		got, rest, err = ParseBoardRedoubles(b.String()+tail, b.Redoubles)
		if err != nil || rest != tail || got != b {
			t.Fatalf("glued to %q read back as %v, rest %q, error %v", tail, got, rest, err)
		}
	})
}

func FuzzParseBoard(f *testing.F) {
	f.Add(startLine, -1)
	f.Add(startLine+"13 bob hello", 0)
	f.Add(strings.Replace(startLine, ":5:", ":-5:", 1), 1)
	f.Add("board:"+strings.Repeat("1:", 60), 3)
	f.Fuzz(func(t *testing.T, line string, known int) {
		b, rest, err := ParseBoardRedoubles(line, known)
		if err != nil {
			if !errors.Is(err, ErrBoard) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if !strings.HasSuffix(strings.TrimRight(line, " "), rest) {
			t.Fatalf("rest %q of %q", rest, line)
		}
		again, _, err := ParseBoardRedoubles(b.String(), b.Redoubles)
		if err != nil || again != b {
			t.Fatalf("%v read back as %v, %v", b, again, err)
		}
	})
}

func BenchmarkParseBoard(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := ParseBoard(startLine); err != nil {
			b.Fatal(err)
		}
	}
}
