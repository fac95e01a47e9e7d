package report

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/opening"
	"fibsbot/engine/record"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/texts"
)

// Row is one decision of a match, of either player, right or wrong: a checker
// play, a double (made or not), the answer to one, or a resignation.
type Row struct {
	Number int    `json:"number"`         // within its game, from 1
	Player int    `json:"player"`         // who decides, 0 or 1
	Kind   string `json:"kind"`           // checker, double, take or resign
	Dice   []int  `json:"dice,omitempty"` // the larger first; of a checker play
	// The IDs are of the decision: with the dice of a play, before the roll of a double.
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id"`
	XGID       string `json:"xgid"`
	OGID       string `json:"ogid"`
	// Played and Best are what was done and what was best, in words: "8/5 6/5", "No double".
	Played string `json:"played"`
	Best   string `json:"best,omitempty"`
	// Error is what was given up, EMG, nil for a decision that was not analysed; ErrorMWC
	// the same as match winning chance, nil in money play too. Both are 0 or more.
	Error    *float64 `json:"error"`
	ErrorMWC *float64 `json:"error_mwc"`
	Mark     string   `json:"mark,omitempty"` // doubtful, bad or very_bad
	// Luck of the roll, EMG; only at a checker play.
	Luck  *float64 `json:"luck,omitempty"`
	Depth string   `json:"depth,omitempty"` // "2-ply", "rollout 1296", XG's name
	// Counts reports whether the decision counts for PR.
	Counts bool `json:"counts"`
	// Phase and Plan are the words of analyse.Phase and analyse.Plan.
	Phase string `json:"phase"`
	Plan  string `json:"plan"`
	// Fault is the category of a cube error.
	Fault string `json:"fault,omitempty"`
	// Candidates are the plays considered, best first; Cube is the cube decision.
	Candidates []Candidate `json:"candidates,omitempty"`
	Cube       *CubeChoice `json:"cube,omitempty"`
	// Beside are verdicts that do not count, such as the evaluation before a rollout.
	Beside  []ReplacedVerdict `json:"beside,omitempty"`
	Comment string            `json:"comment,omitempty"`
	// Reason says in words what an error gave up, see Why; empty where no one was asked.
	Reason string `json:"reason,omitempty"`
	// Also is what another engine chose, nil where it agrees or none was asked.
	Also *Opinion `json:"also,omitempty"`
	// Book is the rolled out value of the play made, if it is in the table of openings and
	// replies, or nil.
	Book *BookPlay `json:"book,omitempty"`

	turn    *analyse.Judged
	sit     match.Situation // as the IDs show it
	onRoll  int             // who is on roll there, and whose the values of a cube decision are
	shown   int             // index among the Candidates of the play made, -1 without
	steps   []candidateSteps
	luck    int8
	illegal bool
	open    bool // an analysed position in which nothing has been done yet
}

