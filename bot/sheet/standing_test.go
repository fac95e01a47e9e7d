package sheet

import (
	"testing"

	"pgregory.net/rapid"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// told is a game that is really played, of which a sheet is told.
type told struct {
	pos           board.Position
	turn, doubler Side
	first         Side
	cube          int
	owner         match.Owner
	beavers       bool
}

// board is the game as a board shows it.
func (g *told) board(d board.Dice) Board {
	return Board{Mine: true, Opponent: "bob", Position: g.pos, Turn: g.turn, Dice: d, Cube: g.cube, Owner: g.owner, Doubler: g.doubler}
}

// step plays one line further and returns the calls that report it to the sheet; nil ends the
// game.
func (g *told) step(t *rapid.T, s *Sheet) []func() {
	if g.doubler != Nobody {
		side := g.doubler.Other()
		if g.beavers && g.cube < 64 && rapid.IntRange(0, 3).Draw(t, "beaver") == 0 {
			g.cube *= 2
			g.owner, g.doubler = g.first.Other().Owner(), side
			offered := 2 * g.cube
			return []func(){func() { s.Redoubled(side, offered) }}
		}
		g.cube *= 2
		g.owner, g.doubler = g.first.Other().Owner(), Nobody
		cube := g.cube
		return []func(){func() { s.Took(side, cube) }}
	}
	side := g.turn
	if g.owner != side.Other().Owner() && g.cube < 64 && len(s.Games) > 0 && rapid.IntRange(0, 5).Draw(t, "double") == 0 && g.pos != board.Start {
		g.doubler, g.first = side, side
		return []func(){func() { s.DoubledBy(side) }}
	}
	d := rapid.SampledFrom(board.Rolls[:]).Draw(t, "roll").Dice
	if g.pos == board.Start && d.Double() {
		d = board.Dice{A: 3, B: 1}
	}
	view := g.pos
	if side == Them {
		view = view.Swap()
	}
	list := board.AppendPlays(nil, view, d)
	g.turn = side.Other()
	if len(list) == 0 {
		return []func(){func() { s.Rolled(side, d) }, func() { s.Danced(side) }}
	}
	p := rapid.SampledFrom(list).Draw(t, "play")
	if g.pos = p.Result; side == Them {
		g.pos = p.Result.Swap()
	}
	if p.Result.Me.Count() == 0 {
		return nil
	}
	return []func(){func() { s.Rolled(side, d) }, func() { s.Moved(side, p.Steps[:p.N]) }}
}

// TestBefore_anyHoles: whatever lines are lost, the acts lead to the actual position once a board
// has been shown, and every play on the sheet is legal in its position.
func TestBefore_anyHoles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &told{pos: board.Start, turn: rapid.SampledFrom([]Side{Us, Them}).Draw(t, "opens"), doubler: Nobody, first: Nobody, cube: 1}
		lossy := rapid.IntRange(0, 30).Draw(t, "lossy")
		g.beavers = lossy == 0 // a board does not tell a beaver from a redouble
		s := New("bob", 25, true)
		if g.beavers {
			s.Length = 0
		}
		s.NewGame()
		for range rapid.IntRange(1, 60).Draw(t, "lines") {
			lines := g.step(t, s)
			if lines == nil {
				break
			}
			for _, tell := range lines {
				if rapid.IntRange(0, 99).Draw(t, "lost") >= lossy {
					tell()
				}
			}
			if rapid.IntRange(0, 2).Draw(t, "shown") == 0 {
				s.Saw(g.board(board.Dice{}))
				if !s.known || s.now.Position != g.pos {
					t.Fatalf("a board was shown and the sheet has %v, known %v", s.now.Position.ID(), s.known)
				}
			}
			follows(t, s)
		}
	})
}

