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
	s.played(Them, board.AppendPlays(nil, s.now.Position.Swap(), board.Dice{A: 6, B: 4})[0])
	if n := len(s.Current().Acts); n != 2 {
		t.Fatalf("%d acts", n)
	}
	return s
}

func (s *Sheet) boardNow() Board {
	return Board{Mine: true, Opponent: "bob", Length: 5, Score: s.Score, Position: s.now.Position, Turn: s.now.Turn, Dice: s.dice, Cube: s.now.Cube, Owner: s.now.Owner, Doubler: Nobody}
}

// TestNewGame_inTheMiddle: "Starting a new game" during a game does not begin one, whatever
// line follows, if the board then shows the old game.
func TestNewGame_inTheMiddle(t *testing.T) {
	s := midGame(t)
	for range 3 {
		s.NewGame()
		s.Saw(s.boardNow())
	}
	s.NewGame()
	s.Rolled(Us, board.Dice{A: 5, B: 2})
	s.played(Us, board.AppendPlays(nil, s.now.Position, board.Dice{A: 5, B: 2})[0])
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

// TestTook_doubleUnseen: a take proves the double before it.
func TestTook_doubleUnseen(t *testing.T) {
	for _, taker := range []Side{Us, Them} {
		for _, cube := range []int{0, 2} {
			s := midGame(t)
			s.now.Turn = taker.Other()
			s.Took(taker, cube)
			s.Took(taker, cube) // told twice
			g := s.Current()
			if n := len(g.Acts); n != 4 || g.Acts[2] != (Act{Kind: ActDoubled, Side: taker.Other()}) || g.Acts[3] != (Act{Kind: ActTook, Side: taker}) || s.now.Cube != 2 || s.now.Owner != taker.Owner() {
				t.Errorf("taken by %d, cube told %d: cube %d of %v, %+v", taker, cube, s.now.Cube, s.now.Owner, g.Acts[2:])
			}
		}
	}
}

// TestRecord_tornGame: a program that loads the file reaches the board shown after the hole,
// and both files state that something is missing.
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

// TestNewGame_unfinishedStays: a game that the server dropped, or whose end was not announced,
// is filed in every format as far as it was played, marked as unfinished. A score announced
// later ends it.
func TestNewGame_unfinishedStays(t *testing.T) {
	fresh := Board{Mine: true, Opponent: "bob", Length: 5, Position: board.Start, Turn: Us, Dice: board.Dice{A: 2, B: 1}, Cube: 1, Doubler: Nobody}
	for name, tt := range map[string]struct {
		prove func(*Sheet)
		won   int // by them
	}{
		"the start again":          {func(s *Sheet) { s.Saw(fresh) }, 0},
		"an opening roll":          {func(s *Sheet) { s.OpeningRolled(fresh.Dice); s.OpeningWon(Us) }, 0},
		"a roll, then the board":   {func(s *Sheet) { s.OpeningRolled(fresh.Dice); s.OpeningWon(Us); s.Saw(fresh) }, 0},
		"a roll, then other score": {func(s *Sheet) { s.OpeningRolled(fresh.Dice); s.OpeningWon(Us); v := fresh; v.Score[Them] = 2; s.Saw(v) }, 2},
	} {
		s := midGame(t)
		s.NewGame()
		tt.prove(s)
		if len(s.Games) != 2 || len(s.Games[0].Acts) != 2 || !s.Games[0].Torn || s.Games[0].Points != tt.won || s.Games[0].Finished() != (tt.won > 0) {
			t.Errorf("%s: %+v", name, s.Games)
			continue
		}
		if g := s.Current(); g == nil || len(g.Acts) != 1 || g.Torn || g.Score != [2]int{Them: tt.won} || s.Score != g.Score {
			t.Errorf("%s: next game %+v at %v", name, g, s.Score)
		}
		s.played(Us, board.AppendPlays(nil, board.Start, fresh.Dice)[0])
		s.DoubledBy(Them)
		s.GameWon(Them, 1, ByDrop)
		m := s.Record(About{Players: [2]record.Player{{Name: "bob"}, {Name: "me"}}, Date: "2026-11-23"})
		var b bytes.Buffer
		for form, back := range map[string]func() (*record.Match, []record.Warning, error){
			"sgf":      func() (*record.Match, []record.Warning, error) { _ = sgf.Write(&b, m); return sgf.Read(&b) },
			"mat":      func() (*record.Match, []record.Warning, error) { _ = mat.Write(&b, m); return mat.Read(&b) },
			"oldmoves": func() (*record.Match, []record.Warning, error) { _ = oldmoves.Write(&b, m); return oldmoves.Read(&b) },
		} {
			b.Reset()
			got, warnings, err := back()
			if err != nil || len(warnings) > 0 || len(got.Games) != 2 {
				t.Errorf("%s, %s: %v, %v, %+v", name, form, err, warnings, got)
				continue
			}
			first, second := &got.Games[0], &got.Games[1]
			if len(first.Actions) != 2 || first.Result.Finished() != (tt.won > 0) || !strings.Contains(first.Comment+got.Comment, "Incomplete") {
				t.Errorf("%s, %s: the first game is %+v", name, form, first)
			}
			if second.Result.Points != 1 || second.Score[Them] != tt.won {
				t.Errorf("%s, %s: the second game is %+v", name, form, second)
			}
		}
	}
}

// problem writes the sheet and reads it as another program would; it returns what the rules forbid.
func problem(t *testing.T, s *Sheet) string {
	t.Helper()
	m := s.Record(About{Players: [2]record.Player{{Name: "bob"}, {Name: "me"}}, Date: "2026-11-23"})
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			if !turn.Legal {
				return turn.Problem
			}
		}
	}
	return ""
}

