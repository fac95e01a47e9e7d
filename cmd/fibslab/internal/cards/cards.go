// Package cards makes quiz cards with known answers for package cardset.
package cards

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cardset"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
)

// Counts are how many cards of each set to make.
type Counts struct{ Cubes, Bearoffs, BearoffCubes, Races int }

// Maker makes cards.
type Maker struct {
	Engine *engine.Engine
	Seed   uint64
	// Rollout says how races are rolled out.
	Rollout rollout.Settings
}

// Settings end no trial early and stop at a standard error of 0.006.
func Settings() rollout.Settings {
	s := rollout.Default()
	s.Trials, s.MinTrials, s.StopStdErr = 20736, 288, 0.006
	return s
}

// near is how far apart the two choices of a cube decision may be.
const near = 0.15

// Make makes the cards. show is called after each.
func (m *Maker) Make(ctx context.Context, n Counts, show func(what string, done, total int)) (out []cardset.Card, err error) {
	if out, err = m.cubes(n.Cubes); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name string
		n    int
		draw func(context.Context, *rand.Rand) (cardset.Card, bool, error)
	}{{"bearoffs", n.Bearoffs, m.bearoff}, {"races", n.Races, m.race}} {
		rng := rand.New(rand.NewPCG(m.Seed, uint64(len(part.name))))
		seen := map[string]bool{}
		for made := 0; made < part.n; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c, ok, err := part.draw(ctx, rng)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part.name, err)
			}
			if !ok || seen[c.XGID] {
				continue
			}
			seen[c.XGID] = true
			out = append(out, c)
			made++
			show(part.name, made, part.n)
		}
	}
	more, err := m.bearoffCubes(ctx, n.BearoffCubes)
	return append(out, more...), err
}

// cubes are rolled out decisions of the set by which nets are measured; those reserved for
// releases stay out.
func (m *Maker) cubes(n int) (out []cardset.Card, err error) {
	list, err := reference.Embedded()
	if err != nil {
		return nil, err
	}
	for i := range list {
		d := &list[i]
		if d.Cube == nil || d.Reserved || len(out) >= n {
			continue
		}
		c, ok, err := cubeCard(cardset.Cubes, d, len(out)%3 == 2)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, c)
		}
	}
	return out, nil
}

// bearoffCubes are exact cube decisions at match scores.
func (m *Maker) bearoffCubes(ctx context.Context, n int) (out []cardset.Card, err error) {
	list, err := reference.Bearoffs(ctx, m.Engine.Table(), m.Seed, n, nil)
	if err != nil {
		return nil, err
	}
	for i := range list {
		c, ok, err := cubeCard(cardset.Bearoffs, &list[i], i%3 == 2)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, c)
		}
	}
	return out, nil
}

// cubeCard is the card of a cube decision; with take it asks for the answer, if doubling is
// not a big error.
func cubeCard(set string, d *reference.Reference, take bool) (c cardset.Card, ok bool, err error) {
	p, err := board.ParseID(d.Position)
	if err != nil {
		return c, false, err
	}
	st, err := d.Cube.State()
	if err != nil {
		return c, false, err
	}
	v := cardset.Values{NoDouble: d.Cube.NoDouble.Equity, DoubleTake: d.Cube.DoubleTake.Equity, StdErr: [2]float64{d.Cube.NoDouble.Error, d.Cube.DoubleTake.Error}}
	return newCube(set, match.Situation{Position: p, State: st}, v, take, d.Cube.NoDouble.Trials, d.Truncate)
}

func newCube(set string, s match.Situation, v cardset.Values, take bool, trials, plies int) (c cardset.Card, ok bool, err error) {
	gain, give := min(v.DoubleTake, 1)-v.NoDouble, v.DoubleTake-1
	kind := cardset.Double
	if take && gain > -0.1 && math.Abs(give) < 2*near {
		kind, s.Doubled = cardset.Take, true
	}
	// A question whose answers are equal has no answer.
	apart := math.Abs(gain)
	if kind == cardset.Take {
		apart = math.Abs(give)
	}
	unsure := math.Hypot(v.StdErr[0], v.StdErr[1])
	return cardset.Card{Set: set, Kind: kind, XGID: s.XGID(), Cube: &v, Trials: trials, Plies: plies}, apart > max(0.004, 1.5*unsure), nil
}

