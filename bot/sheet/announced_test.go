package sheet

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
)

// played returns a sheet in the middle of a game: two plays, bob's by Us.
func midGame(t *testing.T) *Sheet {
	t.Helper()
	s := New("bob", 5, true)
	s.NewGame()
	s.Rolled(Us, board.Dice{A: 3, B: 1})
	s.played(Us, board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0])
	s.Rolled(Them, board.Dice{A: 6, B: 4})
	s.played(Them, board.AppendPlays(nil, s.pos.Swap(), board.Dice{A: 6, B: 4})[0])
	if n := len(s.Current().Acts); n != 2 {
		t.Fatalf("%d acts", n)
	}
	return s
}

func (s *Sheet) boardNow() Board {
	return Board{Mine: true, Opponent: "bob", Length: 5, Score: s.Score, Position: s.pos, Turn: s.turn, Dice: s.dice, Cube: s.cube, Owner: s.owner, Doubler: Nobody}
}

// TestNewGame_inTheMiddle: "Starting a new game" while the game goes on opens none,
// whatever comes next; the board says that the old one is still there.
func TestNewGame_inTheMiddle(t *testing.T) {
	s := midGame(t)
	for range 3 {
		s.NewGame()
		s.Saw(s.boardNow())
	}
	s.NewGame()
	s.Rolled(Us, board.Dice{A: 5, B: 2})
	s.played(Us, board.AppendPlays(nil, s.pos, board.Dice{A: 5, B: 2})[0])
	s.Saw(s.boardNow())
	if g := s.Current(); len(s.Games) != 1 || len(g.Acts) != 3 || g.Torn {
		t.Errorf("%d games, the running one: %+v", len(s.Games), g)
	}
}

// TestNewGame_proved: the game before has ended unseen.
func TestNewGame_proved(t *testing.T) {
	fresh := Board{Mine: true, Opponent: "bob", Length: 5, Position: board.Start, Turn: Us, Dice: board.Dice{A: 2, B: 1}, Cube: 1, Doubler: Nobody}
	ahead := fresh
	ahead.Score[Them] = 1
	for name, prove := range map[string]func(*Sheet){
		"the start again": func(s *Sheet) { s.Saw(fresh) },
		"another score":   func(s *Sheet) { s.Saw(ahead) },
		"an opening roll": func(s *Sheet) { s.OpeningRolled(board.Dice{A: 2, B: 1}); s.OpeningWon(Us) },
		"a told score":    func(s *Sheet) { s.ScoreTold(0, 1); s.NewGame(); s.Saw(ahead) },
	} {
		s := midGame(t)
		s.NewGame()
		prove(s)
		g := s.Current()
		if g == nil || len(g.Acts) != 1 || g.Acts[0].Kind != ActRolled || g.Torn {
			t.Errorf("%s: the game is %+v", name, g)
		}
	}
}

// TestTook_doubleUnseen: a take tells of the double before it.
func TestTook_doubleUnseen(t *testing.T) {
	for _, taker := range []Side{Us, Them} {
		for _, cube := range []int{0, 2} {
			s := midGame(t)
			s.turn = taker.Other()
			s.Took(taker, cube)
			s.Took(taker, cube) // told twice
			g := s.Current()
			if n := len(g.Acts); n != 4 || g.Acts[2] != (Act{Kind: ActDoubled, Side: taker.Other()}) || g.Acts[3] != (Act{Kind: ActTook, Side: taker}) || s.cube != 2 || s.owner != taker.Owner() {
				t.Errorf("taken by %d, cube told %d: cube %d of %v, %+v", taker, cube, s.cube, s.owner, g.Acts[2:])
			}
		}
	}
}

// TestRecord_tornGame: a program that loads the file stands at the board that was
// shown behind the hole, and both files say that something is missing.
func TestRecord_tornGame(t *testing.T) {
	s := midGame(t)
	v := s.boardNow()
	v.Position.Me[5], v.Position.Me[3] = v.Position.Me[5]-2, v.Position.Me[3]+2
	v.Cube, v.Owner, v.Turn, v.Dice = 2, match.Mine, Us, board.Dice{A: 6, B: 1}
	s.Interrupted()
	s.Saw(v)
	m := s.Record(About{Players: [2]record.Player{{Name: "bob"}, {Name: "me"}}, Date: "2026-11-22"})
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	back, _, err := sgf.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	var last record.Turn
	for turn := range back.Turns(&back.Games[0]) {
		if !turn.Legal {
			t.Errorf("illegal: %s", turn.Problem)
		}
		last = turn
	}
	if last.Action.Kind != record.Roll || last.Player != int(Us) || last.Position != v.Position {
		t.Errorf("the file ends with %+v", last)
	}
	if c := back.Games[0].Comment; !strings.Contains(c, "Incomplete") {
		t.Errorf("comment of the game: %q", c)
	}
	b.Reset()
	if err := oldmoves.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if back, warnings, err := oldmoves.Read(&b); err != nil || len(warnings) > 0 || back.Games[0].Comment != Incomplete {
		t.Errorf("oldmoves: %v, %v\n%s", err, warnings, text)
	} else {
		for turn := range back.Turns(&back.Games[0]) {
			if !turn.Legal {
				t.Errorf("oldmoves: illegal: %s\n%s", turn.Problem, text)
			}
			last = turn
		}
		if last.Action.Kind != record.Roll || last.Player != int(Us) || last.Position != v.Position {
			t.Errorf("oldmoves end with %+v\n%s", last, text)
		}
	}
	b.Reset()
	if err := mat.Write(&b, m); err != nil || !strings.Contains(b.String(), "Incomplete") {
		t.Errorf("%v: not marked in\n%s", err, b.String())
	}
}
