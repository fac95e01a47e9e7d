package sheet

import "fibsbot/engine/board"

// NewGame records "Starting a new game". While a game is running the line proves nothing,
// because servers also send it to a player who joins in the middle of a game. Then a board
// at another score, a board of the starting position or an opening roll opens the game.
func (s *Sheet) NewGame() {
	s.closeBorneOff()
	if g := s.Current(); g != nil {
		s.announced = len(g.Acts) > 0 || g.Torn
		return // announced twice, or not yet proved
	}
	s.begin()
}

// opensAnnounced begins the announced game: the one before has ended unseen, or the server
// has abandoned it. Without a score that shows its winner it stays without an end.
func (s *Sheet) opensAnnounced() {
	if !s.announced {
		return
	}
	g := s.Current()
	switch {
	case g == nil || s.closeUnseen(s.Score):
	case g.played():
		g.Torn = true
		s.dropOpenRoll()
	default:
		s.Games = s.Games[:len(s.Games)-1] // at most a roll without a play
	}
	s.begin()
}

// endsBefore uses score, the first one in a game that began with an opening roll, to end the
// game before if that has no end yet. It reports whether it did.
func (s *Sheet) endsBefore(score [2]int) bool {
	n := len(s.Games)
	if !s.unscored || n < 2 || s.Games[n-2].Finished() || s.Games[n-1].Finished() {
		return false
	}
	g := &s.Games[n-2]
	for _, winner := range []Side{Us, Them} {
		if loser := winner.Other(); score[winner] > g.Score[winner] && score[loser] == g.Score[loser] {
			g.Winner, g.Points = winner, score[winner]-g.Score[winner]
			s.countCrawford(g)
			s.Score = score
			s.Games[n-1].Score, s.Games[n-1].Crawford = score, s.CrawfordGame()
			return true
		}
	}
	return false
}

// ScoreTold records the server's score between games or on resume. A score ahead of ours
// means that the running game ended unseen. After a score that goes back, the game continues
// at that score. After the end of the match only a board can take the match back to a score
// that it had.
func (s *Sheet) ScoreTold(us, them int) {
	score := [2]int{Them: them, Us: us}
	if s.Over && !s.unsure && s.GoesBack(score) {
		return
	}
	if s.unsure && score != s.Score && s.takeBack(score) {
		return
	}
	if score != s.Score {
		defer s.scored()()
	}
	defer s.beforeCrawford()
	defer func() { s.unscored = false }()
	s.decide(score)
	if score == s.Score || s.endsBefore(score) {
		return
	}
	if g := s.Current(); g != nil {
		if s.another(g, score) {
			return
		}
		s.closeUnseen(score)
	} else {
		s.takenBack(score)
		s.resize(score)
	}
	if score != s.Score {
		// More than one game is missing, so the sheet no longer holds the match from its start.
		s.SeenFromStart = false
		s.Score = score
		if g := s.Last(); s.Over && s.Length > 0 && max(score[Us], score[Them]) < s.Length && (g == nil || !g.Forfeit) {
			s.Over, s.Winner = false, Nobody // the match goes on
		}
	}
}

// another accepts a score that no end of the running game leads to, and reports whether it
// was such a score.
func (s *Sheet) another(g *Game, score [2]int) bool {
	began := g.began()
	if score != began && score[Us] >= began[Us] && score[Them] >= began[Them] {
		g.Score, g.Told = began, nil
		return false
	}
	if g.Score = score; score == began {
		g.Told = nil
	} else {
		g.Told = &began
	}
	s.Score = score
	g.Crawford = s.CrawfordGame()
	return true
}

// began returns the score at which the game began, as announced then.
func (g *Game) began() [2]int {
	if g.Told != nil {
		return *g.Told
	}
	return g.Score
}

// takenBack restores the last game's original score at its start, if the score after it
// follows from that one and not from the later one.
func (s *Sheet) takenBack(score [2]int) {
	g := s.Last()
	if g == nil || g.Told == nil || !g.Finished() || score == s.Score {
		return
	}
	after := *g.Told
	if after[g.Winner] += g.Points; after != score {
		return
	}
	g.Score, g.Told = *g.Told, nil
	s.reaches(score, g.Winner)
}