// bearoff draws a play with exact values: of two to six checkers a side, at home.
func (m *Maker) bearoff(_ context.Context, rng *rand.Rand) (c cardset.Card, ok bool, err error) {
	home := func(least int) (c board.Checkers) {
		for range least + rng.IntN(7-least) {
			c[rng.IntN(6)]++
		}
		return c
	}
	s := match.Situation{Position: board.Position{Me: home(3), Opp: home(2)}, State: match.Money(true, match.DefaultBeavers), Dice: board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}.Sorted()}
	c = cardset.Card{Set: cardset.Bearoffs, Kind: cardset.Play, XGID: s.XGID()}
	left := map[string]int{} // checkers left after a play
	for _, pl := range board.AppendPlays(nil, s.Position, s.Dice) {
		if pl.Result.Me.Count() == 0 {
			return c, false, nil // wins at once
		}
		next := pl.Result.Swap()
		_, centred, _, known := m.Engine.Bearoff().Cubeful(&next)
		if !known {
			return c, false, nil
		}
		move := board.FormatPlay(s.Position, pl)
		left[move] = pl.Result.Me.Count()
		c.Plays = append(c.Plays, cardset.Choice{Move: move, Equity: round(-centred)})
	}
	slices.SortStableFunc(c.Plays, func(a, b cardset.Choice) int { return cmp.Compare(b.Equity, a.Equity) })
	if len(c.Plays) < 2 {
		return c, false, nil
	}
	if left[c.Plays[0].Move] < left[c.Plays[1].Move] {
		return c, false, nil // the play that bears off more is obvious
	}
	behind := c.Plays[0].Equity - c.Plays[1].Equity
	c.Plays = c.Plays[:min(len(c.Plays), 6)]
	return c, behind > 0.01 && behind < 0.2, nil
}

// race draws a close cube decision of a race and rolls it out.
func (m *Maker) race(ctx context.Context, rng *rand.Rand) (c cardset.Card, ok bool, err error) {
	side := func() (c board.Checkers) {
		far := 6 + rng.IntN(6)
		for range 15 {
			c[rng.IntN(far)]++
		}
		return c
	}
	p := board.Position{Me: side(), Opp: side()}
	if p.Contact() || p.Me.Rearmost() < 6 && p.Opp.Rearmost() < 6 {
		return c, false, nil
	}
	s := match.Situation{Position: p, State: match.Money(true, match.DefaultBeavers)}
	expert, err := preset.ByName("expert")
	if err != nil {
		return c, false, err
	}
	d, err := m.Engine.CubeDecision(ctx, p, s.State, expert)
	if err != nil {
		return c, false, err
	}
	take := rng.IntN(3) == 0
	if gain, give := min(d.DoubleTake, 1)-d.NoDouble, d.DoubleTake-1; !take && math.Abs(gain) > near || take && math.Abs(give) > near {
		return c, false, nil
	}
	job, err := rollout.New(ctx, m.Engine.RolloutOptions(), p, s.State, m.Rollout)
	if err != nil {
		return c, false, err
	}
	if err := job.AddCube(); err != nil {
		return c, false, err
	}
	if err := job.Run(ctx, nil); err != nil {
		return c, false, err
	}
	r := job.Results()
	v := cardset.Values{NoDouble: round(r[0].Equity), DoubleTake: round(r[1].Equity), StdErr: [2]float64{round(r[0].EquityErr.Or(0)), round(r[1].EquityErr.Or(0))}}
	return newCube(cardset.Races, s, v, take, r[0].Trials, m.Rollout.Truncate)
}

// round keeps five digits.
func round(x float64) float64 { return math.Round(x*1e5) / 1e5 }
