package report

import (
	"strings"

	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/texts"
)

// CubeChoice is a cube decision: equities (EMG) of the doubler, and in a match the
// winning chances beside them.
type CubeChoice struct {
	NoDouble   float64 `json:"no_double"`
	DoubleTake float64 `json:"double_take"`
	DoublePass float64 `json:"double_pass"`
	// DoubleBeaver is the double beavered, nil if the opponent would not beaver.
	DoubleBeaver *float64 `json:"double_beaver,omitempty"`
	// Action is the proper action, the word of a cube.Action.
	Action string `json:"action"`
	// MWC are the winning chances, 0 to 1, that belong to the three; nil in money play.
	MWC *[3]float64 `json:"mwc,omitempty"`
	// Probs and ProbsTake are the doubler's chances without and with the double, in the order
	// of eval.Probs.
	Probs     [5]float64 `json:"probs"`
	ProbsTake [5]float64 `json:"probs_take"`
	// Redouble tells that the doubler owns the cube, Dead that turning it can gain nothing.
	Redouble bool `json:"redouble"`
	Dead     bool `json:"dead,omitempty"`
	// StdErr are the standard errors of no double and double/take after a rollout, EMG.
	StdErr [2]float64 `json:"equity_stderr,omitzero"`
	// Rollout says how it was rolled out, as at a Candidate.
	Rollout string `json:"rollout,omitempty"`
	// WrongAnswer is the share of wrong answers, 0 to 1, at which a wrong double breaks even; 0
	// if none does.
	WrongAnswer float64 `json:"wrong_answer,omitempty"`
	depth       string
	settled     *cube.Decision
}

// Decision returns the decision as a search returns it, or nil where the state allows none.
func (c *CubeChoice) Decision() *cube.Decision { return c.settled }

// wrong finds WrongAnswer: a pass where the take is right, or a take where the pass is
// and the position too good.
func (c *CubeChoice) wrong() {
	right, other := min(c.DoubleTake, c.DoublePass), max(c.DoubleTake, c.DoublePass)
	if c.DoubleBeaver != nil {
		right = *c.DoubleBeaver
	}
	if !c.Dead && c.NoDouble > right && other > c.NoDouble {
		c.WrongAnswer = round((c.NoDouble-right)/(other-right), 4)
	}
}

// CubeLine is a row of a printed cube decision. StdErr is 0 if the equity was not rolled out;
// MWC is nil in money play.
type CubeLine struct {
	Name           string
	Equity, StdErr float64
	MWC            *float64
}

// Lines returns the rows that a report prints: no double, double and take, a double that is
// beavered if the opponent would beaver, and double and pass.
func (c *CubeChoice) Lines() []CubeLine {
	no, yes := "No double", "Double"
	if c.Redouble {
		no, yes = "No redouble", "Redouble"
	}
	list := []CubeLine{{Name: no, Equity: c.NoDouble, StdErr: c.StdErr[0]}, {Name: yes + ", take", Equity: c.DoubleTake, StdErr: c.StdErr[1]}}
	pass := CubeLine{Name: yes + ", pass", Equity: c.DoublePass}
	if c.MWC != nil {
		list[0].MWC, list[1].MWC, pass.MWC = &c.MWC[0], &c.MWC[1], &c.MWC[2]
	}
	if c.DoubleBeaver != nil {
		list = append(list, CubeLine{Name: yes + ", beaver", Equity: *c.DoubleBeaver, StdErr: 2 * c.StdErr[1]})
	}
	return append(list, pass)
}

// proper returns the index among Lines of what proper play leads to.
func (c *CubeChoice) proper() int {
	switch act := c.action(); {
	case !act.Double():
		return 0
	case !act.Take():
		return len(c.Lines()) - 1
	case c.DoubleBeaver != nil:
		return 2
	}
	return 1
}

// wrongTexts say when a wrong double would be right: by whether it is a redouble, and whether
// the wrong answer is the take.
var wrongTexts = map[[2]bool]string{
	{false, false}: texts.Key("a double would be right if the opponent passes wrongly more than {0} of the time"),
	{false, true}:  texts.Key("a double would be right if the opponent takes wrongly more than {0} of the time"),
	{true, false}:  texts.Key("a redouble would be right if the opponent passes wrongly more than {0} of the time"),
	{true, true}:   texts.Key("a redouble would be right if the opponent takes wrongly more than {0} of the time"),
}

// wrongAnswer returns WrongAnswer in words, or "".
func (c *CubeChoice) wrongAnswer(tr *texts.Catalogue) string {
	if c.WrongAnswer == 0 || c.action().Double() {
		return ""
	}
	out := tr.T(wrongTexts[[2]bool{c.Redouble, c.DoubleTake > c.DoublePass}], tr.Format("%.1f%%", 100*c.WrongAnswer))
	if c.DoubleBeaver != nil {
		out += tr.T(" and beavers otherwise")
	}
	return out
}

// actionWords are the proper actions as players say them.
var actionWords = map[cube.Action]string{
	cube.NoDoubleTake: "No double, take", cube.NoDoubleBeaver: "No double, beaver",
	cube.DoubleTake: "Double, take", cube.DoubleBeaver: "Double, beaver", cube.DoublePass: "Double, pass",
	cube.TooGoodTake: texts.Key("Too good, take"), cube.TooGoodPass: texts.Key("Too good, pass"),
	cube.OptionalDoubleTake: "Optional double, take", cube.OptionalDoublePass: "Optional double, pass",
}

