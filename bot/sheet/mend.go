package sheet

import (
	"slices"

	"fibsbot/engine/board"
)

// ListEnds takes the server's list of moves, as far as it was read, if it completes the last
// game. Lines of the list that come later still count.
func (s *Sheet) ListEnds() {
	l, g := &s.list, s.Last()
	l.open = l.open && !l.named // the players are still to come
	if g == nil || !l.named || l.incomplete || len(l.acts) == 0 || s.ofGameBefore(l) {
		return
	}
	switch {
	case l.winner != Nobody && !g.Finished():
		s.endByList(g, l)
	case l.winner == g.Winner && s.NeedsMending():
		// A list with another winner belongs to the next game.
		s.mend(g, l)
	}
	if !s.NeedsMending() && (l.winner != Nobody || g.Finished()) {
		s.list = list{}
	}
}

// ofGameBefore reports whether the list is that of the finished game before the last one, which
// a server sends as long as the next game has no roll: it has the same rolls.
func (s *Sheet) ofGameBefore(l *list) bool {
	n := len(s.Games)
	if n < 2 || l.winner == Nobody || l.winner != s.Games[n-2].Winner {
		return false
	}
	rolls := func(acts []Act) []Act {
		return slices.DeleteFunc(slices.Clone(acts), func(a Act) bool { return a.Kind != ActRolled && a.Kind != ActPlayed })
	}
	return slices.EqualFunc(rolls(s.Games[n-2].Acts), rolls(l.acts), func(a, b Act) bool {
		return a.Side == b.Side && a.Dice.Sorted() == b.Dice.Sorted()
	})
}

// NeedsMending reports whether the last game has a hole, or may have an invisible one.
func (s *Sheet) NeedsMending() bool {
	g := s.Last()
	return g != nil && (g.Torn || g.doubtful)
}

// endByList closes a game that ended in our absence, as the server's list shows: by
// bearing off, a pass or a resignation. If the list does not show how, the game keeps its hole.
func (s *Sheet) endByList(g *Game, l *list) {
	acts := slices.Clone(l.acts)
	st, _, ok := replay(acts, g.Cube)
	points, resigned, fits := ending(acts, &st, l.winner)
	if !ok || !fits || st.Cube < s.now.Cube {
		return
	}
	if _, ok = s.seenIn(g, acts); !ok {
		return
	}
	g.Acts, g.Torn, g.doubtful = acts, false, false
	s.now.Position, s.known, s.hole = st.Position, true, false
	if points > 0 {
		s.win(l.winner, points, false)
		return
	}
	games := s.offeredGames(l.winner.Other(), st.Cube)
	s.win(l.winner, st.Cube*max(1, games), true)
	g.unsized, g.Torn = games == 0, games == 0 && !resigned
}

// ending returns what the last act of a finished game shows, st being the state after it: the
// points of a passed double or of a game borne off, otherwise 0 and whether the loser has
// offered to resign. ok is false if winner cannot have won.
func ending(acts []Act, st *Standing, winner Side) (points int, resigned, ok bool) {
	view, last := st.Position, acts[len(acts)-1]
	if winner == Them {
		view = view.Swap()
	}
	switch {
	case last.Kind == ActDropped:
		return st.Cube, false, last.Side == winner.Other()
	case view.Me.Count() == 0:
		return st.Cube * view.Result(), false, true
	}
	return 0, last.Kind == ActOffered && last.Side == winner.Other(), view.Opp.Count() > 0
}

// mend replaces the acts of the last game by those of the server's list, if that is a legal
// game that contains all that was seen and leads to the present state. Acts that were seen since
// the last hole may follow the list, which then lacks them. It reports whether it did.
func (s *Sheet) mend(g *Game, l *list) bool {
	acts := slices.Clone(l.acts)
	st, open, legal := replay(acts, g.Cube)
	if !legal {
		s.untrue = true
		return false
	}
	if s.mended(g, slices.Clone(acts), len(acts)) {
		return true
	}
	i := len(g.Acts) - 1
	for i >= 0 && g.Acts[i].Kind != ActShown {
		i--
	}
	if i < 0 || g.Finished() {
		return false
	}
	at, since := &g.Acts[i], g.Acts[i+1:]
	// What the list ends with and the sheet begins with: a roll or a double without an answer.
	if k := len(acts) - 1; len(since) > 0 && since[0].Side == acts[k].Side &&
		(open.Valid() && since[0].Dice.Sorted() == open.Sorted() || st.Doubler != Nobody && since[0].Kind == ActDoubled) {
		acts = acts[:k]
		st, open, _ = replay(acts, g.Cube)
	}
	v := Board{Position: *at.Shown, Turn: at.Side, Cube: at.Cube, Owner: at.Owner, Doubler: Nobody}
	n := len(acts)
	return !open.Valid() && st.stands(v, st.Turn) && s.mended(g, append(acts[:n:n], since...), n)
}

