package board

import (
	"errors"
	"fmt"
)

const (
	// Bar is the index of the bar in Checkers.
	Bar = 24
	// Off is the destination of a checker that is borne off, as used in Step.To.
	Off = -1
	// MaxCheckers is the number of checkers each side has at the start of
	// ordinary backgammon.
	MaxCheckers = 15
)

// Checkers counts one side's checkers by own point: index 0 is the owner's ace
// point, 23 its 24 point, 24 (Bar) the bar.
type Checkers [25]uint8

// Position is the placement of all checkers with the player on roll named Me.
// Both sides are counted from their owner's view. It is comparable; two equal
// values are the same position with the same player on roll.
type Position struct {
	Me, Opp Checkers
}

// ErrIllegalPosition is wrapped by every error that Validate returns.
var ErrIllegalPosition = errors.New("illegal position")

// Start is the position at the beginning of a game of backgammon.
var Start = Position{
	Me:  Checkers{5: 5, 7: 3, 12: 5, 23: 2},
	Opp: Checkers{5: 5, 7: 3, 12: 5, 23: 2},
}

// Count returns how many checkers are still in play, on points and bar.
func (c *Checkers) Count() int {
	n := 0
	for _, v := range c {
		n += int(v)
	}
	return n
}

// Pips returns the pip count: each checker counts its distance to being borne
// off, 25 for one on the bar.
func (c *Checkers) Pips() int {
	n := 0
	for i, v := range c {
		n += (i + 1) * int(v)
	}
	return n
}

// Rearmost returns the index of the checker farthest from home, or -1 when all
// are off.
func (c *Checkers) Rearmost() int {
	for i := Bar; i >= 0; i-- {
		if c[i] != 0 {
			return i
		}
	}
	return -1
}

// Swap returns the position as the other player sees it: that player is then
// on roll.
func (p Position) Swap() Position { return Position{Me: p.Opp, Opp: p.Me} }

// Off returns how many checkers the player on roll and the opponent have borne
// off, assuming both began with 15.
func (p *Position) Off() (me, opp int) {
	return MaxCheckers - p.Me.Count(), MaxCheckers - p.Opp.Count()
}

// Contact reports whether a checker of one side still has to pass one of the
// other side.
func (p *Position) Contact() bool {
	m, o := p.Me.Rearmost(), p.Opp.Rearmost()
	// My point m is the opponent's 23-m: the two have passed when o < 23-m.
	return m >= 0 && o >= 0 && m+o > 22
}

// Validate reports the first rule of the board that p breaks: more than 15
// checkers on a side, a point held by both sides, both players off, or both on
// the bar against two closed boards. The error wraps ErrIllegalPosition.
func (p *Position) Validate() error {
	me, opp := p.Me.Count(), p.Opp.Count()
	if me > MaxCheckers || opp > MaxCheckers {
		return fmt.Errorf("%w: %d and %d checkers, at most %d a side", ErrIllegalPosition, me, opp, MaxCheckers)
	}
	if me == 0 && opp == 0 {
		return fmt.Errorf("%w: both sides have borne off everything", ErrIllegalPosition)
	}
	for i := range 24 {
		if p.Me[i] > 0 && p.Opp[23-i] > 0 {
			return fmt.Errorf("%w: both sides hold the %d point", ErrIllegalPosition, i+1)
		}
	}
	if p.Me[Bar] > 0 && p.Opp[Bar] > 0 && closed(&p.Me) && closed(&p.Opp) {
		return fmt.Errorf("%w: both sides are on the bar against closed boards", ErrIllegalPosition)
	}
	return nil
}

func closed(c *Checkers) bool {
	for i := range 6 {
		if c[i] < 2 {
			return false
		}
	}
	return true
}

// Result returns how many points a finished game is worth for the player on roll, as
// a multiple of the cube: +1 to +3 won single, gammon, backgammon, -1 to -3
// lost, 0 still being played. It is for games of 15 checkers a side; [Rules.Result] for others.
func (p *Position) Result() int { return Rules{}.Result(p) }

// lossLevel returns what the side with checkers c loses when the other side is off; each
// began with that many.
func lossLevel(c *Checkers, each int) int {
	if c.Count() < each {
		return 1
	}
	for i := 18; i <= Bar; i++ {
		if c[i] > 0 {
			return 3
		}
	}
	return 2
}