// beforeCrawford records a score before the Crawford game. From there on it is certain which
// game that is.
func (s *Sheet) beforeCrawford() {
	if s.Length > 1 && max(s.Score[Us], s.Score[Them]) < s.Length-1 {
		s.SeenFromStart = true
	}
}

// PointsTold records one line of the score with which a resumed match begins. The next game
// may start right after it, so it does not wait for a board.
func (s *Sheet) PointsTold(side Side, points int) {
	score := s.Score
	score[side] = points
	s.ScoreTold(score[Us], score[Them])
}

// closeUnseen ends the running game by the new score if its end was missed, and reports
// whether the score shows a winner. Usually our own command ended the game and the
// connection broke before the answer; then command and score show everything.
func (s *Sheet) closeUnseen(score [2]int) bool {
	g := s.Current()
	if g == nil {
		return false
	}
	for _, side := range []Side{Us, Them} {
		d := score[side] - g.Score[side]
		if d <= 0 {
			continue
		}
		if side == Them && s.now.Turn == Us && s.sent.N > 0 && s.pending.kind != ActOffered {
			// He cannot have won before our play.
			s.played(Us, s.sent)
		}
		if !s.explain(side, d) {
			g.Torn = true
			s.answerUnseen(side, d)
			s.win(side, d, false)
		}
		g.byScore = true
		return true
	}
	return false
}

// answerUnseen records the answer to an open double in a game that a score has ended: a
// pass if the doubler won its price, otherwise a take.
func (s *Sheet) answerUnseen(winner Side, points int) {
	if s.now.Doubler == Nobody {
		return
	}
	answer := Act{Kind: ActTook, Side: s.now.Doubler.Other()}
	if winner == s.now.Doubler && points == s.dropPrice(answer.Side) {
		answer.Kind = ActDropped
	}
	s.add(answer)
}

// reopen takes back the end of the last game if a score alone ended it and the server now
// says that it ended otherwise. It reports whether it did.
func (s *Sheet) reopen(winner Side, points int) bool {
	g := s.Last()
	if g == nil || !g.byScore || g.Winner == winner && (points <= 0 || points == g.Points) {
		return false
	}
	return s.takeBack(g.began()) && s.Current() != nil
}

// borneOff returns the side that has borne off all its checkers in the running game, or Nobody.
func (s *Sheet) borneOff() Side {
	switch {
	case s.Current() == nil || !s.known:
	case s.now.Position.Me.Count() == 0:
		return Us
	case s.now.Position.Opp.Count() == 0:
		return Them
	}
	return Nobody
}

// closeBorneOff ends a game whose last play bore off the last checker, with the points of
// position and cube, and reports whether it did. It must be called only if the match
// continues: then the game cannot have won it.
func (s *Sheet) closeBorneOff() bool {
	side := s.borneOff()
	if side == Nobody {
		return false
	}
	points := s.borneOffPoints(side)
	if s.Length > 0 && s.Score[side]+points >= s.Length {
		return false
	}
	s.win(side, points, false)
	return true
}

// borneOffPoints returns the points that side has won by bearing off.
func (s *Sheet) borneOffPoints(side Side) int {
	p := s.view(side)
	return s.Rules.Drops.Won(&p) * max(1, s.now.Cube)
}