// Words is the proper action as players say it: "Redouble, take".
func (c *CubeChoice) Words() string {
	words, ok := actionWords[c.action()]
	if !ok {
		return "No double"
	}
	if c.Redouble {
		return strings.NewReplacer("Double", "Redouble", "double", "redouble").Replace(words)
	}
	return words
}

// action is the Action as a value, cube.NoAction without one.
func (c *CubeChoice) action() cube.Action {
	for a := range actionWords {
		if a.String() == c.Action {
			return a
		}
	}
	return cube.NoAction
}

// best is what should have been done instead of the double, answer or play of a turn.
func (c *CubeChoice) best(t *record.Turn) string {
	act, dt := c.action(), c.DoubleTake
	if t.Pending > 1 || t.Pending == 1 && t.Action.Kind == record.Double {
		// The cube goes up with the value of the game, whoever turns it.
		if t.First() != t.Player {
			dt = -dt
		}
		switch {
		case dt < -1:
			return "Pass"
		case dt > 0 && t.Action.Kind == record.Double:
			return beavers[min(t.Pending, 2)]
		}
		return "Take"
	}
	switch t.Action.Kind {
	case record.Take, record.Drop:
		if act.Take() {
			return "Take"
		}
		return "Pass"
	}
	if act.Double() {
		return "Double"
	}
	return "No double"
}

// beavers are the words of a double by how many doubles wait for their answer.
var beavers = [...]string{texts.Key("Double"), texts.Key("Beaver"), texts.Key("Raccoon")}

// beaver reports whether a decision is to make a beaver or to answer one. It is judged by the
// equities of the first double.
func (d *Row) beaver() bool {
	if d.turn == nil || d.turn.Turn.Action.Kind == record.Move {
		return false
	}
	return d.turn.Turn.Pending > 1 || d.turn.Turn.Pending == 1 && d.turn.Turn.Action.Kind == record.Double
}

// beaverGain returns what a beaver instead of a take would have won, EMG at the cube of the
// double, or 0 if none was right or allowed. A missed beaver is not an error, as in GNU
// Backgammon and eXtreme Gammon.
func (d *Row) beaverGain(m *record.Match) float64 {
	if d.Kind != "take" || d.Played != "Take" || d.Cube == nil || d.beaver() || m.Length > 0 || m.Rules.Beavers == 0 || m.Rules.NoCube || d.Cube.DoubleTake >= 0 {
		return 0
	}
	return round(-d.Cube.DoubleTake, 6)
}

// beaverNote returns beaverGain in words, or "".
func (d *Row) beaverNote(m *record.Match, c *texts.Catalogue) string {
	gain := d.beaverGain(m)
	if gain < 0.0005 {
		return ""
	}
	return c.T("a beaver was right: worth {0} more", c.Format("%.3f", gain))
}

// cubeChoice reads a stored cube decision of the doubler, who is on roll in sit.
func cubeChoice(a *record.CubeAnalysis, sit *match.Situation, t *match.Table) *CubeChoice {
	st := sit.State
	c := &CubeChoice{
		NoDouble: a.NoDouble.Cubeful, DoubleTake: a.DoubleTake.Cubeful, DoublePass: 1, Redouble: st.Owner == match.Mine,
		Probs: roundAll(a.NoDouble.Probs), ProbsTake: roundAll(a.DoubleTake.Probs), depth: depth(&a.Settings, a.Rollout),
	}
	st.Beavers = min(st.Beavers, 3)
	if ladder, err := cube.NewLadder(t, st); err == nil {
		nd, dt := c.NoDouble, c.DoubleTake
		if v := a.Equities; v != nil && st.Length > 0 {
			nd, dt = t.MWC(st, v[0]), t.MWC(st, v[1])
		}
		if st.Length > 0 {
			nd, dt = 2*nd-1, 2*dt-1
		}
		var probs eval.Probs
		for i, v := range a.NoDouble.Probs {
			probs[i] = float32(v)
		}
		d := cube.Settle(t, st, ladder, &sit.Position, probs, nd, dt)
		c.NoDouble, c.DoubleTake, c.DoublePass = d.NoDouble, d.DoubleTake, d.DoublePass
		c.Action, c.Dead, c.settled = d.Action.String(), d.Dead, &d
		if v, ok := d.Beavered(); ok {
			v = round(v, 6)
			c.DoubleBeaver = &v
		}
		if st.Length > 0 {
			mwc := [3]float64{round(d.MWC[0], 6), round(d.MWC[1], 6), round(d.MWC[2], 6)}
			c.MWC = &mwc
		}
	}
	if r := a.Rollout; r != nil {
		c.Rollout = sgf.RolloutWords(r.Settings)
		for i := range c.StdErr {
			v := r.StdErr[i].Cubeful
			if st.Length > 0 {
				v /= t.MWCPerEMG(st)
			}
			c.StdErr[i] = round(v, 6)
		}
	}
	if d := c.settled; d != nil {
		d.Plies, d.StdErr = a.Settings.Plies, c.StdErr
		if a.Rollout != nil {
			d.Trials = a.Rollout.Trials
		}
	}
	c.wrong()
	c.NoDouble, c.DoubleTake, c.DoublePass = round(c.NoDouble, 6), round(c.DoubleTake, 6), round(c.DoublePass, 6)
	return c
}
