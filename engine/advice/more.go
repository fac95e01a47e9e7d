package advice

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Wanted selects what else is reported about a position.
type Wanted struct{ Windows, Counts, Board, Rolls, Map bool }

// More holds the wanted results; the others are nil.
type More struct {
	Windows *Windows `json:"windows,omitempty"`
	// Efficiency goes with Windows.
	Efficiency *Efficiency `json:"cube_efficiency,omitempty"`
	Counts     *Counts     `json:"counts,omitempty"`
	Map        *Map        `json:"map,omitempty"`
	Rolls      *RollMap    `json:"rolls,omitempty"`
	// Heat is Map for drawing; Text omits it if it is nil.
	Heat    *analyse.TemperatureMap `json:"-"`
	drawing string
}

// ErrWindows is wrapped if a situation has no market windows.
var ErrWindows = errors.New("no market windows")

// Of computes the wanted results for s with the engine playing as p. probs are the chances of
// the player on roll. Errors are those of the search, or wrap ErrWindows.
func (w Wanted) Of(ctx context.Context, e *engine.Engine, s match.Situation, p preset.Preset, probs eval.Probs) (x More, err error) {
	if w.Board {
		x.drawing = Drawing(e.Rules(), s)
	}
	if w.Windows {
		if x.Windows, err = WindowsOf(e.Table(), s, probs); err != nil {
			return x, fmt.Errorf("%w: %w", ErrWindows, err)
		}
		if x.Efficiency, err = efficiencyOf(ctx, e, s, p); err != nil {
			return x, err
		}
	}
	if w.Counts {
		x.Counts = CountsOf(e.Bearoff(), &s.Position, s.State.Owner)
	}
	if w.Rolls {
		if x.Rolls, err = RollsOf(ctx, e, s, p); err != nil {
			return x, err
		}
	}
	if w.Map {
		if x.Heat, err = analyse.Temperature(ctx, e.Search(), s, p.Checker); err != nil {
			return x, err
		}
		x.Map = MapOf(x.Heat)
	}
	return x, nil
}

// Text returns what people read; before goes above the figures of the position.
func (x *More) Text() (before, after string) {
	if x.Counts != nil {
		after += x.Counts.Text()
	}
	if x.Windows != nil {
		after += x.Windows.Text()
		after += x.Efficiency.Text()
	}
	if x.Rolls != nil {
		after += x.Rolls.Text()
	}
	if x.Heat != nil {
		after += x.Heat.Text()
	}
	return x.drawing, after
}

// Drawing is the board in characters with the player on roll as X below, in a game by rules
// r.
func Drawing(r board.Rules, s match.Situation) string {
	notes := make([]string, board.DrawLines)
	score := func(i int) string {
		if s.State.Length == 0 {
			return ""
		}
		return fmt.Sprintf("  %d of %d", s.State.Score[i], s.State.Length)
	}
	notes[0] = fmt.Sprintf("O: opponent%s  pips %d", score(1), s.Position.Opp.Pips())
	notes[len(notes)-1] = fmt.Sprintf("X: on roll%s  pips %d", score(0), s.Position.Me.Pips())
	text := fmt.Sprintf("cube %d", s.State.Cube)
	switch {
	case s.State.Crawford:
		text = "Crawford game"
	case s.State.Owner == match.Mine:
		text += ", X has it"
	case s.State.Owner == match.Theirs:
		text += ", O has it"
	}
	if s.Dice.Valid() {
		text += fmt.Sprintf("  rolled %d%d", s.Dice.A, s.Dice.B)
	}
	notes[len(notes)/2] = text
	return strings.Join(r.Draw(s.Position, notes...), "\n") + "\n"
}
