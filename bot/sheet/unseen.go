package sheet

import "fibsbot/engine/board"

// NewGame notes "Starting a new game". While a game is running the words alone prove
// nothing: servers say them, too, when somebody joins in the middle of a game. A
// board at another score, one that shows the start again, or an opening roll opens
// the game then.
func (s *Sheet) NewGame() {
	s.closeBorneOff()
	if g := s.Current(); g != nil {
		s.announced = len(g.Acts) > 0 || g.Torn
		return // announced twice, or still to be proved
	}
	s.begin()
}

// opensAnnounced begins the game that was announced: the one before has ended unseen,
// or the server has given it up. Without a score to tell the winner what was played of it
// stays, without an end.
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
		s.Games = s.Games[:len(s.Games)-1] // a roll at most, and nothing came of it
	}
	s.begin()
}

// endsBefore takes score, the first that is told in a game that an opening roll has
// begun, for what the game before was worth, when that one has no end yet. It reports
// whether that was so.
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

// ScoreTold notes the score as the server tells it between games or on resume.
// When it is ahead of ours, the running game ended without our seeing it. When it has
// gone back, the game goes on at that score.
func (s *Sheet) ScoreTold(us, them int) {
	score := [2]int{Them: them, Us: us}
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
		// More than one game is missing: what we have is not the match from
		// its start any more.
		s.SeenFromStart = false
		s.Score = score
	}
}

// another takes the server's word for a score that no end of the running game leads to, and
// reports whether it was one.
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

// began is the score at which the game began, as was told then.
func (g *Game) began() [2]int {
	if g.Told != nil {
		return *g.Told
	}
	return g.Score
}

// takenBack gives the last game the score that it began at, when the one that is told
// behind it follows from that and not from the other one that was told meanwhile.
func (s *Sheet) takenBack(score [2]int) {
	g := s.Last()
	if g == nil || g.Told == nil || !g.Finished() || score == s.Score {
		return
	}
	after := *g.Told
	if after[g.Winner] += g.Points; after != score {
		return
	}
	g.Score, g.Told, s.Score = *g.Told, nil, score
	if s.Length > 0 && score[g.Winner] >= s.Length {
		s.Over, s.Winner = true, g.Winner
	}
}

// beforeCrawford notes a score at which the Crawford game is still to come: from
// there on it is certain which one it is.
func (s *Sheet) beforeCrawford() {
	if s.Length > 1 && max(s.Score[Us], s.Score[Them]) < s.Length-1 {
		s.SeenFromStart = true
	}
}

// PointsTold notes one line of the score that a resumed match begins with. The
// next game may start right behind it, so it must not wait for a board.
func (s *Sheet) PointsTold(side Side, points int) {
	score := s.Score
	score[side] = points
	s.ScoreTold(score[Us], score[Them])
}

// closeUnseen ends the running game by the new score, when its end was missed.
// Mostly the end was our own doing: the command arrived, and the connection was
// gone before the answer. Then command and score tell all there is to know. It reports
// whether the score tells of a winner.
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
		if side == Them && s.turn == Us && s.sent.N > 0 && s.pending.kind != replyResign {
			// He cannot have won before our play was made.
			s.played(Us, s.sent)
		}
		if !s.explain(side, d) {
			g.Torn = true
			s.win(side, d, false)
		}
		return true
	}
	return false
}

// borneOff is who has borne off his last checker in the running game, which nothing
// told to be over, or Nobody.
func (s *Sheet) borneOff() Side {
	switch {
	case s.Current() == nil || !s.known:
	case s.pos.Me.Count() == 0:
		return Us
	case s.pos.Opp.Count() == 0:
		return Them
	}
	return Nobody
}

// closeBorneOff ends a game whose last play bore off the last checker, for what the
// position and the cube make of it, and reports whether it did. It must be called
// only when the match goes on: a game that would have won it was not worth that.
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

// borneOffPoints is what side has won by bearing off.
func (s *Sheet) borneOffPoints(side Side) int {
	p := s.view(side)
	return p.Result() * max(1, s.cube)
}

