package sheet

import (
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// lastChecker returns a sheet on which winner bears off the last checker at that cube, but the
// connection is cut before the server announces the end. The loser has borne off offs
// checkers; the others are on the loser's points from deep on.
func lastChecker(t *testing.T, winner Side, cube, offs int, deep int) *Sheet {
	t.Helper()
	s := New("bob", 5, true)
	s.NewGame()
	var p board.Position // as the winner sees it
	p.Me[0] = 1
	p.Opp[deep] = uint8(15 - offs)
	s.now.Position = p
	if winner == Them {
		s.now.Position = p.Swap()
	}
	s.now.Cube = cube
	if cube > 1 {
		s.now.Owner = match.Mine
	}
	s.now.Turn = winner
	s.Rolled(winner, board.Dice{A: 6, B: 5})
	s.Moved(winner, []board.Step{{From: 0, To: board.Off}})
	if g := s.Current(); g == nil || g.Torn {
		t.Fatalf("the game is %+v", g)
	}
	return s
}

// TestBorneOff: a play that bears off the last checker ends the game even if the server does
// not announce it. The position gives the points. The game is finished and complete for every
// line that follows.
func TestBorneOff(t *testing.T) {
	sizes := []struct {
		name              string
		cube, offs, deep  int
		points, endsMatch int
	}{
		{"single", 1, 3, 0, 1, 0},
		{"gammon", 1, 0, 0, 2, 0},
		{"backgammon", 1, 0, 20, 3, 0},
		{"single on a 2-cube", 2, 1, 5, 2, 0},
		{"gammon on a 4-cube", 4, 0, 5, 8, 1},
	}
	next := map[string]func(s *Sheet, score [2]int){
		"the score is told": func(s *Sheet, score [2]int) { s.ScoreTold(score[Us], score[Them]) },
		"one side's points": func(s *Sheet, score [2]int) {
			s.PointsTold(Them, score[Them])
			s.PointsTold(Us, score[Us])
		},
		"a board between the games": func(s *Sheet, score [2]int) {
			s.Interrupted()
			s.Saw(Board{Mine: true, Opponent: "bob", Length: 5, Score: score, Turn: Nobody, Doubler: Nobody, Cube: 1})
		},
		"a board of the next game": func(s *Sheet, score [2]int) {
			s.Interrupted()
			s.Saw(Board{Mine: true, Opponent: "bob", Length: 5, Score: score, Position: board.Start, Turn: Us,
				Dice: board.Dice{A: 2, B: 1}, Cube: 1, Doubler: Nobody})
		},
		"the next game is announced": func(s *Sheet, _ [2]int) { s.NewGame() },
		"the next opening roll":      func(s *Sheet, _ [2]int) { s.OpeningRolled(board.Dice{A: 2, B: 1}); s.OpeningWon(Us) },
	}
	for _, winner := range []Side{Us, Them} {
		for _, z := range sizes {
			for name, prove := range next {
				if z.endsMatch == 1 && name != "the score is told" {
					continue
				}
				s := lastChecker(t, winner, z.cube, z.offs, z.deep)
				var score [2]int
				score[winner] = z.points
				prove(s, score)
				g := s.Games[0]
				if g.Torn || g.Winner != winner || g.Points != z.points || g.Resigned || s.Score != score || len(s.Games) > 2 || s.Over != (z.endsMatch == 1) {
					t.Errorf("won by %d, %s, %s: torn %v, winner %d, %d points, score %v, %d games, over %v",
						winner, z.name, name, g.Torn, g.Winner, g.Points, s.Score, len(s.Games), s.Over)
				}
			}
		}
	}
}

// TestBorneOff_turn: whose turn a board shows behind the last play means nothing.
func TestBorneOff_turn(t *testing.T) {
	for _, turn := range []Side{Us, Them} {
		s := lastChecker(t, Us, 1, 3, 0)
		v := s.boardNow()
		v.Turn, v.Dice = turn, board.Dice{}
		s.Saw(v)
		s.Interrupted()
		s.Saw(v)
		s.ScoreTold(1, 0)
		if g := s.Games[0]; g.Torn || g.Points != 1 || g.Winner != Us || len(g.Acts) != 1 || s.NeedsMending() {
			t.Errorf("turn %d: %+v", turn, g)
		}
	}
}

// TestBorneOff_lastGame: the play won the match, and the server does not know it any
// more.
func TestBorneOff_lastGame(t *testing.T) {
	for _, winner := range []Side{Us, Them} {
		s := lastChecker(t, winner, 4, 0, 0)
		s.Interrupted()
		s.Ended()
		if g := s.Games[0]; !s.Over || s.Winner != winner || g.Torn || g.Points != 8 {
			t.Errorf("won by %d: over %v by %d, %+v", winner, s.Over, s.Winner, g)
		}
		s = lastChecker(t, winner, 1, 3, 0)
		s.Interrupted()
		s.Ended() // one point does not win a match of five
		if s.Over {
			t.Errorf("won by %d with a point of five", winner)
		}
	}
}

// TestBorneOff_contradicted: a score that the play does not explain leaves a hole; it
// is believed, not the position.
func TestBorneOff_contradicted(t *testing.T) {
	for name, score := range map[string][2]int{"more points": {Us: 2}, "the other one": {Them: 1}} {
		s := lastChecker(t, Us, 1, 3, 0)
		s.ScoreTold(score[Us], score[Them])
		if g := s.Games[0]; !g.Torn || !g.Finished() || s.Score != score {
			t.Errorf("%s: %+v, score %v", name, g, s.Score)
		}
	}
}

// TestBorneOff_byPosition: a server that prices by the position counts a backgammon also if the
// loser has borne off checkers.
func TestBorneOff_byPosition(t *testing.T) {
	s := lastChecker(t, Us, 2, 14, 20)
	s.Rules.Drops = match.DropByPosition
	s.GameWon(Us, 6, ByBearingOff)
	if g := s.Games[0]; g.Torn || g.Points != 6 || g.Winner != Us {
		t.Errorf("%+v", g)
	}
}

// TestBorneOff_told: the usual case: the play, and at once who has won.
func TestBorneOff_told(t *testing.T) {
	s := lastChecker(t, Them, 1, 0, 0)
	s.GameWon(Them, 2, ByBearingOff)
	s.NewGame()
	if g := s.Games[0]; g.Torn || g.Points != 2 || len(s.Games) != 2 || s.Score[Them] != 2 {
		t.Errorf("%d games, score %v, %+v", len(s.Games), s.Score, g)
	}
}
