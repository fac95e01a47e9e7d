package review

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/board"
)

// diceJSON is the count of one side's rolls with their test.
type diceJSON struct {
	Side    string         `json:"side"`
	Rolls   int            `json:"rolls"`
	Counts  map[string]int `json:"counts"`
	Doubles float64        `json:"doubles"` // share
	Fair    float64        `json:"doubles_expected"`
	ChiSq   float64        `json:"chi_squared"`
	P       float64        `json:"p_value"` // chance of a worse fit with fair dice
}

// DiceTable writes both sides' counts of rolls with their tests, as text or as one JSON object
// per side.
func DiceTable(w io.Writer, total index.DiceSum, asJSON bool) error {
	var text strings.Builder
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for side, name := range []string{"account", "opponents"} {
		test := total.Test(side)
		d := diceJSON{Side: name, Rolls: test.Rolls, Counts: map[string]int{}, Doubles: test.Doubles, Fair: test.Fair, ChiSq: test.ChiSq, P: test.P}
		for i, r := range board.Rolls {
			d.Counts[fmt.Sprintf("%d%d", r.Dice.A, r.Dice.B)] = total.Dice[side][i]
		}
		if asJSON {
			if err := lines.Encode(d); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(&text, "%s: %d rolls, %.2f%% doubles (%.2f%% expected), chi-squared %.1f with 20 degrees of freedom, p = %.3f\n",
			name, d.Rolls, 100*d.Doubles, 100*d.Fair, d.ChiSq, d.P)
		for i, r := range board.Rolls {
			sep := "  "
			if i%7 == 6 {
				sep = "\n"
			}
			fmt.Fprintf(&text, "%d%d %5d%s", r.Dice.A, r.Dice.B, total.Dice[side][i], sep)
		}
	}
	if !asJSON {
		fmt.Fprintln(&text, "Opening rolls are never doubles; test and expected share take this into account.")
	}
	_, err := io.WriteString(w, text.String())
	return err
}
