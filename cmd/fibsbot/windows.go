package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// extraFlags are the flags of eval and hint that tell people more about a
// position.
type extraFlags struct {
	windows, counts, board bool
	heat                   string
}

func addExtraFlags(cmd *cobra.Command, f *extraFlags) {
	fl := cmd.Flags()
	fl.BoolVar(&f.windows, "windows", false, "take, double, cash and too good points and gammon prices at this score")
	fl.BoolVar(&f.counts, "counts", false, "pips, effective pips, Kleinman, Thorp, Keith and Ward counts")
	fl.StringVar(&f.heat, "map", "", "temperature map, the equity of each roll after its best play: text, or a FILE.svg")
	fl.BoolVar(&f.board, "board", false, "draw the board")
}

// check refuses what cannot be before the engine is opened.
func (f *extraFlags) check() error {
	if f.heat != "" && f.heat != "text" && !strings.HasSuffix(strings.ToLower(f.heat), ".svg") {
		return usagef("--map: %q is neither text nor a FILE.svg", f.heat)
	}
	return nil
}

// extras is what the flags ask for, nil where not asked.
type extras struct {
	Windows *advice.Windows `json:"windows,omitempty"`
	Counts  *advice.Counts  `json:"counts,omitempty"`
	Map     *advice.Map     `json:"map,omitempty"`
	drawing string
	heat    *analyse.TemperatureMap
}

// collect finds what the flags ask for. probs are the chances of the player on
// roll.
func (f *extraFlags) collect(cmd *cobra.Command, e *engine.Engine, s match.Situation, p preset.Preset, probs eval.Probs) (extras, error) {
	var x extras
	if f.board {
		x.drawing = drawSituation(s)
	}
	if f.windows {
		w, err := advice.WindowsOf(e.Table(), s, probs)
		if err != nil {
			return x, usagef("--windows: %v", err)
		}
		x.Windows = w
	}
	if f.counts {
		x.Counts = advice.CountsOf(e.Bearoff(), &s.Position)
	}
	if f.heat == "" {
		return x, nil
	}
	m, err := analyse.Temperature(cmd.Context(), e.Search(), s, p.Checker)
	if err != nil {
		return x, err
	}
	x.heat, x.Map = m, advice.MapOf(m)
	if f.heat != "text" {
		if err := writeFileAtomic(f.heat, []byte(m.SVG("Equity of each roll, "+s.String()))); err != nil {
			return x, asUsage(fmt.Errorf("--map: %w", err))
		}
		x.heat = nil
	}
	return x, nil
}

// text is what was collected as people read it; before goes above the numbers.
func (x *extras) text() (before, after string) {
	if x.Counts != nil {
		after += x.Counts.Text()
	}
	if x.Windows != nil {
		after += x.Windows.Text()
	}
	if x.heat != nil {
		after += x.heat.Text()
	}
	return x.drawing, after
}

// drawSituation draws the board with the player on roll as X below.
func drawSituation(s match.Situation) string {
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
	return strings.Join(board.Draw(s.Position, notes...), "\n") + "\n"
}
