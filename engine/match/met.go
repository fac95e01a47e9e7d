package match

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fibsbot/engine/board"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"sync"
)

// MaxLength is the longest match, in points, that is played, read and judged.
const MaxLength = 99

// ErrScore is wrapped by every error about a score, match length or cube that no
// game can have.
var ErrScore = errors.New("impossible match state")

// ErrTable is wrapped by every error about a match equity table that cannot be
// used.
var ErrTable = errors.New("bad match equity table")

// Table is a match equity table: the chance to win the match from every score
// before a game begins. It is immutable after it was made and safe for
// concurrent use. It assumes equal players, so the chances of the two sides of a score add up
// to 1.
type Table struct {
	// Name and Description say where the figures come from.
	Name, Description string
	// Published is how many points a side the source covers; what lies beyond
	// was computed here.
	Published int
	// Uneven is the most by which the source's chances of the two sides of a score miss
	// adding up to 1, or its two chances of a trailer after the Crawford game differ: 0 but
	// for tables of players of unequal strength and for rounding. A Table has the mean.
	Uneven float64

	// pre[i][j] is the chance of the player who needs i+1 points against one who
	// needs j+1, before the Crawford game is over; post[i] that of the trailer
	// who needs i+1 points against a leader who needs 1, after it.
	pre  [MaxLength][MaxLength]float64
	post [MaxLength]float64
}

// rounding is how far two chances that were rounded apart, to hundredths, may miss adding up to 1.
const rounding = 0.011

// Warning returns one line for users of a table for players of unequal strength, which is
// averaged, or "" for other tables.
func (t *Table) Warning() string {
	if t.Uneven <= rounding {
		return ""
	}
	return fmt.Sprintf("match equity table %q is for players of unequal strength, its chances of the two differ by up to %.3f: their mean is taken",
		t.Name, t.Uneven)
}

// Equity returns the chance, 0 to 1, to win the match for the player who needs
// me points against one who needs opp. A player who needs none has won.
// postCrawford means that the Crawford game has been played, which only matters when one
// side needs one point. Needs beyond MaxLength are answered by
// the formula that extends the table.
func (t *Table) Equity(me, opp int, postCrawford bool) float64 {
	switch {
	case me <= 0:
		return 1
	case opp <= 0:
		return 0
	}
	if postCrawford {
		// At double match point both rows say one half.
		if opp == 1 {
			return t.post[min(me, MaxLength)-1]
		}
		if me == 1 {
			return 1 - t.post[min(opp, MaxLength)-1]
		}
	}
	if me > MaxLength || opp > MaxLength {
		return normalChance(me, opp)
	}
	return t.pre[me-1][opp-1]
}

// After returns the chance of the player on roll to win the match once the
// present game has ended with points for that player (negative: for the
// opponent). Points are whole, the cube included. In money play there is no
// match to win and After returns NaN.
func (t *Table) After(s State, points int) float64 {
	if s.Length == 0 {
		return math.NaN()
	}
	me, opp := s.Away()
	// With a player 1-away at the start of a game, the Crawford game is this one or over.
	over := me == 1 || opp == 1
	if points > 0 {
		me -= points
	} else {
		opp += points
	}
	return t.Equity(me, opp, over)
}

// Passed returns the normalised equity of the player on roll at p who doubles and is refused: 1,
// unless giving up costs more there.
func (t *Table) Passed(s State, p *board.Position) float64 {
	if level := s.Drops.Level(&p.Opp); s.Length == 0 || level == 1 {
		return float64(level)
	}
	return t.EMG(s, t.After(s, s.Passed(p)))
}

// Now returns the chance of the player on roll to win the match if this game
// had not begun yet.
func (t *Table) Now(s State) float64 {
	me, opp := s.Away()
	return t.Equity(me, opp, !s.Crawford)
}

// EMG turns a match winning chance into normalised equity: -1 is losing the
// game singly at the present cube, +1 winning it singly, linear in between and
// beyond. Where winning and losing make no difference EMG is 0.
func (t *Table) EMG(s State, mwc float64) float64 {
	w, l := t.After(s, s.Cube), t.After(s, -s.Cube)
	if w == l {
		return 0
	}
	return 2*(mwc-l)/(w-l) - 1
}

// MWC is the inverse of EMG: the match winning chance that belongs to a normalised equity.
func (t *Table) MWC(s State, emg float64) float64 {
	w, l := t.After(s, s.Cube), t.After(s, -s.Cube)
	return l + (emg+1)/2*(w-l)
}

// MWCPerEMG is the match winning chance that one unit of EMG is worth at the
// score and cube of s, half the distance between winning and losing singly: what
// turns the standard error of an equity into one of a chance. NaN in money play.
func (t *Table) MWCPerEMG(s State) float64 {
	return (t.After(s, s.Cube) - t.After(s, -s.Cube)) / 2
}

// GammonPrice is what a gammon or backgammon is worth at a score, in units of half the
// difference between winning and losing a single game. In money play all four are 0.5: a
// gammon adds one point, winning instead of losing two.
type GammonPrice struct {
	// A gammon is compared with a single game, a backgammon with a gammon.
	WinGammon      float64 `json:"win_gammon"`
	LoseGammon     float64 `json:"lose_gammon"`
	WinBackgammon  float64 `json:"win_backgammon"`
	LoseBackgammon float64 `json:"lose_backgammon"`
}

