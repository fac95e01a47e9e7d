package server

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// place builds a layout from checkers on points (O positive); what is missing
// of the fifteen is borne off.
func place(points map[int]int8) Layout {
	var l Layout
	l.OffO, l.OffX = checkersASide, checkersASide
	for p, n := range points {
		l.Points[p] = n
		if n > 0 {
			l.OffO -= n
		} else {
			l.OffX += n
		}
	}
	return l
}

func TestReadMove(t *testing.T) {
	start := startLayout()
	tests := []struct {
		name string
		at   Layout
		who  Colour
		roll [2]int
		args string
		want string // steps, or the rejection
	}{
		{"opening O", start, O, [2]int{6, 2}, "24-18 13-11", "24-18 13-11"},
		{"opening X", start, X, [2]int{3, 1}, "17-20 19-20", "17-20 19-20"},
		{"blanks for dashes", start, O, [2]int{6, 1}, "13 7 8 7", "13-7 8-7"},
		{"blanks around dashes", start, O, [2]int{6, 1}, "13 - 7 8 - 7", "13-7 8-7"},
		{"nothing", start, O, [2]int{6, 1}, "", "** You must give 2 moves."},
		{"one part", start, O, [2]int{6, 1}, "13-7", "** You must give 2 moves."},
		{"three in a row", start, O, [2]int{6, 1}, "13-7-6", "** You must give 2 moves."},
		{"too many", start, O, [2]int{6, 1}, "13-7 8-7 6-5", "** Please don't give more than 2 moves."},
		{"nonsense", start, O, [2]int{6, 1}, "foo", "** first move: legal words are 'bar', 'home', 'off', 'b', 'h' and 'o'."},
		{"backwards", start, O, [2]int{6, 1}, "8-14 8-7", "** You can't move home in your first move."},
		{"not a die", start, O, [2]int{6, 1}, "13-8 8-7", "** You can't move 5 points in your first move."},
		{"die used twice", start, O, [2]int{6, 1}, "13-7 13-7", "** You can't move 6 points in your second move."},
		{"empty point", start, O, [2]int{6, 1}, "5-4 13-7", "** You can't move from 5 in your first move."},
		{"no checker on the bar", start, O, [2]int{6, 1}, "bar-24 13-7", "** You can't move from the bar in your first move."},
		{"blocked", start, O, [2]int{5, 1}, "24-19 13-12", "** You can't move to 19 in your first move."},
		{"combined move", start, O, [2]int{6, 5}, "24-13", "** You must give 2 moves."},
		{"bar first", place(map[int]int8{25: 1, 13: 2, 1: -2}), O, [2]int{3, 4}, "13-10 bar-21", "** You have to remove pieces from the bar in your first move."},
		{"enter X", place(map[int]int8{0: -1, 12: -1, 24: 2}), X, [2]int{3, 2}, "bar-3 3-5", "bar-3 3-5"},
		{"bear off exact", place(map[int]int8{6: 2, 5: 1, 24: -1}), O, [2]int{6, 5}, "6-off 5-off", "6-off 5-off"},
		{"bear off from a lower point", place(map[int]int8{4: 2, 24: -1}), O, [2]int{6, 5}, "4-o 4-h", "4-off 4-off"},
		{"not with a checker behind", place(map[int]int8{5: 1, 4: 2, 3: 1}), O, [2]int{4, 2}, "3-off 5-3", "** You can't remove this piece in your first move."},
		{"not from outside", place(map[int]int8{7: 1, 4: 2}), O, [2]int{4, 2}, "4-off 7-5", "** You can't remove this piece in your first move."},
		{"lone checker must use both", place(map[int]int8{4: 1, 24: -3}), O, [2]int{6, 2}, "4-off", "** You must give 2 moves."},
		{"lone checker in two steps", place(map[int]int8{4: 1, 24: -3}), O, [2]int{6, 2}, "4-2 2-off", "4-2 2-off"},
		// One checker on 13; 6 and 5 can both be played first, neither after the other.
		{"larger die forced", place(map[int]int8{13: 1, 2: -2}), O, [2]int{6, 5}, "13-8", "** You can't move 5 points in your first move."},
		{"larger die", place(map[int]int8{13: 1, 2: -2}), O, [2]int{6, 5}, "13-7", "13-7"},
		{"doubles four times", start, X, [2]int{2, 2}, "19-21 19-21 1-3 1-3", "19-21 19-21 1-3 1-3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			steps, after, err := tt.at.readMove(tt.who, tt.roll, tt.args)
			got := formatSteps(tt.who, steps)
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatal(diff)
			}
			if err != nil && after != tt.at {
				t.Error("a refused move changed the layout")
			}
		})
	}
}

