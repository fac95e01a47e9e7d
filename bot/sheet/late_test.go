package sheet

import (
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// droppedGame is a sheet behind a first game that Us dropped, and a board from its middle.
func droppedGame(t *testing.T) (*Sheet, Board) {
	s := midGame(t)
	v := s.boardNow()
	s.DoubledBy(Us)
	s.GameWon(Us, 1, ByDrop)
	return s, v
}

// TestLate: a board of the game that has just ended, by its score and by what it shows, opens
// none and takes no score back, before the next game is announced and behind that.
func TestLate(t *testing.T) {
	for name, tt := range map[string]struct {
		tell  func(*Sheet, *Board)
		games int
	}{
		"of its middle":   {func(*Sheet, *Board) {}, 1},
		"of its start":    {func(_ *Sheet, v *Board) { v.Position, v.Turn, v.Dice = board.Start, Us, board.Dice{A: 3, B: 1} }, 1},
		"of its double":   {func(_ *Sheet, v *Board) { v.Doubler = Us }, 1},
		"no side's turn":  {func(_ *Sheet, v *Board) { v.Turn = Nobody }, 1},
		"again and again": {func(s *Sheet, v *Board) { s.Saw(*v); s.Saw(*v) }, 1},
		"after the next game's start": {func(s *Sheet, _ *Board) {
			s.NewGame()
			s.OpeningRolled(board.Dice{A: 6, B: 5})
			s.OpeningWon(Them)
		}, 2},
	} {
		s, v := droppedGame(t)
		tt.tell(s, &v)
		before := len(s.Games[0].Acts)
		s.Saw(v)
		if len(s.Games) != tt.games || s.Score != scored(1, 0) || !s.SeenFromStart || len(s.Games[0].Acts) != before || s.Last().Torn {
			t.Errorf("%s: at %v, seen from the start %v, %+v", name, s.Score, s.SeenFromStart, s.Games)
		}
	}
}

// TestLate_isNone: a board that does not belong to the previous game opens the next one.
func TestLate_isNone(t *testing.T) {
	for name, change := range map[string]func(*Sheet, *Board){
		"another position":            func(_ *Sheet, v *Board) { v.Position.Me[5], v.Position.Me[4] = v.Position.Me[5]-1, v.Position.Me[4]+1 },
		"another cube":                func(_ *Sheet, v *Board) { v.Cube, v.Owner = 2, match.Theirs },
		"another turn":                func(_ *Sheet, v *Board) { v.Turn = v.Turn.Other() },
		"the score behind the result": func(_ *Sheet, v *Board) { v.Score = scored(1, 0) },
		"another score":               func(_ *Sheet, v *Board) { v.Score = scored(0, 1) },
		"a start on an opening of its own": func(_ *Sheet, v *Board) {
			v.Position, v.Turn, v.Dice = board.Start, Us, board.Dice{A: 6, B: 2}
		},
	} {
		s, v := droppedGame(t)
		change(s, &v)
		if s.Saw(v); len(s.Games) != 2 || s.Current() == nil {
			t.Errorf("%s: %+v", name, s.Games)
		}
	}
}

// TestLate_unlimited: in a match without end every game has a score of its own, too.
func TestLate_unlimited(t *testing.T) {
	s := New("bob", 0, true)
	s.NewGame()
	s.Rolled(Us, board.Dice{A: 3, B: 1})
	s.played(Us, board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0])
	v := s.boardNow()
	s.GameWon(Them, 1, ByResignation)
	s.Saw(v)
	if len(s.Games) != 1 || s.Current() != nil {
		t.Errorf("a late board opens a game: %+v", s.Games)
	}
	v.Score = scored(0, 1)
	if s.Saw(v); len(s.Games) != 2 || s.Games[1].Score != scored(0, 1) {
		t.Errorf("the next game, of which the same was played: %+v", s.Games)
	}
}

// TestLateAfter: in the next match, and before it, a board of the match before is known by its
// score and by what it shows.
func TestLateAfter(t *testing.T) {
	ended, v := droppedGame(t)
	v.Opponent, v.Length = ended.Opponent, ended.Length
	atOne := New(ended.Opponent, ended.Length, false)
	atOne.Score = scored(1, 0)
	for name, tt := range map[string]struct {
		next   *Sheet
		change func(*Board)
		want   bool
	}{
		"at the score before the result":        {atOne, func(*Board) {}, true},
		"at the score behind the result":        {nil, func(v *Board) { v.Score = scored(1, 0) }, true},
		"in a new match":                        {New(ended.Opponent, ended.Length, false), func(v *Board) { v.Score = scored(1, 0) }, true},
		"at the score of the match":             {New(ended.Opponent, ended.Length, false), func(*Board) {}, false},
		"at the score of no match":              {nil, func(*Board) {}, false},
		"another score":                         {atOne, func(v *Board) { v.Score = scored(0, 2) }, false},
		"another opponent":                      {atOne, func(v *Board) { v.Opponent = "carol" }, false},
		"another length":                        {atOne, func(v *Board) { v.Length++ }, false},
		"another cube":                          {atOne, func(v *Board) { v.Cube = 4 }, false},
		"a position that the game did not show": {atOne, func(v *Board) { v.Position.Me[5], v.Position.Me[4] = v.Position.Me[5]-1, v.Position.Me[4]+1 }, false},
	} {
		b := v
		tt.change(&b)
		if got := ended.LateAfter(b, tt.next); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if New("bob", 5, false).LateAfter(v, nil) {
		t.Error("a match without a game has shown nothing")
	}
}

// TestScoreTold_afterAnEnd: a score below the length shows that the match goes on, also on a
// sheet that has no game.
func TestScoreTold_afterAnEnd(t *testing.T) {
	played, _ := droppedGame(t)
	for _, s := range []*Sheet{New("bob", 5, true), played} {
		s.MatchWon(Us, [2]int{5, 2})
		if !s.Over {
			t.Fatal("the match is not over")
		}
		if s.ScoreTold(3, 1); s.Over || s.Winner != Nobody || s.Score != scored(3, 1) {
			t.Errorf("at %v, over %v, won by %d", s.Score, s.Over, s.Winner)
		}
	}
}
