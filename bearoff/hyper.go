package bearoff

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// hyperRecord is the size of one pair in a hypergammon database: nine
// little-endian float32, the chances in the order of eval.Probs, then the money
// equities centred with the Jacoby rule, centred, owned, opponent owns, all for
// the player on roll who does not double now.
const hyperRecord = 36

const (
	hyperJacoby = 5 + iota
	hyperCentred
	hyperOwned
	hyperOppOwned
	hyperValues
)

// Hyper is a hypergammon database: every position of one to three checkers a
// side. It is safe for concurrent use.
type Hyper struct {
	extent
	n     uint32
	table *section
}

// HyperValue is what the database knows about a position: cubeless chances and
// the money equities, in units of the cube, of the player on roll who does not
// double now. Gammons count; with Jacoby only after a double.
type HyperValue struct {
	Probs                            eval.Probs
	Jacoby, Centred, Owned, OppOwned float64
}

// Cubeless returns the equity of the chances in points.
func (v *HyperValue) Cubeless() float64 {
	p := &v.Probs
	return 2*float64(p[eval.Win]) - 1 + float64(p[eval.WinGammon]) + float64(p[eval.WinBackgammon]) -
		float64(p[eval.LoseGammon]) - float64(p[eval.LoseBackgammon])
}

func checkHyper(checkers int) error {
	if checkers < 1 || checkers > 3 {
		return fmt.Errorf("hypergammon database of %d checkers: must be 1 to 3", checkers)
	}
	return nil
}

// Damaged reports whether a look-up has met damaged bytes since opening.
func (h *Hyper) Damaged() bool { return h.table.damaged() }

// Value returns the values of p. ok is false when p has too many checkers, is
// impossible, or lies where the file is damaged.
func (h *Hyper) Value(p *board.Position) (v HyperValue, ok bool) {
	if p.Me.Count() > h.checkers || p.Opp.Count() > h.checkers || p.Validate() != nil {
		return v, false
	}
	b := h.table.at((int64(Index(&p.Me, hyperPoints))*int64(h.n)+int64(Index(&p.Opp, hyperPoints)))*hyperRecord, hyperRecord)
	if b == nil {
		return v, false
	}
	f := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	for i := range v.Probs {
		v.Probs[i] = f(i)
	}
	v.Jacoby, v.Centred = float64(f(hyperJacoby)), float64(f(hyperCentred))
	v.Owned, v.OppOwned = float64(f(hyperOwned)), float64(f(hyperOppOwned))
	return v, true
}

// OpenHyper opens a hypergammon database file for look-ups.
func OpenHyper(path string) (*Hyper, error) {
	e, parts, err := open(path, KindHyper)
	if err != nil {
		return nil, err
	}
	return &Hyper{extent: e, n: uint32(e.size()), table: parts[0]}, nil
}

// hyperEpsilon is the change below which the iteration stops (GNU Backgammon
// manual, hypergammon).
const hyperEpsilon = 0.00001

// hyperRounds is about how many rounds so many checkers take; for progress only.
var hyperRounds = [...]uint64{1: 20, 2: 26, 3: 62}

// runs[s][m] is the sum of ranks[k][s] for k up to m.
var runs = func() (t [4][hyperPoints + 1]uint32) {
	for s := range t {
		for m := 1; m <= hyperPoints; m++ {
			t[s][m] = t[s][m-1] + ranks[m][s]
		}
	}
	return t
}()

// ErrNoHyper means that there is no database of hypergammon; its text says how to get one.
var ErrNoHyper = errors.New("hypergammon needs a database of all its positions")

