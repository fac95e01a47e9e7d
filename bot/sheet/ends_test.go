package sheet

import (
	"testing"

	"fibsbot/engine/board"
)

// TestEnds_takenBack: if the game continues after an interruption at the score that it began
// at, its announced end is taken back. If that continuation proves false, the end counts again.
func TestEnds_takenBack(t *testing.T) {
	for name, end := range map[string]func(*Sheet){
		"resigned":         func(s *Sheet) { s.GameWon(Us, 1, ByResignation) },
		"borne off":        func(s *Sheet) { s.GameWon(Them, 1, ByBearingOff) },
		"the match":        func(s *Sheet) { s.MatchWon(Them, [2]int{5, 3}) },
		"a score":          func(s *Sheet) { s.ScoreTold(3, 2) },
		"and the next one": func(s *Sheet) { s.GameWon(Us, 1, ByDrop); s.NewGame(); s.Rolled(Them, board.Dice{A: 4, B: 2}) },
		"two ends":         func(s *Sheet) { s.GameWon(Us, 1, ByResignation); s.NewGame(); s.GameWon(Them, 2, ByResignation) },
	} {
		s := ahead(t)
		v := s.boardNow()
		v.Score = scored(3, 1)
		key := s.Key()
		end(s)
		after := s.Score
		if !s.GoesBack(scored(3, 1)) || s.GoesBack(scored(2, 2)) || !s.Contradicts(&v) {
			t.Errorf("%s: does not go back", name)
		}
		s.Interrupted()
		s.Saw(v)
		g := s.Current()
		if g == nil || len(s.Games) != 1 || len(g.Acts) != 2 || g.Torn || s.Over || s.Score != scored(3, 1) || !s.NeedsMending() || s.Key() == key {
			t.Errorf("%s: at %v %+v", name, s.Score, s.Games)
			continue
		}
		s.Interrupted()
		s.ScoreTold(after[Us], after[Them])
		if s.Score != after || !s.Games[0].Finished() || len(s.Games[0].Acts) < 2 {
			t.Errorf("%s: it was true: at %v %+v", name, s.Score, s.Games)
		}
	}
}

// TestEnds_inASitting: without an interruption a board of before is late, and takes nothing back.
func TestEnds_inASitting(t *testing.T) {
	s := ahead(t)
	v := s.boardNow()
	v.Score = scored(3, 1)
	s.GameWon(Us, 1, ByResignation)
	s.Saw(v)
	if s.Current() != nil || s.Score != scored(4, 1) {
		t.Errorf("at %v %+v", s.Score, s.Games)
	}
}

// TestEnds_filedGames: a game of an unlimited match that is filed is not played on.
func TestEnds_filedGames(t *testing.T) {
	s := New("bob", 0, true)
	s.NewGame()
	s.Rolled(Us, board.Dice{A: 3, B: 1})
	s.GameWon(Them, 1, ByResignation)
	s.Filed = 1
	if s.GoesBack(scored(0, 0)) {
		t.Error("goes back to a game that is filed")
	}
}

// TestEnds_bounded: the number of stored ends is bounded, however many the server announces.
func TestEnds_bounded(t *testing.T) {
	s := New("bob", 0, true)
	for n := range 100 {
		s.NewGame()
		s.ScoreTold(n+1, 0)
	}
	if len(s.ends) > maxEnds {
		t.Errorf("%d ends", len(s.ends))
	}
}

// TestMend_outOfTurn: a move list with lines in the wrong order is refused, although it may
// lead to the right board.
func TestMend_outOfTurn(t *testing.T) {
	for _, exchanged := range []bool{false, true} {
		s := ahead(t)
		acts := append([]Act(nil), s.Current().Acts...)
		s.Rolled(Us, board.Dice{A: 5, B: 2})
		s.played(Us, board.AppendPlays(nil, s.now.Position, board.Dice{A: 5, B: 2})[0])
		acts = append(acts, s.Current().Acts[2])
		if exchanged {
			acts[1], acts[2] = acts[2], acts[1]
		}
		if s.mend(s.Last(), &list{acts: acts}) == exchanged {
			t.Errorf("exchanged %v: mended %v", exchanged, exchanged)
		}
	}
}

// TestEnds_byAFalseScore: a false score ends a game in which a double waits for its answer.
// The sentence that then says how the game ended is believed, and the game stays readable
// without it.
func TestEnds_byAFalseScore(t *testing.T) {
	s := midGame(t)
	s.DoubledBy(Us)
	s.ScoreTold(2, 2)
	if g := s.Last(); !g.Finished() || !g.Torn || !g.lastIs(ActTook) {
		t.Errorf("ended by the score: %+v", g)
	}
	s.GameWon(Us, 1, ByDrop)
	s.ScoreTold(1, 0)
	if g := s.Last(); g.Winner != Us || g.Points != 1 || g.Torn || !g.lastIs(ActDropped) || s.Score != scored(1, 0) || !s.SeenFromStart {
		t.Errorf("ended by the sentence: %v %+v", s.Score, g)
	}
	s.GameWon(Them, 1, ByDrop)
	if s.Score != scored(1, 0) {
		t.Errorf("a second sentence changes the score to %v", s.Score)
	}
}

// TestEnds_listProvesThePoints: a list that ends with the last checker borne off corrects
// points of a false score if the final score agrees; otherwise the game stays torn.
func TestEnds_listProvesThePoints(t *testing.T) {
	for _, tt := range []struct {
		final [2]int
		mends bool
	}{{scored(3, 0), true}, {scored(2, 0), false}} {
		s := New("bob", 3, true)
		s.NewGame()
		acts := []Act{}
		pos := board.Start
		// Their checkers stay in our home: a backgammon by bearing off.
		for side := Us; pos.Me.Count() > 0; side = side.Other() {
			a := Act{Kind: ActPlayed, Side: side, Dice: board.Dice{A: 6, B: 5}}
			view := pos
			if side == Them {
				view, a.Dice = pos.Swap(), board.Dice{A: 1, B: 1}
			}
			if plays := board.AppendPlays(nil, view, a.Dice); len(plays) > 0 {
				a.Play = plays[len(plays)-1]
				view = a.Play.Result
			} else {
				a.Play.Result = view
			}
			if pos = view; side == Them {
				pos = view.Swap()
			}
			if acts = append(acts, a); len(acts) > 400 {
				t.Fatal("no end")
			}
		}
		points := pos.Result()
		if points < 2 {
			t.Skipf("a game for %d", points)
		}
		s.ScoreTold(1, 0)
		s.Last().Torn = true
		s.Over, s.Winner, s.Score = true, Us, scored(points, 0)
		if !tt.mends {
			s.Score = scored(points+1, 0)
		}
		if got := s.mend(s.Last(), &list{acts: acts}); got != tt.mends || s.Last().Torn == tt.mends || tt.mends && s.Last().Points != points {
			t.Errorf("mended: %v, points %d of %d, torn %v", got, s.Last().Points, points, s.Last().Torn)
		}
	}
}
