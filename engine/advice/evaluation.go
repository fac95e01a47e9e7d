package advice

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Cube is a cube decision: the equities of no double, double/take and double/pass for the
// doubler, and in a match the winning chances as MWC. For Bluff see cube.Decision. Trials and
// the standard errors of the first two equities are those of a rollout within the decision, 0
// and nil without one.
type Cube struct {
	Action     string  `json:"action"`
	Words      string  `json:"words"` // see Words
	NoDouble   float64 `json:"no_double"`
	DoubleTake float64 `json:"double_take"`
	DoublePass float64 `json:"double_pass"`
	// DoubleBeaver is the double beavered, nil where the opponent would not beaver.
	DoubleBeaver *float64    `json:"double_beaver,omitempty"`
	MWC          *[3]float64 `json:"mwc,omitempty"`
	Bluff        *float64    `json:"bluff,omitempty"`
	Trials       int         `json:"trials,omitempty"`
	StdErr       *[2]float64 `json:"equity_stderr,omitempty"`
}

// cubeOf returns the document of a decision in state s, or nil without a cube decision.
func cubeOf(d cube.Decision, s match.State) *Cube {
	if !d.Available() {
		return nil
	}
	out := &Cube{Action: d.Action.String(), Words: Words(d), NoDouble: d.NoDouble, DoubleTake: d.DoubleTake, DoublePass: d.DoublePass}
	if s.Length > 0 {
		out.MWC = &d.MWC
	}
	if v, ok := d.Beavered(); ok {
		out.DoubleBeaver = &v
	}
	if share, ok := d.Bluff(); ok {
		out.Bluff = &share
	}
	if d.Trials > 0 {
		out.Trials, out.StdErr = d.Trials, &d.StdErr
	}
	return out
}

// about is the position that an answer is about, with the rules of its game.
type about struct {
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id"`
	XGID       string `json:"xgid"`
	// Game names the game if it is not backgammon, see Game.
	Game  string `json:"game,omitempty"`
	Rules string `json:"rules"` // in words, see Rules
	// Assumed are those of the rules that are a guess, see Assumed; set by the caller.
	Assumed []string `json:"assumed,omitempty"`
}

func aboutOf(r board.Rules, s match.Situation) about {
	return about{PositionID: s.Position.ID(), MatchID: s.MatchID(), XGID: s.XGID(), Game: Game(r), Rules: Rules(s.State)}
}

// Evaluation is a position before the roll.
type Evaluation struct {
	about
	Class    string     `json:"class"`
	Probs    eval.Probs `json:"probs"`
	Cubeless float64    `json:"cubeless_equity"`
	Cubeful  float64    `json:"cubeful_equity"`
	MWC      *float64   `json:"mwc,omitempty"` // nil in money play
	Plies    int        `json:"plies"`
	Cube     *Cube      `json:"cube"` // nil where the cube cannot be turned
}

// Evaluate judges s with p. cubeless leaves the cube out; Cube is nil then and the
// decision empty. Errors are those of the engine.
func Evaluate(ctx context.Context, e *engine.Engine, s match.Situation, p preset.Preset, cubeless bool) (Evaluation, cube.Decision, error) {
	if cubeless {
		out := frame(e.Rules(), s)
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
		return frame(e.Rules(), s), d, err
	}
	return EvaluationOf(e.Table(), e.Rules(), s, d), d, nil
}

// EvaluationOf is the document of a decision about s that is known already, in a game by
// rules r.
func EvaluationOf(t *match.Table, r board.Rules, s match.Situation, d cube.Decision) Evaluation {
	out := frame(r, s)
	out.Probs, out.Cubeless, out.Cubeful, out.Plies = d.Probs, d.Cubeless, d.Cubeful, d.Plies
	out.Cube = cubeOf(d, s.State)
	out.mwc(t, s.State)
	return out
}

func frame(r board.Rules, s match.Situation) Evaluation {
	return Evaluation{about: aboutOf(r, s), Class: class(r, &s.Position)}
}

// class is who judges the position: hypergammon has a database of all its positions, and
// none of the nets is asked.
func class(r board.Rules, p *board.Position) string {
	if c := eval.ClassOf(p); c == eval.Over || r.Each() == board.MaxCheckers {
		return c.String()
	}
	return "hypergammon"
}

func (v *Evaluation) mwc(t *match.Table, st match.State) {
	if st.Length > 0 {
		mwc := t.MWC(st, v.Cubeful)
		v.MWC = &mwc
	}
}