// TestDoubledBy_lateBoard: a board that was asked for before a double and comes behind it does not
// take the double back, and one double is filed, whatever is shown afterwards.
func TestDoubledBy_lateBoard(t *testing.T) {
	for _, side := range []Side{Us, Them} {
		s := midGame(t)
		s.now.Turn = side
		late := s.boardNow()
		s.DoubledBy(side)
		s.Saw(late)
		now := late
		now.Doubler = side
		s.Saw(now)
		s.Took(side.Other(), 2)
		g := s.Current()
		if n := len(g.Acts); n != 4 || g.Acts[2].Kind != ActDoubled || g.Acts[3].Kind != ActTook || s.now.Cube != 2 || g.Torn {
			t.Errorf("%d doubles: cube %d, torn %v, %+v", side, s.now.Cube, g.Torn, g.Acts[2:])
		}
	}
}

// TestDoubledBy_forgotten: a server that has put the match back without the double has none; it
// may be offered again, or the cube stays.
func TestDoubledBy_forgotten(t *testing.T) {
	for _, again := range []bool{false, true} {
		s := midGame(t)
		before := s.boardNow()
		s.DoubledBy(Us)
		s.Interrupted()
		s.Saw(before)
		if again {
			s.DoubledBy(Us)
			s.Took(Them, 2)
		}
		s.Rolled(Us, board.Dice{A: 2, B: 1})
		g := s.Current()
		want := 3
		if again {
			want = 5
		}
		if len(g.Acts) != want || g.Torn || problem(t, s) != "" {
			t.Errorf("offered again %v: %+v, %s", again, g, problem(t, s))
		}
	}
}

// TestDoubledBy_outOfTurn: who doubles is on roll, so a turn was lost; what is filed of it is marked,
// and no program finds a double there that the rules forbid.
func TestDoubledBy_outOfTurn(t *testing.T) {
	s := midGame(t)
	s.now.Turn = Us
	s.DoubledBy(Them)
	s.Took(Us, 2)
	if g := s.Current(); !g.Torn || problem(t, s) != "" {
		t.Errorf("torn %v: %s", g.Torn, problem(t, s))
	}
	s.Rolled(Them, board.Dice{A: 2, B: 1})
	v := s.boardNow()
	v.Cube, v.Owner, v.Turn, v.Dice = 2, match.Mine, Them, board.Dice{A: 2, B: 1}
	s.Saw(v)
	s.GameWon(Us, 2, ByResignation)
	if g := s.Last(); !g.Torn || g.Points != 2 || problem(t, s) != "" {
		t.Errorf("torn %v, %d points: %s", g.Torn, g.Points, problem(t, s))
	}
}

// TestSaw_cubeTurnedTwice: the sheet has a double, and the board shows that it was taken and
// the cube turned again. The sheet then records one take of that double.
func TestSaw_cubeTurnedTwice(t *testing.T) {
	s := midGame(t)
	s.Rolled(Us, board.Dice{A: 5, B: 2})
	s.played(Us, board.AppendPlays(nil, s.now.Position, board.Dice{A: 5, B: 2})[0])
	s.DoubledBy(Them)
	v := s.boardNow() // he has rolled and played since, and we have doubled
	d := board.Dice{A: 6, B: 6}
	for _, p := range board.AppendPlays(nil, s.now.Position.Swap(), d) {
		v.Position = p.Result.Swap()
	}
	v.Turn, v.Cube, v.Owner = Us, 4, match.Theirs
	s.Saw(v)
	if s.now.Cube != 4 || s.now.Owner != match.Theirs || !s.Current().Torn || s.State().Cube != 4 || problem(t, s) != "" {
		t.Errorf("cube %d of %v, %+v, %s", s.now.Cube, s.now.Owner, s.Current(), problem(t, s))
	}
}

// TestSaw_doubleStandsBehindAHole: a double that was told still stands, on a cube that has been
// turned and come over unseen: it is not taken for that turn.
func TestSaw_doubleStandsBehindAHole(t *testing.T) {
	s := midGame(t)
	s.now.Turn = Us
	s.DoubledBy(Us)
	v := s.boardNow()
	v.Turn, v.Doubler, v.Cube, v.Owner = Us, Us, 2, match.Mine
	s.Saw(v)
	g := s.Current()
	n := len(g.Acts)
	if !g.Torn || s.now.Cube != 2 || s.now.Owner != match.Mine || s.now.Doubler != Us || g.Acts[n-1].Kind != ActDoubled || g.Acts[n-2].Kind != ActShown || problem(t, s) != "" {
		t.Errorf("cube %d of %v, doubled by %d, torn %v, %s: %+v", s.now.Cube, s.now.Owner, s.now.Doubler, g.Torn, problem(t, s), g.Acts)
	}
}

// TestList_ofGameBefore: while the next game has no roll the server's list is still that of the
// game before. It is not the next game's.
func TestList_ofGameBefore(t *testing.T) {
	s := midGame(t)
	before := s.Current().clone()
	s.DoubledBy(Us)
	s.GameWon(Us, 1, ByDrop)
	s.NewGame()
	s.Interrupted()
	s.ListBegins()
	s.ListPlayers(true, true)
	for i := range before.Acts {
		a := &before.Acts[i]
		s.Listed(ActPlayed, a.Side == Us, a.Dice, a.Play.Steps[:a.Play.N])
	}
	s.Listed(ActDoubled, true, board.Dice{}, nil)
	s.Listed(ActDropped, false, board.Dice{}, nil)
	s.ListWon(true)
	if g := s.Current(); g == nil || len(g.Acts) > 0 || len(s.Games) != 2 || s.Score != [2]int{Us: 1} {
		t.Errorf("score %v, the last game: %+v", s.Score, s.Last())
	}
}
