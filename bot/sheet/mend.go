package sheet

import "fibsbot/engine/board"

// ListEnds mends the sheet with a complete list of moves.
func (s *Sheet) ListEnds() {
	l := s.list
	s.list = list{}
	if l.incomplete || !l.named || len(l.acts) == 0 {
		return
	}
	if g := s.Last(); g != nil && (g.Torn || g.doubtful) && (l.winner == g.Winner || !g.Finished()) {
		s.Mend(l.acts) // a list with another winner belongs to the next game
	}
	if l.winner != Nobody && s.Current() != nil {
		s.endByList(l)
	}
}

// endByList closes a game that ended in our absence, as the server's list shows: by
// bearing off, a pass or otherwise a resignation.
func (s *Sheet) endByList(l list) {
	g := s.Current()
	pos, _, ok := replay(l.acts)
	if !ok || !extends(l.acts, g.Acts) {
		return
	}
	g.Acts, g.Torn, g.doubtful = l.acts, false, false
	s.pos, s.known, s.hole = pos, true, false
	cube, points := g.listed(l.acts, s.view(l.winner))
	if points > 0 {
		s.win(l.winner, points, false)
	} else {
		games := s.offeredGames(l.winner.Other(), cube)
		s.win(l.winner, cube*max(1, games), true)
		g.unsized = games == 0
	}
}

// listed returns the value of the cube after acts, and the points that they prove: those of
// a passed double or of a game borne off, view being the winner's last position, otherwise 0.
func (g *Game) listed(acts []Act, view board.Position) (cube, points int) {
	cube = max(1, g.Cube)
	for _, a := range acts {
		if a.Kind == ActTook {
			cube *= 2
		}
	}
	switch {
	case acts[len(acts)-1].Kind == ActDropped:
		points = cube
	case view.Me.Count() == 0:
		points = cube * view.Result()
	}
	return cube, points
}

// extends reports whether list may be the same game as seen: it has every play of seen, in
// order.
func extends(list, seen []Act) bool {
	i := 0
	for _, a := range seen {
		if a.Kind != ActPlayed {
			continue
		}
		found := false
		for i < len(list) && !found {
			b := list[i]
			found = b.Kind == ActPlayed && b.Side == a.Side && b.Dice.Sorted() == a.Dice.Sorted()
			i++
		}
		if !found {
			return false
		}
	}
	return true
}

// NeedsMending reports whether the last game has a hole, or may have an invisible one.
func (s *Sheet) NeedsMending() bool {
	g := s.Last()
	return g != nil && (g.Torn || g.doubtful)
}

// Mend replaces the acts of the last game by the server's complete list of moves, if that
// is a legal game from its start and ends in the sheet's position. It reports whether it
// did.
func (s *Sheet) Mend(acts []Act) bool {
	g := s.Last()
	if g == nil || len(acts) == 0 {
		return false
	}
	pos, open, ok := replay(acts)
	if !ok {
		return false
	}
	if g.Finished() {
		view := pos
		if g.Winner == Them {
			view = pos.Swap()
		}
		if _, points := g.listed(acts, view); !g.Resigned && !s.proves(g, points) {
			return false
		}
	} else {
		if pos != s.pos && s.known {
			return false
		}
		s.pos, s.known, s.hole = pos, true, false
		if s.dice.Valid() && !open.Valid() {
			acts = append(acts[:len(acts):len(acts)], Act{Kind: ActRolled, Side: s.turn, Dice: s.dice})
		}
	}
	g.Acts, g.Torn, g.doubtful = acts, false, false
	return true
}

// proves sets the points of the last game to those that its list shows, and reports whether
// the score agrees.
func (s *Sheet) proves(g *Game, points int) bool {
	after := g.began()
	after[g.Winner] += points
	if points == 0 || points != g.Points && after != s.Score {
		return false
	}
	g.Points = points
	return true
}

// OnlyOffers reports whether all acts are offers to resign and refusals.
func OnlyOffers(acts []Act) bool {
	for _, a := range acts {
		if a.Kind != ActOffered && a.Kind != ActRefused {
			return false
		}
	}
	return true
}

// replay follows acts from the starting position and returns the final position with the
// bot as Me, the open roll, and whether every play was legal and in turn.
func replay(acts []Act) (pos board.Position, open board.Dice, ok bool) {
	pos = board.Start
	moved := Nobody
	for i := range acts {
		a := &acts[i]
		if a.Kind != ActOffered && a.Kind != ActRefused {
			open = board.Dice{}
		}
		switch a.Kind {
		case ActRolled:
			open = a.Dice
		case ActPlayed:
			if a.Side == moved {
				return pos, open, false
			}
			moved = a.Side
			view := pos
			if a.Side == Them {
				view = pos.Swap()
			}
			if a.Play.N == 0 {
				if canPlay(view, a.Dice) {
					if !OnlyOffers(acts[i+1:]) {
						return pos, open, false
					}
					// the last roll of a running game, not yet played
					a.Kind, open = ActRolled, a.Dice
					continue
				}
				a.Play.Result = view
				continue
			}
			p, good := PlaySteps(view, a.Play.Steps[:a.Play.N])
			if !good {
				return pos, open, false
			}
			if _, good = findPlay(view, a.Dice, p.Result); !good {
				return pos, open, false
			}
			a.Play = p
			pos = p.Result
			if a.Side == Them {
				pos = pos.Swap()
			}
		}
	}
	return pos, open, true
}