// follows checks the acts of the running game.
func follows(t *rapid.T, s *Sheet) {
	game := s.Current()
	for i := range game.Acts {
		a := &game.Acts[i]
		st := game.Before(i)
		if a.Loose || a.Kind != ActPlayed {
			continue
		}
		if st.Doubler != Nobody || st.Turn != Nobody && st.Turn != a.Side {
			t.Fatalf("act %d, a play by %d: %d has doubled, %d is on turn", i, a.Side, st.Doubler, st.Turn)
		}
		view, want := st.Position, a.Play.Result
		if a.Side == Them {
			view = view.Swap()
		}
		if _, ok := findPlay(view, a.Dice, want); !ok && (a.Play.N > 0 || canPlay(view, a.Dice)) {
			t.Fatalf("act %d, %v to %s, is not legal from %s", i, a.Dice, want.ID(), view.ID())
		}
	}
	if !s.known || s.hole {
		return
	}
	st := game.Before(len(game.Acts))
	if st.Position != s.now.Position || st.Cube != max(1, s.now.Cube) || st.Owner != s.now.Owner || st.Doubler != s.now.Doubler || st.Turn != Nobody && st.Turn != s.now.Turn {
		t.Fatalf("the acts lead to %+v, the sheet has %s, turn %d, cube %d of %v, doubled by %d:\n%+v", st, s.now.Position.ID(), s.now.Turn, s.now.Cube, s.now.Owner, s.now.Doubler, game.Acts)
	}
}

// TestSheet_holes: an act that cannot follow the acts on the sheet proves a hole.
func TestSheet_holes(t *testing.T) {
	for _, tt := range []struct {
		name string
		tell func(s *Sheet)
	}{
		{"a dance where a checker can move", func(s *Sheet) { s.Rolled(Us, board.Dice{A: 2, B: 1}); s.Danced(Us) }},
		{"the same side rolls twice", func(s *Sheet) {
			s.Rolled(Us, board.Dice{A: 2, B: 1})
			s.played(Us, board.AppendPlays(nil, s.now.Position, s.dice)[0])
			s.Rolled(Us, board.Dice{A: 6, B: 1})
		}},
		{"a cube turned twice", func(s *Sheet) { s.DoubledBy(Us); s.Took(Them, 4) }},
	} {
		s := midGame(t)
		tt.tell(s)
		v := s.boardNow()
		v.Dice = board.Dice{}
		n := len(s.Current().Acts)
		if s.Saw(v); !s.Current().Torn {
			t.Errorf("%s: no hole", tt.name)
		}
		if acts := s.Current().Acts; acts[len(acts)-1].Kind != ActShown {
			t.Errorf("%s: no board on the sheet: %+v", tt.name, acts[n-1:])
		}
	}
}

// TestSheet_doubleInAHole: a double announced while the position is unknown is on the sheet
// once, after the board that shows it.
func TestSheet_doubleInAHole(t *testing.T) {
	s := midGame(t)
	s.tear()
	s.DoubledBy(Us)
	v := s.boardNow()
	v.Doubler, v.Turn = Us, Us
	n := len(s.Current().Acts) - 1
	s.Saw(v)
	s.Took(Them, 2)
	acts := s.Current().Acts[n:]
	if len(acts) != 3 || acts[0].Kind != ActShown || acts[1].Kind != ActDoubled || acts[2].Kind != ActTook || acts[1].Loose {
		t.Errorf("%+v", acts)
	}
	if st := s.Current().Before(n + 3); st.Cube != 2 || st.Owner != match.Theirs || st.Turn != Us {
		t.Errorf("%+v", st)
	}
}

// TestDoubledBy_openRoll: a side that doubles with its roll open has played and had another
// turn since, both unseen.
func TestDoubledBy_openRoll(t *testing.T) {
	s := midGame(t)
	side := s.now.Turn
	s.Rolled(side, board.Dice{A: 2, B: 1})
	s.DoubledBy(side)
	if g := s.Current(); !g.Torn || g.openRoll() >= 0 || s.known {
		t.Errorf("torn %v, known %v: %+v", g.Torn, s.known, g.Acts)
	}
}
