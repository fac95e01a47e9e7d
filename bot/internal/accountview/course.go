package accountview

import (
	"context"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Bounds of a course.
const (
	maxTurns  = 1000 // the last ones
	maxJudged = 200  // turns judged for one page; the next one judges more
)

// turn is the state of a match before a roll. Only its chance changes, under the lock of the View.
type turn struct {
	game     int
	side     sheet.Side     // on roll
	position board.Position // of side, as state
	state    match.State
	chance   float64 // of the account; below 0 before it is judged
}

// course is the match so far, turn by turn.
type course struct {
	opponent string
	turns    []*turn
	games    int // of the sheet that were taken
	acts     int // of the last of them
}

// follow takes the turns that the sheet has had since.
func (c *course) follow(sh *sheet.Sheet) {
	if c.opponent != sh.Opponent || len(sh.Games) < c.games {
		*c = course{opponent: sh.Opponent}
	}
	for n := max(1, c.games); n <= len(sh.Games); n++ {
		g := &sh.Games[n-1]
		if n > c.games {
			c.games, c.acts = n, 0
		}
		c.acts = min(c.acts, len(g.Acts))                                                // fewer after a mending
		for ; c.acts < len(g.Acts) && g.Acts[c.acts].Kind != sheet.ActRolled; c.acts++ { // a roll becomes its play
			if a := &g.Acts[c.acts]; a.Kind == sheet.ActPlayed && !a.Loose {
				c.add(sh, g, n, g.Before(c.acts+1))
			}
		}
	}
}

// add adds the state of a game after a play.
func (c *course) add(sh *sheet.Sheet, g *sheet.Game, number int, at sheet.Standing) {
	t := &turn{game: number, side: at.Turn, position: at.Position, chance: -1,
		state: match.State{Length: max(0, sh.Length), Cube: at.Cube, Owner: at.Owner, Crawford: g.InCrawford()}}
	if sh.Length > 0 {
		t.state.Score = [2]int{g.Score[sheet.Us], g.Score[sheet.Them]}
	}
	if at.Turn == sheet.Them {
		t.position, t.state = t.position.Swap(), t.state.Swap()
	}
	if t.position.Result() != 0 || t.position.Validate() != nil || at.Turn == sheet.Nobody {
		return
	}
	if c.turns = append(c.turns, t); len(c.turns) > maxTurns {
		c.turns = c.turns[1:]
	}
}

// judgeCourse judges turns that have no chance yet, the newest first.
func (v *View) judgeCourse(ctx context.Context, judge Estimator) {
	var todo []*turn
	v.mu.Lock()
	for i := len(v.course.turns) - 1; i >= 0 && len(todo) < maxJudged; i-- {
		if t := v.course.turns[i]; t.chance < 0 {
			todo = append(todo, t)
		}
	}
	v.mu.Unlock()
	for _, t := range todo {
		chance, err := judge.Winning(ctx, t.position, t.state)
		if err != nil {
			return
		}
		if t.side == sheet.Them {
			chance = 1 - chance
		}
		v.mu.Lock()
		t.chance = min(max(chance, 0), 1)
		v.mu.Unlock()
	}
}

// points returns the judged turns, and where in them each game begins.
func (c *course) points() (chances []float64, starts []int) {
	game := 0
	for _, t := range c.turns {
		if t.chance < 0 {
			continue
		}
		if t.game != game {
			game = t.game
			starts = append(starts, len(chances))
		}
		chances = append(chances, float64(int(1000*t.chance+0.5))/1000)
	}
	return chances, starts
}