// Text returns what people read; d is the decision that the evaluation rests on.
func (v *Evaluation) Text(d cube.Decision, s match.State) string {
	text := fmt.Sprintf("%s:%s  %s, %d-ply", v.PositionID, v.MatchID, v.Class, v.Plies)
	if d.Trials > 0 {
		text += fmt.Sprintf(", rolled out %d times", d.Trials)
	}
	text += "\n"
	text += v.XGID + "\n" + rulesText(v.Game, s, v.Assumed)
	text += fmt.Sprintf("win %.1f%% (gammon %.1f%%, backgammon %.1f%%)  lose %.1f%% (gammon %.1f%%, backgammon %.1f%%)\n",
		100*v.Probs[eval.Win], 100*v.Probs[eval.WinGammon], 100*v.Probs[eval.WinBackgammon],
		100*(1-v.Probs[eval.Win]), 100*v.Probs[eval.LoseGammon], 100*v.Probs[eval.LoseBackgammon])
	text += "equity " + equity(v.Cubeless) + " cubeless"
	switch dead := d == (cube.Decision{}); {
	case !dead:
		text += ", " + equity(v.Cubeful) + " with the cube"
	case s.Length == 0 && s.Jacoby && s.Owner == match.Centred: // no one turns the cube
		text += ", " + equity(v.Cubeful) + " as gammons do not count"
	}
	if v.MWC != nil {
		text += fmt.Sprintf(" (match winning chance %.2f%%)", 100**v.MWC)
	}
	text += "\n"
	if v.Cube != nil {
		text += DescribeCube(d, s)
	}
	return text
}

// DescribeCube returns the equities and the advice.
func DescribeCube(d cube.Decision, s match.State) string {
	text := cubeTable(d, s) + "Best: " + Words(d)
	if share, ok := d.Bluff(); ok {
		text += fmt.Sprintf(" (a double gains if the opponent %s by mistake at least %.1f%% of the time)", map[bool]string{true: "takes", false: "passes"}[d.Action == cube.TooGoodPass], 100*share)
	}
	return text + "\n"
}

// cubeTable returns the three equities, and that of a beaver if it is the answer, a line each.
func cubeTable(d cube.Decision, s match.State) string {
	type row struct {
		name                string
		equity, stdErr, mwc float64
	}
	rows := []row{{"No double", d.NoDouble, d.StdErr[0], d.MWC[0]}, {"Double, take", d.DoubleTake, d.StdErr[1], d.MWC[1]}}
	if v, ok := d.Beavered(); ok {
		rows = append(rows, row{"Double, beaver", v, 2 * d.StdErr[1], 0}) // money play only
	}
	rows = append(rows, row{"Double, pass", d.DoublePass, 0, d.MWC[2]})
	text := ""
	for i, line := range rows {
		if d.Redouble {
			line.name = again.Replace(line.name)
		}
		text += fmt.Sprintf("  %-14s %s", line.name, equity(line.equity))
		switch last := i == len(rows)-1; {
		case d.Trials > 0 && !last:
			text += fmt.Sprintf(" ±%.4f", line.stdErr)
		case d.Trials > 0 && s.Length > 0:
			text += strings.Repeat(" ", 8)
		}
		if s.Length > 0 {
			text += fmt.Sprintf("  %6.2f%%", 100*line.mwc)
		}
		text += "\n"
	}
	return text
}

// Words returns the decision in words, without a full stop: "No redouble, take".
func Words(d cube.Decision) string { return ActionWords(d.Action, d.Redouble, d.Dead) }

// ActionWords returns the words of an action, empty for cube.NoAction; for redouble and dead
// see cube.Decision.
func ActionWords(a cube.Action, redouble, dead bool) string {
	text := words[a]
	if dead && a != cube.NoAction {
		text = "No double, the cube is dead"
	}
	if redouble {
		text = again.Replace(text)
	}
	return text
}

var again = strings.NewReplacer("Double", "Redouble", "double", "redouble")

var words = map[cube.Action]string{
	cube.NoDoubleTake: "No double, take", cube.NoDoubleBeaver: "No double, beaver",
	cube.DoubleTake: "Double, take", cube.DoubleBeaver: "Double, beaver", cube.DoublePass: "Double, pass",
	cube.TooGoodTake: "Too good to double, take", cube.TooGoodPass: "Too good to double, pass",
	cube.OptionalDoubleTake: "Optional double, take", cube.OptionalDoublePass: "Optional double, pass",
}

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
