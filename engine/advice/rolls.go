package advice

import (
	"context"
	"fmt"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/figure"
)

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
	// Loser reports whether the roll loses the market: without a double the player is then at
	// or above the value of a pass.
	Loser bool `json:"market_loser"`
	// Lose is the opponent's chance to win after the play.
	Lose float64 `json:"lose"`
}

// RollMap is every roll, in the order of board.Rolls, and the means.
type RollMap struct {
	Rolls      []RollReply `json:"rolls"`
	NoDouble   float64     `json:"no_double"`
	DoubleTake *float64    `json:"double_take,omitempty"`
	// Losers is the number of the 36 throws that lose the market.
	Losers int `json:"market_losers"`
	// Beaver reports whether the opponent would beaver the double; double_take then counts
	// twice.
	Beaver bool `json:"beaver,omitempty"`
}

// RollsOf answers each roll of the player on roll with the best play of pr, once with
// the cube as it is and once after double and take; the dice of s are ignored. Equities
// are cubeful, in EMG of the present cube. Errors are those of the search.
func RollsOf(ctx context.Context, e *engine.Engine, s match.Situation, pr preset.Preset) (*RollMap, error) {
	pr.Checker.Cubeful, pr.Cube.Cubeful = true, true
	out := &RollMap{}
	doubling := s.State.MayDouble() && !s.State.DeadCube()
	mean := 0.0
	for _, roll := range board.Rolls {
		x := RollReply{Dice: [2]int{int(roll.Dice.A), int(roll.Dice.B)}, Weight: roll.Weight}
		var err error
		if x.NoDouble, x.Lose, x.Best, err = afterRoll(ctx, e, s.Position, roll.Dice, s.State, pr); err != nil {
			return nil, fmt.Errorf("roll %d%d: %w", roll.Dice.A, roll.Dice.B, err)
		}
		w := float64(roll.Weight) / 36
		out.NoDouble += w * x.NoDouble
		if doubling {
			st := s.State.Doubled()
			v, _, _, err := afterRoll(ctx, e, s.Position, roll.Dice, st, pr)
			if err != nil {
				return nil, fmt.Errorf("roll %d%d, doubled: %w", roll.Dice.A, roll.Dice.B, err)
			}
			if t := e.Table(); s.State.Length > 0 {
				v = t.EMG(s.State, t.MWC(st, v))
			} else {
				v *= 2
			}
			x.DoubleTake = &v
			mean += w * v
			if x.Loser = x.NoDouble >= 1; x.Loser {
				out.Losers += roll.Weight
			}
		}
		out.Rolls = append(out.Rolls, x)
	}
	if doubling {
		out.DoubleTake = &mean
		out.Beaver = s.State.Length == 0 && s.State.Beavers > 0 && mean < 0
	}
	return out, nil
}

// afterRoll is the cubeful equity of roll d after its best play, the opponent's chance
// to win then, and the play in words.
func afterRoll(ctx context.Context, e *engine.Engine, p board.Position, d board.Dice, st match.State, pr preset.Preset) (equity, lose float64, best string, err error) {
	list, err := e.RankPlays(ctx, p, d, st, pr)
	if err != nil {
		return 0, 0, "", err
	}
	if len(list) > 0 {
		return list[0].Equity, 1 - float64(list[0].Probs[0]), board.FormatPlay(p, list[0].Play), nil
	}
	list, err = e.Search().Rate(ctx, p, []board.Play{{Result: p}}, st, pr.Checker)
	if err != nil {
		return 0, 0, "", err
	}
	return list[0].Equity, 1 - float64(list[0].Probs[0]), "cannot move", nil
}

// Text is the table that people read.
func (m *RollMap) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s %-24s %10s", "roll", "best play", "no double")
	if m.DoubleTake != nil {
		fmt.Fprintf(&b, " %12s", "double, take")
	}
	b.WriteByte('\n')
	line := func(name, play string, noDouble float64, doubleTake *float64, loser bool) {
		fmt.Fprintf(&b, "%-5s %-24s %s", name, play, figure.Text("%+10.4f", noDouble))
		if doubleTake != nil {
			b.WriteString(figure.Text(" %+12.4f", *doubleTake))
		}
		if loser {
			b.WriteString("  loses the market")
		}
		b.WriteByte('\n')
	}
	for _, r := range m.Rolls {
		line(fmt.Sprintf("%d%d", r.Dice[0], r.Dice[1]), r.Best, r.NoDouble, r.DoubleTake, r.Loser)
	}
	line("mean", "", m.NoDouble, m.DoubleTake, false)
	if m.DoubleTake != nil {
		fmt.Fprintf(&b, "%d of 36 throws lose the market\n", m.Losers)
	}
	if m.Beaver {
		fmt.Fprintf(&b, "double, beaver: %s\n", equity(2*(*m.DoubleTake)))
	}
	return b.String()
}
