package eval

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"fibsbot/engine/board"
)

// Class is the kind of a position, which decides who judges it. The order is from
// the end of a game backwards.
type Class uint8

// The classes.
const (
	// Over: one side has borne off everything.
	Over Class = iota
	// Bearoff2: no contact, both sides home with at most six checkers each; small
	// enough for an exact table of pairs.
	Bearoff2
	// Bearoff1: no contact, both sides home; each side's distribution of rolls is
	// known.
	Bearoff1
	// Race: no contact.
	Race
	// Crashed: contact, and a side with almost no checkers left that are neither
	// borne off nor buried on its ace and deuce points.
	Crashed
	// Contact: everything else.
	Contact
	numClasses
)

// String is the class in a word.
func (c Class) String() string {
	if c > numClasses {
		return "Class(" + strconv.Itoa(int(c)) + ")"
	}
	return [...]string{"over", "bearoff2", "bearoff1", "race", "crashed", "contact", "unknown"}[c]
}

// ClassOf returns the class of position p. It does not check the rules of the
// board; positions that break them get some class.
func ClassOf(p *board.Position) Class {
	m, o := look(&p.Me), look(&p.Opp)
	if m.count == 0 || o.count == 0 {
		return Over
	}
	if m.rear+o.rear > 22 {
		if m.crashed(&p.Me) || o.crashed(&p.Opp) {
			return Crashed
		}
		return Contact
	}
	if m.rear > 5 || o.rear > 5 {
		return Race
	}
	if m.count > 6 || o.count > 6 {
		return Bearoff1
	}
	return Bearoff2
}

// CrashedTheirs reports, of a position of class Crashed, whether that is so by the opponent's
// checkers alone.
func CrashedTheirs(p *board.Position) bool { return !look(&p.Me).crashed(&p.Me) }

// glance is what class needs of one side.
type glance struct{ count, rear int }

func look(c *board.Checkers) glance {
	a := binary.LittleEndian.Uint64(c[0:8])
	b := binary.LittleEndian.Uint64(c[8:16])
	d := binary.LittleEndian.Uint64(c[16:24])
	bar := int(c[board.Bar])
	g := glance{count: int((a+b+d)*0x0101010101010101>>56) + bar}
	switch {
	case bar > 0:
		g.rear = board.Bar
	case d != 0:
		g.rear = 23 - bits.LeadingZeros64(d)/8
	case b != 0:
		g.rear = 15 - bits.LeadingZeros64(b)/8
	default:
		g.rear = 7 - bits.LeadingZeros64(a)/8
	}
	return g
}

// spent is how few live checkers make a position crashed.
const spent = 6

// crashed reports whether at most six of the side's checkers are live. A point needs
// two; what is left of the ace point once it is made, and of the deuce point
// beyond its second checker or all of it behind a made ace point, is dead wood.
// This is the dividing line that programs of the GNU Backgammon family draw.
func (g glance) crashed(c *board.Checkers) bool {
	live := g.count
	if ace, deuce := int(c[0]), int(c[1]); ace > 1 {
		live -= ace
		if deuce > 1 {
			live -= deuce - 1
		}
	} else if deuce > 1 {
		live -= deuce - 1
	}
	return live <= spent
}

// Outcome is the chances of a finished game worth points, -3 to 3 and not 0, to the player
// whose view it is: chances of 0 and 1.
func Outcome(points int) Probs { return outcomes[(points+3)&7] }

// outcomes holds the chances by points + 3; the eighth entry is there for the mask.
var outcomes = [8]Probs{
	{LoseGammon: 1, LoseBackgammon: 1}, {LoseGammon: 1}, {}, {},
	{Win: 1}, {Win: 1, WinGammon: 1}, {Win: 1, WinGammon: 1, WinBackgammon: 1}, {},
}

// Result returns the outcome of a finished game as chances of 0 and 1, seen from
// the player on roll. ok is false while the game goes on.
func Result(p *board.Position) (pr Probs, ok bool) {
	points := p.Result()
	return Outcome(points), points != 0
}

// Sane makes the chances of a position under way a valid distribution: within
// [0,1], backgammons within gammons within wins, and nothing that the rules make
// impossible. A gammon is out once the loser has a checker off, or in a race once
// it cannot fail to bear one off in time; a backgammon in a race is out once the
// loser has left the winner's home. NaN counts as 0.
func Sane(p *board.Position, pr Probs) Probs {
	w, wg, wb, lg, lb := sane(p, (*[5]float32)(&pr))
	return Probs{w, wg, wb, lg, lb}
}

// sane is Sane with the chances one by one: an array that is copied as a whole just after
// its parts were written makes the processor wait.
func sane(p *board.Position, pr *[5]float32) (w, wg, wb, lg, lb float32) {
	m, o := look(&p.Me), look(&p.Opp)
	race, mine, theirs := m.rear+o.rear <= 22, m.count, o.count
	w = unit(pr[Win])
	wg, wb = levels(pr[WinGammon], pr[WinBackgammon], w, mayLose(&p.Opp, theirs, race, turnsToBearOff(mine)-1))
	lg, lb = levels(pr[LoseGammon], pr[LoseBackgammon], 1-w, mayLose(&p.Me, mine, race, turnsToBearOff(theirs)))
	return w, wg, wb, lg, lb
}

func unit(x float32) float32 {
	if x > 0 {
		return min(x, 1)
	}
	return 0 // also for NaN
}

// levels holds a gammon and a backgammon chance below what they are part of.
// worst is the worst result possible: 1 single, 2 gammon, 3 backgammon.
func levels(gammon, backgammon, won float32, worst int) (g, bg float32) {
	if worst >= 2 {
		g = min(unit(gammon), won)
	}
	if worst >= 3 {
		bg = min(unit(backgammon), g)
	}
	return g, bg
}

// turnsToBearOff is the fewest turns that take n checkers off: four a turn.
func turnsToBearOff(n int) int { return (n + 3) / 4 }

// mayLose is the worst that the side with checkers c can still lose when it has
// at least the given number of turns left.
func mayLose(c *board.Checkers, count int, race bool, turns int) int {
	if count < board.MaxCheckers {
		return 1
	}
	if !race {
		return 3
	}
	// The worst roll is 2-1: it moves 3 pips, of which every checker that crosses
	// its border may waste one. Larger dice bring each checker at least as far.
	toHome, toLeave, nearest := 0, 0, 6
	for i := board.Bar; i >= 0; i-- {
		n := int(c[i])
		if n == 0 {
			continue
		}
		if i > 5 {
			toHome += n * (i - 5 + 1)
		}
		if i > 17 {
			toLeave += n * (i - 17 + 1)
		}
		nearest = min(nearest, i+1)
	}
	switch {
	case toHome+nearest+1 <= 3*turns:
		return 1
	case toLeave <= 3*turns:
		return 2
	}
	return 3
}
