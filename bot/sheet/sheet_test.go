package sheet

import (
	"testing"

	"fibsbot/engine/board"
)

// TestSheet_danceUnseen: while the connection was down both sides may have danced, which leaves
// the board unchanged. The sheet shows no hole but requests the server's move list. It does not
// if neither side can dance.
func TestSheet_danceUnseen(t *testing.T) {
	var blocked board.Position // each has a man on the bar against a four-point board
	for i := range 4 {
		blocked.Me[i], blocked.Opp[i] = 2, 2
	}
	blocked.Me[board.Bar], blocked.Opp[board.Bar] = 1, 1
	blocked.Me[12], blocked.Opp[12] = 6, 6
	onlyWe := blocked
	onlyWe.Me = board.Start.Me
	for _, tt := range []struct {
		name string
		pos  board.Position
		want bool
	}{{"both on the bar", blocked, true}, {"one on the bar", onlyWe, false}, {"the start", board.Start, false}} {
		s := New("bob", 5, true)
		s.NewGame()
		s.now.Position, s.now.Turn = tt.pos, Us
		s.Rolled(Us, board.Dice{A: 3, B: 1})
		s.Interrupted()
		s.Saw(Board{Mine: true, Opponent: "bob", Length: 5, Position: tt.pos, Turn: Us, Dice: board.Dice{A: 3, B: 1}, Cube: 1, Doubler: Nobody})
		if s.NeedsMending() != tt.want || s.Games[0].Torn {
			t.Errorf("%s: wants the list: %v, torn: %v", tt.name, s.NeedsMending(), s.Games[0].Torn)
		}
	}
}

// TestSheet_rollAndDanceUnseen: a turn was lost that left the board as it was. It is filled
// in where one roll only dances and the other side cannot have danced too.
func TestSheet_rollAndDanceUnseen(t *testing.T) {
	one := board.Start // a man on the bar, and only the six-point is made: 6-6 dances
	one.Me[23]--
	one.Me[board.Bar]++
	one.Opp[5] = 5
	two := one // two points are made
	two.Opp[5], two.Opp[4] = 3, 2
	both := one
	both.Opp[23]--
	both.Opp[board.Bar]++
	for _, tt := range []struct {
		name string
		pos  board.Position
		side Side
		torn bool
	}{
		{"one roll dances", one, Us, false}, {"one roll of his dances", one.Swap(), Them, false},
		{"four rolls dance", two, Us, true}, {"both may dance", both, Us, true}, {"no roll dances", board.Start, Us, true},
	} {
		s := New("bob", 5, true)
		s.NewGame()
		s.add(Act{Kind: ActPlayed, Side: tt.side.Other(), Dice: board.Dice{A: 3, B: 1}})
		s.now.Position, s.known, s.now.Turn = tt.pos, true, tt.side
		s.Interrupted()
		s.Saw(Board{Mine: true, Opponent: "bob", Length: 5, Position: tt.pos, Turn: tt.side.Other(), Dice: board.Dice{A: 6, B: 2}, Cube: 1, Doubler: Nobody})
		g := s.Games[0]
		if g.Torn != tt.torn {
			t.Errorf("%s: torn %v, %+v", tt.name, g.Torn, g.Acts)
		}
		if a := g.Acts[min(1, len(g.Acts)-1)]; !tt.torn && (a.Side != tt.side || a.Kind != ActPlayed || a.Dice != board.Dice{A: 6, B: 6} || a.Play.N != 0) {
			t.Errorf("%s: filled in %+v", tt.name, a)
		}
	}
}

// TestSheet_takeUnseen: the line that announced a take was lost, and the doubler's roll comes
// before any board.
func TestSheet_takeUnseen(t *testing.T) {
	for _, doubler := range []Side{Us, Them} {
		s := New("bob", 5, true)
		s.NewGame()
		s.Rolled(doubler.Other(), board.Dice{A: 3, B: 1})
		s.played(doubler.Other(), board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0])
		s.DoubledBy(doubler)
		s.Rolled(doubler, board.Dice{A: 6, B: 5})
		g := s.Games[0]
		if n := len(g.Acts); n != 4 || g.Acts[2].Kind != ActTook || g.Acts[2].Side != doubler.Other() || s.now.Cube != 2 || s.now.Owner != doubler.Other().Owner() || g.Torn {
			t.Errorf("doubled by %d: cube %d of %v, torn %v, %+v", doubler, s.now.Cube, s.now.Owner, g.Torn, g.Acts)
		}
	}
}

