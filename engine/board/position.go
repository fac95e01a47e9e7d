package board

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/bits"
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

// Dice is a roll. The order does not matter for the legal plays; text always
// shows the larger die first.
type Dice struct{ A, B uint8 }

// Double reports whether both dice are equal, which gives four steps.
func (d Dice) Double() bool { return d.A == d.B }

// Valid reports whether both dice are between 1 and 6.
func (d Dice) Valid() bool { return d.A >= 1 && d.A <= 6 && d.B >= 1 && d.B <= 6 }

// Sorted returns the same roll with the larger die first.
func (d Dice) Sorted() Dice {
	if d.A < d.B {
		return Dice{A: d.B, B: d.A}
	}
	return d
}

// Step is one checker moved by one die, in the mover's numbering of Checkers:
// From is 0..24 (Bar), To is 0..23 or Off.
type Step struct{ From, To int8 }

// Play is one legal way to use a roll. Steps[:N] are the single steps in an
// order that is legal step by step. Result is the position after the play,
// STILL FROM THE MOVER'S VIEW (Me is the mover); Result.Swap() has the next
// player on roll. A roll that cannot be played has no Play in
// what AppendPlays returns; ParsePlay gives it one with N 0.
type Play struct {
	Steps  [4]Step
	N      uint8
	Result Position
}

// Rolls lists the 21 distinct rolls, larger die first, with the number of the
// 36 throws that show each.
var Rolls = func() (r [21]struct {
	Dice   Dice
	Weight int
}) {
	k := 0
	for a := uint8(1); a <= 6; a++ {
		for b := uint8(1); b <= a; b++ {
			r[k].Dice, r[k].Weight = Dice{A: a, B: b}, 2
			if a == b {
				r[k].Weight = 1
			}
			k++
		}
	}
	return r
}()

// Rules are what variations of the game change about moving and winning. The zero value
// is ordinary backgammon. They do not include the start position.
type Rules struct {
	// Checkers is how many each side begins with; 0 means 15. A side that still has all of
	// them when the other side is off loses a gammon.
	Checkers uint8 `json:"checkers,omitempty"`
	// Egyptian: no play puts a sixth checker on a point. Six or more from the start may
	// stay.
	Egyptian bool `json:"egyptian,omitempty"`
}

// mostEgyptian is how many checkers the Egyptian rule allows on a point (GNU Backgammon
// manual, "set egyptian").
const mostEgyptian = 5

// Each returns how many checkers a side begins with.
func (r Rules) Each() int {
	if r.Checkers == 0 {
		return MaxCheckers
	}
	return int(r.Checkers)
}

// Off is [Position.Off] by these rules; sides that have more than they begin with have none
// off.
func (r Rules) Off(p *Position) (me, opp int) {
	return max(0, r.Each()-p.Me.Count()), max(0, r.Each()-p.Opp.Count())
}

// Result is [Position.Result] by these rules.
func (r Rules) Result(p *Position) int {
	switch {
	case p.Me.Count() == 0:
		return lossLevel(&p.Opp, r.Each())
	case p.Opp.Count() == 0:
		return -lossLevel(&p.Me, r.Each())
	}
	return 0
}

// AppendPlays is [AppendPlays] by these rules.
func (r Rules) AppendPlays(dst []Play, p Position, d Dice) []Play {
	return appendPlays(dst, &p, d, r.Egyptian)
}

// ParsePlay is [ParsePlay] by these rules.
func (r Rules) ParsePlay(p Position, d Dice, text string) (Play, error) {
	return parsePlay(p, d, text, r)
}

// full returns the own points that the Egyptian rule closes now: those with five checkers.
func (g *generator) full() (m uint32) {
	for i, n := range g.pos.Me[:Bar] {
		if n >= mostEgyptian {
			m |= 1 << i
		}
	}
	return m
}