// explain ends the running game for points won by side, if there is one way
// only in which that can have come about from what the sheet knows: the answer
// to a double or to an offer to resign, the play that bears off the last checkers
// with the roll on the board, or one that has borne them off.
func (s *Sheet) explain(side Side, points int) bool {
	if off := s.borneOff(); off != Nobody {
		// The play was seen, and only the words behind it are missing.
		if off != side || points != s.borneOffPoints(side) {
			return false
		}
		s.win(side, points, false)
		return true
	}
	cube := max(1, s.cube)
	loser := side.Other()
	switch {
	case s.resigned == loser:
		// A pending offer stops the game until it is answered.
		if s.offer == points || s.offer == 0 && side == Them {
			s.win(side, points, true)
			return true
		}
		return false
	case s.doubled == side && points == s.dropPrice(loser) && (side == Us || s.pending.kind == replyReject):
		s.dropped(loser, points)
		return true
	case s.doubled != Nobody:
		return false // taken, and played on out of our sight
	case side == Us && s.pending.kind == replyDouble && s.turn == Us && !s.dice.Valid() && points == s.dropPrice(Them):
		s.dropped(Them, points)
		return true
	case side == Them && s.pending.kind == replyResign && points%cube == 0:
		s.Offered(Us, points)
		s.win(Them, points, true)
		return true
	}
	if !s.known || s.turn != side {
		return false
	}
	if !s.dice.Valid() {
		return s.Rules.PlaysOn && side == Them && s.lastTurn(points)
	}
	play, ok := lastPlay(s.view(side), s.dice)
	if side == Us && s.sent.N > 0 {
		play, ok = s.sent, s.sent.Result.Me.Count() == 0
	}
	if !ok || play.Result.Result()*cube != points {
		return false
	}
	s.played(side, play)
	s.win(side, points, false)
	return true
}

// lastTurn ends the running game by a turn of theirs of which nothing was seen, if
// there is one roll only that can have won those points.
func (s *Sheet) lastTurn(points int) bool {
	var dice board.Dice
	var play board.Play
	for _, r := range board.Rolls {
		if p, ok := lastPlay(s.view(Them), r.Dice); ok && p.Result.Result()*max(1, s.cube) == points {
			if dice.Valid() {
				return false
			}
			dice, play = r.Dice, p
		}
	}
	if !dice.Valid() {
		return false
	}
	s.Rolled(Them, dice)
	s.played(Them, play)
	s.win(Them, points, false)
	return true
}

// offeredGames returns for how many games side has last offered to resign, 0 when
// that is not known. The server's list of moves never tells.
func (s *Sheet) offeredGames(side Side, cube int) int {
	if s.resigned == side && s.offer > 0 && s.offer%cube == 0 {
		return s.offer / cube
	}
	if side == Us && s.pending.kind == replyResign {
		return s.pending.games
	}
	return 0
}

// resize gives the last game the points that score tells, when it ended by a
// resignation whose size nobody had told.
func (s *Sheet) resize(score [2]int) {
	g := s.Last()
	if g == nil || !g.Finished() || !g.unsized {
		return
	}
	won := score[g.Winner] - g.Score[g.Winner]
	if loser := g.Winner.Other(); score[loser] != g.Score[loser] || won%g.Points != 0 || won < g.Points || won > 3*g.Points {
		return
	}
	g.Points, g.unsized, s.Score = won, false, score
	if s.Length > 0 && score[g.Winner] >= s.Length {
		s.Over, s.Winner = true, g.Winner
	}
}

// Ended notes that the server does not know the match any more. When the running
// game can have ended the match by what the sheet knows, our accept of an offer
// that was on its way for one, it did. When a resignation of unknown size ended the
// last game, that was the last because its points were enough: they are the fewest
// that are.
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
		// One of the two accounts has ended the match.
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

// explainLast ends the running game by what wins the match, if the sheet knows how
// that can have come about.
func (s *Sheet) explainLast(g *Game) {
	if s.resigned == Them && s.pending.kind == replyReject {
		return // the game went on
	}
	cube := max(1, s.cube)
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

// lastPlay returns the play of d that bears off all checkers that Me has left.
func lastPlay(p board.Position, d board.Dice) (board.Play, bool) {
	var buf [64]board.Play
	for _, pl := range board.AppendPlays(buf[:0], p, d) {
		if pl.Result.Me.Count() == 0 {
			return pl, true
		}
	}
	return board.Play{}, false
}
