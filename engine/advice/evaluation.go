package advice

import (
	"context"
	"fmt"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Cube is a cube decision: what not doubling, double/take and double/pass are worth to
// the doubler. MWC holds the same as match winning chances, nil in money play; Bluff see
// cube.Decision.
type Cube struct {
	Action     string      `json:"action"`
	NoDouble   float64     `json:"no_double"`
	DoubleTake float64     `json:"double_take"`
	DoublePass float64     `json:"double_pass"`
	MWC        *[3]float64 `json:"mwc,omitempty"`
	Bluff      *float64    `json:"bluff,omitempty"`
}

// CubeOf is the document of a decision in state s; nil where no cube decision exists.
func CubeOf(d cube.Decision, s match.State) *Cube {
	if !d.Available() {
		return nil
	}
	out := &Cube{Action: d.Action.String(), NoDouble: d.NoDouble, DoubleTake: d.DoubleTake, DoublePass: d.DoublePass}
	if s.Length > 0 {
		out.MWC = &d.MWC
	}
	if share, ok := d.Bluff(); ok {
		out.Bluff = &share
	}
	return out
}

// Evaluation is a position before the roll.
type Evaluation struct {
	PositionID string     `json:"position_id"`
	MatchID    string     `json:"match_id"`
	Class      string     `json:"class"`
	Probs      eval.Probs `json:"probs"`
	Cubeless   float64    `json:"cubeless_equity"`
	Cubeful    float64    `json:"cubeful_equity"`
	MWC        *float64   `json:"mwc,omitempty"` // nil in money play
	Plies      int        `json:"plies"`
	Cube       *Cube      `json:"cube"` // nil where the cube cannot be turned
}

// Evaluate judges s with p. cubeless leaves the cube out; Cube is nil then and the
// decision empty. Errors are those of the engine.
func Evaluate(ctx context.Context, e *engine.Engine, s match.Situation, p preset.Preset, cubeless bool) (Evaluation, cube.Decision, error) {
	if cubeless {
		out := frame(s)
		v, err := e.Evaluate(ctx, s.Position, s.State, p)
		if err != nil {
			return out, cube.Decision{}, err
		}
		out.Probs, out.Cubeless, out.Cubeful, out.Plies = v.Probs, v.Cubeless, v.Cubeful, v.Plies
		out.mwc(e.Table(), s.State)
		return out, cube.Decision{}, nil
	}
	d, err := e.CubeDecision(ctx, s.Position, s.State, p)
	if err != nil {
		return frame(s), d, err
	}
	return EvaluationOf(e.Table(), s, d), d, nil
}

// EvaluationOf is the document of a decision about s that is known already.
func EvaluationOf(t *match.Table, s match.Situation, d cube.Decision) Evaluation {
	out := frame(s)
	out.Probs, out.Cubeless, out.Cubeful, out.Plies = d.Probs, d.Cubeless, d.Cubeful, d.Plies
	out.Cube = CubeOf(d, s.State)
	out.mwc(t, s.State)
	return out
}

func frame(s match.Situation) Evaluation {
	return Evaluation{PositionID: s.Position.ID(), MatchID: s.MatchID(), Class: eval.ClassOf(&s.Position).String()}
}

func (v *Evaluation) mwc(t *match.Table, st match.State) {
	if st.Length > 0 {
		mwc := t.MWC(st, v.Cubeful)
		v.MWC = &mwc
	}
}

// Text is what people read; d is the decision the evaluation rests on.
func (v *Evaluation) Text(d cube.Decision, s match.State) string {
	text := fmt.Sprintf("%s:%s  %s, %d-ply\n", v.PositionID, v.MatchID, v.Class, v.Plies)
	text += fmt.Sprintf("win %.1f%% (gammon %.1f%%, backgammon %.1f%%)  lose %.1f%% (gammon %.1f%%, backgammon %.1f%%)\n",
		100*v.Probs[eval.Win], 100*v.Probs[eval.WinGammon], 100*v.Probs[eval.WinBackgammon],
		100*(1-v.Probs[eval.Win]), 100*v.Probs[eval.LoseGammon], 100*v.Probs[eval.LoseBackgammon])
	text += fmt.Sprintf("equity %+.4f cubeless, %+.4f with the cube", v.Cubeless, v.Cubeful)
	if v.MWC != nil {
		text += fmt.Sprintf(" (match winning chance %.2f%%)", 100**v.MWC)
	}
	text += "\n"
	if v.Cube != nil {
		text += DescribeCube(d, s)
	}
	return text
}

// DescribeCube writes the three equities, best first for the side that chooses,
// and the advice.
func DescribeCube(d cube.Decision, s match.State) string {
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
	text += "advice: " + Words(d)
	if share, ok := d.Bluff(); ok {
		text += fmt.Sprintf(" (%.1f%%)", 100*share)
	}
	return text + "\n"
}

// Words is the decision in words.
func Words(d cube.Decision) string {
	if d.Dead {
		if d.Redouble {
			return "no redouble, the cube is dead"
		}
		return "no double, the cube is dead"
	}
	text := words[d.Action]
	if d.Redouble {
		text = strings.Replace(text, "double", "redouble", 1)
	}
	return text
}

var words = map[cube.Action]string{
	cube.NoDoubleTake: "no double, take", cube.NoDoubleBeaver: "no double, beaver",
	cube.DoubleTake: "double, take", cube.DoubleBeaver: "double, beaver", cube.DoublePass: "double, pass",
	cube.TooGoodTake: "too good to double, take", cube.TooGoodPass: "too good to double, pass",
	cube.OptionalDoubleTake: "optional double, take", cube.OptionalDoublePass: "optional double, pass",
}
