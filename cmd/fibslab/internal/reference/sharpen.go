package reference

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/rollout"
)

// Sharpen repeats, with the nets of m.Engine, rollouts less exact than m.Rollout asks for:
// decisions one of whose choices has a standard error above StopStdErr, or whose trials ended
// earlier. No choice stops before it is that exact, and all choices of a decision are rolled out
// with common dice, so that the weaker ones are not one player's opinion. Values of a search
// shift by the mean change of the others. Finished decisions stay in ds when ctx ends, and the
// next call leaves them alone.
func (m *Maker) Sharpen(ctx context.Context, ds []Reference, show func(what string, done, total int)) error {
	for i := range ds {
		if err := m.sharpen(ctx, &ds[i]); err != nil {
			return fmt.Errorf("decision %d: %w", i+1, err)
		}
		if (i+1)%10 == 0 {
			show("decisions", i+1, len(ds))
		}
	}
	return nil
}

func (m *Maker) sharpen(ctx context.Context, d *Reference) error {
	s := m.settings(d.Tag)
	switch {
	case !d.blunt(s):
		return nil
	case d.Cube != nil:
		return m.sharpenCube(ctx, d)
	}
	s.StopJSD = 0
	return m.sharpenPlays(ctx, d, s)
}

// blunt reports whether a rollout is less exact than s asks for: its trials ended earlier, or its
// error is larger and it has not had all the trials that s allows. It ignores choices without a
// rollout.
func (d *Reference) blunt(s rollout.Settings) bool {
	earlier := d.Truncate > 0 && (s.Truncate == 0 || d.Truncate < s.Truncate)
	blunt := func(v Value) bool {
		return v.Trials > 0 && (earlier || v.Error > s.StopStdErr && v.Trials < s.Trials)
	}
	if d.Cube != nil {
		return blunt(d.Cube.NoDouble) || blunt(d.Cube.DoubleTake)
	}
	return slices.ContainsFunc(d.Plays, func(p Play) bool { return blunt(p.Value) })
}

func (m *Maker) sharpenPlays(ctx context.Context, d *Reference, s rollout.Settings) error {
	p, err := board.ParseID(d.Position)
	if err != nil {
		return err
	}
	roll, err := d.Roll()
	if err != nil {
		return err
	}
	var after []string
	for _, q := range d.Plays {
		if q.Trials > 0 {
			after = append(after, q.After)
		}
	}
	results, err := m.rollPlays(ctx, p, roll, after, s)
	if err != nil {
		return err
	}
	d.Truncate = s.Truncate
	d.renew(results)
	return nil
}

// renew gives the plays in results their new values and shifts the rest, except plays that end
// the game, by their mean change.
func (d *Reference) renew(results []rollout.Result) {
	moved, n := 0.0, 0
	for i := range d.Plays {
		q := &d.Plays[i]
		if at := slices.IndexFunc(results, func(r rollout.Result) bool { return r.Name == q.After }); at >= 0 {
			moved += results[at].Equity - q.Equity
			n++
			q.Value = Value{Equity: round(results[at].Equity), Error: round(results[at].EquityErr.Or(0)), Trials: results[at].Trials}
		}
	}
	if n == 0 {
		return
	}
	for i := range d.Plays {
		if q := &d.Plays[i]; q.Trials == 0 && !over(q) {
			q.Equity = round(q.Equity + moved/float64(n))
		}
	}
	slices.SortStableFunc(d.Plays, func(a, b Play) int { return cmp.Compare(b.Equity, a.Equity) })
}

func (m *Maker) sharpenCube(ctx context.Context, d *Reference) error {
	p, err := board.ParseID(d.Position)
	if err != nil {
		return err
	}
	st, err := d.Cube.State()
	if err != nil {
		return err
	}
	renewed, err := m.rollCube(ctx, d.Tag, p, st)
	if err != nil {
		return err
	}
	d.Truncate, d.Cube = renewed.Truncate, renewed.Cube
	return nil
}
