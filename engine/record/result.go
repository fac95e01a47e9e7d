package record

import (
	"cmp"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Trust is how far a statement about the winner of a game can be believed. The trusts of the
// statements for either player are added up; the greater sum decides.
type Trust int

// How much a place in a file says about who won.
const (
	// Guessed is read off a place that some writers use for the winner and others for the loser.
	Guessed Trust = 1
	// Column is read off the column of a line of its own, which some writers get wrong.
	Column Trust = 2
	// Counted is a score that only one player reached.
	Counted Trust = 3
	// Worded is the result in words, in a player's own cell or by name.
	Worded Trust = 4
	// shown is a last checker borne off, or a double passed: more than words and one score.
	shown Trust = 6
)

// Statement is what a file says in one place about the end of a game.
type Statement struct {
	// Source names the place in words: `"Wins 2 points"`. Line is its line, 0 if unknown.
	Source string
	Line   int
	Trust  Trust
	// Winner is NoPlayer if the place does not name it.
	Winner int
	// Points are the winner's, 0 if the place does not state them.
	Points int
	// Size is how many cubes the loser gave up, 0 if the place does not state it.
	Size int
	// Declared means that the place names a resignation.
	Declared bool
	// WholeMatch means that the loser gave up the rest of the match.
	WholeMatch bool
}

// Final is the final score of a match as a file states it beside the games.
type Final struct {
	Source string
	Score  [2]int
}

// Evidence is what a reader found about the results of the games.
type Evidence struct {
	// Said are the statements of each game; it may be shorter than the games.
	Said  [][]Statement
	Final *Final
	// Follows are the games whose score is not in the file.
	Follows map[int]bool
	// JacobySaid means that the file states whether the Jacoby rule is in force.
	JacobySaid bool
	// At returns line and column, from 1, of an action of a game, or of the head of a game for
	// action -1; 0 where the reader does not know.
	At func(game, action int) (line, column int)
	// Scored, if set, is called when all scores are known, before the actions are checked.
	Scored func() []Warning
}

// end is the state of a game after its last action.
type end struct {
	winner, points int
	cube           int
	centred, sound bool
	boards         [2]board.Checkers
}

// endOf returns the state that a replay of all actions has reached; sound means that every
// action was legal.
func endOf(r *Replay, sound bool) end {
	e := end{sound: sound}
	e.winner, e.points = r.Outcome()
	st := r.State(0)
	e.cube, e.centred = st.Cube, st.Owner == 0
	p := r.Position(0)
	e.boards = [2]board.Checkers{p.Me, p.Opp}
	return e
}

// standing replays a game to its end.
func standing(m *Match, g *Game) end {
	r, sound := NewReplay(m, g), true
	for {
		t, ok := r.Next()
		if !ok {
			return endOf(r, sound)
		}
		sound = sound && t.Legal && t.Action.Raw == ""
	}
}

// verdicts finds winner and points of every game from all that the file says.
type verdicts struct {
	m    *Match
	ev   *Evidence
	ends []end
	ws   []Warning
}

func (v *verdicts) warn(line int, format string, args ...any) {
	if len(v.ws) < maxWarnings {
		v.ws = append(v.ws, Warning{Line: line, Text: fmt.Sprintf(format, args...)})
	}
}

// head is the line where a game begins.
func (v *verdicts) head(game int) int {
	line, _ := v.ev.At(game, -1)
	return line
}

// settle settles the games one after the other.
func (v *verdicts) settle() []Warning {
	m := v.m
	v.jacoby()
	v.drops()
	for i := range m.Games {
		g := &m.Games[i]
		if v.ev.Follows[i] && i > 0 {
			g.Score = m.Games[i-1].after()
		}
		next := v.next(i)
		v.game(i, next)
		if !g.Result.Finished() && v.ev.Follows[i+1] && len(g.Actions) > 0 {
			v.warn(v.head(i), "game %d has no result, but is followed by another", i+1)
		}
		if g.Result.Finished() && next != nil && m.Length > 0 && g.after() != *next {
			want := g.after()
			v.warn(v.head(i+1), "game %d ends at %d-%d, the next one begins at %d-%d", i+1, want[0], want[1], next[0], next[1])
		}
	}
	v.final()
	return v.ws
}

// next returns the score at which the game after game i begins, or nil if the file does not say.
func (v *verdicts) next(i int) *[2]int {
	if i+1 < len(v.m.Games) && !v.ev.Follows[i+1] {
		return &v.m.Games[i+1].Score
	}
	return nil
}

// after is the score after a game.
func (g *Game) after() [2]int {
	s := g.Score
	if g.Result.Finished() {
		s[g.Result.Winner&1] += g.Result.Points
	}
	return s
}

// final compares the last score with the one that the file states.
func (v *verdicts) final() {
	f, got := v.ev.Final, v.m.FinalScore()
	if f == nil || got == v.m.capped(f.Score) || len(v.m.Games) == 0 {
		return
	}
	text := fmt.Sprintf("the games end at %d-%d, %s is %d-%d", got[0], got[1], f.Source, f.Score[0], f.Score[1])
	v.warn(0, "%s", text)
	g := &v.m.Games[len(v.m.Games)-1]
	g.Disputed = cmp.Or(g.Disputed, text)
}

// capped is a score in which no player has more than the match needs.
func (m *Match) capped(score [2]int) [2]int {
	if m.Length > 0 {
		score[0], score[1] = min(score[0], m.Length), min(score[1], m.Length)
	}
	return score
}

// jacoby finds out from the points of a money session whether gammons counted
// without a double, where the file does not say.
func (v *verdicts) jacoby() {
	m := v.m
	if m.Length > 0 || v.ev.JacobySaid || !m.Rules.Jacoby {
		return
	}
	for i := range v.ev.Said {
		if e := &v.ends[i]; e.winner != NoPlayer && e.centred && e.boards[e.winner].Count() == 0 && points(v.ev.Said[i], e.winner) > e.points {
			m.Rules.Jacoby = false
			v.again()
			return
		}
	}
}

// again replays the games, by another rule perhaps.
func (v *verdicts) again() {
	for i := range v.ends {
		v.ends[i] = standing(v.m, &v.m.Games[i])
	}
}

// drops finds out from the points of a match that a refused double cost what the position said.
func (v *verdicts) drops() {
	m := v.m
	by := *m
	by.Rules.Drops = match.DropByPosition
	found := false
	for i := range v.ev.Said {
		g, e := &m.Games[i], &v.ends[i]
		n := len(g.Actions)
		if m.Length == 0 || e.winner == NoPlayer || n == 0 || g.Actions[n-1].Kind != Drop {
			continue
		}
		said, priced := points(v.ev.Said[i], e.winner), standing(&by, g).points
		switch {
		case said == 0 || e.points == priced:
		case said == priced:
			found = true
		case said == e.points || !v.maybeCapped(g, e.winner, said, v.next(i)):
			return
		}
	}
	if found {
		m.Rules.Drops = match.DropByPosition
		v.again()
	}
}

// points are those that a statement for a winner gives, else any statement; 0 without one.
func points(said []Statement, winner int) (n int) {
	for i := range said {
		if s := &said[i]; s.Points > 0 && (n == 0 || s.Winner == winner) {
			if n = s.Points; s.Winner == winner {
				break
			}
		}
	}
	return n
}

// gained returns who has more in the second score, if only one player has.
func gained(from, to [2]int) (int, bool) {
	switch a, b := to[0]-from[0], to[1]-from[1]; {
	case a > 0 && b <= 0:
		return 0, true
	case b > 0 && a <= 0:
		return 1, true
	}
	return NoPlayer, false
}

// game settles one game; next is the score at which the next one begins, or nil.
func (v *verdicts) game(i int, next *[2]int) {
	g, e := &v.m.Games[i], &v.ends[i]
	var said []Statement
	if i < len(v.ev.Said) {
		said = v.ev.Said[i]
	}
	had := g.Result
	if had.Finished() {
		s := Statement{Source: "the result", Line: v.head(i), Trust: Worded, Winner: had.Winner & 1, Points: had.Points}
		said = append([]Statement{s}, said...)
	}
	words := said
	if e.winner != NoPlayer {
		s := Statement{Source: "the last play", Trust: shown, Winner: e.winner}
		if !e.sound {
			s.Trust = Counted
		}
		said = append([]Statement{s}, said...)
	}
	if next != nil {
		if w, ok := gained(g.Score, *next); ok {
			said = append(said, Statement{Source: "the score of the next game", Line: v.head(i + 1), Trust: Counted, Winner: w})
		}
	} else if f := v.ev.Final; f != nil && i+1 == len(v.m.Games) {
		if w, ok := gained(v.m.capped(g.Score), f.Score); ok {
			said = append(said, Statement{Source: f.Source, Trust: Counted, Winner: w})
		}
	}
	w := v.winner(i, said)
	switch {
	case w == NoPlayer:
	case w == e.winner && had.Finished() && had.Winner&1 == w:
		g.Result.Resigned, g.EndUnknown = false, false
		if had.Points != e.points {
			v.warn(v.head(i), "game %d: the file says player %d wins %d, the board says player %d wins %d", g.Number+1, w, had.Points, w, e.points)
		}
	case w == e.winner:
		g.Result, g.EndUnknown = Result{Winner: w, Points: e.points}, false
		v.shown(g, words, e, next)
	case had.Finished() && had.Winner&1 == w:
		g.EndUnknown = g.EndUnknown || !had.Resigned
		g.Result.Resigned = true
	case len(words) > 0:
		v.resigned(g, words, w, e, next)
	case next != nil:
		g.Result, g.EndUnknown = Result{Winner: w, Points: next[w] - g.Score[w], Resigned: true}, true
		if len(g.Actions) > 0 {
			v.warn(v.head(i), "game %d: no result is written: the score of the next game gives player %d %d", i+1, w, g.Result.Points)
		}
	default:
		g.Result, g.EndUnknown = Result{Winner: w, Points: v.ev.Final.Score[w] - g.Score[w], Resigned: true}, true
		v.warn(v.head(i), "game %d: no result is written: %s gives player %d %d", i+1, v.ev.Final.Source, w, g.Result.Points)
	}
}

// winner weighs the statements about a game against each other and reports those that
// contradict the verdict.
func (v *verdicts) winner(i int, said []Statement) int {
	var sum [2]Trust
	for k := range said {
		if w := said[k].Winner; w == 0 || w == 1 {
			sum[w] += said[k].Trust
		}
	}
	if sum == [2]Trust{} {
		return NoPlayer
	}
	w := 0
	if sum[1] > sum[0] || sum[1] == sum[0] && best(said, 1).Trust > best(said, 0).Trust {
		w = 1
	}
	pro, con := best(said, w), best(said, 1-w)
	if con.Trust < Column || con.Trust == Column && pro.Trust == shown {
		return w // writers put such a line into either column
	}
	g := &v.m.Games[i]
	text := fmt.Sprintf("game %d: by %s %s wins, by %s %s: read as won by %s", g.Number+1, con.Source, v.name(1-w), pro.Source, v.name(w), v.name(w))
	v.warn(con.Line, "%s", text)
	g.Disputed = cmp.Or(g.Disputed, text)
	return w
}

// best is the statement for a player that is trusted most.
func best(said []Statement, winner int) (out Statement) {
	for _, s := range said {
		if s.Winner == winner && s.Trust > out.Trust {
			out = s
		}
	}
	return out
}

func (v *verdicts) name(player int) string {
	if p := &v.m.Players; p[player].Name != "" && p[0].Name != p[1].Name {
		return p[player].Name
	}
	return fmt.Sprintf("player %d", player)
}

// maybeCapped reports whether points may be what the winner still needed: some sites write no more.
func (v *verdicts) maybeCapped(g *Game, winner, points int, next *[2]int) bool {
	n := v.m.Length
	return n > 0 && next == nil && (points == n-g.Score[winner] || points == n)
}

// shown compares the words with the points of a game that ended on the board or by a drop.
func (v *verdicts) shown(g *Game, words []Statement, e *end, next *[2]int) {
	n := points(words, e.winner)
	if n == 0 || n == e.points || v.maybeCapped(g, e.winner, n, next) {
		return
	}
	text := fmt.Sprintf("the file says %d points, on the board it is %d", n, e.points)
	if next != nil && next[e.winner] == g.Score[e.winner]+n {
		// The next score agrees: a settlement, or a rule that the file does not name.
		g.Result.Points = n
		text = fmt.Sprintf("game %d: the file says player %d wins %d, the board says player %d wins %d", g.Number+1, e.winner, n, e.winner, e.points)
	}
	v.warn(words[0].Line, "%s", text)
}

// resigned sets the result of a game that did not end on the board.
func (v *verdicts) resigned(g *Game, words []Statement, w int, e *end, next *[2]int) {
	n, size, whole, declared, line := points(words, w), 0, false, false, words[0].Line
	for i := range words {
		size, whole, declared = cmp.Or(size, words[i].Size), whole || words[i].WholeMatch, declared || words[i].Declared
	}
	if f := v.ev.Final; f != nil && next == nil && v.m.Length > 0 {
		whole = whole || f.Score[w] >= v.m.Length
	}
	rest, most := max(v.m.Length-g.Score[w], 1), 3*e.cube
	switch {
	case size > 0:
		n = size * e.cube
	case n == 0 && next != nil && next[w] > g.Score[w]:
		n = next[w] - g.Score[w]
	case n == 0 && whole && v.m.Length > 0:
		n = max(multiple(rest, e.cube), rest)
	case n > most && whole && next == nil && v.m.Length > 0:
		v.warn(line, "%d points with the cube at %d: the rest of the match was given up", n, e.cube)
		n = rest
	case n == 0:
		n = e.cube
	case n > most && v.m.Length > 0:
		// A number that cannot be: the rest of the match.
		level := min((rest+e.cube-1)/e.cube, v.worst(e.boards[1-w]))
		v.warn(line, "%d points with the cube at %d: taken for %d", n, e.cube, level*e.cube)
		n = level * e.cube
	case n%e.cube != 0 && v.maybeCapped(g, w, n, next):
		n = multiple(n, e.cube)
	case n%e.cube != 0 || n > most:
		v.warn(line, "%d points with the cube at %d", n, e.cube)
	}
	g.Result = Result{Winner: w, Points: n, Resigned: true}
	g.EndUnknown = !declared
}

// multiple is the least of one, two or three times the cube that reaches points.
func multiple(points, cube int) int { return min((points+cube-1)/cube, 3) * cube }

// worst returns the most that a side with these checkers can lose, in cubes.
func (v *verdicts) worst(c board.Checkers) int {
	if c.Count() < v.m.Rules.Variation.Checkers() {
		return 1
	}
	return 3
}