// GammonPrice returns the prices at the score and cube of s. With the Jacoby
// rule and a centred cube gammons are worth nothing.
func (t *Table) GammonPrice(s State) GammonPrice {
	if s.Length == 0 {
		if s.Jacoby && s.Owner == Centred {
			return GammonPrice{}
		}
		return GammonPrice{0.5, 0.5, 0.5, 0.5}
	}
	w, l := t.After(s, s.Cube), t.After(s, -s.Cube)
	if w == l {
		return GammonPrice{}
	}
	w2, w3 := t.After(s, 2*s.Cube), t.After(s, 3*s.Cube)
	l2, l3 := t.After(s, -2*s.Cube), t.After(s, -3*s.Cube)
	d := w - l
	return GammonPrice{
		WinGammon: (w2 - w) / d, LoseGammon: (l - l2) / d,
		WinBackgammon: (w3 - w2) / d, LoseBackgammon: (l2 - l3) / d,
	}
}

// TakePoint returns the game winning chance that the player on roll needs to
// take a double of the present cube if the cube could not be turned again and no gammons
// were won: risk over risk plus gain.
func (t *Table) TakePoint(s State) float64 {
	if s.Length == 0 {
		return 0.25
	}
	drop := t.After(s, -s.Cube)
	win, lose := t.After(s, 2*s.Cube), t.After(s, -2*s.Cube)
	if win == lose {
		return 0
	}
	return (drop - lose) / (win - lose)
}

// Validate reports the first thing in s that no game can have: a score at or
// beyond the match length, a match longer than MaxLength, a cube that is not a
// power of two or above 2^20 (beyond MaxCube there is room for cubes that a search
// imagines), or a Crawford game that cannot be one. The error wraps ErrScore.
func (s State) Validate() error {
	switch {
	case s.Cube < 1 || s.Cube&(s.Cube-1) != 0:
		return fmt.Errorf("%w: cube %d is not a power of two", ErrScore, s.Cube)
	case s.Cube > 1<<20:
		return fmt.Errorf("%w: cube %d, at most %d", ErrScore, s.Cube, 1<<20)
	case s.Owner < Centred || s.Owner > Theirs:
		return fmt.Errorf("%w: cube owner %d", ErrScore, s.Owner)
	case s.Length < 0 || s.Length > MaxLength:
		return fmt.Errorf("%w: match length %d, at most %d", ErrScore, s.Length, MaxLength)
	case s.Length == 0:
		return nil
	}
	for _, v := range s.Score {
		if v < 0 || v >= s.Length {
			return fmt.Errorf("%w: score %d in a match to %d", ErrScore, v, s.Length)
		}
	}
	me, opp := s.Away()
	// Some programs flag the only game of a 1-point match, where the cube is dead anyway.
	if s.Crawford && s.Length > 1 && !AtCrawford(s.Length, s.Score) {
		return fmt.Errorf("%w: Crawford game at %d-away %d-away", ErrScore, me, opp)
	}
	return nil
}

//go:embed metdata/kazaross-xg2.txt
var kazaross []byte

//go:embed metdata/woolsey.txt
var woolsey []byte

// DefaultTable returns the Kazaross-XG2 table: 25 points, rolled out by Neil
// Kazaross, the table that gnubg and XG use.
var DefaultTable = sync.OnceValue(func() *Table { return mustRead(kazaross) })

// summed is how many points a side Sum covers. The rest of a table follows from them.
const summed = 64

// Sum returns a checksum of the chances, whatever the table's name, so that kept results
// record which table they were measured with.
func (t *Table) Sum() string {
	h := fnv.New64a()
	var pre [summed][summed]float64
	for i := range pre {
		copy(pre[i][:], t.pre[i][:])
	}
	fmt.Fprint(h, pre, t.post[:summed])
	return strconv.FormatUint(h.Sum64(), 16)
}

// WoolseyTable returns Kit Woolsey's 15 point table of 1992.
var WoolseyTable = sync.OnceValue(func() *Table { return mustRead(woolsey) })

// mustRead parses an embedded table; a test reads them all.
func mustRead(b []byte) *Table {
	t, err := readTable(b)
	if err != nil {
		panic(err)
	}
	return t
}

// readTable parses our own text form: comment lines, "length N", then N lines
// "pre" and one "post".
func readTable(b []byte) (*Table, error) {
	t := &Table{}
	sc := bufio.NewScanner(bytes.NewReader(b))
	row := 0
	for line := 1; sc.Scan(); line++ {
		text := sc.Text()
		if rest, ok := strings.CutPrefix(text, "# "); ok {
			if v, ok := strings.CutPrefix(rest, "name "); ok {
				t.Name = v
			}
			if v, ok := strings.CutPrefix(rest, "description "); ok {
				t.Description = v
			}
			continue
		}
		f := strings.Fields(text)
		if len(f) < 2 {
			continue
		}
		var err error
		switch f[0] {
		case "length":
			t.Published, err = strconv.Atoi(f[1])
			if err == nil && (t.Published < 1 || t.Published > MaxLength) {
				err = fmt.Errorf("length %d", t.Published)
			}
		case "pre":
			if row >= t.Published {
				err = errors.New("too many rows")
				break
			}
			err = parseRow(f[1:], t.pre[row][:t.Published])
			row++
		case "post":
			err = parseRow(f[1:], t.post[:t.Published])
		default:
			err = fmt.Errorf("unknown word %q", f[0])
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrTable, line, err)
		}
	}
	if t.Published == 0 || row != t.Published {
		return nil, fmt.Errorf("%w: %d rows of %d", ErrTable, row, t.Published)
	}
	t.extend()
	return t, nil
}

func parseRow(words []string, dst []float64) error {
	if len(words) != len(dst) {
		return fmt.Errorf("%d values, not %d", len(words), len(dst))
	}
	for i, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return err
		}
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("chance %v is not between 0 and 1", v)
		}
		dst[i] = v
	}
	return nil
}
