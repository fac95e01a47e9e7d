package analyse

import "errors"

// errNoTurn is returned by a Line that knows nothing to do.
var errNoTurn = errors.New("analyse: a Line without a Turn")

// Line has matches wait for their turn: with a crew elsewhere, while it can use the
// pieces of those behind the first. X is what the caller knows of a match.
type Line[X any] struct {
	Analyst *Analyst // nil: nothing is judged
	// Turn is called for each match, in order; later are those that come next. It must be
	// set.
	Turn func(x X, w *Work, later []*Work) error

	items []X
	works []*Work
}

// Add puts a match behind the others; w is nil where nothing is judged. The error is that
// of a Turn.
func (l *Line[X]) Add(w *Work, x X) error {
	ahead := 0
	if l.Analyst != nil && l.Analyst.Crew != nil {
		ahead = l.Analyst.Crew.Ahead()
	}
	l.items, l.works = append(l.items, x), append(l.works, w)
	return l.drain(ahead)
}

// End has the turns of all that wait.
func (l *Line[X]) End() error { return l.drain(0) }

// drain has turns while those behind have at least so many pieces.
func (l *Line[X]) drain(ahead int) error {
	for len(l.items) > 0 {
		have := 0
		for _, w := range l.works[1:] {
			if w != nil {
				have += w.Pieces()
			}
		}
		if have < ahead {
			return nil
		}
		if l.Turn == nil {
			return errNoTurn
		}
		x, w := l.items[0], l.works[0]
		l.items, l.works = l.items[1:], l.works[1:]
		if err := l.Turn(x, w, l.works); err != nil {
			return err
		}
	}
	return nil
}