// ReplacedVerdict is what another judge found about a decision, as in a Row.
type ReplacedVerdict struct {
	By         string      `json:"by,omitempty"` // the program
	Depth      string      `json:"depth"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Cube       *CubeChoice `json:"cube,omitempty"`

	shown int // as in a Row
	steps []candidateSteps
}

// judge is who judged, and how deep.
func (v *ReplacedVerdict) judge(c *texts.Catalogue) string {
	depth := c.Counted(v.Depth)
	if v.By == "" {
		return depth
	}
	return v.By + ", " + depth
}

// of returns the decision with the verdict in the place of its own.
func (v *ReplacedVerdict) of(d *Row) *Row {
	out := *d
	out.Candidates, out.Cube, out.Depth, out.shown, out.steps = v.Candidates, v.Cube, v.Depth, v.shown, v.steps
	return &out
}

// BookPlay is a play of the table of openings and replies (package opening).
type BookPlay struct {
	// Best is the best play of the table, Loss how much worse the play made is (EMG), StdErr
	// the standard error of that.
	Best   string  `json:"best"`
	Loss   float64 `json:"loss"`
	StdErr float64 `json:"stderr"`
}

// bookLoss is the largest loss of a book play: below it experts differ.
const bookLoss = 0.02

// good reports whether the play is a book play.
func (b *BookPlay) good() bool { return b != nil && b.Loss <= bookLoss }

// bookOf looks the play made up, nil if the table does not have it.
func bookOf(s match.Situation, played string) *BookPlay {
	d, ok := opening.Shipped().Near(s)
	if !ok || len(d.Plays) < 2 {
		return nil
	}
	p, ok := d.Move(played)
	if !ok {
		return nil
	}
	return &BookPlay{Best: d.Plays[0].Move, Loss: p.Loss, StdErr: p.LossErr}
}

// Why says in words why the best of a decision is better than what was done, "" for no words.
type Why func(d *Row) string

// mostReasons bounds the reasons of a report.
const mostReasons = 300

// explained adds the reasons of the marked decisions, if why is not nil; left counts down what a report may still ask.
func (why Why) explained(list []Row, left *int) []Row {
	for k := range list {
		if d := &list[k]; why != nil && d.Mark != "" && *left > 0 {
			*left--
			d.Reason = why(d)
		}
	}
	return list
}

// Situation returns the decision: with the dice of a play, for a cube action as the doubler saw it.
func (d *Row) Situation() match.Situation { return d.sit }

// Turn is the action that the decision was made with, nil for a resignation. A decision
// not to double has the play that followed.
func (d *Row) Turn() *record.Turn {
	if d.turn == nil {
		return nil
	}
	return &d.turn.Turn
}

// Loss is the Error, 0 for a decision that was not analysed.
func (d *Row) Loss() float64 {
	if d.Error == nil {
		return 0
	}
	return *d.Error
}

type candidateSteps []board.Step

// Candidate is one play with its value for the mover.
type Candidate struct {
	Play   string     `json:"play"`
	Equity float64    `json:"equity"` // EMG
	Probs  [5]float64 `json:"probs"`  // in the order of eval.Probs
	Depth  string     `json:"depth"`  // as of a Row
	// StdErr is the standard error of the equity after a rollout, EMG.
	StdErr float64 `json:"equity_stderr,omitempty"`
	// Rollout says how it was rolled out: "cubeful, checker 2-ply, ...".
	Rollout string `json:"rollout,omitempty"`

	place int // among all plays, from 1, or record.UnknownRank
}

// faults are the categories of cube errors in the order of record's constants.
var faults = [...]string{
	record.MissedDoubleBelowCash: texts.Key("missed double"), record.MissedDoubleAboveCash: texts.Key("missed cash"),
	record.WrongDoubleBelowDP: texts.Key("wrong double"), record.WrongDoubleAboveTG: texts.Key("doubled too good"),
	record.WrongTake: texts.Key("wrong take"), record.WrongDrop: texts.Key("wrong pass"),
}

// Rows lists every decision of game i, counted from 0, with t the match equity table of the
// analysis; nil is the default one. m and s are those of Build; a game that they do not
// have has no decisions.
func Rows(m *record.Match, s *analyse.Summary, i int, t *match.Table) []Row {
	m, s = fitting(m, s)
	if i < 0 || i >= len(s.Games) {
		return nil
	}
	if t == nil {
		t = match.DefaultTable()
	}
	g := &s.Games[i]
	var out []Row
	n, first := 0, true
	said := "" // comments of actions that are not decisions, such as dice before a resignation
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
				n++ // reserve the number of an unanalysed decision, so that a later analysis shifts none
			}
			add(playRow(m, j, t))
		case record.Double, record.Take, record.Drop:
			add(cubeRow(m, j, t, false))
		}
		first = first && a.Kind == record.SetUp
	}
	if r := m.Games[i].Result; m.Games[i].GivenUp() {
		add(resignation(m, i, g.Resignation, t))
		if v := g.Resignation; v != nil && v.Player == r.Winner {
			add(acceptance(&out[len(out)-1], v, t))
		}
	}
	if d, ok := openRow(m, i, g, t); ok {
		add(d)
	}
	if n := len(out); n > 0 {
		out[n-1].Comment = lines(out[n-1].Comment, said)
	}
	return out
}

// openRow is the row of a game that ends with an analysed position, set up or rolled, in which
// nothing has been done.
func openRow(m *record.Match, i int, g *analyse.GameSummary, t *match.Table) (d Row, ok bool) {
	if len(g.Decisions) == 0 {
		return d, false
	}
	j := g.Decisions[len(g.Decisions)-1]
	a := j.Turn.Action
	switch {
	case a.Analysis == nil:
		return d, false
	case a.Kind == record.Roll && len(a.Analysis.Candidates) > 0:
		d = playRow(m, &j, t)
		d.Best, d.Depth = d.Candidates[0].Play, d.Candidates[0].Depth
	case a.Kind == record.SetUp && a.Analysis.Cube != nil:
		r := record.NewReplay(m, &m.Games[i])
		for _, more := r.Next(); more; _, more = r.Next() {
		}
		if j.Turn.Player = r.OnRoll(); j.Turn.Player != 0 && j.Turn.Player != 1 {
			return d, false
		}
		j.Turn.Position, j.Turn.State = r.Position(j.Turn.Player), r.State(j.Turn.Player)
		d = newRow(&j, situation(&j))
		d.Cube = cubeChoice(a.Analysis.Cube, &d.sit, t)
		d.Kind, d.Best, d.Depth = "double", d.Cube.Words(), d.Cube.depth
	default:
		return d, false
	}
	d.open, d.Played, d.Error, d.ErrorMWC, d.Mark, d.Counts = true, "", nil, nil, "", false
	return d, true
}

// lines joins two comments.
func lines(a, b string) string { return strings.Trim(a+"\n"+b, "\n") }

func newRow(j *analyse.Judged, sit match.Situation) Row {
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
	d.Error, d.Mark = orNull(loss, 6), markName(mark)
	if st.Length > 0 {
		v := round(analyse.Cost(t, st, loss).Value, 6)
		d.ErrorMWC = &v
	}
}

func playRow(m *record.Match, j *analyse.Judged, t *match.Table) Row {
	d := newRow(j, situation(j))
	a := j.Turn.Action
	dice := a.Dice.Sorted()
	d.Kind, d.Dice = "checker", []int{int(dice.A), int(dice.B)}
	d.Played, d.Best = played(j)
	if a.Raw != "" {
		d.Played = a.Raw
	}
	d.Counts = j.Counts
	if m.Rules.Board() == (board.Rules{}) {
		d.Book = bookOf(d.sit, d.Played)
	}
	an := a.Analysis
	if by := analyse.Judgement(an); j.Turn.Forced || by != nil && by.Played >= 0 && by.Played < len(by.Candidates) {
		d.lose(t, j.Turn.State, j.Loss, j.Mark)
	}
	if an == nil {
		return d
	}
	d.Luck, d.luck = an.Luck, j.LuckMark
	d.Candidates, d.steps = candidates(j, an.Candidates, an.Place, t)
	if k := an.Played; k >= 0 && k < len(d.Candidates) {
		d.shown, d.Depth = k, d.Candidates[k].Depth
	}
	made := record.Apply(j.Turn.Position, a.Steps)
	for _, v := range an.Beside {
		if len(v.Candidates) == 0 {
			continue
		}
		out := ReplacedVerdict{By: v.By, shown: slices.IndexFunc(v.Candidates, func(c record.Candidate) bool { return record.Apply(j.Turn.Position, c.Steps) == made })}
		out.Candidates, out.steps = candidates(j, v.Candidates, func(k int) int { return k + 1 }, t)
		out.Depth = out.Candidates[0].Depth
		d.Beside = append(d.Beside, out)
	}
	return d
}

// candidates are plays as a row has them; place is the place of each among all.
func candidates(j *analyse.Judged, list []record.Candidate, place func(k int) int, t *match.Table) (out []Candidate, steps []candidateSteps) {
	for k := range list {
		c := &list[k]
		one := Candidate{Play: notation(&j.Turn.Position, c.Steps), Equity: round(c.Outcome.Cubeful, 6), Probs: roundAll(c.Outcome.Probs), Depth: depth(&c.Settings, c.Rollout), place: place(k)}
		if r := c.Rollout; r != nil {
			one.StdErr = stdErr(t, j.Turn.State, r.StdErr[0].Cubeful)
			one.Rollout = sgf.RolloutWords(r.Settings)
		}
		out, steps = append(out, one), append(steps, c.Steps)
	}
	return out, steps
}

func cubeRow(m *record.Match, j *analyse.Judged, t *match.Table, none bool) Row {
	sit := situation(j)
	sit.Dice = board.Dice{}
	d := newRow(j, sit)
	a, st := j.Turn.Action, sit.State
	d.Kind = "double"
	loss, mark := j.Loss, j.Mark
	d.Counts = j.Counts
	switch {
	case none:
		d.Played, d.Comment = texts.Key("No double"), ""
		loss, mark, d.Counts = j.CubeLoss, j.CubeMark, j.CubeCounts
	case a.Kind == record.Double:
		d.Played = beavers[min(j.Turn.Pending, 2)]
	case a.Kind == record.Take:
		d.Kind, d.Played = "take", texts.Key("Take")
	default:
		d.Kind, d.Played = "take", texts.Key("Pass")
	}
	if a.Analysis == nil || a.Analysis.Cube == nil {
		return d
	}
	if by := analyse.Judgement(a.Analysis); by != nil && by.Cube != nil {
		d.lose(t, st, loss, mark)
	}
	c := cubeChoice(a.Analysis.Cube, &sit, t)
	d.Cube, d.Depth = c, c.depth
	for _, v := range a.Analysis.Beside {
		if v.Cube != nil {
			other := cubeChoice(v.Cube, &sit, t)
			d.Beside = append(d.Beside, ReplacedVerdict{By: v.By, Depth: other.depth, Cube: other, shown: -1})
		}
	}
	d.Best = c.best(&j.Turn)
	if loss > 0 {
		d.Fault = faults[j.Fault]
	}
	if d.beaver() {
		return d
	}
	if d.Loss() == 0 {
		d.Best = d.Played // an optional double is not wrong either way
	}
	if c.Redouble && d.Kind == "double" {
		for _, w := range []*string{&d.Played, &d.Best} {
			*w = map[string]string{"Double": texts.Key("Redouble"), "No double": texts.Key("No redouble")}[*w]
		}
	}
	return d
}

// stdErr is the standard error of a candidate in EMG: records hold that of the result as it
// was summed up.
func stdErr(t *match.Table, st match.State, v float64) float64 {
	if st.Length > 0 {
		v /= t.MWCPerEMG(st)
	}
	return round(v, 6)
}

// resignation is the row of the resignation that ended game i; v is nil where it was not
// judged.
func resignation(m *record.Match, i int, v *analyse.Resignation, t *match.Table) Row {
	g := &m.Games[i]
	r := record.NewReplay(m, g)
	for _, ok := r.Next(); ok; _, ok = r.Next() {
	}
	loser := 1 - g.Result.Winner&1
	sit := match.Situation{Position: r.Position(loser), State: r.State(loser)}
	level := texts.Key("resigns")
	if cubeValue := max(sit.State.Cube, 1); g.Result.Points%cubeValue == 0 {
		switch g.Result.Points / cubeValue {
		case 2:
			level = texts.Key("resigns a gammon")
		case 3:
			level = texts.Key("resigns a backgammon")
		}
	}
	d := Row{
		Player: loser, Kind: "resign", Played: level, PositionID: sit.Position.ID(), MatchID: sit.MatchID(),
		XGID: position.XGID(sit, loser), OGID: position.OGID(sit, loser), sit: sit, onRoll: loser, shown: -1,
		Phase: analyse.PhaseOf(&sit.Position, 99).String(), Plan: analyse.PlanOf(&sit.Position).String(),
	}
	if v == nil {
		return d
	}
	d.Best = d.Played
	if d.lose(t, v.State, 0, record.Unmarked); v.Player == loser && v.Loss > 0 {
		d.lose(t, v.State, v.Loss, v.Mark)
		d.Best, d.Fault, d.Counts = texts.Key("plays on"), texts.Key("wrong resignation"), true
	}
	return d
}

// acceptance is the row of a resignation accepted too cheaply, beside the resignation's own.
func acceptance(resigned *Row, v *analyse.Resignation, t *match.Table) Row {
	d := *resigned
	d.Player, d.Played, d.Best, d.Fault, d.Counts = v.Player, texts.Key("accepts"), texts.Key("refuses"), texts.Key("wrong acceptance"), true
	d.lose(t, v.State, v.Loss, v.Mark)
	return d
}

// depth names how deep a judgement is.
func depth(s *record.Settings, r *record.Rollout) string {
	switch {
	case r != nil && r.Trials > 0:
		return strings.Replace(texts.Key("rollout {0}"), "{0}", fmt.Sprint(r.Trials), 1)
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
