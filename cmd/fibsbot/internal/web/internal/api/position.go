package api

import (
	"cmp"
	"context"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

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
	if s.Dice.Valid() {
		d.Dice = []int{int(s.Dice.A), int(s.Dice.B)}
	}
	return d
}
