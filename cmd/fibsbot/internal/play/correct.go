package play

import (
	"errors"
	"fmt"
	"slices"
)

// ErrLater means that acts after a corrected one no longer fit.
var ErrLater = errors.New("the acts after it no longer fit")

// Correction changes an earlier act of a match of two people.
type Correction struct {
	// Act is the number of the act, Entry.Number.
	Act int `json:"act"`
	// Dice of a roll, or of the roll before a Move; zero leaves them.
	Dice [2]uint8 `json:"dice,omitzero"`
	// Play of a Move; nil leaves it.
	Play *string `json:"play,omitempty"`
	// Kind of an answer to a double: Take, Drop, Beaver or Raccoon; "" leaves it.
	Kind Kind `json:"kind,omitempty"`
	// Remove takes out a Double with the answers to it.
	Remove bool `json:"remove,omitempty"`
	// Doubled puts a double, and a take, before the roll of the act.
	Doubled bool `json:"doubled,omitempty"`
	// Cut drops the acts that no longer fit instead of failing.
	Cut bool `json:"cut,omitempty"`
}

// Correct changes an earlier act and makes the later ones again. A later play that is no
// longer legal but can be moved is marked illegal. The error wraps ErrLater if one cannot,
// board.ErrBadPlay or ErrNotNow if the correction itself is impossible; then nothing
// changes. version as in Do.
func (m *Match) Correct(c Correction, version int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case version >= 0 && version != m.version:
		return ErrStale
	case !m.opts.Two:
		return fmt.Errorf("%w: only a match of two people can be corrected (undo takes acts back)", ErrNotNow)
	case c.Act < 0 || c.Act >= len(m.acts):
		return fmt.Errorf("%w: no act %d", ErrNotNow, c.Act)
	}
	acts, first, last, err := c.changed(m.acts)
	if err != nil {
		return err
	}
	st := newState(&m.opts)
	for i := range acts {
		a := acts[i]
		err := st.apply(&a)
		if err != nil && a.Kind == Move && i >= first {
			a = acts[i]
			a.Illegal = true
			err = st.apply(&a)
		}
		switch {
		case err == nil:
		case i <= last:
			return err
		case !c.Cut:
			return fmt.Errorf("%w: %s %s", ErrLater, a.Kind.word(), a.Play)
		}
		if err != nil {
			acts = acts[:i]
			break
		}
		acts[i] = a
	}
	m.acts, m.state = acts, st
	m.version++
	return nil
}

// changed returns a corrected copy of the acts, of which those from first to last are the
// correction.
func (c *Correction) changed(list []Act) (acts []Act, first, last int, err error) {
	acts, first, last = slices.Clone(list), c.Act, c.Act
	a := &acts[c.Act]
	answer := a.Kind == Take || a.Kind == Drop || a.Kind == Beaver || a.Kind == Raccoon
	switch {
	case c.Play != nil && a.Kind != Move:
		return nil, 0, 0, fmt.Errorf("%w: act %d is not a play", ErrNotNow, c.Act)
	case c.Kind != "" && !answer:
		return nil, 0, 0, fmt.Errorf("%w: act %d is not an answer to a double", ErrNotNow, c.Act)
	case c.Kind != "" && c.Kind != Take && c.Kind != Drop && c.Kind != Beaver && c.Kind != Raccoon:
		return nil, 0, 0, fmt.Errorf("%w: %q is not an answer to a double (use take, drop, beaver or raccoon)", ErrNotNow, c.Kind)
	case c.Remove && a.Kind != Double:
		return nil, 0, 0, fmt.Errorf("%w: act %d is not a double", ErrNotNow, c.Act)
	}
	if c.Play != nil {
		a.Play, a.Illegal = *c.Play, false
	}
	if c.Kind != "" {
		a.Kind = c.Kind
	}
	if c.Dice != [2]uint8{} || c.Doubled {
		for first >= 0 && acts[first].Dice == [2]uint8{} {
			first--
		}
		if first < 0 {
			return nil, 0, 0, fmt.Errorf("%w: act %d has no dice", ErrNotNow, c.Act)
		}
	}
	if d := c.Dice; d != [2]uint8{} {
		if acts[first].Kind == Start && d[0] < d[1] {
			d[0], d[1] = d[1], d[0] // the winner stays
		}
		acts[first].Dice = d
	}
	switch {
	case c.Remove:
		end := c.Act + 1
		for end < len(acts) && (acts[end].Kind == Beaver || acts[end].Kind == Raccoon) {
			end++
		}
		if end < len(acts) && (acts[end].Kind == Take || acts[end].Kind == Drop) {
			end++
		}
		acts, last = slices.Delete(acts, c.Act, end), c.Act-1
	case c.Doubled:
		if acts[first].Kind != Roll {
			return nil, 0, 0, fmt.Errorf("%w: no one doubles before the opening roll", ErrNotNow)
		}
		side := acts[first].Side
		if first > 0 && acts[first-1].Kind == Roll { // announced before its dice
			first--
		}
		acts, last = slices.Insert(acts, first, Act{Kind: Double, Side: side}, Act{Kind: Take, Side: 1 - side}), c.Act+2
	}
	return acts, first, last, nil
}
