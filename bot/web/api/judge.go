package api

import (
	"context"
	"math"
	"net/http"

	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// EvalRequest asks for an evaluation, with more about the position where wanted.
type EvalRequest struct {
	Position
	Windows bool `json:"windows,omitempty"`
	Counts  bool `json:"counts,omitempty"`
	Map     bool `json:"map,omitempty"`
}

// Evaluation is the answer: that of eval --json and the decision in words.
type Evaluation struct {
	advice.Evaluation
	Words   string          `json:"words,omitempty"`
	Windows *advice.Windows `json:"windows,omitempty"`
	Counts  *advice.Counts  `json:"counts,omitempty"`
	Map     *advice.Map     `json:"map,omitempty"`
}

func (a *API) eval(r *http.Request, in any) (any, error) {
	q := in.(EvalRequest)
	s, p, err := a.read(&q.Position)
	if err != nil {
		return nil, err
	}
	e := a.opt.Engine
	v, d, err := advice.Evaluate(r.Context(), e, s, p, false)
	if err != nil {
		return nil, err
	}
	out := Evaluation{Evaluation: v}
	if v.Cube != nil {
		out.Words = advice.Words(d)
	}
	if q.Windows {
		if out.Windows, err = advice.WindowsOf(e.Table(), s, v.Probs); err != nil {
			return nil, err
		}
	}
	if q.Counts {
		out.Counts = advice.CountsOf(e.Bearoff(), &s.Position)
	}
	if q.Map {
		m, err := analyse.Temperature(r.Context(), e.Search(), s, p.Checker)
		if err != nil {
			return nil, err
		}
		out.Map = advice.MapOf(m)
	}
	return out, nil
}

func (a *API) plays(r *http.Request, in any) (any, error) {
	q := in.(Position)
	s, p, err := a.read(&q)
	if err != nil {
		return nil, err
	}
	if !s.Dice.Valid() {
		return nil, bad("dice", "plays need a roll")
	}
	list, err := a.opt.Engine.RankPlays(r.Context(), s.Position, s.Dice, s.State, p)
	if err != nil {
		return nil, err
	}
	return advice.PlaysOf(s, list), nil
}

func (a *API) describePosition(_ *http.Request, in any) (any, error) {
	q := in.(Position)
	s, err := q.situation()
	if err != nil {
		return nil, err
	}
	return described(s), nil
}

// RollReply is one of the 21 rolls with the play that is best and what it leads to.
type RollReply struct {
	Dice   [2]int `json:"dice"`
	Weight int    `json:"weight"` // of 36
	Best   string `json:"best"`
	// NoDouble is the equity after the play with the cube as it is; DoubleTake that of
	// having doubled before the roll, and been taken, at the present cube. Nil where
	// the cube cannot be turned.
	NoDouble   float64  `json:"no_double"`
	DoubleTake *float64 `json:"double_take,omitempty"`
	// Loser: the roll loses the market. Not having doubled, the player is then at or
	// beyond what a pass pays.
	Loser bool `json:"market_loser"`
	// Reply is the opponent's chance to win after it.
	Lose float64 `json:"lose"`
}

// RollMap is every roll, in the order of board.Rolls, and the means.
type RollMap struct {
	Rolls      []RollReply `json:"rolls"`
	NoDouble   float64     `json:"no_double"`
	DoubleTake *float64    `json:"double_take,omitempty"`
	// Losers are how many of the 36 throws lose the market.
	Losers int `json:"market_losers"`
}

// rolls answers each roll with the best play, once with the cube as it is and once
// after double and take.
func (a *API) rolls(r *http.Request, in any) (any, error) {
	q := in.(Position)
	s, p, err := a.read(&q)
	if err != nil {
		return nil, err
	}
	e, t := a.opt.Engine, a.opt.Engine.Table()
	p.Checker.Cubeful = true
	out := RollMap{}
	doubling := s.State.MayDouble() && !s.State.DeadCube()
	mean := 0.0
	for _, roll := range board.Rolls {
		x := RollReply{Dice: [2]int{int(roll.Dice.A), int(roll.Dice.B)}, Weight: roll.Weight}
		equity := func(st match.State) (v, lose float64, best string, err error) {
			list, err := e.RankPlays(r.Context(), s.Position, roll.Dice, st, p)
			if err != nil {
				return 0, 0, "", err
			}
			if len(list) == 0 {
				after, err := e.Evaluate(r.Context(), s.Position.Swap(), st.Swap(), p)
				return -after.Cubeful, float64(after.Probs[0]), "cannot move", err
			}
			return list[0].Equity, 1 - float64(list[0].Probs[0]), board.FormatPlay(s.Position, list[0].Play), nil
		}
		if x.NoDouble, x.Lose, x.Best, err = equity(s.State); err != nil {
			return nil, err
		}
		w := float64(roll.Weight) / 36
		out.NoDouble += w * x.NoDouble
		if doubling {
			st := s.State.Doubled()
			v, _, _, err := equity(st)
			if err != nil {
				return nil, err
			}
			if s.State.Length > 0 {
				v = t.EMG(s.State, t.MWC(st, v))
			} else {
				v *= 2
			}
			x.DoubleTake = &v
			mean += w * v
			x.Loser = x.NoDouble >= 1
			if x.Loser {
				out.Losers += roll.Weight
			}
		}
		out.Rolls = append(out.Rolls, x)
	}
	if doubling {
		out.DoubleTake = &mean
	}
	return out, nil
}

// ScoresRequest asks for a decision at all scores.
type ScoresRequest struct {
	Position
	// Away is how many points away both sides go at most; 7 without it.
	Away int `json:"away,omitempty"`
}

// ScoreCell is the decision at one score.
type ScoreCell struct {
	Away     [2]int `json:"away"` // player on roll, opponent
	Crawford bool   `json:"crawford,omitempty"`
	// Action as in eval --json, with its words; empty where nobody may double.
	Action     string   `json:"action,omitempty"`
	Words      string   `json:"words,omitempty"`
	NoDouble   *float64 `json:"no_double,omitempty"`
	DoubleTake *float64 `json:"double_take,omitempty"`
	// Play is the best play, Margin by how much it is better than the next.
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

func (a *API) scores(r *http.Request, in any) (any, error) {
	q := in.(ScoresRequest)
	if q.Preset == "" {
		q.Preset = "expert"
	}
	s, _, err := a.read(&q.Position)
	if err != nil {
		return nil, err
	}
	if q.Away == 0 {
		q.Away = 7
	}
	if q.Away < 2 || q.Away > 15 {
		return nil, bad("away", "%d: want 2 to 15", q.Away)
	}
	out := ScoreMatrix{Away: q.Away}
	out.Money, err = a.scoreCell(r.Context(), s, match.State{Cube: s.State.Cube, Owner: s.State.Owner, Jacoby: true, Beavers: match.DefaultBeavers}, &q)
	if err != nil {
		return nil, err
	}
	for me := 1; me <= q.Away; me++ {
		for opp := 1; opp <= q.Away; opp++ {
			st := match.State{Length: q.Away, Score: [2]int{q.Away - me, q.Away - opp}, Cube: s.State.Cube, Owner: s.State.Owner}
			cell, err := a.scoreCell(r.Context(), s, st, &q)
			if err != nil {
				return nil, err
			}
			out.Cells = append(out.Cells, cell)
		}
	}
	return out, nil
}

func (a *API) scoreCell(ctx context.Context, s match.Situation, st match.State, q *ScoresRequest) (ScoreCell, error) {
	c := ScoreCell{}
	c.Away[0], c.Away[1] = st.Away()
	if st.Length == 0 {
		c.Away = [2]int{}
	}
	p, err := a.preset(q.Preset)
	if err != nil {
		return c, err
	}
	if s.Dice.Valid() {
		list, err := a.opt.Engine.RankPlays(ctx, s.Position, s.Dice, st, p)
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
	d, err := a.opt.Engine.CubeDecision(ctx, s.Position, st, p)
	if err != nil || d.Action == cube.NoAction {
		return c, err
	}
	c.Action, c.Words, c.NoDouble, c.DoubleTake = d.Action.String(), advice.Words(d), &d.NoDouble, &d.DoubleTake
	return c, nil
}