// explain ends the running game for points won by side, if the sheet allows exactly one way:
// the answer to a double or to an offer to resign, a play that bears off the last checkers
// with the present roll, or one that has done so.
func (s *Sheet) explain(side Side, points int) bool {
	if off := s.borneOff(); off != Nobody {
		// The play was seen; only the line after it is missing.
		if off != side || points != s.borneOffPoints(side) {
			return false
		}
		s.win(side, points, false)
		return true
	}
	cube := max(1, s.now.Cube)
	loser := side.Other()
	switch {
	case s.resigned == loser:
		// A pending offer stops the game until it is answered.
		if s.offer == points || s.offer == 0 && side == Them {
			s.win(side, points, true)
			return true
		}
		return false
	case s.now.Doubler == side && points == s.dropPrice(loser) && (side == Us || s.pending.kind == ActDropped):
		s.dropped(loser, points)
		return true
	case s.now.Doubler != Nobody:
		return false // taken, and the game continued unseen
	case side == Us && s.pending.kind == ActDoubled && s.now.Turn == Us && !s.dice.Valid() && points == s.dropPrice(Them):
		s.dropped(Them, points)
		return true
	case side == Them && s.pending.kind == ActOffered && points%cube == 0:
		s.Offered(Us, points)
		s.win(Them, points, true)
		return true
	}
	if !s.known || s.now.Turn != side {
		return false
	}
	if !s.dice.Valid() {
		return s.Rules.PlaysOn && side == Them && s.lastTurn(points)
	}
	play, ok := lastPlay(s.view(side), s.dice)
	if side == Us && s.sent.N > 0 {
		play, ok = s.sent, s.sent.Result.Me.Count() == 0
	}
	if !ok || s.Rules.Drops.Won(&play.Result)*cube != points {
		return false
	}
	s.played(side, play)
	s.win(side, points, false)
	return true
}

// lastTurn ends the running game by an unseen turn of the opponent, if exactly one roll can
// have won those points.
func (s *Sheet) lastTurn(points int) bool {
	dice, play, rolls := rollThat(func(d board.Dice) (board.Play, bool) {
		p, ok := lastPlay(s.view(Them), d)
		return p, ok && s.Rules.Drops.Won(&p.Result)*max(1, s.now.Cube) == points
	})
	if rolls != 1 {
		return false
	}
	s.rolled(Them, dice)
	s.played(Them, play)
	s.win(Them, points, false)
	return true
}

// offeredGames returns how many games side has last offered to resign, 0 if unknown. The
// server's list of moves never shows it.
func (s *Sheet) offeredGames(side Side, cube int) int {
	if s.resigned == side && s.offer > 0 && s.offer%cube == 0 {
		return s.offer / cube
	}
	if side == Us && s.pending.kind == ActOffered {
		return s.pending.games
	}
	return 0
}

// resize sets the points of the last game from the score, if it ended by a resignation of
// unknown size.
func (s *Sheet) resize(score [2]int) {
	g := s.Last()
	if g == nil || !g.Finished() || !g.unsized {
		return
	}
	won := score[g.Winner] - g.Score[g.Winner]
	if loser := g.Winner.Other(); score[loser] != g.Score[loser] || won%g.Points != 0 || won < g.Points || won > 3*g.Points {
		return
	}
	g.Points, g.unsized = won, false
	s.reaches(score, g.Winner)
}

// Ended records that the server no longer knows the match. If the running game can have
// ended the match, by our acceptance of an offer for example, it did. If a resignation of
// unknown size ended the last game, its points are the fewest that win the match.
func (s *Sheet) Ended() {
	g := s.Last()
	if s.Over || s.Length <= 0 || g == nil {
		return
	}
	if !g.Finished() {
		s.explainLast(g)
		return
	}
	if g.other > 0 {
		// One of the two values has ended the match.
		score := g.Score
		score[g.Winner] += max(g.Points, g.other)
		if score[g.Winner] >= s.Length {
			s.decide(score)
		}
		return
	}
	if !g.unsized {
		return
	}
	for games := 2; games <= 3; games++ {
		score := g.Score
		score[g.Winner] += games * g.Points
		if score[g.Winner] >= s.Length {
			s.resize(score)
			return
		}
	}
}

// explainLast ends the running game with the points that win the match, if the sheet can
// explain them.
func (s *Sheet) explainLast(g *Game) {
	if s.resigned == Them && s.pending.kind == ActDropped {
		return // the game continued
	}
	cube := max(1, s.now.Cube)
	for _, winner := range []Side{Us, Them} {
		offered := s.offeredGames(winner.Other(), cube)
		for games := 1; games <= 3; games++ {
			points := games * cube
			if offered > 0 && games != offered || g.Score[winner]+points < s.Length {
				continue
			}
			if s.explain(winner, points) {
				return
			}
		}
	}
}
