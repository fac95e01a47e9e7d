package sheet

import (
	"slices"

	"fibsbot/engine/board"
)

// seen is an act of a game that a sentence of the server has announced. A game keeps them
// beside its acts, also those in a hole: no list of moves may lack one. What only a board has
// shown is not among them: that board may be false or late.
type seen struct {
	kind   ActKind // ActRolled, ActPlayed, ActDoubled, ActTook or ActDropped
	side   Side
	dice   board.Dice
	result board.Position // after an ActPlayed, from the mover's view
	gap    bool           // acts may be missing before it
}

// noteSeen keeps an act that was announced.
func (s *Sheet) noteSeen(a Act) {
	if g := s.Current(); g != nil {
		g.seen = append(g.seen, seen{kind: a.Kind, side: a.Side, dice: a.Dice, gap: s.gap || s.hole})
		s.gap = false
	}
}

// notePlaySeen keeps the play of a roll that was announced.
func (s *Sheet) notePlaySeen(a *Act) {
	g := s.Current()
	if n := len(g.seen) - 1; !s.gap && !s.hole && n >= 0 && g.seen[n].rolled(a) {
		g.seen[n].kind, g.seen[n].result = ActPlayed, a.Play.Result
		return
	}
	s.gap = true
}

// dropSeen forgets the last act that was seen if it is of that kind, because the server has
// forgotten it.
func (g *Game) dropSeen(k ActKind) {
	if n := len(g.seen) - 1; n >= 0 && g.seen[n].kind == k {
		g.seen = g.seen[:n]
	}
}

// rolled reports whether o is the roll of a, not played yet.
func (o *seen) rolled(a *Act) bool {
	return o.kind == ActRolled && o.side == a.Side && o.dice.Sorted() == a.Dice.Sorted()
}

// is reports whether a is the act that was seen.
func (o *seen) is(a *Act) bool {
	switch o.kind {
	case ActRolled:
		return (a.Kind == ActPlayed || a.Kind == ActRolled) && o.rolled(a)
	case ActPlayed:
		return a.Kind == ActPlayed && o.side == a.Side && o.dice.Sorted() == a.Dice.Sorted() && o.result == a.Play.Result
	}
	return a.Kind == o.kind && a.Side == o.side
}

// span is a stretch of acts, counted from 0: those before from were seen, and so was act to.
type span struct{ from, to int }

// seenIn reports whether everything that was seen of g stands in acts, in order, and with other
// rolls in between or behind only where some may be missing. Those places are unseen.
func (s *Sheet) seenIn(g *Game, acts []Act) (unseen []span, ok bool) {
	if len(g.seen) > len(acts) {
		return nil, false
	}
	// turns[i] counts the rolls among the first i acts.
	turns := make([]int, len(acts)+1)
	for i := range acts {
		turns[i+1] = turns[i]
		if k := acts[i].Kind; k == ActRolled || k == ActPlayed {
			turns[i+1]++
		}
	}
	// at[j][i] is not 0 if the first j ones may end with act i-1, and then 1 more than the
	// place of the one before. at[0][0] is the start.
	at := [][]int{make([]int, len(acts)+1)}
	at[0][0] = 1
	for j := range g.seen {
		o, next := &g.seen[j], make([]int, len(acts)+1)
		for i := range acts {
			if !o.is(&acts[i]) {
				continue
			}
			for p := i; p >= 0 && next[i+1] == 0 && (o.gap || turns[p] == turns[i]); p-- {
				if at[j][p] > 0 {
					next[i+1] = p + 1
				}
			}
		}
		at = append(at, next)
	}
	rest, gap := turns[len(acts)], s.gap || s.hole
	if k := len(acts) - 1; acts[k].Kind == ActRolled {
		rest-- // the board has shown it
	}
	p := len(acts)
	for p >= 0 && (at[len(g.seen)][p] == 0 || !gap && turns[p] < rest) {
		p--
	}
	if p < 0 {
		return nil, false
	}
	if gap {
		unseen = append(unseen, span{p, len(acts)})
	}
	for j := len(g.seen) - 1; j >= 0; j-- {
		before := at[j+1][p] - 1
		if g.seen[j].gap {
			unseen = append(unseen, span{before, p - 1})
		}
		p = before
	}
	return unseen, true
}

// clone returns the game with acts of its own.
func (g *Game) clone() Game {
	own := *g
	own.Acts, own.seen = slices.Clone(g.Acts), slices.Clone(g.seen)
	return own
}
