package duel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/luck"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/shard"
)

// MaxPiece is the most pairs in a piece.
const MaxPiece = 1024

var errPiece = errors.New("not of this duel")

// Plan is a duel of two presets, or with Pubeval: what pairs depend on besides the engine.
type Plan struct {
	Players [2]preset.Preset `json:"players"`
	// Pubeval marks players that are Tesauro's benchmark instead of a preset.
	Pubeval  [2]bool `json:"pubeval,omitzero"`
	Length   int     `json:"length"`
	Cubeless bool    `json:"cubeless,omitempty"`
	Jacoby   bool    `json:"jacoby,omitempty"`
	Seed     uint64  `json:"seed"`
	// Variation, Egyptian, AutoDoubles and Dice are as in Settings.
	Variation   record.Variation `json:"variation,omitempty"`
	Egyptian    bool             `json:"egyptian,omitempty"`
	AutoDoubles int              `json:"auto_doubles,omitempty"`
	Dice        dice.Generator   `json:"dice,omitempty"`
	// Luck takes the luck off, judged at LuckPlies.
	Luck      bool `json:"luck,omitempty"`
	LuckPlies int  `json:"luck_plies,omitempty"`
	// Trials value differences; 0 leaves them alone.
	Trials int `json:"trials,omitempty"`
	// Judge judges the decisions of both; nil leaves that.
	Judge *preset.Preset `json:"judge,omitempty"`
}

// Engine returns the engine for the game of the duel.
func (p *Plan) Engine(ctx context.Context, e *engine.Engine) (*engine.Engine, error) {
	if e == nil {
		return nil, errNoEngine
	}
	return e.With(ctx, p.Variation.Board(p.Egyptian))
}

// Settings are the rules of the duel with e's judges.
func (p *Plan) Settings(e *engine.Engine) Settings {
	s := Settings{Length: p.Length, Cubeless: p.Cubeless, Jacoby: p.Jacoby, Seed: p.Seed, Variation: p.Variation, Egyptian: p.Egyptian, AutoDoubles: p.AutoDoubles, Dice: p.Dice}
	if p.Luck {
		s.Luck = &luck.Meter{Search: e.Search(), Settings: search.Settings{Plies: p.LuckPlies, Cubeful: !p.Cubeless, Prune: true}}
	}
	if p.Trials > 0 {
		v := Valuer{Options: e.RolloutOptions(), Settings: rollout.Default()}
		v.Settings.Trials, v.Settings.Cubeful = p.Trials, !p.Cubeless
		s.Differences = &v
	}
	if p.Judge != nil {
		s.Judge = analyse.New(e.RolloutOptions(), *p.Judge)
		s.Judge.Workers, s.Judge.Skip.Luck, s.Judge.Skip.Cube = 1, true, p.Cubeless
	}
	return s
}

// maxAutoDoubles bounds Plan.AutoDoubles.
const maxAutoDoubles = 6

// Check reports the first field of the rules that makes no sense.
func (p *Plan) Check() error {
	v, err := record.ReadVariation(string(p.Variation))
	switch {
	case err != nil:
		return err
	case v != p.Variation:
		return fmt.Errorf("%w: %q is written %q", record.ErrVariation, p.Variation, v)
	case p.Pubeval != [2]bool{} && p.Variation.Board(p.Egyptian) != (board.Rules{}):
		return errors.New("pubeval plays games of 15 checkers without the Egyptian rule")
	case p.AutoDoubles < 0 || p.AutoDoubles > maxAutoDoubles:
		return fmt.Errorf("automatic doubles: %d is not between 0 and %d", p.AutoDoubles, maxAutoDoubles)
	case p.AutoDoubles > 0 && p.Judge != nil:
		return errors.New("automatic doubles are not judged")
	case p.AutoDoubles > 0 && (p.Length > 0 || p.Cubeless):
		return errors.New("automatic doubles are a rule of money play with the cube")
	}
	return p.Dice.Check()
}

// makers make the players.
func (p *Plan) makers(e *engine.Engine) (out [2]Maker) {
	for i, x := range p.Players {
		if out[i] = Preset(e, x); p.Pubeval[i] {
			out[i] = Pubeval
		}
	}
	return out
}

// Spec tells another process what the duel is; FromSpec makes it again there.
func (p *Plan) Spec() ([]byte, error) { return json.Marshal(p) }

// Share returns what the result of a piece adds to the duel: the means of result, luck and edge
// and of their squares.
func Share(_, data []byte) (s shard.Share) {
	var list []Pair
	if json.Unmarshal(data, &list) != nil || len(list) == 0 {
		return s
	}
	s = shard.Share{Parts: len(list), Means: make([]float64, 6)}
	for _, p := range list {
		for k, v := range [3]float64{p.Result[0] + p.Result[1], p.Luck[0] + p.Luck[1], p.Edge[0] + p.Edge[1]} {
			s.Means[k] += v / float64(len(list))
			s.Means[3+k] += v * v / float64(len(list))
		}
	}
	return s
}

// FromSpec returns what makes runners of pairs, played by e.
func FromSpec(ctx context.Context, e *engine.Engine, spec []byte) (func() (shard.Runner, error), error) {
	var p Plan
	if err := json.Unmarshal(spec, &p); err != nil {
		return nil, fmt.Errorf("duel: %w: %w", errPiece, err)
	}
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("duel: %w: %w", errPiece, err)
	}
	presets := p.Players[:]
	if p.Judge != nil {
		presets = append(presets, *p.Judge)
	}
	for _, x := range presets {
		for _, s := range [2]search.Settings{x.Checker, x.Cube} {
			if err := s.Validate(); err != nil {
				return nil, fmt.Errorf("duel: %w", err)
			}
		}
	}
	e, err := p.Engine(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("duel: %w", err)
	}
	s := seats{ctx: ctx, makers: p.makers(e), set: p.Settings(e)}
	return s.runner, nil
}
