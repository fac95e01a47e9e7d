package play

import (
	"errors"
	"fmt"

	"fibsbot/engine/board"
)

// ErrLater means that acts after a corrected one no longer fit.
var ErrLater = errors.New("the acts after it no longer fit")

// me is the side that decides in displays: You, or whoever is to act in a match of two
// people.
func (s *state) me() int {
	if s.opts.Two {
		return s.turn
	}
	return You
}

// force makes a play as it was made on the board, legal or not. It fails only if the
// checkers cannot be moved so.
func force(p board.Position, text string) (board.Position, []board.Step, error) {
	steps, err := board.ParseSteps(text)
	if err != nil {
		return p, nil, err
	}
	for _, st := range steps {
		switch {
		case p.Me[st.From] == 0:
			return p, nil, fmt.Errorf("%w: no checker on %d", board.ErrBadPlay, st.From+1)
		case st.To >= 0 && p.Opp[23-st.To] > 1:
			return p, nil, fmt.Errorf("%w: the other side holds point %d", board.ErrBadPlay, st.To+1)
		}
		p.Me[st.From]--
		if st.To < 0 {
			continue
		}
		p.Me[st.To]++
		if p.Opp[23-st.To] == 1 {
			p.Opp[23-st.To] = 0
			p.Opp[board.Bar]++
		}
	}
	return p, steps, nil
}

// illegal makes an illegal play, which matches of two people may record. A play that is
// legal loses its mark.
func (s *state) illegal(a *Act) (after board.Position, steps []board.Step, err error) {
	p := s.situation(a.Side).Position
	if !s.opts.Two {
		return p, nil, fmt.Errorf("%w: illegal plays are recorded only in a match of two people", ErrNotNow)
	}
	if after, steps, err = force(p, a.Play); err != nil {
		return p, nil, err
	}
	a.Play = board.FormatSteps(p, steps)
	plays := s.opts.rules().AppendPlays(nil, p, s.dice)
	a.Illegal = len(steps) > 0 || len(plays) > 0
	for i := range plays {
		if plays[i].Result == after {
			a.Illegal = false
		}
	}
	return after, steps, nil
}

// Correction changes an earlier act of a match of two people.
type Correction struct {
	// Act is the number of the act, Entry.Number.
	Act int `json:"act"`
	// Dice of a roll, or of the roll before a Move; zero leaves them.
	Dice [2]uint8 `json:"dice,omitzero"`
	// Play of a Move; nil leaves it.
	Play *string `json:"play,omitempty"`
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
	acts := append([]Act(nil), m.acts...)
	first := c.Act
	if c.Play != nil {
		if acts[c.Act].Kind != Move {
			return fmt.Errorf("%w: act %d is not a play", ErrNotNow, c.Act)
		}
		acts[c.Act].Play, acts[c.Act].Illegal = *c.Play, false
	}
	if c.Dice != [2]uint8{} {
		for first >= 0 && acts[first].Dice == [2]uint8{} {
			first--
		}
		if first < 0 {
			return fmt.Errorf("%w: act %d has no dice", ErrNotNow, c.Act)
		}
		d := c.Dice
		if acts[first].Kind == Start && d[0] < d[1] {
			d[0], d[1] = d[1], d[0] // the winner stays
		}
		acts[first].Dice = d
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
		case i <= c.Act:
			return err
		case !c.Cut:
			return fmt.Errorf("%w: %s %s", ErrLater, a.Kind, a.Play)
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
