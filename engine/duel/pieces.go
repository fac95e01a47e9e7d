package duel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fibsbot/engine"
	"fibsbot/engine/luck"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/piece"
)

// MaxPiece is the most pairs in a piece.
const MaxPiece = 1024

var errPiece = errors.New("not of this duel")

// Plan is a duel of two presets, or with Pubeval: what pairs depend on besides the engine.
type Plan struct {
	Players [2]preset.Preset `json:"players"`
	// Pubeval tells which of them is Tesauro's benchmark instead of a preset.
	Pubeval  [2]bool `json:"pubeval,omitzero"`
	Length   int     `json:"length"`
	Cubeless bool    `json:"cubeless,omitempty"`
	Jacoby   bool    `json:"jacoby,omitempty"`
	Seed     uint64  `json:"seed"`
	// Luck takes the luck off, judged at LuckPlies.
	Luck      bool `json:"luck,omitempty"`
	LuckPlies int  `json:"luck_plies,omitempty"`
	// Trials value differences; 0 leaves them alone.
	Trials int `json:"trials,omitempty"`
}

// Settings are the rules of the duel with e's judges.
func (p *Plan) Settings(e *engine.Engine) Settings {
	s := Settings{Length: p.Length, Cubeless: p.Cubeless, Jacoby: p.Jacoby, Seed: p.Seed}
	if p.Luck {
		s.Luck = &luck.Meter{Search: e.Search(), Settings: search.Settings{Plies: p.LuckPlies, Cubeful: !p.Cubeless, Prune: true}}
	}
	if p.Trials > 0 {
		v := Valuer{Options: e.RolloutOptions(), Settings: rollout.Default()}
		v.Settings.Trials, v.Settings.Cubeful = p.Trials, !p.Cubeless
		s.Differences = &v
	}
	return s
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

// FromSpec returns what makes runners of pairs, played by e.
func FromSpec(ctx context.Context, e *engine.Engine, spec []byte) (func() (piece.Runner, error), error) {
	var p Plan
	if err := json.Unmarshal(spec, &p); err != nil {
		return nil, fmt.Errorf("duel: %w: %w", errPiece, err)
	}
	for _, x := range p.Players {
		for _, s := range [2]search.Settings{x.Checker, x.Cube} {
			if err := s.Validate(); err != nil {
				return nil, fmt.Errorf("duel: %w", err)
			}
		}
	}
	s := seats{ctx: ctx, makers: p.makers(e), set: p.Settings(e)}
	return s.runner, nil
}
