package bearoff

import (
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
	checkers int
	n        uint32
	table    *section
	close    func() error
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

// Checkers returns the number of checkers each side has at the start.
func (h *Hyper) Checkers() int { return h.checkers }

// Close releases the file behind the database.
func (h *Hyper) Close() error {
	if h.close == nil {
		return nil
	}
	return h.close()
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
	h, parts, closer, err := open(path, KindHyper, func(h *header) []int64 {
		if checkHyper(h.Checkers) != nil || h.Points != hyperPoints {
			return nil
		}
		n := int64(Size(hyperPoints, h.Checkers))
		return []int64{n * n * hyperRecord}
	})
	if err != nil {
		return nil, err
	}
	return &Hyper{checkers: h.Checkers, n: uint32(Size(hyperPoints, h.Checkers)), table: parts[0], close: closer}, nil
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
	switch owner {
	case match.Mine:
		owner = match.Theirs
	case match.Theirs:
		owner = match.Mine
	}
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
	slices.SortStableFunc(out, func(a, b HyperPlay) int {
		switch {
		case a.Equity > b.Equity:
			return -1
		case a.Equity < b.Equity:
			return 1
		}
		return 0
	})
	return out, nil
}

func (h *Hyper) missing(p *board.Position) error {
	if h.Damaged() {
		return fmt.Errorf("%w: at %s", ErrDamaged, p.ID())
	}
	return fmt.Errorf("%s is not a position of hypergammon with %d checkers a side", p.ID(), h.checkers)
}
