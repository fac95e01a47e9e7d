package record

import (
	"fmt"

	"fibsbot/engine/board"
)

// Settle replays every game and brings the record in order, as each reader does
// last: Illegal is set on what the rules forbid, steps that a file joined are
// taken apart, a missing result is read off the board, and a result without an
// end on the board is a resignation. It returns what it noticed.
func (m *Match) Settle() []Warning {
	return m.SettleAt(func(int, int) (int, int) { return 0, 0 })
}

// SettleAt is Settle for a reader that knows where in its file the actions of the games
// stand: at returns line and column, from 1, of an action, or of the head of a game for
// action -1; 0 where it does not know.
func (m *Match) SettleAt(at func(game, action int) (line, column int)) []Warning {
	var ws []Warning
	warn := func(game, action int, format string, args ...any) {
		if len(ws) < maxWarnings {
			line, column := at(game, action)
			ws = append(ws, Warning{Line: line, Column: column, Text: fmt.Sprintf(format, args...)})
		}
	}
	for i := range m.Games {
		g := &m.Games[i]
		if i > 0 && m.Length > 0 {
			if last := m.Games[i-1].Score; g.Score[0] < last[0] || g.Score[1] < last[1] {
				warn(i, -1, "game %d begins at %d-%d, the one before it at %d-%d: these may be two matches, taken for one",
					i+1, g.Score[0], g.Score[1], last[0], last[1])
			}
		}
		r := NewReplay(m, g)
		for {
			t, ok := r.Next()
			if !ok {
				break
			}
			a := t.Action
			if t.Index == 0 && (a.Kind == Move || a.Kind == Roll) && a.Dice.Valid() && a.Dice.Double() {
				warn(i, 0, "game %d begins with a double %d%d, with which no game begins: something before it may be missing", g.Number+1, a.Dice.A, a.Dice.B)
			}
			a.Illegal = !t.Legal || a.Raw != ""
			switch {
			case a.Raw != "":
				// The reader has told about it.
			case a.Illegal:
				warn(i, t.Index, "game %d, action %d: illegal %v: %s", g.Number+1, t.Index+1, a.Kind, t.Problem)
			case a.Kind == Move && len(a.Steps) != int(t.Play.N):
				a.Steps = append([]board.Step(nil), t.Play.Steps[:t.Play.N]...)
			}
		}
		winner, points := r.Outcome()
		if _, n := r.Pending(); n > 0 && g.Result.Finished() && !g.Result.Resigned {
			warn(i, len(g.Actions)-1, "game %d has a result, but its last double no answer", g.Number+1)
		}
		if winner == NoPlayer && !g.Result.Finished() && len(g.Actions) > 0 && i+1 < len(m.Games) && m.Games[i+1].Score != g.Score {
			warn(i, -1, "game %d has no result, but the next one begins at another score", g.Number+1)
		}
		switch {
		case winner == NoPlayer && g.Result.Finished():
			g.Result.Resigned = true
		case winner != NoPlayer && !g.Result.Finished():
			g.Result = Result{Winner: winner, Points: points}
		case winner != NoPlayer && (winner != g.Result.Winner || points != g.Result.Points):
			warn(i, -1, "game %d: the file says player %d wins %d, the board says player %d wins %d",
				g.Number+1, g.Result.Winner, g.Result.Points, winner, points)
		}
	}
	return ws
}
