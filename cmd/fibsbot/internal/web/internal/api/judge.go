package api

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/explain"
	"fibsbot/engine/match"
	"fibsbot/engine/opening"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/internal/http"
)

// EvalRequest asks for an evaluation and further figures of the position.
type EvalRequest struct {
	Position
	Windows bool `json:"windows,omitempty"`
	Counts  bool `json:"counts,omitempty"`
	Map     bool `json:"map,omitempty"`
	// Why asks for the reason of the cube action.
	Why bool `json:"why,omitempty"`
}

// Evaluation is the document of `fibsbot eval --json` with the decision in words.
type Evaluation struct {
	advice.Evaluation
	Words   string          `json:"words,omitempty"`
	Windows *advice.Windows `json:"windows,omitempty"`
	Counts  *advice.Counts  `json:"counts,omitempty"`
	Map     *advice.Map     `json:"map,omitempty"`
	explain.Doc
}

// mapped reports whether an EvalRequest asks for the map of all rolls.
func mapped(in any) bool { return in.(EvalRequest).Map }

func (a *API) eval(r *http.Request, q EvalRequest) (any, error) {
	x, err := a.read(r.Context(), &q.Position)
	if err != nil {
		return nil, err
	}
	e, s := x.engine, x.Situation
	v, d, err := advice.Evaluate(r.Context(), e, s, x.preset, false)
	if err != nil {
		return nil, err
	}
	v.Assumed = x.Assumed
	out := Evaluation{Evaluation: v}
	if v.Cube != nil {
		out.Words = advice.Words(d)
	}
	if q.Why {
		if out.Doc, err = a.cubeReason(r, e, s, d); err != nil {
			return nil, err
		}
	}
	if q.Windows {
		if out.Windows, err = advice.WindowsOf(e.Table(), s, v.Probs); err != nil {
			return nil, err
		}
	}
	if q.Counts {
		out.Counts = advice.CountsOf(e.Bearoff(), &s.Position, s.State.Owner)
	}
	if q.Map {
		m, err := analyse.Temperature(r.Context(), e.Search(), s, x.preset.Checker)
		if err != nil {
			return nil, err
		}
		out.Map = advice.MapOf(m)
	}
	return out, nil
}

// PlaysRequest asks for the plays of a roll.
type PlaysRequest struct {
	Position
	// Limit is the number of plays listed, 0 for all.
	Limit int `json:"limit,omitempty"`
	// Why asks why the best play beats the second one.
	Why bool `json:"why,omitempty"`
}