// doubleCrowded is double under the Egyptian rule, where own points fill up and empty: a play
// may be legal in one order of its steps only, so all orders are tried and duplicates
// dropped.
func (g *generator) doubleCrowded(occupied uint32, n int) {
	if n < 4 {
		if m := g.sources(occupied, g.die); m != 0 {
			for m != 0 {
				from := bits.Len32(m) - 1
				m &^= 1 << from
				next, to, hit := g.step(occupied, from, g.die)
				g.steps[n] = Step{int8(from), int8(to)}
				g.doubleCrowded(next, n+1)
				g.undo(from, to, hit)
			}
			return
		}
	}
	if n == 0 || n < g.most {
		return
	}
	if n > g.most {
		g.most = n
		g.dst = g.dst[:g.base]
	}
	for _, pl := range g.dst[g.base:] {
		if pl.Result == g.pos {
			return
		}
	}
	for i := n; i < 4; i++ {
		g.steps[i] = Step{}
	}
	g.emit(n)
}

// Key is a position in the 10 bytes of a GNU Backgammon Position ID: for Opp,
// then for Me, from index 0 to 24, as many 1 bits as there are checkers and
// then a 0 bit, lowest bit first, filled up with 0. Every valid position has
// exactly one key.
type Key [10]byte

// IDLength is the number of characters in a Position ID.
const IDLength = 14

// ErrBadID is wrapped by the errors of ParseID and FromKey.
var ErrBadID = errors.New("not a position ID")

func (p *Position) packInto(k *Key) {
	at := 0
	for _, side := range [2]*Checkers{&p.Opp, &p.Me} {
		for _, n := range side {
			// A run of ones may touch three bytes at most, as n <= 15.
			run := uint32(1)<<n - 1
			i, s := at>>3, at&7
			run <<= s
			for run != 0 && i < len(k) {
				k[i] |= byte(run)
				run >>= 8
				i++
			}
			at += int(n) + 1
		}
	}
}

// Key returns the position in packed form. It is meant for valid positions:
// when a side has more than 15 checkers, what does not fit is cut off.
func (p Position) Key() (k Key) {
	p.packInto(&k)
	return k
}

// FromKey unpacks a key and validates the position. The error wraps ErrBadID
// or ErrIllegalPosition.
func FromKey(k Key) (Position, error) {
	var p Position
	side, i, n := &p.Opp, 0, 0
	for at := range 80 {
		if k[at>>3]>>(at&7)&1 != 0 {
			n++
			if n > MaxCheckers {
				return Position{}, fmt.Errorf("%w: more than %d checkers on one side", ErrBadID, MaxCheckers)
			}
			side[i]++
			continue
		}
		if i++; i <= Bar {
			continue
		}
		if side == &p.Me {
			for at++; at < 80; at++ {
				if k[at>>3]>>(at&7)&1 != 0 {
					return Position{}, fmt.Errorf("%w: bits are set after the last checker", ErrBadID)
				}
			}
			return p, p.Validate()
		}
		side, i, n = &p.Me, 0, 0
	}
	return Position{}, fmt.Errorf("%w: it ends before the last point", ErrBadID)
}

// ID returns the GNU Backgammon Position ID, 14 characters, with Me on roll.
func (p Position) ID() string {
	k := p.Key()
	return base64.RawStdEncoding.EncodeToString(k[:])
}

// ParseID reads a Position ID of exactly 14 characters. The error wraps ErrBadID or
// ErrIllegalPosition and names the problem in one line.
func ParseID(s string) (Position, error) {
	if len(s) != IDLength {
		return Position{}, fmt.Errorf("%w: length %d, not %d", ErrBadID, len(s), IDLength)
	}
	var k Key
	// Strict: the last character must not carry bits beyond the 80.
	if n, err := base64.RawStdEncoding.Strict().Decode(k[:], []byte(s)); err != nil || n != len(k) {
		return Position{}, fmt.Errorf("%w: %q is not base64 of 10 bytes", ErrBadID, s)
	}
	return FromKey(k)
}
