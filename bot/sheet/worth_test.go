package sheet

import (
	"strings"
	"testing"
)

// TestWorth_drop: what a dropped cube was worth is the cube, whatever the sentence says,
// unless the score line says the same as the sentence.
func TestWorth_drop(t *testing.T) {
	tests := []struct {
		name   string
		said   int
		score  [2]int
		points int
		torn   bool
	}{
		{"the sentence is wrong", 3, scored(1, 0), 1, false},
		{"the sentence is wrong and would win the match", 5, scored(1, 0), 1, false},
		{"the sentence is right", 1, scored(1, 0), 1, false},
		{"the sentence has no points", 0, scored(1, 0), 1, false},
		{"the cube was turned unseen", 2, scored(2, 0), 2, true},
	}
	for _, tt := range tests {
		s := midGame(t)
		s.DoubledBy(Us)
		s.GameWon(Us, tt.said, ByDrop)
		if s.Over {
			t.Errorf("%s: the match is over at %v", tt.name, s.Score)
		}
		s.ScoreTold(tt.score[Us], tt.score[Them])
		g := s.Last()
		if g.Points != tt.points || g.Torn != tt.torn || s.Score != tt.score || s.Over || !s.SeenFromStart {
			t.Errorf("%s: %d points, torn %v, score %v, over %v, from its start %v", tt.name, g.Points, g.Torn, s.Score, s.Over, s.SeenFromStart)
		}
	}
}

// TestWorth_dropAfterAHole: without a whole game the sentence is believed until the score
// says that the cube is right.
func TestWorth_dropAfterAHole(t *testing.T) {
	for _, points := range []int{1, 4} {
		s := midGame(t)
		s.Current().Torn = true
		s.DoubledBy(Us)
		s.GameWon(Us, 4, ByDrop)
		if s.Score != scored(4, 0) {
			t.Errorf("score %v before it is told", s.Score)
		}
		s.ScoreTold(points, 0)
		if g := s.Last(); g.Points != points || s.Score != scored(points, 0) {
			t.Errorf("%d points are told: %d, score %v", points, g.Points, s.Score)
		}
	}
}

// TestWorth_lastGame: a sentence and a cube that do not agree on the end of the match leave
// it to the next line, or to the server that does not know the match any more.
func TestWorth_lastGame(t *testing.T) {
	last := func(said int) *Sheet {
		s := midGame(t)
		s.now.Cube = 8
		s.DoubledBy(Us)
		s.GameWon(Us, said, ByDrop)
		return s
	}
	if s := last(8); !s.Over || s.Winner != Us || s.Last().Points != 8 {
		t.Errorf("both agree: over %v, %d points", s.Over, s.Last().Points)
	}
	for name, tell := range map[string]func(*Sheet){
		"the match is announced as over": func(s *Sheet) { s.MatchWon(Us, [2]int{8, 0}) },
		"the score is announced":         func(s *Sheet) { s.ScoreTold(8, 0) },
		"the server forgets the match":   func(s *Sheet) { s.Ended() },
	} {
		s := last(1)
		if s.Over {
			t.Errorf("%s: the match is over although the server says 1 point", name)
		}
		if tell(s); !s.Over || s.Winner != Us || s.Last().Points != 8 || s.Last().Torn {
			t.Errorf("%s: over %v, %d points", name, s.Over, s.Last().Points)
		}
	}
	s := last(1)
	s.ScoreTold(1, 0)
	if g := s.Last(); s.Over || g.Points != 1 || !g.Torn {
		t.Errorf("the score agrees with the sentence: over %v, %+v", s.Over, g)
	}
}

// TestWorth_otherEnds: the same for games won by bearing off and by resignation.
func TestWorth_otherEnds(t *testing.T) {
	for _, winner := range []Side{Us, Them} {
		s := lastChecker(t, winner, 1, 3, 0)
		s.GameWon(winner, 3, ByBearingOff)
		var score [2]int
		score[winner] = 1
		s.ScoreTold(score[Us], score[Them])
		if g := s.Last(); g.Points != 1 || g.Torn || s.Score != score {
			t.Errorf("borne off by %d: %+v, score %v", winner, g, s.Score)
		}
		s = midGame(t)
		s.Offered(winner.Other(), 2)
		s.GameWon(winner, 1, ByResignation)
		score[winner] = 2
		s.ScoreTold(score[Us], score[Them])
		if g := s.Last(); g.Points != 2 || g.Torn || !g.Resigned || s.Score != score {
			t.Errorf("resigned to %d: %+v, score %v", winner, g, s.Score)
		}
	}
}

// TestRecord_incomplete: the comment of a game with a hole names no cause, which the sheet
// does not know: the connection may never have been down.
func TestRecord_incomplete(t *testing.T) {
	s := midGame(t)
	v := s.boardNow()
	v.Position.Me[5], v.Position.Me[4] = v.Position.Me[5]-1, v.Position.Me[4]+1
	s.Saw(v)
	c := s.Record(About{}).Games[0].Comment
	if !IsIncomplete(c) || !IsIncomplete("Incomplete: moves were played meanwhile.") || IsIncomplete("a fine game") || strings.Contains(c, "connection") {
		t.Errorf("comment %q", c)
	}
}
