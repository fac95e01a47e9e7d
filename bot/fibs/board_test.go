package fibs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/fibs/clip"
)

// TestBoardOf_workedExamples holds the lines of chapter 9.6 of the protocol
// reference, whose Position IDs were confirmed by gnubg.
func TestBoardOf_workedExamples(t *testing.T) {
	tests := []struct {
		name, line string
		id         string
		mine       bool
		turn       sheet.Side
		dice       board.Dice
		length     int
		score      [2]int // them, us
		cube       int
		owner      match.Owner
		doubler    sheet.Side
		down       bool
	}{
		{"first move, we are O",
			"board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
			"4HPwATDgc/ABMA", true, sheet.Us, board.Dice{A: 6, B: 2}, 3, [2]int{}, 1, match.Centred, sheet.Nobody, true},
		{"opening, watched player is X, opponent starts",
			"board:alice:bob:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:5:1:1:1:1:0:-1:1:25:0:0:0:0:0:2:1:0:0",
			"4HPwATDgc/ABMA", false, sheet.Them, board.Dice{A: 5, B: 1}, 5, [2]int{}, 1, match.Centred, sheet.Nobody, false},
		{"X on the bar",
			"board:alice:bob:5:0:0:-1:-1:0:0:0:1:4:0:3:0:0:0:-4:5:0:0:0:-3:-1:-5:0:1:0:0:1:0:-1:3:2:0:0:1:1:1:0:-1:1:25:0:0:0:1:0:2:1:0:0",
			"0HPwASLg6+ABUA", false, sheet.Us, board.Dice{A: 3, B: 2}, 5, [2]int{}, 1, match.Centred, sheet.Nobody, false},
		{"O on the bar, Crawford game",
			"board:alice:bob:5:4:0:0:-2:0:0:0:0:5:0:3:0:0:1:-4:4:-1:0:0:-2:-1:-5:0:0:0:0:1:1:1:3:4:0:0:1:1:1:0:1:-1:0:25:0:0:1:0:2:5:0:0",
			"4GvkATDgc+QBUA", false, sheet.Us, board.Dice{A: 3, B: 4}, 5, [2]int{0, 4}, 1, match.Centred, sheet.Nobody, true},
		{"player owns the cube",
			"board:alice:bob:5:0:0:-1:-2:0:1:0:2:2:0:1:0:0:0:-4:5:0:0:0:-2:-1:-5:0:0:1:2:1:0:-1:5:4:0:0:2:1:0:0:-1:1:25:0:0:0:1:0:2:1:0:0",
			"ZBN8AC3ga/AAWA", false, sheet.Us, board.Dice{A: 5, B: 4}, 5, [2]int{}, 2, match.Mine, sheet.Nobody, false},
		{"own turn as X late in a bear-off, opponent owns the cube",
			"board:You:bob:3:0:0:0:0:0:1:1:3:4:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-4:-1:0:-1:6:2:0:0:2:0:1:0:-1:1:25:0:10:6:0:0:2:0:0:0",
			"1D0AAPQAAAAAAA", true, sheet.Us, board.Dice{A: 6, B: 2}, 3, [2]int{}, 2, match.Theirs, sheet.Nobody, false},
		{"double pending, we answer",
			"board:You:bob:7:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-4:4:0:0:0:-4:0:-5:1:0:0:0:2:0:1:0:0:0:0:1:0:0:1:1:-1:0:25:0:0:0:0:2:0:0:0",
			"", true, sheet.Them, board.Dice{}, 7, [2]int{3, 2}, 1, match.Centred, sheet.Them, true},
		{"double pending, we doubled",
			"board:You:alice:7:3:2:0:-2:0:0:0:0:5:0:3:0:0:0:-4:4:0:0:0:-4:0:-5:1:0:0:0:2:0:1:0:0:0:0:1:0:0:0:-1:1:25:0:0:0:0:0:2:0:0:0",
			"", true, sheet.Us, board.Dice{}, 7, [2]int{2, 3}, 1, match.Centred, sheet.Us, false},
		{"unlimited, redouble pending: the doubler owned the cube",
			"board:You:bob:9999:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-4:4:0:0:0:-4:0:-5:1:0:0:0:2:0:1:0:0:0:0:4:0:0:1:1:-1:0:25:0:0:0:0:2:0:0:0",
			"", true, sheet.Them, board.Dice{}, 0, [2]int{3, 2}, 4, match.Theirs, sheet.Them, true},
		{"between games no player is on turn",
			"board:You:alice:5:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:0:0:0:0:0:1:1:1:0:-1:1:25:0:0:0:0:0:0:0:0:0",
			"", true, sheet.Nobody, board.Dice{}, 5, [2]int{1, 0}, 1, match.Centred, sheet.Nobody, false},
		{"stale can-move, opponent to roll, we own nothing",
			"board:You:bob:2:0:1:0:0:0:-1:0:-1:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:1:0:0:0:1:0:1:0:0:0:0:1:1:1:0:-1:1:25:0:0:0:0:0:2:0:0:0",
			"", true, sheet.Them, board.Dice{}, 2, [2]int{1, 0}, 1, match.Centred, sheet.Nobody, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, _, err := clip.ParseBoard(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			v, err := BoardOf(b)
			if err != nil {
				t.Fatal(err)
			}
			got := []any{v.Mine, v.Turn, v.Dice, v.Length, v.Score, v.Cube, v.Owner, v.Doubler, v.Down}
			want := []any{tt.mine, tt.turn, tt.dice, tt.length, tt.score, tt.cube, tt.owner, tt.doubler, tt.down}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("view (-want +got):\n%s", diff)
			}
			if tt.id == "" {
				return
			}
			s, ok := v.Situation(false)
			if !ok {
				t.Fatal("no player is to act")
			}
			if id := s.Position.ID(); id != tt.id {
				t.Errorf("position %s, want %s", id, tt.id)
			}
		})
	}
}

