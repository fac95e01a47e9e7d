package sheet

import "slices"

// A score never falls within a match. If it seems to, an announced end was false, or the
// server has lost it: the sheet returns to the running game.

// maxEnds bounds the ends of games that can be taken back.
const maxEnds = 4

// scored returns a function to be called after a change. If the change altered the score,
// that function keeps the present sheet for takeBack.
func (s *Sheet) scored() func() {
	was := *s
	was.Games, was.ends, was.said, was.list, was.undone = slices.Clone(s.Games), nil, nil, list{}, nil
	if g := was.Last(); g != nil {
		*g = g.clone()
	}
	return func() {
		if s.Score == was.Score && s.Over == was.Over {
			return
		}
		if len(s.ends) == maxEnds {
			s.ends = slices.Delete(s.ends, 0, 1)
		}
		s.ends, s.undone = append(s.ends, was), nil
	}
}

// stood returns the sheet from when the match last had that score, before an announced end
// or one that was taken back, or nil.
func (s *Sheet) stood(score [2]int) *Sheet {
	fits := func(was *Sheet) bool {
		// A filed game of an unlimited match does not continue.
		return was.Score == score && (len(was.Games) > s.Filed || len(was.Games) == s.Filed && was.Current() == nil)
	}
	if s.undone != nil && fits(s.undone) {
		return s.undone
	}
	for i := len(s.ends) - 1; i >= 0; i-- {
		if was := &s.ends[i]; fits(was) {
			was.ends = s.ends[:i:i]
			return was
		}
	}
	return nil
}

// GoesBack reports whether the match had that score before an announced end or before an
// end that was taken back.
func (s *Sheet) GoesBack(score [2]int) bool { return s.stood(score) != nil }

// takeBack continues the match from that score. Later events are dropped, so a game that
// was running then may have a hole.
func (s *Sheet) takeBack(score [2]int) bool {
	was := s.stood(score)
	if was == nil {
		return false
	}
	now, forward := *s, was == s.undone
	now.undone = nil
	*s = *was
	s.said, s.left, s.Filed = now.said, now.left, now.Filed
	s.step, s.begun = now.step+1, now.begun+1 // a new state, whose list of moves may be asked for
	if s.undone = nil; !forward {
		s.undone = &now
	}
	s.Interrupted()
	if g := s.Current(); g != nil {
		g.doubtful = true
	}
	return true
}

// Contradicts reports whether v, one of the bot's own boards, belongs to another match than
// the sheet, or has an unexplained score.
func (s *Sheet) Contradicts(v *Board) bool {
	if v.Opponent != s.Opponent || s.Length >= 0 && v.Length != s.Length {
		return true
	}
	if v.Score[Us] < s.Score[Us] || v.Score[Them] < s.Score[Them] {
		return true
	}
	if v.Score == s.Score || s.announced || s.unscored {
		return false
	}
	g := s.Last()
	return g == nil || !g.Finished() || !g.unsized && g.other == 0
}

// The points of a game if the server's sentence and the sheet differ.

// worth returns the points of the running game by the sheet if winner has just won it, or 0.
// It is sure if nothing of the game is missing.
func (s *Sheet) worth(winner Side, how How) (points int, sure bool) {
	sure = s.known && !s.Current().Torn
	switch how {
	case ByDrop:
		return s.dropPrice(winner.Other()), sure && s.now.Doubler == winner
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
		g.other, s.Over = 0, false
		s.reaches(score, g.Winner)
	}
}
