package sheet

// What a game was worth, where the server's sentence and the sheet differ.

// worth is what the running game is worth if winner has just won it, as the sheet has it,
// or 0. It is sure when nothing of the game is missing.
func (s *Sheet) worth(winner Side, how How) (points int, sure bool) {
	sure = s.known && !s.Current().Torn
	switch how {
	case ByDrop:
		return s.dropPrice(winner.Other()), sure && s.doubled == winner
	case ByResignation:
		if s.resigned == winner.Other() {
			points = s.offer
		}
		return points, false // one sentence against another
	}
	if winner == Us {
		s.recordLastPlay()
	}
	if s.borneOff() == winner {
		points = s.borneOffPoints(winner)
	}
	return points, sure
}

// contested notes that the game just ended was worth other points by another account. It
// has won the match only if it has by both.
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

// decide ends a contest by the score that is told behind the game. A cube that the sheet
// does not know of was turned unseen.
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