// encodeMove is the command for a play whose steps are in order.
func encodeMove(p board.Play, down bool) (string, error) {
	lines, err := Protocol{}.Encode(protocol.Move{Steps: p.Steps[:p.N], Down: down})
	return strings.Join(lines, "; "), err
}

func TestMoveCommand_numbers(t *testing.T) {
	step := func(from, to int8) board.Step { return board.Step{From: from, To: to} }
	play := func(steps ...board.Step) board.Play {
		p := board.Play{N: uint8(len(steps))}
		copy(p.Steps[:], steps)
		return p
	}
	tests := []struct {
		name string
		play board.Play
		down bool
		want string
	}{
		{"opening as O", play(step(23, 17), step(12, 10)), true, "24-18 13-11"},
		{"opening as X", play(step(23, 17), step(12, 10)), false, "1-7 12-14"},
		{"entry", play(step(board.Bar, 20), step(20, 18)), true, "bar-21 21-19"},
		{"entry as X", play(step(board.Bar, 21), step(21, 19)), false, "bar-3 3-5"},
		{"bear-offs", play(step(4, 2), step(5, board.Off), step(3, board.Off)), true, "5-3 6-off 4-off"},
		{"bear-off as X", play(step(1, board.Off), step(0, board.Off)), false, "23-off 24-off"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, err := encodeMove(tt.play, tt.down)
			if err != nil || text != "move "+tt.want {
				t.Fatalf("command %q, %v, want move %s", text, err, tt.want)
			}
			steps, ok := parseSteps(tt.want)
			if !ok || len(steps) != int(tt.play.N) {
				t.Fatalf("not read back: %v %v", steps, ok)
			}
			if again, err := encodeMove(play(steps...), tt.down); err != nil || again != text {
				t.Errorf("read back as %q, %v", again, err)
			}
		})
	}
}

func FuzzBoardOf(f *testing.F) {
	f.Add("board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")
	f.Add("board:You:bob:5:0:0:-3:1:0:0:0:2:2:-1:-2:0:2:0:0:2:0:0:0:0:-2:-3:-2:-2:2:3:1:0:-1:5:6:0:0:4:0:1:0:-1:1:25:0:0:0:3:0:0:1:0:0")
	f.Add("board:You:bob:5:0:0:0:15:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:1:0:0:0:0:1:0:0:1:1:-1:0:25:0:0:0:15:0:0:0:0")
	f.Fuzz(func(t *testing.T, line string) {
		b, _, err := clip.ParseBoard(line)
		if err != nil {
			return
		}
		v, err := BoardOf(b)
		if err != nil {
			return
		}
		if err := v.Position.Validate(); err != nil {
			t.Fatalf("accepted %v: %v", line, err)
		}
		if n := v.Position.Me.Count(); n > 15 {
			t.Fatalf("%d checkers", n)
		}
		s := sheet.New(v.Opponent, v.Length, false)
		ev := Event(&clip.Event{Kind: clip.BoardLine, Board: &b, Raw: line})
		protocol.Enter(s, &ev, "me")
	})
}

func FuzzParseSteps(f *testing.F) {
	for _, s := range []string{"24-18 13-11", "bar-21 21-19", "6-off", "bar-3 3-5", "home-1", "1-25", strings.Repeat("1-2 ", 9)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, ok := parseSteps(text)
		if !ok {
			return
		}
		for _, s := range steps {
			if s.From < 0 || s.From > board.Bar || s.To < board.Off || s.To >= board.Bar {
				t.Fatalf("%q gives step %v", text, s)
			}
		}
		sheet.PlaySteps(board.Start, steps)
	})
}

func BenchmarkBoardOf(b *testing.B) {
	line := "board:You:bob:5:0:0:-3:1:0:0:0:2:2:-1:-2:0:2:0:0:2:0:0:0:0:-2:-3:-2:-2:2:3:1:0:-1:5:6:0:0:4:0:1:0:-1:1:25:0:0:0:3:0:0:1:0:0"
	b.ReportAllocs()
	for b.Loop() {
		bd, _, err := clip.ParseBoard(line)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := BoardOf(bd); err != nil {
			b.Fatal(err)
		}
	}
}
