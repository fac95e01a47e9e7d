package sheet

// The points of a game if the server's sentence and the sheet differ.

// worth returns the points of the running game by the sheet if winner has just won it, or 0.
// It is sure if nothing of the game is missing.
func (s *Sheet) worth(winner Side, how How) (points int, sure bool) {
	sure = s.known && !s.Current().Torn
	switch how {
	case ByDrop:
		return s.dropPrice(winner.Other()), sure && s.doubled == winner
	case ByResignation:
		if s.resigned == winner.Other() {
			points = s.offer
		}
		return points, false // two sentences contradict each other
	}
	if winner == Us {
		s.recordLastPlay()
	}
	if s.borneOff() == winner {
		points = s.borneOffPoints(winner)
	}
	return points, sure
}

// contested records a second, different value of the game just ended. The game has won the
// match only if both values do.
func (s *Sheet) contested(other int) {
	g := s.Last()
	if other <= 0 || other == g.Points {
		return
	}
	g.other = other
	if s.Over && g.Score[g.Winner]+other < s.Length {
		s.Over, s.Winner = false, Nobody
	}
}

// decide resolves different values by the score after the game. Such a score may prove that
// the cube was turned unseen.
func (s *Sheet) decide(score [2]int) {
	g := s.Last()
	if g == nil || !g.Finished() || g.other == 0 {
		return
	}
	by := g.Score
	if by[g.Winner] += g.other; by == score {
		g.Points, s.Score = g.other, score
		g.Torn = g.Torn || !g.Resigned
	}
	if score == s.Score {
		g.other = 0
		s.Over = s.Length > 0 && score[g.Winner] >= s.Length
		if s.Over {
			s.Winner = g.Winner
		}
	}
}
