package matchbuilder

import (
	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// Ending is the end of a game in the words of a file.
type Ending struct {
	// Winner is record.NoPlayer if the file does not name it.
	Winner int
	// Points are the winner's in the file, 0 if it does not state them.
	Points int
	// Size is how many cubes the loser gave up, 0 if the file does not state it.
	Size int
	// WholeMatch means that the loser gave up the rest of the match.
	WholeMatch bool
	// Loose means that the winner was read off a column, which some writers get wrong.
	Loose bool
	// Weak means that some writers put the word for the end in the winner's column and
	// others in the loser's: any other word overrides it.
	Weak bool
	line int
}

// End notes the file's words for the end of the current game. The first ones count; later ones
// only add to them.
func (s *Builder) End(e Ending) {
	if s.g == nil {
		return
	}
	at := len(s.Match.Games)
	if len(s.endings) <= at {
		e.line = s.Line
		s.endings = append(s.endings, e)
		return
	}
	old := &s.endings[at]
	if old.Winner == record.NoPlayer || old.Weak && !e.Weak || !old.Weak && old.Loose && !e.Loose && !e.Weak {
		old.Winner, old.Loose, old.Weak = e.Winner, e.Loose, e.Weak
	}
	if old.Points == 0 {
		old.Points = e.Points
	}
	if old.Size == 0 {
		old.Size = e.Size
	}
	old.WholeMatch = old.WholeMatch || e.WholeMatch
}

// Ended reports whether the end of the current game was noted.
func (s *Builder) Ended() bool { return s.g != nil && len(s.endings) > len(s.Match.Games) }

// results finds winner and points of every game whose end was noted: who won, from a
// drop, the board, the words of the file, the next game's score; how much, from a
// drop, the board, the words. A game that has a result already keeps it.
func (s *Builder) results() {
	m := s.Match
	s.jacoby()
	for i := range m.Games {
		g := &m.Games[i]
		if s.follows[i] && i > 0 {
			before := &m.Games[i-1]
			g.Score = before.Score
			if before.Result.Finished() {
				g.Score[before.Result.Winner&1] += before.Result.Points
			}
		}
		if g.Result.Finished() {
			continue
		}
		var next *[2]int
		if i+1 < len(m.Games) && !s.follows[i+1] {
			next = &m.Games[i+1].Score
		}
		r := standing(m, g)
		s.Line = s.endings[i].line
		switch e := s.endings[i]; {
		case r.winner != record.NoPlayer:
			s.onBoard(g, e, r, next)
		case e.Winner != record.NoPlayer:
			s.resigned(g, e, r, next)
		case next != nil && (next[0] > g.Score[0]) != (next[1] > g.Score[1]):
			w := 0
			if next[1] > g.Score[1] {
				w = 1
			}
			g.Result = record.Result{Winner: w, Points: next[w] - g.Score[w], Resigned: true}
			s.Line, _ = s.at(i, -1)
			s.Warn("game %d: no result is written: the score of the next game gives player %d %d", i+1, w, g.Result.Points)
		}
		if !g.Result.Finished() && s.follows[i+1] && len(g.Actions) > 0 {
			s.Line, _ = s.at(i, -1)
			s.Warn("game %d has no result, but is followed by another", i+1)
		}
		if g.Result.Finished() && next != nil {
			want := g.Score
			want[g.Result.Winner] += g.Result.Points
			if want != *next {
				s.Line, _ = s.at(i+1, -1)
				s.Warn("game %d ends at %d-%d, the next one begins at %d-%d", i+1, want[0], want[1], next[0], next[1])
			}
		}
	}
}

// end is the state of a game after its last action.
type end struct {
	winner, points int
	cube           int
	centred        bool
	boards         [2]board.Checkers
}

// standing replays a game to its end.
func standing(m *record.Match, g *record.Game) end {
	r := record.NewReplay(m, g)
	for {
		if _, ok := r.Next(); !ok {
			break
		}
	}
	var e end
	e.winner, e.points = r.Outcome()
	st := r.State(0)
	e.cube, e.centred = st.Cube, st.Owner == 0
	p := r.Position(0)
	e.boards = [2]board.Checkers{p.Me, p.Opp}
	return e
}

// jacoby finds out from the points of a money session whether gammons counted
// without a double, where the file does not say.
func (s *Builder) jacoby() {
	m := s.Match
	if m.Length > 0 || s.JacobySaid || !m.Rules.Jacoby {
		return
	}
	for i := range m.Games {
		e := standing(m, &m.Games[i])
		if e.winner != record.NoPlayer && e.centred && e.boards[e.winner].Count() == 0 && s.endings[i].Points > e.points {
			m.Rules.Jacoby = false
			return
		}
	}
}

// capped reports whether points may be what the winner still needed: some sites write no more.
func (s *Builder) capped(g *record.Game, winner, points int, next *[2]int) bool {
	n := s.Match.Length
	return n > 0 && next == nil && (points == n-g.Score[winner] || points == n)
}

// onBoard returns the result of a game that ended on the board or by a drop.
func (s *Builder) onBoard(g *record.Game, e Ending, r end, next *[2]int) {
	g.Result = record.Result{Winner: r.winner, Points: r.points}
	if e.Winner != record.NoPlayer && e.Winner != r.winner && !e.Loose {
		s.Warn("the file says that player %d won, on the board player %d did", e.Winner, r.winner)
		return
	}
	if e.Points == 0 || e.Points == r.points || s.capped(g, r.winner, e.Points, next) {
		return
	}
	if next != nil && next[r.winner] == g.Score[r.winner]+e.Points {
		// The next score agrees: a settlement, or a rule that the file does not name. Settle
		// reports it.
		g.Result.Points = e.Points
		return
	}
	s.Warn("the file says %d points, on the board it is %d", e.Points, r.points)
}

// resigned returns the result of a game that did not end on the board.
func (s *Builder) resigned(g *record.Game, e Ending, r end, next *[2]int) {
	w, points := e.Winner, e.Points
	if (e.Loose || e.Weak) && next != nil && next[w] == g.Score[w] && next[1-w] > g.Score[1-w] {
		w = 1 - w // the column said less than the score of the next game
	}
	rest := max(s.Match.Length-g.Score[w], 1)
	most := 3 * r.cube
	switch {
	case e.Size > 0:
		points = e.Size * r.cube
	case points == 0 && next != nil && next[w] > g.Score[w]:
		points = next[w] - g.Score[w]
	case points == 0 && e.WholeMatch && s.Match.Length > 0:
		points = max(multiple(rest, r.cube), rest)
	case points > most && e.WholeMatch && next == nil && s.Match.Length > 0:
		s.Warn("%d points with the cube at %d: the rest of the match was given up", points, r.cube)
		points = rest
	case points == 0:
		points = r.cube
	case points > most && s.Match.Length > 0:
		// A number that cannot be: the rest of the match.
		level := min((rest+r.cube-1)/r.cube, s.worst(r.boards[1-w]))
		s.Warn("%d points with the cube at %d: taken for %d", points, r.cube, level*r.cube)
		points = level * r.cube
	case points%r.cube != 0 && s.capped(g, w, points, next):
		points = multiple(points, r.cube)
	case points%r.cube != 0 || points > most:
		s.Warn("%d points with the cube at %d", points, r.cube)
	}
	g.Result = record.Result{Winner: w, Points: points, Resigned: true}
}

// multiple is the least of one, two or three times the cube that reaches points.
func multiple(points, cube int) int { return min((points+cube-1)/cube, 3) * cube }

// worst returns the most that a side with these checkers can lose, in cubes.
func (s *Builder) worst(c board.Checkers) int {
	if c.Count() < s.Match.Rules.Variation.Checkers() {
		return 1
	}
	return 3
}
