package puretd

import (
	"os"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/reference"
)

// open reads a net of ../shared or skips the test.
func open(t *testing.T, name string) *Net {
	t.Helper()
	f, err := os.Open(reference.Path(t, "puretd", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestReal_opensAsEverybodyDoes: with wrong inputs the best opening plays would not be found.
func TestReal_opensAsEverybodyDoes(t *testing.T) {
	for _, file := range []string{"cubeless_prob5_512_512_256_128.bin", "cubeful_money_512_512_256_256.bin"} {
		p := &Player{Net: open(t, file)}
		for dice, want := range map[board.Dice]string{{A: 3, B: 1}: "8/5 6/5", {A: 6, B: 1}: "13/7 8/7", {A: 4, B: 2}: "8/4 6/4", {A: 6, B: 5}: "24/13"} {
			play, ok := p.Play(board.Start, dice, match.State{Cube: 1, Jacoby: true})
			if got := board.FormatPlay(board.Start, play); !ok || got != want {
				t.Errorf("%s: %d-%d is played %s, want %s", file, dice.A, dice.B, got, want)
			}
		}
	}
}

// TestReal_cube: a big lead in a race is a double and a pass, an even race no double. An ace-point game
// is a take or a pass, but a last roll that wins three times in four is a double and a take.
func TestReal_cube(t *testing.T) {
	p := &Player{Net: open(t, "cubeful_money_512_512_256_256.bin")}
	money := match.State{Cube: 1, Jacoby: true}
	for _, c := range []struct {
		name         string
		me, opp      board.Checkers
		double, take bool
	}{
		{"start", board.Start.Me, board.Start.Opp, false, true},
		{"60 pips ahead", board.Checkers{5: 5, 4: 5, 3: 5}, board.Checkers{5: 5, 7: 5, 12: 5}, true, false},
		{"last roll", board.Checkers{0: 1, 4: 1}, board.Checkers{0: 1}, true, true},
	} {
		for plies := range 2 {
			p.Plies = plies
			pos := board.Position{Me: c.me, Opp: c.opp}
			double, err := p.Double(pos, money)
			if err != nil {
				t.Fatal(err)
			}
			take, err := p.Take(pos, money)
			if err != nil {
				t.Fatal(err)
			}
			if double != c.double || take != c.take {
				t.Errorf("%s at %d plies: double %v, take %v", c.name, plies, double, take)
			}
		}
	}
}
