package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// cubeJSON is a cube decision in the JSON that scripts rely on.
type cubeJSON struct {
	Action     string      `json:"action"`
	NoDouble   float64     `json:"no_double"`
	DoubleTake float64     `json:"double_take"`
	DoublePass float64     `json:"double_pass"`
	MWC        *[3]float64 `json:"mwc,omitempty"`
	Bluff      *float64    `json:"bluff,omitempty"`
}

// cubeOf returns nil where no cube decision exists.
func cubeOf(d cube.Decision, s match.State) *cubeJSON {
	if !d.Available() {
		return nil
	}
	out := &cubeJSON{Action: d.Action.String(), NoDouble: d.NoDouble, DoubleTake: d.DoubleTake, DoublePass: d.DoublePass}
	if s.Length > 0 {
		out.MWC = &d.MWC
	}
	if share, ok := d.Bluff(); ok {
		out.Bluff = &share
	}
	return out
}

type evalJSON struct {
	PositionID string     `json:"position_id"`
	MatchID    string     `json:"match_id"`
	Class      string     `json:"class"`
	Probs      eval.Probs `json:"probs"`
	Cubeless   float64    `json:"cubeless_equity"`
	Cubeful    float64    `json:"cubeful_equity"`
	MWC        *float64   `json:"mwc,omitempty"`
	Plies      int        `json:"plies"`
	Cube       *cubeJSON  `json:"cube"`
	extras
}

func newEvalCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var more extraFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "eval POSITION",
		Short: "Evaluate a position: chances, equities and the cube decision",
		Long: `Prints the chances of the player on roll, before the roll: win, win gammon, win
backgammon, lose gammon, lose backgammon, each including the next; then equities
without and with the cube, and what to do with the cube.

A POSITION is a gnubg Position ID, PositionID:MatchID, an XGID or a FIBS board: line.`,
		Example: `  fibsbot eval 4HPwATDgc/ABMA
  fibsbot eval 4HPwATDgc/ABMA:cAkAAAAAAAAA --plies 2 --json
  fibsbot eval 4HPwATDgc/ABMA:cAmgAAAAAAAA --board --windows --counts --map text
  fibsbot eval 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := readSituation(args[0])
			if err != nil {
				return err
			}
			if err := more.check(); err != nil {
				return err
			}
			p, err := strength.resolve(cmd)
			if err != nil {
				return err
			}
			e, err := parts.open(cmd, strength.seed)
			if err != nil {
				return err
			}
			defer e.Close()
			out := evalJSON{PositionID: s.Position.ID(), MatchID: s.MatchID(), Class: eval.ClassOf(&s.Position).String()}
			var d cube.Decision
			if strength.cubeless {
				v, err := e.Evaluate(cmd.Context(), s.Position, s.State, p)
				if err != nil {
					return err
				}
				out.Probs, out.Cubeless, out.Cubeful, out.Plies = v.Probs, v.Cubeless, v.Cubeful, v.Plies
			} else {
				if d, err = e.CubeDecision(cmd.Context(), s.Position, s.State, p); err != nil {
					return err
				}
				out.Probs, out.Cubeless, out.Cubeful, out.Plies = d.Probs, d.Cubeless, d.Cubeful, d.Plies
				out.Cube = cubeOf(d, s.State)
			}
			if s.State.Length > 0 {
				mwc := e.Table().MWC(s.State, out.Cubeful)
				out.MWC = &mwc
			}
			if out.extras, err = more.collect(cmd, e, s, p, out.Probs); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), out)
			}
			return out.print(cmd.OutOrStdout(), d, s.State)
		},
	}
	addStrengthFlags(cmd, &strength, "worldclass")
	addPresetsFlag(cmd, &strength.config)
	addEngineFlags(cmd, &parts)
	addExtraFlags(cmd, &more)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// print writes the evaluation as a person reads it.
func (v *evalJSON) print(w io.Writer, d cube.Decision, s match.State) error {
	before, after := v.text()
	text := before + fmt.Sprintf("%s:%s  %s, %d-ply\n", v.PositionID, v.MatchID, v.Class, v.Plies)
	text += fmt.Sprintf("win %.1f%% (gammon %.1f%%, backgammon %.1f%%)  lose %.1f%% (gammon %.1f%%, backgammon %.1f%%)\n",
		100*v.Probs[eval.Win], 100*v.Probs[eval.WinGammon], 100*v.Probs[eval.WinBackgammon],
		100*(1-v.Probs[eval.Win]), 100*v.Probs[eval.LoseGammon], 100*v.Probs[eval.LoseBackgammon])
	text += fmt.Sprintf("equity %+.4f cubeless, %+.4f with the cube", v.Cubeless, v.Cubeful)
	if v.MWC != nil {
		text += fmt.Sprintf(" (match winning chance %.2f%%)", 100**v.MWC)
	}
	text += "\n"
	if v.Cube != nil {
		text += describeCube(d, s)
	}
	_, err := io.WriteString(w, text+after)
	return err
}

// describeCube writes the three equities, best first for the side that chooses,
// and the advice.
func describeCube(d cube.Decision, s match.State) string {
	text := ""
	for i, line := range []struct {
		name   string
		equity float64
	}{{"no double", d.NoDouble}, {"double, take", d.DoubleTake}, {"double, pass", d.DoublePass}} {
		text += fmt.Sprintf("  %-13s %+.4f", line.name, line.equity)
		if s.Length > 0 {
			text += fmt.Sprintf("  %6.2f%%", 100*d.MWC[i])
		}
		text += "\n"
	}
	text += "advice: " + advice(d)
	if share, ok := d.Bluff(); ok {
		text += fmt.Sprintf(" (%.1f%%)", 100*share)
	}
	return text + "\n"
}

// advice is the decision in words.
func advice(d cube.Decision) string {
	words := map[cube.Action]string{
		cube.NoDoubleTake: "no double, take", cube.NoDoubleBeaver: "no double, beaver",
		cube.DoubleTake: "double, take", cube.DoubleBeaver: "double, beaver", cube.DoublePass: "double, pass",
		cube.TooGoodTake: "too good to double, take", cube.TooGoodPass: "too good to double, pass",
		cube.OptionalDoubleTake: "optional double, take", cube.OptionalDoublePass: "optional double, pass",
	}
	text := words[d.Action]
	if d.Dead {
		text = "never double, the cube is dead"
	}
	if d.Redouble {
		text = "redoubling: " + text
	}
	return text
}
