package puretd

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Measure prints the losses of the player on the rolled out decisions in the program, in millipoints a
// decision: plays of cubeless money games, beside those of own at the same depth, and cube decisions in
// money games if the net knows the cube.
func (p *Player) Measure(ctx context.Context, w io.Writer, own *engine.Engine, reserved bool) error {
	all, err := reference.Embedded()
	if err != nil {
		return err
	}
	expert, err := preset.ByName("expert")
	if err != nil {
		return err
	}
	expert = expert.WithPlies(p.Plies)
	if p.Net.cubeful {
		return p.measureCube(ctx, w, all, reserved, reference.CubeByPreset(ctx, own, expert))
	}
	ds, err := reference.Plays(all, reserved)
	if err != nil {
		return err
	}
	theirs, err := reference.Losses(ctx, ds, func() reference.Chooser { return (&Player{Net: p.Net, Plies: p.Plies}).Chooser(ctx) }, nil)
	if err != nil {
		return err
	}
	ours, err := reference.Losses(ctx, ds, func() reference.Chooser { return reference.ByPreset(ctx, own, expert) }, nil)
	if err != nil {
		return err
	}
	for _, l := range train.CompareLosses(ds, theirs, ours) {
		fmt.Fprintf(w, "%-16s %5d decisions  %6.2f ± %.2f millipoints  ours %6.2f  difference %+6.2f ± %.2f\n",
			l.Tag, l.Decisions, l.Mean, l.Error, l.Beside.Mean, l.Mean-l.Beside.Mean, l.Paired)
	}
	return nil
}

// Chooser chooses plays of cubeless money games until ctx ends.
func (p *Player) Chooser(ctx context.Context) reference.Chooser {
	return func(pos board.Position, d board.Dice) (board.Play, bool, error) {
		play, ok := p.Play(pos, d, match.Money(false, 0))
		return play, ok, ctx.Err()
	}
}

// measureCube measures the cube decisions of money games, and own's.
func (p *Player) measureCube(ctx context.Context, w io.Writer, all []reference.Reference, reserved bool, own reference.CubeChooser) error {
	var money []reference.Reference
	for _, d := range all {
		if d.Cube == nil {
			continue
		}
		st, err := d.Cube.State()
		if err != nil {
			return err
		}
		if st.Length == 0 {
			money = append(money, d)
		}
	}
	theirs, err := reference.CubeLosses(money, reserved, func(pos board.Position, st match.State) (double, take bool, err error) {
		if double, err = p.Double(pos, st); err == nil {
			take, err = p.Take(pos, st)
		}
		return double, take, cmp.Or(err, ctx.Err())
	})
	if err != nil {
		return err
	}
	ours, err := reference.CubeLosses(money, reserved, own)
	if err != nil {
		return err
	}
	for i, l := range theirs { // both lists have the same kinds
		o := &ours[i]
		fmt.Fprintf(w, "%-16s %5d decisions  doubling %6.2f  taking %6.2f ± %.2f millipoints  ours %6.2f  %6.2f ± %.2f\n",
			l.Tag, l.Decisions, l.Doubling, l.Taking, l.Error, o.Doubling, o.Taking, o.Error)
	}
	return nil
}
