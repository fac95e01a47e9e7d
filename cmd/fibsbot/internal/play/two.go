package play

import (
	"fmt"

	"fibsbot/engine/board"
)

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