// FuzzSheet_scoreTold: after any announced score, at any time, the sheet remains in a usable
// state.
func FuzzSheet_scoreTold(f *testing.F) {
	f.Add("reject", 0, 1, true)
	f.Add("resign n", 3, 2, false)
	f.Fuzz(func(t *testing.T, sent string, us, them int, doubled bool) {
		s := New("bob", 5, true)
		s.NewGame()
		s.Rolled(Us, board.Dice{A: 3, B: 1})
		if doubled {
			s.DoubledBy(Them)
		}
		switch sent {
		case "reject":
			s.Sent(ActDropped, 0)
		case "resign n":
			s.Sent(ActOffered, 1)
		case "double":
			s.Sent(ActDoubled, 0)
		}
		s.Interrupted()
		s.PointsTold(Them, them)
		s.PointsTold(Us, us)
		s.NewGame()
		if s.Current() == nil {
			t.Error("no game is being played")
		}
		for i := range s.Games[:len(s.Games)-1] {
			if !s.Games[i].Finished() {
				t.Errorf("game %d has no winner", i+1)
			}
		}
	})
}

// TestSheet_turnUnseen: a whole turn of the opponent was lost. It is filled in where a
// single roll leads to the board, and is a hole where two do, or where we may have
// danced meanwhile.
func TestSheet_turnUnseen(t *testing.T) {
	ours := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0]
	his := func(from board.Position, d board.Dice, want func(board.Play) bool) board.Position {
		for _, p := range board.AppendPlays(nil, from.Swap(), d) {
			if want(p) {
				return p.Result.Swap()
			}
		}
		t.Fatalf("no such play of %v", d)
		return from
	}
	goes := func(steps ...board.Step) func(board.Play) bool {
		return func(p board.Play) bool {
			r, ok := PlaySteps(board.Position{Me: board.Start.Me, Opp: board.Start.Opp}, steps)
			return ok && r.Result.Me == p.Result.Me
		}
	}
	six3 := his(ours.Result, board.Dice{A: 6, B: 3}, goes(board.Step{From: 23, To: 17}, board.Step{From: 12, To: 9}))
	nine := his(ours.Result, board.Dice{A: 6, B: 3}, goes(board.Step{From: 23, To: 14})) // 5-4 leads there as well
	for _, tt := range []struct {
		name string
		sent bool // our play was sent, and not seen to be made
		at   board.Position
		torn bool
		acts int
	}{
		{"one roll leads there", false, six3, false, 2},
		{"our play was lost as well", true, six3, false, 2},
		{"two rolls lead there", false, nine, true, 2},
		{"two rolls lead there, our play was lost as well", true, nine, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := New("bob", 5, true)
			s.NewGame()
			s.Rolled(Us, board.Dice{A: 3, B: 1})
			if tt.sent {
				s.sent = ours
			} else {
				s.played(Us, ours)
			}
			s.Interrupted()
			s.Saw(Board{Mine: true, Opponent: "bob", Length: 5, Position: tt.at, Turn: Us, Cube: 1, Doubler: Nobody})
			g := s.Games[0]
			if g.Torn != tt.torn || len(g.Acts) != tt.acts {
				t.Fatalf("torn %v, acts %+v", g.Torn, g.Acts)
			}
			if !tt.torn {
				if a := g.Acts[1]; a.Side != Them || a.Kind != ActPlayed || a.Dice.Sorted() != (board.Dice{A: 6, B: 3}) || a.Play.Result != tt.at.Swap() {
					t.Errorf("filled in: %+v", a)
				}
			}
		})
	}
}

// TestSheet_danceBeforeADouble: a roll and its dance were lost with the connection, and the next
// board shows a double by the side that moved last. A double out of turn is impossible, so the
// game has a hole.
func TestSheet_danceBeforeADouble(t *testing.T) {
	for _, doubler := range []Side{Us, Them} {
		s := midGame(t)
		if doubler == Us {
			s.Rolled(Us, board.Dice{A: 2, B: 1})
			s.played(Us, board.AppendPlays(nil, s.now.Position, board.Dice{A: 2, B: 1})[0])
		}
		n := len(s.Current().Acts)
		s.Interrupted()
		v := s.boardNow()
		v.Turn, v.Doubler = doubler, doubler
		s.Saw(v)
		g := s.Current()
		if !g.Torn || len(g.Acts) != n+2 || g.Acts[n].Kind != ActShown || g.Acts[n].Side != doubler || g.Acts[n+1] != (Act{Kind: ActDoubled, Side: doubler}) {
			t.Errorf("doubled by %d: torn %v, %+v", doubler, g.Torn, g.Acts[n:])
		}
		s.Saw(v) // shown again
		if len(g.Acts) != n+2 {
			t.Errorf("doubled by %d, shown twice: %+v", doubler, g.Acts[n:])
		}
	}
	// A double in turn leaves no hole.
	s := midGame(t)
	s.Interrupted()
	v := s.boardNow()
	v.Turn, v.Doubler = Us, Us
	if s.Saw(v); s.Current().Torn {
		t.Errorf("a double in turn: %+v", s.Current().Acts)
	}
}
