package puretd

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Measure prints the losses of the player on the rolled out decisions in the program, in millipoints a
// decision: plays of cubeless money games, and cube decisions in money games if the net knows the cube.
func (p *Player) Measure(ctx context.Context, w io.Writer, reserved bool) error {
	all, err := reference.Embedded()
	if err != nil {
		return err
	}
	if p.Net.cubeful {
		return p.measureCube(ctx, w, all, reserved)
	}
	ds, err := reference.Plays(all, reserved)
	if err != nil {
		return err
	}
	mine, err := reference.Losses(ds, func(pos board.Position, d board.Dice) (board.Play, bool, error) {
		play, ok := p.Play(pos, d, match.Money(false, 0))
		return play, ok, ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, l := range train.CompareLosses(ds, mine, make([]float64, len(ds))) {
		fmt.Fprintf(w, "%-16s %5d decisions  %6.2f ± %.2f millipoints\n", l.Tag, l.Decisions, l.Mean, l.Error)
	}
	return nil
}

// measureCube measures the cube decisions of money games.
func (p *Player) measureCube(ctx context.Context, w io.Writer, all []reference.Reference, reserved bool) error {
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
	losses, err := reference.CubeLosses(money, reserved, func(pos board.Position, st match.State) (double, take bool, err error) {
		if double, err = p.Double(pos, st); err == nil {
			take, err = p.Take(pos, st)
		}
		return double, take, cmp.Or(err, ctx.Err())
	})
	if err != nil {
		return err
	}
	for _, l := range losses {
		fmt.Fprintf(w, "%-16s %5d decisions  doubling %6.2f  taking %6.2f millipoints\n", l.Tag, l.Decisions, l.Doubling, l.Taking)
	}
	return nil
}