func (a *API) plays(r *http.Request, q PlaysRequest) (any, error) {
	if q.Limit < 0 {
		return nil, bad("limit", "%d is negative (use 0 for all plays)", q.Limit)
	}
	x, err := a.read(r.Context(), &q.Position)
	if err != nil {
		return nil, err
	}
	s := x.Situation
	if !s.Dice.Valid() {
		return nil, bad("dice", "plays need dice")
	}
	list, err := x.engine.Hint(r.Context(), s.Position, s.Dice, s.State, x.preset)
	if err != nil {
		return nil, err
	}
	out := advice.PlaysOf(x.engine.Rules(), s, list)
	out.Assumed = x.Assumed
	if q.Limit > 0 && len(out.Moves) > q.Limit {
		out.Moves = out.Moves[:q.Limit]
	}
	answer := RankedPlays{Plays: out}
	if d, ok := opening.Shipped().Near(s); ok && x.engine.Rules() == (board.Rules{}) {
		answer.Book = &d
	}
	if q.Why {
		if answer.Doc, err = a.playReason(r, x.engine, s, list); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// RankedPlays are the plays of a roll, with their rollouts if the table of openings and
// replies has the decision.
type RankedPlays struct {
	advice.Plays
	Book *opening.Entry `json:"book,omitempty"`
	explain.Doc
}

// playReason says why the first of list beats the second, cubeReason why a cube action is right, in the
// language of the request.
func (a *API) playReason(r *http.Request, e *engine.Engine, s match.Situation, list []search.Candidate) (explain.Doc, error) {
	if len(list) < 2 {
		return explain.Doc{}, nil
	}
	why, err := explain.Plays(r.Context(), e, s, list[0], list[1])
	return why.Doc(a.opt.Language(r)), err
}

func (a *API) cubeReason(r *http.Request, e *engine.Engine, s match.Situation, d cube.Decision) (explain.Doc, error) {
	why, err := explain.Cube(r.Context(), e, s, d)
	return why.Doc(a.opt.Language(r)), err
}

func (a *API) describePosition(_ *http.Request, q Position) (any, error) {
	s, err := q.Read()
	if err != nil {
		return nil, err
	}
	return described(s.Situation, s.Rules), nil
}

func (a *API) rolls(r *http.Request, q Position) (any, error) {
	x, err := a.read(r.Context(), &q)
	if err != nil {
		return nil, err
	}
	return advice.RollsOf(r.Context(), x.engine, x.Situation, x.preset)
}

// ScoresRequest asks for a decision at all scores.
type ScoresRequest struct {
	Position
	// Away is the largest distance of both sides in points; 7 if absent.
	Away int `json:"away,omitempty"`
}

// ScoreCell is the decision at one score.
type ScoreCell struct {
	Away     [2]int `json:"away"` // player on roll, opponent
	Crawford bool   `json:"crawford,omitempty"`
	// Action as in eval --json, with its words; empty if no one may double.
	Action     string   `json:"action,omitempty"`
	Words      string   `json:"words,omitempty"`
	NoDouble   *float64 `json:"no_double,omitempty"`
	DoubleTake *float64 `json:"double_take,omitempty"`
	// Play is the best play, Margin its lead over the second.
	Play   string   `json:"play,omitempty"`
	Margin *float64 `json:"margin,omitempty"`
}

// ScoreMatrix is a decision at all scores, rows by the player's points away. Scores
// with one side at 1-away are post-Crawford unless Crawford says otherwise.
type ScoreMatrix struct {
	Away  int         `json:"away"`
	Cells []ScoreCell `json:"cells"`
	Money ScoreCell   `json:"money"`
}

func (a *API) scores(r *http.Request, q ScoresRequest) (any, error) {
	q.Preset = cmp.Or(q.Preset, "expert")
	s, err := a.read(r.Context(), &q.Position)
	if err != nil {
		return nil, err
	}
	q.Away = cmp.Or(q.Away, 7)
	if q.Away < 2 || q.Away > 15 {
		return nil, bad("away", "%d: want 2 to 15", q.Away)
	}
	out := ScoreMatrix{Away: q.Away}
	out.Money, err = scoreCell(r.Context(), s, match.State{Cube: s.State.Cube, Owner: s.State.Owner, Jacoby: true, Beavers: match.DefaultBeavers})
	if err != nil {
		return nil, err
	}
	for me := 1; me <= q.Away; me++ {
		for opp := 1; opp <= q.Away; opp++ {
			st := match.State{Length: q.Away, Score: [2]int{q.Away - me, q.Away - opp}, Cube: s.State.Cube, Owner: s.State.Owner}
			cell, err := scoreCell(r.Context(), s, st)
			if err != nil {
				return nil, err
			}
			out.Cells = append(out.Cells, cell)
		}
	}
	return out, nil
}

// scoreCell evaluates the decision of s at another score.
func scoreCell(ctx context.Context, s question, st match.State) (ScoreCell, error) {
	c := ScoreCell{}
	c.Away[0], c.Away[1] = st.Away()
	if st.Length == 0 {
		c.Away = [2]int{}
	}
	if s.Dice.Valid() {
		list, err := s.engine.RankPlays(ctx, s.Position, s.Dice, st, s.preset)
		if err != nil || len(list) == 0 {
			return c, err
		}
		c.Play = board.FormatPlay(s.Position, list[0].Play)
		if len(list) > 1 {
			gap := math.Max(0, list[0].Equity-list[1].Equity)
			c.Margin = &gap
		}
		return c, nil
	}
	d, err := s.engine.CubeDecision(ctx, s.Position, st, s.preset)
	if err != nil || d.Action == cube.NoAction {
		return c, err
	}
	c.Action, c.Words, c.NoDouble, c.DoubleTake = d.Action.String(), advice.Words(d), &d.NoDouble, &d.DoubleTake
	return c, nil
}

// Openings are the rolled out openings at a score, or the replies to an opening play.
type Openings struct {
	// Score is that of the player to decide.
	Score opening.Score `json:"score"`
	// First is the opening roll and play that is replied to, "" for openings.
	First string `json:"first"`
	// Position is that of the player to decide.
	Position  Described         `json:"position"`
	Decisions []OpeningDecision `json:"decisions"`
}

// OpeningDecision is a roll with its rolled out plays.
type OpeningDecision struct {
	opening.Entry
	XGID string `json:"xgid"`
	// Replies lists the plays whose replies are known.
	Replies []string `json:"replies"`
}

func (a *API) openings(r *http.Request, _ any) (any, error) {
	q := r.URL.Query()
	score, err := opening.ParseScore(q.Get("score"))
	if err != nil {
		return nil, bad("score", "%v", err)
	}
	t := opening.Shipped()
	first := strings.Join(strings.Fields(q.Get("first")), " ")
	out := Openings{Score: score, First: first, Decisions: []OpeningDecision{}}
	list := t.Openings(score)
	if first != "" {
		out.Score = score.Swap()
		list = t.Replies(out.Score, first)
		if len(list) == 0 {
			return nil, &Problem{Status: http.StatusNotFound, Field: "first", Text: "no replies to " + first + " at " + string(score) + " are known"}
		}
	}
	for _, d := range list {
		s := d.Situation()
		x := OpeningDecision{Entry: d, XGID: s.XGID(), Replies: []string{}}
		for _, p := range d.Plays {
			if first == "" && t.HasReplies(score, d.Roll, p.Move) {
				x.Replies = append(x.Replies, p.Move)
			}
		}
		s.Dice = board.Dice{}
		out.Position = described(s, board.Rules{})
		out.Decisions = append(out.Decisions, x)
	}
	return out, nil
}

// maxValues bounds the values of a conversion.
const maxValues = 1000

// ConvertRequest asks to convert values at the state of a match: the position may be a
// Match ID alone, or be left out where the fields name the state.
type ConvertRequest struct {
	input.Position
	// Values are equities (EMG) for eq2mwc, chances between 0 and 1 for mwc2eq.
	Values []float64 `json:"values"`
	// StdErr is the standard error of the values, converted too.
	StdErr *float64 `json:"stderr,omitempty"`
}

// eq2mwc and mwc2eq answer as `fibsbot met eq2mwc --json` and `met mwc2eq --json`.
func (a *API) eq2mwc(_ *http.Request, q ConvertRequest) (any, error) { return a.convertValues(q, true) }
func (a *API) mwc2eq(_ *http.Request, q ConvertRequest) (any, error) {
	return a.convertValues(q, false)
}

func (a *API) convertValues(q ConvertRequest, toMWC bool) (any, error) {
	s, err := q.MatchState(false)
	switch {
	case err != nil:
		return nil, err
	case len(q.Values) == 0 || len(q.Values) > maxValues:
		return nil, bad("values", "%d values: want 1 to %d", len(q.Values), maxValues)
	case q.StdErr != nil && !(*q.StdErr >= 0):
		return nil, bad("stderr", "%v is negative", *q.StdErr)
	}
	out := advice.NewConversion(a.opt.Engine.Table(), s)
	for _, v := range q.Values {
		switch {
		case toMWC:
			out.AddEquity(v, q.StdErr)
		case v < 0 || v > 1:
			return nil, bad("values", "%v is not between 0 and 1", v)
		default:
			out.AddChance(v, q.StdErr)
		}
	}
	return out, nil
}

// WindowRequest asks for the market windows at a state without a position, of a match or
// of money play, for gammon rates in percent; backgammons are among the gammons.
type WindowRequest struct {
	input.Position
	Gammons            float64 `json:"gammons,omitempty"`
	Backgammons        float64 `json:"backgammons,omitempty"`
	GammonsAgainst     float64 `json:"gammons_against,omitempty"`
	BackgammonsAgainst float64 `json:"backgammons_against,omitempty"`
	// Efficiency of the cube from 0 (dead) to 1 (live); that of contact positions if absent.
	Efficiency *float64 `json:"efficiency,omitempty"`
}

// windows answers as `fibsbot met prices --score A-B --json`.
func (a *API) windows(_ *http.Request, q WindowRequest) (any, error) {
	s, err := q.MatchState(true)
	if err != nil {
		return nil, err
	}
	rates, err := advice.Rates([2]float64{q.Gammons, q.Backgammons}, [2]float64{q.GammonsAgainst, q.BackgammonsAgainst})
	if err != nil {
		return nil, err
	}
	efficiency := cube.UsualEfficiency.Contact
	if q.Efficiency != nil {
		efficiency = *q.Efficiency
	}
	if !(efficiency >= 0 && efficiency <= 1) {
		return nil, bad("efficiency", "%v is not between 0 and 1", efficiency)
	}
	return advice.WindowsAt(a.opt.Engine.Table(), s, rates, efficiency)
}

// lengthOf reads the query's length, low to match.MaxLength; usual if absent.
func lengthOf(r *http.Request, low, usual int) (int, error) {
	return number(r.URL.Query(), "length", usual, low, match.MaxLength, fmt.Sprintf(": want %d to %d points", low, match.MaxLength))
}

// points is the length of the match that a request asks for.
func points(r *http.Request) (int, error) { return lengthOf(r, 1, 7) }

// metTable answers as `fibsbot met show --json`.
func (a *API) metTable(_ *http.Request, n int, _ any) (any, error) {
	return advice.MatchTableOf(a.opt.Engine.Table(), n), nil
}

// prices answers as `fibsbot met prices --length N --json`.
func (a *API) prices(_ *http.Request, n int, _ any) (any, error) {
	return advice.PricesOf(a.opt.Engine.Table(), n), nil
}

// Position is how requests name a position and the preset that answers.
type Position struct {
	input.Position
	// Preset that answers; worldclass if empty.
	Preset string `json:"preset,omitempty"`
}

// question is a position with the preset that answers and the engine for its game.
type question struct {
	input.Question
	preset preset.Preset
	engine *engine.Engine
}

// read reads a request; a Problem names the field.
func (a *API) read(ctx context.Context, in *Position) (q question, err error) {
	if q.Question, err = in.Question(); err != nil {
		return q, err
	}
	if q.engine, err = a.opt.Engine.With(ctx, q.Rules); err != nil {
		return q, bad("variation", "%v", err)
	}
	q.preset, err = a.preset(in.Preset)
	return q, err
}

// preset finds a preset, worldclass if name is empty.
func (a *API) preset(name string) (preset.Preset, error) {
	p, err := a.opt.Preset(cmp.Or(name, "worldclass"))
	if err != nil {
		return p, bad("preset", "%v", err)
	}
	return p.WithSeed(1), nil
}

// Described is a position in every form.
type Described struct {
	PositionID string     `json:"position_id"`
	MatchID    string     `json:"match_id"`
	XGID       string     `json:"xgid"`
	Board      [2][25]int `json:"board"`
	// Checkers is how many each side starts the game with, Off how many of them are off.
	Checkers int    `json:"checkers"`
	Off      [2]int `json:"off"`
	Pips     [2]int `json:"pips"`
	Dice     []int  `json:"dice"`
	Length   int    `json:"length"`
	Score    [2]int `json:"score"`
	Cube     int    `json:"cube"`
	Owner    string `json:"owner"`
	Crawford bool   `json:"crawford"`
	Jacoby   bool   `json:"jacoby"`
	Beavers  int    `json:"beavers"`
	// Drops is "position" if the position says what a pass costs; empty for the usual rule.
	Drops string `json:"drops,omitempty"`
	// Contact reports whether the sides still have to pass each other, Finished whether
	// the game is over.
	Contact  bool `json:"contact"`
	Finished bool `json:"finished"`
}

// described writes a position of the game r in every form.
func described(s match.Situation, r board.Rules) Described {
	d := Described{
		PositionID: s.Position.ID(), MatchID: s.MatchID(), XGID: s.XGID(), Dice: []int{},
		Pips:   [2]int{s.Position.Me.Pips(), s.Position.Opp.Pips()},
		Length: s.State.Length, Score: s.State.Score, Cube: s.State.Cube,
		Owner:    [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}[s.State.Owner],
		Crawford: s.State.Crawford, Jacoby: s.State.Jacoby, Beavers: s.State.Beavers,
		Contact: s.Position.Contact(), Finished: r.Result(&s.Position) != 0, Checkers: r.Each(),
		Off: [2]int{r.Each() - s.Position.Me.Count(), r.Each() - s.Position.Opp.Count()},
	}
	for i := range 25 {
		d.Board[0][i], d.Board[1][i] = int(s.Position.Me[i]), int(s.Position.Opp[i])
	}
	if s.State.Drops != match.DropSingle {
		d.Drops = s.State.Drops.Name()
	}
	if s.Dice.Valid() {
		d.Dice = []int{int(s.Dice.A), int(s.Dice.B)}
	}
	return d
}
