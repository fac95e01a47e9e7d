package record

import (
	"fmt"

	"fibsbot/engine/board"
)

// Settle brings the record in order, as each reader does last: see SettleBy. It knows nothing
// about the results but what the games hold.
func (m *Match) Settle() []Warning { return m.SettleBy(Evidence{}) }

// SettleBy settles the result of every game from the last play, the statements of the file, the
// scores of the next game and of the match's end, and replays every game: Illegal is set on
// what the rules forbid, and steps that a file joined are taken apart. A result without an end
// on the board is a resignation. It returns what it noticed; statements that contradict each
// other are also kept in Game.Disputed.
func (m *Match) SettleBy(ev Evidence) []Warning {
	if ev.At == nil {
		ev.At = func(int, int) (int, int) { return 0, 0 }
	}
	for i := range m.Players {
		m.Players[i].settleRating()
	}
	v := verdicts{m: m, ev: &ev}
	if ev.Scored == nil {
		c := checker{m: m, ev: &ev}
		v.ends = c.check()
		return append(v.settle(), c.ws...)
	}
	v.ends = make([]end, len(m.Games))
	v.again()
	ws := append(v.settle(), ev.Scored()...)
	c := checker{m: m, ev: &ev}
	c.check()
	return append(ws, c.ws...)
}

// checker replays the games of a match.
type checker struct {
	m  *Match
	ev *Evidence
	ws []Warning
}

func (c *checker) warn(game, action int, format string, args ...any) {
	if len(c.ws) < maxWarnings {
		line, column := c.ev.At(game, action)
		c.ws = append(c.ws, Warning{Line: line, Column: column, Text: fmt.Sprintf(format, args...)})
	}
}

// check replays every game and returns how it ends.
func (c *checker) check() (ends []end) {
	m := c.m
	for i := range m.Games {
		g := &m.Games[i]
		if i > 0 && m.Length > 0 {
			if last := m.Games[i-1].Score; g.Score[0] < last[0] || g.Score[1] < last[1] {
				c.warn(i, -1, "game %d begins at %d-%d, the one before it at %d-%d: these may be two matches, taken for one",
					i+1, g.Score[0], g.Score[1], last[0], last[1])
			}
		}
		r, sound := NewReplay(m, g), true
		for {
			t, ok := r.Next()
			if !ok {
				break
			}
			a := t.Action
			if t.Index == 0 && a.Rolled() && a.Dice.Double() {
				c.warn(i, 0, "game %d begins with a double %d%d, with which no game begins: something before it may be missing", g.Number+1, a.Dice.A, a.Dice.B)
			}
			a.Illegal = !t.Legal || a.Raw != ""
			sound = sound && !a.Illegal
			switch {
			case a.Raw != "":
				// The reader has told about it.
			case a.Illegal:
				c.warn(i, t.Index, "game %d, action %d: illegal %v: %s", g.Number+1, t.Index+1, a.Kind, t.Problem)
			case a.Kind == Move && len(a.Steps) != int(t.Play.N):
				a.Steps = append([]board.Step(nil), t.Play.Steps[:t.Play.N]...)
			}
		}
		if _, n := r.Pending(); n > 0 && g.Result.Finished() && !g.Result.Resigned {
			c.warn(i, len(g.Actions)-1, "game %d has a result, but its last double no answer", g.Number+1)
		}
		ends = append(ends, endOf(r, sound))
	}
	return ends
}
