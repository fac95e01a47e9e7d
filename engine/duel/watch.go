package duel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Asked is what a player was asked for.
type Asked struct {
	Decisions int     `json:"decisions"`
	Seconds   float64 `json:"seconds"` // that all of them took
	Longest   float64 `json:"longest"` // seconds of one
	Faults    int     `json:"faults"`  // answers that were illegal, late, malformed or missing
}

// Add adds what the player was asked for elsewhere.
func (a *Asked) Add(b Asked) {
	a.Decisions, a.Seconds, a.Faults = a.Decisions+b.Decisions, a.Seconds+b.Seconds, a.Faults+b.Faults
	a.Longest = max(a.Longest, b.Longest)
}

// mostFaults is how many answers in a row may be none: an engine that gives no good one at all
// does not play.
const mostFaults = 20

var errLate = errors.New("no answer in time")

// Watched makes players whose decisions are counted and timed in Pair.Asked. With told, an error
// of a decision, or none within that time, is a fault: told gets it, the first legal play, no
// double or a pass stands in its place, and the player is made again for the next decision. The
// error of too many in a row ends the duel, as does each without told.
func Watched(make Maker, within time.Duration, told func(error)) Maker {
	return func(ctx context.Context) (Player, error) {
		p, err := make(ctx)
		return &watched{make: make, life: ctx, within: within, told: told, player: p}, err
	}
}

type watched struct {
	make   Maker
	life   context.Context // of the players made
	within time.Duration
	told   func(error)
	player Player // nil after a fault
	asked  Asked
	inARow int // faults
}

// ask has the player decide; it reports whether he did.
func (x *watched) ask(ctx context.Context, do func(context.Context, Player) error) (ok bool, err error) {
	if x.player == nil {
		if x.player, err = x.make(x.life); err != nil {
			return false, err
		}
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if x.told != nil {
		limited, cancel = context.WithTimeoutCause(ctx, x.within, fmt.Errorf("%w (%v)", errLate, x.within))
	}
	defer cancel()
	began := time.Now()
	err = do(limited, x.player)
	took := time.Since(began).Seconds()
	x.asked.Add(Asked{Decisions: 1, Seconds: took, Longest: took})
	if err == nil {
		x.inARow = 0
		return true, nil
	}
	if x.told == nil || ctx.Err() != nil {
		return false, err
	}
	x.player.Close()
	x.player = nil
	x.asked.Faults++
	x.told(err)
	if x.inARow++; x.inARow == mostFaults {
		return false, fmt.Errorf("%d wrong answers in a row: %w", mostFaults, err)
	}
	return false, nil
}

// Move implements Player.
func (x *watched) Move(ctx context.Context, p board.Position, d board.Dice, st match.State, cubeless bool, seed uint64) (after board.Position, err error) {
	ok, err := x.ask(ctx, func(ctx context.Context, player Player) (err error) {
		after, err = player.Move(ctx, p, d, st, cubeless, seed)
		return err
	})
	if ok || err != nil {
		return after, err
	}
	if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
		return plays[0].Result, nil
	}
	return p, nil
}

// Double implements Player.
func (x *watched) Double(ctx context.Context, p board.Position, st match.State, seed uint64) (yes bool, err error) {
	ok, err := x.ask(ctx, func(ctx context.Context, player Player) (err error) {
		yes, err = player.Double(ctx, p, st, seed)
		return err
	})
	return yes && ok, err
}

// Take implements Player.
func (x *watched) Take(ctx context.Context, p board.Position, st match.State, seed uint64) (yes bool, err error) {
	ok, err := x.ask(ctx, func(ctx context.Context, player Player) (err error) {
		yes, err = player.Take(ctx, p, st, seed)
		return err
	})
	return yes && ok, err
}

// Close implements Player.
func (x *watched) Close() {
	if x.player != nil {
		x.player.Close()
	}
}

// askedOf takes what both players were asked for since the last call; nil if one is not watched.
func askedOf(two [2]Player) *[2]Asked {
	var out [2]Asked
	for i, p := range two {
		x, ok := p.(*watched)
		if !ok {
			return nil
		}
		out[i], x.asked = x.asked, Asked{}
	}
	return &out
}