// mended is mend with acts of which the first n are the list's.
func (s *Sheet) mended(g *Game, acts []Act, n int) bool {
	st, open, ok := replay(acts, g.Cube)
	if !ok {
		return false
	}
	var points int
	if g.Finished() {
		var resigned bool
		points, resigned, ok = ending(acts, &st, g.Winner)
		if !ok || !s.endsLike(g, &st, points) || g.Resigned && g.unsized && !resigned {
			return false
		}
	} else if acts, ok = s.leadsHere(acts, &st, open); !ok {
		return false
	}
	if open.Valid() {
		n = min(n, (&Game{Acts: acts}).openRoll()) // the server adds the open roll to lines that it holds back
	}
	unseen, ok := s.seenIn(g, acts)
	if !ok {
		return false
	}
	g.Acts, g.Torn, g.doubtful = acts, false, false
	s.hole = s.hole && g.Finished()
	if points > 0 {
		g.Points = points
	}
	for _, u := range unseen {
		// The server may hold the last lines back, but not those of a finished game.
		if s.untrue || !g.Finished() && u.to >= n {
			g.doubtful = g.doubtful || g.mayLackDances(u)
		}
	}
	return true
}

// mayLackDances reports whether two dances in a row may be missing there.
func (g *Game) mayLackDances(u span) bool {
	for i := u.from; i <= u.to; i++ {
		if st := g.Before(i); st.Doubler == Nobody && bothMayDance(st.Position) {
			return true
		}
	}
	return false
}

// endsLike reports whether a list with that state and those points at its end shows the end of
// a finished game.
func (s *Sheet) endsLike(g *Game, st *Standing, points int) bool {
	if st.Doubler != Nobody && points == 0 || st.Cube < s.now.Cube || !s.hole && (st.Cube != s.now.Cube || s.known && st.Position != s.now.Position) {
		return false
	}
	if g.Resigned {
		return points == 0 && (g.unsized || g.Points%st.Cube == 0 && g.Points <= 3*st.Cube)
	}
	after := g.began()
	after[g.Winner] += points
	return points > 0 && (points == g.Points || after == s.Score)
}

// leadsHere reports whether the state after acts is the sheet's, and returns acts with the
// roll or the double that has followed them.
func (s *Sheet) leadsHere(acts []Act, st *Standing, open board.Dice) ([]Act, bool) {
	turn := s.now.Turn
	if s.now.Doubler != Nobody {
		turn = s.now.Doubler
	}
	if !s.known || st.Position != s.now.Position || st.Turn != turn || st.Cube != max(1, s.now.Cube) || st.Owner != s.now.Owner {
		return nil, false
	}
	switch {
	case open.Valid():
		return acts, open.Sorted() == s.dice.Sorted() && s.now.Doubler == Nobody
	case st.Doubler != Nobody:
		return acts, st.Doubler == s.now.Doubler
	case s.now.Doubler != Nobody:
		return append(acts, Act{Kind: ActDoubled, Side: s.now.Doubler}), s.now.First == s.now.Doubler
	case s.dice.Valid():
		acts = append(acts, Act{Kind: ActRolled, Side: s.now.Turn, Dice: s.dice})
	}
	return acts, true
}

// replay follows acts from the start of a game and returns the final state and the open
// roll, and whether every act was legal and in turn. A last roll without a play becomes an
// open one if there is a play.
func replay(acts []Act, cube int) (st Standing, open board.Dice, ok bool) {
	st = (&Game{Cube: cube}).Before(0)
	over := false
	for i := range acts {
		a := &acts[i]
		if a.Kind == ActOffered || a.Kind == ActRefused {
			continue
		}
		inTurn := !over && st.Doubler == Nobody && a.Side == st.Turn && !open.Valid()
		switch a.Kind {
		case ActRolled, ActPlayed:
			if !inTurn && (st.Turn != Nobody || a.Dice.Double()) {
				return st, open, false
			}
			if a.Kind == ActPlayed && !st.plays(a) {
				if a.Play.N > 0 || !OnlyOffers(acts[i+1:]) {
					return st, open, false
				}
				a.Kind = ActRolled // the last roll of a running game, not yet played
			}
			if a.Kind == ActRolled {
				open = a.Dice
			}
		case ActDoubled:
			if inTurn = inTurn && (st.Owner != a.Side.Other().Owner()); !inTurn && st.Doubler != a.Side.Other() {
				return st, open, false
			}
		case ActTook, ActDropped:
			if over || st.Doubler == Nobody || a.Side != st.Doubler.Other() {
				return st, open, false
			}
			over = a.Kind == ActDropped
		case ActShown:
			return st, open, false
		}
		st.follow(a)
		over = over || st.Position.Me.Count() == 0 || st.Position.Opp.Count() == 0
	}
	return st, open, true
}

// plays reports whether a is a legal play in this state, and completes its Play.
func (st *Standing) plays(a *Act) bool {
	view := st.Position
	if a.Side == Them {
		view = view.Swap()
	}
	if a.Play.N == 0 {
		if canPlay(view, a.Dice) {
			return false
		}
		a.Play.Result = view
		return true
	}
	p, ok := PlaySteps(view, a.Play.Steps[:a.Play.N])
	if ok {
		a.Play = p
		_, ok = findPlay(view, a.Dice, p.Result)
	}
	return ok
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
