package ratings

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fibsbot/engine/duel"
	"fibsbot/engine/tune"
)

// Differences identifies a duel that counts not results but the values of the two settings'
// choices where they differ (package duel). The zero value means results as played.
type Differences struct {
	Seed   uint64 `json:"seed"`   // of the duel, instead of the header's
	Trials int    `json:"trials"` // of the rollout behind each difference, at least 1
}

// maxTrials bounds the trials of a duel's rollouts, as the command that makes them
// does.
const maxTrials = 1 << 20

func (d Differences) used() bool { return d != Differences{} }

func (d Differences) valid() bool { return !d.used() || d.Trials >= 1 && d.Trials <= maxTrials }

func (d Differences) compare(o Differences) int {
	// Results as played have no trials and come first.
	return cmp.Or(cmp.Compare(min(d.Trials, 1), min(o.Trials, 1)), cmp.Compare(d.Seed, o.Seed))
}

// Valued is a pair of matches of a duel by differences.
type Valued struct {
	// Edge is the value of the first setting's choices above the other's, as the winning chance of
	// a match: the mean of the two matches.
	Edge  float64
	Games int // in both matches
}

// Import is the outcome of AddDifferences.
type Import struct {
	Cell  Cell    // the duel's, in the order in which it is stored
	Added []Block // new blocks
	There int     // blocks that the store had, with the same content
}

// AddDifferences adds the pairs of a duel between a cell's settings, by their numbers, each as
// a block. It skips pairs that the store has, as after an earlier import of the same duel. It
// changes nothing when it fails. The error wraps ErrResults; ErrDuplicate if known pairs have
// other values; ErrOtherVersion if a preset had other settings. presets are the fingerprints of
// the duel, empty if unknown.
//
// A duel has the same dice when its settings change places, so the cell is stored in one order:
// it cannot be added twice under two names.
func (s *Store) AddDifferences(c Cell, from Differences, presets Fingerprints, pairs map[int]Valued) (Import, error) {
	c = NewCell(c.A, c.B, c.Length)
	sign := 1.0
	if c.A.String() > c.B.String() {
		c.A, c.B, sign = c.B, c.A, -1
		presets[0], presets[1] = presets[1], presets[0]
	}
	out := Import{Cell: c}
	if err := c.Validate(); err != nil {
		return out, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if from.Trials < 1 {
		return out, fmt.Errorf("%w: no duel by differences", ErrResults)
	}
	if err := s.redefined(c, presets); err != nil {
		return out, err
	}
	for _, k := range slices.Sorted(maps.Keys(pairs)) {
		share := 0.5 + sign*pairs[k].Edge
		b := Block{Cell: c, Index: k, Differences: from, Presets: presets, Pairs: 1, Sum: share, Square: share * share, Games: pairs[k].Games}
		if err := b.validate(&s.Header); err != nil {
			return out, err
		}
		if old, there := s.blocks[b.series()][k]; there {
			if !old.agrees(&b) {
				return out, fmt.Errorf("%w: pair %d of %s, seed %d, is there with other values", ErrDuplicate, k, c, from.Seed)
			}
			out.There++
			continue
		}
		out.Added = append(out.Added, b)
	}
	for _, b := range out.Added {
		if err := s.Add(b); err != nil {
			return out, err // impossible: it is valid and new
		}
	}
	return out, nil
}

// agrees reports whether two blocks of the same pairs have the same values. Sums may differ in
// the last bits: another processor may round x*y+z once.
func (b *Block) agrees(o *Block) bool {
	return b.Differences == o.Differences && b.Games == o.Games && math.Abs(b.Sum-o.Sum) < 1e-12 && math.Abs(b.Square-o.Square) < 1e-12
}

// Duel is the log of a duel by differences in matches, ready for
// [Store.AddDifferences].
type Duel struct {
	Header      duel.Header
	Cell        Cell
	Differences Differences
	Presets     Fingerprints // empty in an older log
	Pairs       map[int]Valued
}

// OpenDuel reads the log in the file at path. The error does not name the file.
func OpenDuel(path string) (*Duel, error) {
	l, err := duel.OpenLog(path)
	if err != nil {
		return nil, err
	}
	return valuedDuel(l)
}

// valuedDuel returns what a log says about the strength of settings. The error says why it says
// nothing, such as that of a duel with other engines or without differences.
func valuedDuel(l *duel.Log) (*Duel, error) {
	d := &Duel{Header: l.Header, Pairs: map[int]Valued{}}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	for k, p := range l.Pairs {
		// Half of the mean: edges are on the scale of results, from -1 to 1.
		d.Pairs[k] = Valued{Edge: (p.Edge[0] + p.Edge[1]) / 4, Games: p.Games}
	}
	return d, nil
}

// check reads the header.
func (d *Duel) check() error {
	h := &d.Header
	switch {
	case h.Version == 0:
		return errors.New("not the log of a duel")
	case h.Trials < 1:
		return errors.New("a duel without --differences")
	case h.Length == 0:
		return errors.New("a duel of money games (ratings need matches)")
	case h.Overrides != "":
		return fmt.Errorf("%.40q played with %.60q", h.A, h.Overrides)
	case h.Table != "":
		return fmt.Errorf("a duel by the match equity table %.60q", h.Table)
	case h.Cubeless:
		return errors.New("a duel without the cube")
	}
	for _, side := range [...]struct {
		name string
		to   *tune.Setting
	}{{h.A, &d.Cell.A}, {h.B, &d.Cell.B}} {
		if strings.HasPrefix(side.name, "cmd:") {
			return fmt.Errorf("%.60q is another engine", side.name)
		}
		var err error
		if *side.to, err = tune.ParseSetting(side.name); err != nil {
			return err
		}
	}
	if h.Settings != ([2]string{}) {
		for i, side := range [...]tune.Setting{d.Cell.A, d.Cell.B} {
			if now, err := side.Fingerprint(); err != nil || now != h.Settings[i] {
				return fmt.Errorf("%.40q was redefined since: it played with settings %.16q and has %q now", [...]string{h.A, h.B}[i], h.Settings[i], now)
			}
		}
		d.Presets = d.Cell.Fingerprints()
	}
	d.Cell.Length = h.Length
	d.Differences = Differences{Seed: h.Seed, Trials: h.Trials}
	// Validate the cell in its stored form.
	return NewCell(d.Cell.A, d.Cell.B, d.Cell.Length).Validate()
}

// Take adds the duels to the store and, if all of them are accepted, their blocks to the file in
// one write. paths name the duels in errors.
func (f *File) Take(paths []string, duels []*Duel) (took []Import, err error) {
	var added []Block
	for i, d := range duels {
		in, err := f.Store.AddDifferences(d.Cell, d.Differences, d.Presets, d.Pairs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", paths[i], err)
		}
		added = append(added, in.Added...)
		took = append(took, in)
	}
	if err := f.Keep(added...); err != nil {
		return nil, err
	}
	return took, f.Sync()
}