// Hyper returns the database of hypergammon with so many checkers, 1 to 3: that of
// Options.Dir or of the cache folder. Those of one and two checkers are made when first
// needed, in about ten seconds, unless ctx ends. For three, an hour of work, the error wraps
// ErrNoHyper and names the command.
func (s *Source) Hyper(ctx context.Context, checkers int) (*Hyper, error) {
	if err := checkHyper(checkers); err != nil {
		return nil, err
	}
	if h := s.madeHyper(checkers); h != nil {
		return h, nil
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if h := s.madeHyper(checkers); h != nil {
		return h, nil
	}
	h, err := s.openHyper(ctx, checkers)
	if err != nil {
		return nil, err
	}
	s.keep(h.Close)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hypers[checkers] = h
	return h, nil
}

// madeHyper returns a database that was made or opened before, or nil.
func (s *Source) madeHyper(checkers int) *Hyper {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hypers[checkers]
}

// openHyper opens a database of the cache folder and makes it if it is missing.
func (s *Source) openHyper(ctx context.Context, checkers int) (*Hyper, error) {
	path := filepath.Join(s.opt.Cache, FileName(KindHyper, hyperPoints, checkers))
	if !s.opt.NoCache {
		if h, err := OpenHyper(path); err == nil {
			return h, nil
		}
	}
	switch checkers {
	case 3:
		return nil, fmt.Errorf("%w: the one for three checkers is missing (build it with fibsbot bearoff build hyper -o %s, about two hours of one core; any folder of --bearoff-dir works)", ErrNoHyper, path)
	case 2:
		s.opt.Warn("making the database of hypergammon with two checkers, once, in about ten seconds")
	}
	o := BuildOptions{Kind: KindHyper, Points: hyperPoints, Checkers: checkers, Path: path}
	if s.opt.NoCache {
		dir, err := os.MkdirTemp("", "fibsbot-")
		if err != nil {
			return nil, fmt.Errorf("hypergammon database: %w", err)
		}
		defer os.RemoveAll(dir) // an open file stays readable
		o.Path = filepath.Join(dir, filepath.Base(path))
	}
	if _, err := Build(ctx, o); err != nil {
		return nil, fmt.Errorf("hypergammon database: %w", err)
	}
	return OpenHyper(o.Path)
}

// HyperOf returns the database of hypergammon with the fewest checkers that has p and is
// open, or nil. It makes none.
func (s *Source) HyperOf(p *board.Position) *Hyper {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.hypers {
		if h != nil && max(p.Me.Count(), p.Opp.Count()) <= h.checkers {
			return h
		}
	}
	return nil
}

// NoDouble returns the equity, in units of the cube, of the player on roll who
// does not double now and for whom the cube lies with that owner. jacoby matters
// only with the cube in the middle.
func (v *HyperValue) NoDouble(owner match.Owner, jacoby bool) float64 {
	switch {
	case owner == match.Mine:
		return v.Owned
	case owner == match.Theirs:
		return v.OppOwned
	case jacoby:
		return v.Jacoby
	}
	return v.Centred
}

// best is NoDouble for a player who may also double, if the rules let him.
func (v *HyperValue) best(owner match.Owner, jacoby bool) float64 {
	if owner == match.Theirs {
		return v.OppOwned
	}
	return max(v.NoDouble(owner, jacoby), min(2*v.OppOwned, 1))
}

// HyperPlay is a play with what the database knows about the position after it,
// seen from the mover: money equity in units of the cube, and cubeless chances.
type HyperPlay struct {
	Play   board.Play
	Equity float64
	Probs  eval.Probs
}

// Plays ranks the legal plays of a roll in money play, best first; none when
// nothing can be played. owner says where the cube is for the player on roll. The
// error wraps ErrDamaged when the file is, and otherwise says that p has too many
// checkers.
func (h *Hyper) Plays(p board.Position, d board.Dice, owner match.Owner, jacoby bool) ([]HyperPlay, error) {
	if _, ok := h.Value(&p); !ok {
		return nil, h.missing(&p)
	}
	owner = match.State{Owner: owner}.Swap().Owner
	var out []HyperPlay
	for _, pl := range board.AppendPlays(nil, p, d) {
		next := pl.Result.Swap()
		v, ok := h.Value(&next)
		if !ok {
			return nil, h.missing(&next)
		}
		e := HyperPlay{Play: pl, Probs: v.Probs.Invert(), Equity: -v.best(owner, jacoby)}
		if next.Opp.Count() == 0 { // the game is over and no one doubles
			e.Equity = -v.NoDouble(owner, jacoby)
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b HyperPlay) int { return cmp.Compare(b.Equity, a.Equity) })
	return out, nil
}

func (h *Hyper) missing(p *board.Position) error {
	if h.Damaged() {
		return fmt.Errorf("%w: at %s", ErrDamaged, p.ID())
	}
	return fmt.Errorf("%s is not a position of hypergammon with %d checkers a side", p.ID(), h.checkers)
}

// hyperPlay is one way to play a whole roll on a board without opponent: where it
// leads, and the points that a checker touched after one of its steps, in the
// view of the mover. Ways to the same placement over different points are
// different plays, because they may hit or be blocked.
type hyperPlay struct {
	touched uint32
	to      uint16
}

// hyperPlays lists them for each placement and roll. At most three checkers a side
// hold one point, so for nearly all pairs that is the list of legal plays. It is
// made once for all opponents and rounds.
type hyperPlays struct {
	starts []uint32 // 21 for each placement, and one behind the last
	all    []hyperPlay
}

func listHyperPlays(all []board.Checkers) *hyperPlays {
	p := &hyperPlays{starts: make([]uint32, 0, len(board.Rolls)*len(all)+1)}
	type way struct {
		c       board.Checkers
		touched uint32
	}
	step := func(dst []way, w way, die int) []way {
		rear := w.c.Rearmost()
		if rear < 0 {
			return append(dst, w) // nothing left to play with
		}
		for from := rear; from >= 0; from-- {
			if w.c[from] == 0 {
				continue
			}
			to, next := from-die, w
			next.c[from]--
			switch {
			case to >= 0:
				next.c[to]++
				next.touched |= 1 << to
			case rear >= 6 || to < -1 && from != rear:
				continue // may not be borne off
			}
			dst = append(dst, next)
			if from == board.Bar {
				break // a checker on the bar enters first
			}
		}
		return dst
	}
	var now, next []way
	var found []hyperPlay
	for _, c := range all {
		for _, roll := range board.Rolls {
			p.starts = append(p.starts, uint32(len(p.all)))
			a, b := int(roll.Dice.A), int(roll.Dice.B)
			orders := [][]int{{a, b}, {b, a}}
			if a == b {
				orders = [][]int{{a, a, a, a}}
			}
			found = found[:0]
			for _, dice := range orders {
				now = append(now[:0], way{c: c})
				for _, die := range dice {
					next = next[:0]
					for _, w := range now {
						next = step(next, w, die)
					}
					now, next = next, now
				}
				for _, w := range now {
					found = append(found, hyperPlay{w.touched, uint16(sparseIndex(&w.c))})
				}
			}
			slices.SortFunc(found, func(a, b hyperPlay) int {
				return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.touched, b.touched))
			})
			p.all = append(p.all, slices.Compact(found)...)
		}
	}
	p.starts = append(p.starts, uint32(len(p.all)))
	return p
}

