package sheet

import (
	"testing"

	"fibsbot/engine/board"
)

// TestEnds_takenBack: behind an interruption the game goes on at the score that it began at,
// whatever end was told; and where that was the lie, the end counts again.
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

// TestEnds_bounded: however often a server says so, no more ends are kept.
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

// TestMend_outOfTurn: a list whose lines were exchanged on the way may lead to the board all
// the same, and is no game.
func TestMend_outOfTurn(t *testing.T) {
	for _, exchanged := range []bool{false, true} {
		s := ahead(t)
		acts := append([]Act(nil), s.Current().Acts...)
		s.Rolled(Us, board.Dice{A: 5, B: 2})
		s.played(Us, board.AppendPlays(nil, s.pos, board.Dice{A: 5, B: 2})[0])
		acts = append(acts, s.Current().Acts[2])
		if exchanged {
			acts[1], acts[2] = acts[2], acts[1]
		}
		if s.Mend(acts) == exchanged {
			t.Errorf("exchanged %v: mended %v", exchanged, exchanged)
		}
	}
}
