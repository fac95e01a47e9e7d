package report

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
)

// Row is one decision of a match, of either player, right or wrong: a checker
// play, a double (made or not), the answer to one, or a resignation.
type Row struct {
	Number int    `json:"number"` // within its game, from 1
	Player int    `json:"player"`
	Kind   string `json:"kind"` // checker, double, take or resign
	Dice   []int  `json:"dice,omitempty"`
	// The IDs are of the decision: with the dice of a play, before the roll of a double.
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id"`
	XGID       string `json:"xgid"`
	OGID       string `json:"ogid"`
	Played     string `json:"played"`
	Best       string `json:"best"`
	// Error is what was given up, EMG; ErrorMWC the same as match winning chance, nil in
	// money play. Both are 0 or more.
	Error    float64  `json:"error"`
	ErrorMWC *float64 `json:"error_mwc"`
	Mark     string   `json:"mark"`
	// Luck of the roll, EMG; only at a checker play.
	Luck  *float64 `json:"luck,omitempty"`
	Depth string   `json:"depth"` // "2-ply", "rollout 1296", XG's name; empty when not analysed
	// Counts tells whether the decision is one that PR is taken over.
	Counts bool   `json:"counts"`
	Phase  string `json:"phase"`
	Plan   string `json:"plan"`
	// Fault is the category of a cube error.
	Fault      string      `json:"fault,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Cube       *CubeChoice `json:"cube,omitempty"`
	Comment    string      `json:"comment,omitempty"`

	turn    *analyse.Judged
	sit     match.Situation // as the IDs show it
	onRoll  int             // who is on roll there, and whose the values of a cube decision are
	shown   int             // index among the Candidates of the play made, -1 without
	steps   []candidateSteps
	luck    int8
	illegal bool
}

// Turn is the action that the decision was made with, nil for a resignation. A decision
// not to double has the play that followed.
func (d *Row) Turn() *record.Turn {
	if d.turn == nil {
		return nil
	}
	return &d.turn.Turn
}

type candidateSteps []board.Step

// Candidate is one play with its value for the mover.
type Candidate struct {
	Play   string     `json:"play"`
	Equity float64    `json:"equity"` // EMG
	Probs  [5]float64 `json:"probs"`
	Depth  string     `json:"depth"`
	// StdErr is the standard error of the equity after a rollout, EMG.
	StdErr float64 `json:"std_err,omitempty"`
	// Rollout says how it was rolled out: "cubeful, checker 2-ply, ...".
	Rollout string `json:"rollout,omitempty"`
}

// CubeChoice is a cube decision: equities (EMG) of the doubler, and in a match the
// winning chances beside them.
type CubeChoice struct {
	NoDouble   float64     `json:"no_double"`
	DoubleTake float64     `json:"double_take"`
	DoublePass float64     `json:"double_pass"`
	Action     string      `json:"action"`
	MWC        *[3]float64 `json:"mwc,omitempty"`
	// Probs are the doubler's chances without and with the double.
	Probs    [5]float64 `json:"probs"`
	ProbsTak [5]float64 `json:"probs_take"`
	Redouble bool       `json:"redouble"`
	Dead     bool       `json:"dead,omitempty"`
	StdErr   [2]float64 `json:"std_err,omitzero"`
	// Rollout says how it was rolled out, as at a Candidate.
	Rollout string `json:"rollout,omitempty"`
	// WrongAnswer is how often, 0 to 1, the opponent must answer wrongly for a double that
	// is wrong to gain as much as it gives up; 0 where no share is enough.
	WrongAnswer float64 `json:"wrong_answer,omitempty"`
	depth       string
}

// wrong finds WrongAnswer: a pass where the take is right, or a take where the pass is
// and the position too good.
func (c *CubeChoice) wrong() {
	right, other := min(c.DoubleTake, c.DoublePass), max(c.DoubleTake, c.DoublePass)
	if c.beavered() {
		right *= 2 // the right answer is a beaver, which doubles what the take loses
	}
	if !c.Dead && c.NoDouble > right && other > c.NoDouble {
		c.WrongAnswer = round((c.NoDouble-right)/(other-right), 4)
	}
}

// beavered tells whether a double meets a beaver.
func (c *CubeChoice) beavered() bool { return strings.HasSuffix(c.Action, "_beaver") }

// wrongAnswer tells it in words, "" where there is nothing to tell.
func (c *CubeChoice) wrongAnswer() string {
	if c.WrongAnswer == 0 || actionOf(c.Action).Double() {
		return ""
	}
	word := "passes"
	if c.DoubleTake > c.DoublePass {
		word = "takes"
	}
	double := "double"
	if c.Redouble {
		double = "redouble"
	}
	rest := ""
	if c.beavered() {
		rest = " and beavers otherwise"
	}
	return fmt.Sprintf("a %s would be right if the opponent %s wrongly more than %.1f%% of the time%s", double, word, 100*c.WrongAnswer, rest)
}

// Words is the proper action as players say it: "Redouble, take".
func (c *CubeChoice) Words() string {
	double := "ouble"
	word := func(first string) string { return first + double }
	no, yes := "No d", "D"
	if c.Redouble {
		no, yes = "No red", "Red"
	}
	switch c.Action {
	case "no_double_take":
		return word(no) + ", take"
	case "no_double_beaver":
		return word(no) + ", beaver"
	case "double_take":
		return word(yes) + ", take"
	case "double_beaver":
		return word(yes) + ", beaver"
	case "double_pass":
		return word(yes) + ", pass"
	case "too_good_take":
		return "Too good, take"
	case "too_good_pass":
		return "Too good, pass"
	case "optional_double_take":
		return "Optional " + map[bool]string{false: "double", true: "redouble"}[c.Redouble] + ", take"
	case "optional_double_pass":
		return "Optional " + map[bool]string{false: "double", true: "redouble"}[c.Redouble] + ", pass"
	}
	return "No double"
}

// faults are the categories of cube errors in the order of record's constants.
var faults = [...]string{
	record.MissedDoubleBelowCash: "missed double", record.MissedDoubleAboveCash: "missed cash",
	record.WrongDoubleBelowDP: "wrong double", record.WrongDoubleAboveTG: "doubled too good",
	record.WrongTake: "wrong take", record.WrongDrop: "wrong pass",
}

// Rows lists every decision of game i, with t the match equity table of the
// analysis; nil is the default one.
func Rows(m *record.Match, s *analyse.Summary, i int, t *match.Table) []Row {
	if t == nil {
		t = match.DefaultTable()
	}
	g := &s.Games[i]
	var out []Row
	n, first := 0, true
	said := "" // at what is no decision, such as dice before a resignation
	add := func(d Row) {
		n++
		d.Number = n
		d.Comment, said = lines(said, d.Comment), ""
		out = append(out, d)
	}
	for k := range g.Decisions {
		j := &g.Decisions[k]
		a := j.Turn.Action
		switch a.Kind {
		case record.Roll, record.SetUp:
			said = lines(said, a.Comment)
		case record.Move:
			switch {
			case a.Analysis != nil && a.Analysis.Cube != nil && j.Turn.State.MayDouble():
				add(cubeRow(m, j, t, true))
			case !first && j.Turn.State.MayDouble():
				n++ // a decision that nobody analysed has its number: an analysis later moves none
			}
			add(playRow(m, j, t))
		case record.Double, record.Take, record.Drop:
			add(cubeRow(m, j, t, false))
		}
		first = first && a.Kind == record.SetUp
	}
	if r := m.Games[i].Result; r.Finished() && r.Resigned {
		add(resignation(m, i))
	}
	if n := len(out); n > 0 {
		out[n-1].Comment = lines(out[n-1].Comment, said)
	}
	return out
}

// lines joins two comments.
func lines(a, b string) string { return strings.Trim(a+"\n"+b, "\n") }

func newRow(m *record.Match, j *analyse.Judged, sit match.Situation) Row {
	onRoll := j.Turn.Player
	if sit.Doubled {
		onRoll = j.Turn.First()
	}
	return Row{
		onRoll: onRoll, Player: j.Turn.Player, PositionID: sit.Position.ID(), MatchID: sit.MatchID(),
		XGID: position.XGID(sit, onRoll), OGID: position.OGID(sit, onRoll),
		Phase: j.Phase.String(), Plan: j.Plan.String(), Comment: j.Turn.Action.Comment,
		turn: j, sit: sit, shown: -1, illegal: j.Turn.Action.Illegal,
	}
}

// lose sets the error with its mark.
func (d *Row) lose(t *match.Table, st match.State, loss float64, mark record.Mark) {
	d.Error, d.Mark = round(loss, 6), markName(mark)
	if st.Length > 0 {
		v := round(analyse.Cost(t, st, loss).Value, 6)
		d.ErrorMWC = &v
	}
}

func playRow(m *record.Match, j *analyse.Judged, t *match.Table) Row {
	d := newRow(m, j, situation(j))
	a := j.Turn.Action
	dice := a.Dice.Sorted()
	d.Kind, d.Dice = "checker", []int{int(dice.A), int(dice.B)}
	d.Played, d.Best = played(j)
	if a.Raw != "" {
		d.Played = a.Raw
	}
	d.Counts = j.Counts
	d.lose(t, j.Turn.State, j.Loss, j.Mark)
	an := a.Analysis
	if an == nil {
		return d
	}
	d.Luck, d.luck = an.Luck, j.LuckMark
	for k := range an.Candidates {
		c := &an.Candidates[k]
		out := Candidate{Play: notation(&j.Turn.Position, c.Steps), Equity: round(c.Outcome.Cubeful, 6), Probs: roundAll(c.Outcome.Probs), Depth: depth(&c.Settings, c.Rollout)}
		if r := c.Rollout; r != nil {
			out.StdErr = stdErr(t, j.Turn.State, r.StdErr[0].Cubeful)
			out.Rollout = sgf.RolloutWords(r.Settings)
		}
		if k == an.Played {
			d.shown, d.Depth = k, out.Depth
		}
		d.Candidates = append(d.Candidates, out)
		d.steps = append(d.steps, c.Steps)
	}
	return d
}

func cubeRow(m *record.Match, j *analyse.Judged, t *match.Table, none bool) Row {
	sit := situation(j)
	sit.Dice = board.Dice{}
	d := newRow(m, j, sit)
	a, st := j.Turn.Action, sit.State
	d.Kind = "double"
	loss, mark := j.Loss, j.Mark
	d.Counts = j.Counts
	switch {
	case none:
		d.Played, d.Comment = "No double", ""
		loss, mark, d.Counts = j.CubeLoss, j.CubeMark, j.CubeCounts
	case a.Kind == record.Double:
		d.Played = beavers[min(j.Turn.Pending, 2)]
	case a.Kind == record.Take:
		d.Kind, d.Played = "take", "Take"
	default:
		d.Kind, d.Played = "take", "Pass"
	}
	d.lose(t, st, loss, mark)
	if a.Analysis == nil || a.Analysis.Cube == nil {
		return d
	}
	c := cubeChoice(a.Analysis.Cube, st, t)
	d.Cube, d.Depth = c, c.depth
	d.Best = c.best(&j.Turn)
	if loss > 0 {
		d.Fault = faultOf(&d)
	}
	if d.beaver() {
		return d // not counted, as gnubg does: nothing is lost
	}
	if d.Error == 0 {
		d.Best = d.Played // an optional double is not wrong either way
	}
	if c.Redouble && d.Kind == "double" {
		for _, w := range []*string{&d.Played, &d.Best} {
			*w = map[string]string{"Double": "Redouble", "No double": "No redouble"}[*w]
		}
	}
	return d
}

// best is what should have been done instead of the double, answer or play of a turn.
func (c *CubeChoice) best(t *record.Turn) string {
	act, dt := actionOf(c.Action), c.DoubleTake
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
var beavers = [...]string{"Double", "Beaver", "Raccoon"}

// beaver tells whether a decision is one of a beaver: to make it or to answer it. They
// are judged by the double that they go back to and not counted, as GNU Backgammon does.
func (d *Row) beaver() bool {
	if d.turn == nil || d.turn.Turn.Action.Kind == record.Move {
		return false
	}
	return d.turn.Turn.Pending > 1 || d.turn.Turn.Pending == 1 && d.turn.Turn.Action.Kind == record.Double
}

// beaverGain is what a beaver in place of a take would have won, EMG at the cube of the
// double; 0 where none was right or allowed. GNU Backgammon and eXtreme Gammon do not
// count a missed beaver as an error, and neither is it one here.
func (d *Row) beaverGain(m *record.Match) float64 {
	if d.Kind != "take" || d.Played != "Take" || d.Cube == nil || d.beaver() || m.Length > 0 || m.Rules.Beavers == 0 || m.Rules.NoCube || d.Cube.DoubleTake >= 0 {
		return 0
	}
	return round(-d.Cube.DoubleTake, 6)
}

// beaverNote tells it in words, "" where there is nothing to tell.
func (d *Row) beaverNote(m *record.Match) string {
	gain := d.beaverGain(m)
	if gain < 0.0005 {
		return ""
	}
	return fmt.Sprintf("a beaver was right: worth %.3f more", gain)
}

func faultOf(d *Row) string {
	c := d.Cube
	switch d.Played {
	case "No double":
		if c.DoubleTake > 1 {
			return faults[record.MissedDoubleAboveCash]
		}
		return faults[record.MissedDoubleBelowCash]
	case "Double":
		if c.NoDouble >= 0.95 {
			return faults[record.WrongDoubleAboveTG]
		}
		return faults[record.WrongDoubleBelowDP]
	case "Take":
		return faults[record.WrongTake]
	}
	return faults[record.WrongDrop]
}

func actionOf(name string) cube.Action {
	for a := cube.NoDoubleTake; a.String() != ""; a++ {
		if a.String() == name {
			return a
		}
	}
	return cube.NoAction
}

// cubeChoice reads a stored cube decision of the doubler, who is in state st.
func cubeChoice(a *record.CubeAnalysis, st match.State, t *match.Table) *CubeChoice {
	c := &CubeChoice{
		NoDouble: a.NoDouble.Cubeful, DoubleTake: a.DoubleTake.Cubeful, DoublePass: 1, Redouble: st.Owner == match.Mine,
		Probs: roundAll(a.NoDouble.Probs), ProbsTak: roundAll(a.DoubleTake.Probs), depth: depth(&a.Settings, a.Rollout),
	}
	st.Beavers = min(st.Beavers, 3)
	if ladder, err := cube.NewLadder(t, st); err == nil {
		nd, dt := c.NoDouble, c.DoubleTake
		if st.Length > 0 {
			nd, dt = 2*nd-1, 2*dt-1
		}
		var probs eval.Probs
		for i, v := range a.NoDouble.Probs {
			probs[i] = float32(v)
		}
		d := cube.Settle(t, st, ladder, probs, nd, dt)
		c.NoDouble, c.DoubleTake, c.DoublePass = d.NoDouble, d.DoubleTake, d.DoublePass
		c.Action, c.Dead = d.Action.String(), d.Dead
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
	c.wrong()
	c.NoDouble, c.DoubleTake, c.DoublePass = round(c.NoDouble, 6), round(c.DoubleTake, 6), round(c.DoublePass, 6)
	return c
}

// stdErr is the standard error of a candidate in EMG: records hold that of the result as it
// was summed up.
func stdErr(t *match.Table, st match.State, v float64) float64 {
	if st.Length > 0 {
		v /= t.MWCPerEMG(st)
	}
	return round(v, 6)
}

func resignation(m *record.Match, i int) Row {
	g := &m.Games[i]
	r := record.NewReplay(m, g)
	for _, ok := r.Next(); ok; _, ok = r.Next() {
	}
	loser := 1 - g.Result.Winner&1
	sit := match.Situation{Position: r.Position(loser), State: r.State(loser)}
	level := "resigns"
	if cubeValue := max(sit.State.Cube, 1); g.Result.Points%cubeValue == 0 {
		level += map[int]string{2: " a gammon", 3: " a backgammon"}[g.Result.Points/cubeValue]
	}
	d := Row{
		Player: loser, Kind: "resign", Played: level, PositionID: sit.Position.ID(), MatchID: sit.MatchID(),
		XGID: position.XGID(sit, loser), OGID: position.OGID(sit, loser), sit: sit, onRoll: loser, shown: -1,
		Phase: analyse.PhaseOf(&sit.Position, 99).String(), Plan: analyse.PlanOf(&sit.Position).String(),
	}
	return d
}

// depth names how deep a judgement is.
func depth(s *record.Settings, r *record.Rollout) string {
	switch {
	case r != nil && r.Trials > 0:
		return fmt.Sprintf("rollout %d", r.Trials)
	case s.Level != "":
		return s.Level
	}
	return fmt.Sprintf("%d-ply", s.Plies)
}

func roundAll(p [5]float64) (out [5]float64) {
	for i, v := range p {
		out[i] = round(v, 6)
	}
	return out
}

// rollouts are the ways in which the plays of a decision, or its cube, were rolled out,
// each once.
func (d *Row) rollouts() (out []string) {
	if d.Cube != nil && d.Cube.Rollout != "" {
		out = append(out, d.Cube.Rollout)
	}
	for k := range d.Candidates {
		if w := d.Candidates[k].Rollout; w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