// of returns the plays of placement x with a roll, by its place in board.Rolls.
func (p *hyperPlays) of(x uint32, roll int) []hyperPlay {
	k := int(x)*len(board.Rolls) + roll
	return p.all[p.starts[k]:p.starts[k+1]]
}

// hyperTarget is an opponent's placement as the mover meets it.
type hyperTarget struct {
	blots, blocked uint32 // points, in the mover's view
	// hit is the placement after hits: one bit a blot, the lowest point first.
	hit [8]uint32
}

func listHyperTargets(all []board.Checkers) []hyperTarget {
	out := make([]hyperTarget, len(all))
	for y := range all {
		t := &out[y]
		var blots []int
		for i := 23; i >= 0; i-- { // the mover's lowest point first
			switch n := all[y][i]; {
			case n > 1:
				t.blocked |= 1 << (23 - i)
			case n == 1:
				t.blots |= 1 << (23 - i)
				blots = append(blots, i)
			}
		}
		for set := range uint32(1) << len(blots) {
			c := all[y]
			for k, i := range blots {
				if set>>k&1 == 1 {
					c[i]--
					c[board.Bar]++
				}
			}
			t.hit[set] = sparseIndex(&c)
		}
	}
	return out
}

// after is the opponent's placement when a play has touched those points.
func (t *hyperTarget) after(touched uint32) uint32 {
	hit := touched & t.blots
	if hit == 0 {
		return t.hit[0]
	}
	set, left := uint32(0), t.blots
	for bit := uint32(1); left != 0; bit <<= 1 {
		lowest := left & -left
		if hit&lowest != 0 {
			set |= bit
		}
		left ^= lowest
	}
	return t.hit[set]
}
