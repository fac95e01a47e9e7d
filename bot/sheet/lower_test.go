package sheet

import (
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// ahead returns a sheet in the middle of a game at 3-1 for Us, in a match of 5 points.
func ahead(t *testing.T) *Sheet {
	t.Helper()
	s := New("bob", 5, true)
	s.ScoreTold(3, 1)
	s.NewGame()
	s.Rolled(Us, board.Dice{A: 3, B: 1})
	s.played(Us, board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0])
	s.Rolled(Them, board.Dice{A: 6, B: 4})
	s.played(Them, board.AppendPlays(nil, s.now.Position.Swap(), board.Dice{A: 6, B: 4})[0])
	return s
}

func scored(us, them int) (score [2]int) {
	score[Us], score[Them] = us, them
	return score
}

// at is the board as it stands, at another score.
func (s *Sheet) at(us, them int) Board {
	v := s.boardNow()
	v.Score = scored(us, them)
	return v
}

// TestScore_lower: a score that has gone back proves no new game. Nothing of the running
// one is lost, and its file says what was told.
func TestScore_lower(t *testing.T) {
	for name, tt := range map[string]struct {
		tell   func(*Sheet)
		score  [2]int // of the match from here on
		record [2]int // of the game in its file
		marked bool
	}{
		"a board":             {func(s *Sheet) { s.Saw(s.at(1, 1)) }, scored(1, 1), scored(1, 1), true},
		"told":                {func(s *Sheet) { s.ScoreTold(1, 1) }, scored(1, 1), scored(1, 1), true},
		"theirs":              {func(s *Sheet) { s.Saw(s.at(3, 0)) }, scored(3, 0), scored(3, 0), true},
		"one up, one down":    {func(s *Sheet) { s.Saw(s.at(0, 4)) }, scored(0, 4), scored(0, 4), true},
		"again and again":     {func(s *Sheet) { s.Saw(s.at(1, 1)); s.Saw(s.at(0, 0)); s.Saw(s.at(1, 1)) }, scored(1, 1), scored(1, 1), true},
		"taken back":          {func(s *Sheet) { s.Saw(s.at(1, 1)); s.Saw(s.at(3, 1)) }, scored(3, 1), scored(3, 1), false},
		"half way, then back": {func(s *Sheet) { s.Saw(s.at(1, 1)); s.Saw(s.at(2, 1)); s.Saw(s.at(3, 1)) }, scored(3, 1), scored(3, 1), false},
	} {
		s := ahead(t)
		tt.tell(s)
		s.Rolled(Us, board.Dice{A: 5, B: 2})
		s.played(Us, board.AppendPlays(nil, s.now.Position, board.Dice{A: 5, B: 2})[0])
		g := s.Current()
		if g == nil || len(s.Games) != 1 || len(g.Acts) != 3 || g.Torn || s.Over {
			t.Errorf("%s: the game is %+v", name, s.Games)
			continue
		}
		if s.Score != tt.score || g.Score != tt.record {
			t.Errorf("%s: score %v, that of the game %v", name, s.Score, g.Score)
		}
		m := s.Record(About{Players: [2]record.Player{{Name: "bob"}, {Name: "me"}}})
		if got := strings.Contains(m.Games[0].Comment, "another score"); got != tt.marked || got != strings.Contains(m.Comment, "another score") {
			t.Errorf("%s: comments %q, %q", name, m.Games[0].Comment, m.Comment)
		}
	}
}

// TestScore_lowerThenAhead: a score beyond the one that the game began at still tells that
// the game has ended, whatever was said in between.
func TestScore_lowerThenAhead(t *testing.T) {
	s := ahead(t)
	s.Saw(s.at(1, 1))
	v := s.at(3, 2)
	v.Position, v.Turn = board.Start, Us
	s.Saw(v)
	if len(s.Games) != 2 || s.Games[0].Winner != Them || s.Games[0].Points != 1 || s.Games[0].Score != scored(3, 1) || len(s.Games[0].Acts) != 2 || s.Games[1].Score != scored(3, 2) {
		t.Errorf("%+v", s.Games)
	}
}

// TestScore_lowerAtTheEnd: who has won what is decided by the score that is told last.
func TestScore_lowerAtTheEnd(t *testing.T) {
	s := ahead(t)
	s.Saw(s.at(1, 1))
	s.GameWon(Us, 2, ByResignation)
	if s.Over || s.Score != scored(3, 1) {
		t.Errorf("corrected: over %v at %v", s.Over, s.Score)
	}
	s.ScoreTold(3, 1)
	if s.Over || s.Games[0].Score != scored(1, 1) {
		t.Errorf("and said again: %+v at %v", s.Games, s.Score)
	}
	for name, tell := range map[string]func(*Sheet){
		"the score":         func(s *Sheet) { s.ScoreTold(5, 1) },
		"who won the match": func(s *Sheet) { s.MatchWon(Us, [2]int{5, 1}) },
	} {
		s := ahead(t)
		s.Saw(s.at(1, 1))
		s.GameWon(Us, 2, ByResignation)
		tell(s)
		if !s.Over || s.Winner != Us || s.Score != scored(5, 1) || s.Games[0].Score != scored(3, 1) || s.Games[0].Told != nil {
			t.Errorf("it was wrong, by %s: over %v at %v, %+v", name, s.Over, s.Score, s.Games)
		}
	}
}

// TestMatchWon_lower: the end of a match at a score that cannot be keeps its last game.
func TestMatchWon_lower(t *testing.T) {
	s := ahead(t)
	s.MatchWon(Us, [2]int{1, 0})
	if len(s.Games) != 1 || len(s.Games[0].Acts) != 2 || !s.Games[0].Torn {
		t.Errorf("%+v", s.Games)
	}
}