func TestDemand_countsTheStepsFIBSAsksFor(t *testing.T) {
	tests := []struct {
		name string
		at   Layout
		who  Colour
		roll [2]int
		want Demand
	}{
		{"opening", startLayout(), O, [2]int{6, 2}, Demand{Steps: 2}},
		{"double", startLayout(), O, [2]int{1, 1}, Demand{Steps: 4}},
		{"closed out", place(map[int]int8{0: -3, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}), X, [2]int{5, 6}, Demand{}},
		{"one enters, one dances", place(map[int]int8{0: -2, 6: 2}), X, [2]int{6, 1}, Demand{Steps: 1, Only: 1}},
		{"both singly, not together", place(map[int]int8{13: 1, 2: -2}), O, [2]int{6, 5}, Demand{Steps: 1, Only: 6}},
		{"only the smaller", place(map[int]int8{13: 1, 7: -2, 2: -2}), O, [2]int{6, 5}, Demand{Steps: 1, Only: 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.at.demand(tt.who, tt.roll)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPlays_openingCounts holds the number of distinct plays from the opening
// position, which are well known.
func TestPlays_openingCounts(t *testing.T) {
	l := startLayout()
	want := map[[2]int]int{{2, 1}: 15, {3, 1}: 16, {6, 5}: 7, {1, 1}: 0, {5, 5}: 0}
	for roll, n := range want {
		for _, c := range []Colour{O, X} {
			got := len(l.plays(c, roll, 100000))
			if n != 0 && got != n {
				t.Errorf("%v %d-%d: %d plays, want %d", c, roll[0], roll[1], got, n)
			}
			if mirror := len(l.plays(-c, roll, 100000)); mirror != got {
				t.Errorf("%d-%d: O has %d plays and X %d from a symmetric position", roll[0], roll[1], got, mirror)
			}
		}
	}
}

func TestWinner(t *testing.T) {
	tests := []struct {
		name string
		at   Layout
		who  Colour
		kind int
	}{
		{"nobody", startLayout(), 0, 0},
		{"single", Layout{OffO: 15, OffX: 1, Points: [26]int8{24: -14}}, O, 1},
		{"gammon", Layout{OffO: 15, Points: [26]int8{24: -14, 7: -1}}, O, 2},
		{"backgammon in the home board", Layout{OffO: 15, Points: [26]int8{24: -14, 6: -1}}, O, 3},
		{"backgammon on the bar", Layout{OffX: 15, Points: [26]int8{25: 1, 1: 14}}, X, 3},
		{"gammon of X", Layout{OffX: 15, Points: [26]int8{18: 1, 1: 14}}, X, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			who, kind := tt.at.winner()
			if who != tt.who || kind != tt.kind {
				t.Errorf("got %v %d, want %v %d", who, kind, tt.who, tt.kind)
			}
		})
	}
}

// flip turns the board round: O's checkers become X's seen from the other side.
func flip(l Layout) Layout {
	var f Layout
	for i, n := range l.Points {
		f.Points[25-i] = -n
	}
	f.OffO, f.OffX = l.OffX, l.OffO
	return f
}

// TestRules_randomPlay walks random legal games and checks on the way that
// layouts stay sound, that the typed form of each play is accepted, that both
// colours see the same game, and that the demand equals the brute force count.
func TestRules_randomPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := startLayout()
		turn := O
		for range 40 {
			die := rapid.IntRange(1, 6)
			roll := [2]int{die.Draw(t, "a"), die.Draw(t, "b")}
			all := l.plays(turn, roll, 500)
			want := l.demand(turn, roll)
			flipped := flip(l)
			if diff := cmp.Diff(want, flipped.demand(-turn, roll)); diff != "" {
				t.Fatalf("mirror: %s", diff)
			}
			if (want.Steps == 0) != (len(all) == 0) {
				t.Fatalf("demand %d, %d plays", want.Steps, len(all))
			}
			if longest := bruteLongest(l, turn, diceOf(roll)); longest != want.Steps {
				t.Fatalf("demand %d, brute force %d", want.Steps, longest)
			}
			if len(all) > 0 {
				p := all[rapid.IntRange(0, len(all)-1).Draw(t, "play")]
				_, after, err := l.readMove(turn, roll, formatSteps(turn, p.steps))
				if err != nil {
					t.Fatalf("own play %v refused: %v", p.steps, err)
				}
				if after != p.result {
					t.Fatalf("play %v: two results", p.steps)
				}
				if len(p.steps) > 1 {
					short := formatSteps(turn, p.steps[:len(p.steps)-1])
					if _, _, err := l.readMove(turn, roll, short); err == nil {
						t.Fatalf("%q accepted though %d steps are possible", short, want.Steps)
					}
				}
				l = after
			}
			if !l.sound() {
				t.Fatalf("unsound layout %+v", l)
			}
			if who, _ := l.winner(); who != 0 {
				return
			}
			turn = -turn
		}
	})
}

// bruteLongest tries every order of dice and every checker, without pruning.
func bruteLongest(l Layout, c Colour, dice []int) int {
	if len(dice) == 4 {
		dice = dice[:3] // 15^4 paths are too many; three tell enough
		return min(3, bruteLongest(l, c, dice)) + extraFourth(l, c, dice)
	}
	best := 0
	for i, die := range dice {
		for from := range l.Points {
			if s, ok := l.mayStep(c, from, die); ok {
				n := l
				n.apply(c, s)
				best = max(best, 1+bruteLongest(n, c, without(dice, i)))
			}
		}
	}
	return best
}

func extraFourth(l Layout, c Colour, three []int) int {
	if l.most(c, append([]int{three[0]}, three...)) == 4 {
		return 1
	}
	return 0
}

func FuzzReadMove(f *testing.F) {
	for _, s := range []string{"24-18 13-11", "bar-21 13-9", "6-off 5-off", "13 - 7 , 8 - 7", "o o", "-", "99999999999999999999-1", strings.Repeat("1-2 ", 100)} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, args string, n uint8) {
		roll := [2]int{int(n)%6 + 1, int(n)/6%6 + 1}
		for _, c := range []Colour{O, X} {
			l := startLayout()
			_, after, err := l.readMove(c, roll, args)
			var refused rejection
			if err != nil && !errors.As(err, &refused) {
				t.Fatalf("unexpected kind of error: %v", err)
			}
			if !after.sound() {
				t.Fatalf("unsound after %q", args)
			}
		}
	})
}
