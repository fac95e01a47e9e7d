package advice

import (
	"context"
	"fmt"

	"fibsbot/engine"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/figure"
)

// Efficiency is how alive the cube is in a position by a preset's search: Janowski's x, 0 dead to 1 live,
// for the cube where it is, owned by the player on roll, and by the opponent. The two last are those of
// his model with one efficiency for each side. A figure is unknown where a dead and a live
// cube are worth the same.
type Efficiency struct {
	Plies  int           `json:"plies"`
	Now    figure.Figure `json:"now"`
	Own    figure.Figure `json:"own"`
	Theirs figure.Figure `json:"opponent"`
}

// efficiencyOf asks for the efficiencies of s, nil in the Crawford game.
func efficiencyOf(ctx context.Context, e *engine.Engine, s match.Situation, p preset.Preset) (*Efficiency, error) {
	if s.State.Crawford {
		return nil, nil
	}
	spots := []cube.Spot{{Owner: s.State.Owner}, {Owner: match.Mine}, {Owner: match.Theirs}}
	xs, err := e.Search().Efficiencies(ctx, s.Position, s.State, spots, p.Cube)
	if err != nil {
		return nil, err
	}
	return &Efficiency{p.Cube.Plies, figure.Figure(xs[0]), figure.Figure(xs[1]), figure.Figure(xs[2])}, nil
}

// Text returns the line that people read.
func (x *Efficiency) Text() string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("cube efficiency at %d-ply: %s as the cube is, %s own cube, %s opponent's\n", x.Plies, x.Now.Text("%.2f"), x.Own.Text("%.2f"), x.Theirs.Text("%.2f"))
}
