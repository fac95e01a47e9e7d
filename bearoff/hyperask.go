package bearoff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

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
