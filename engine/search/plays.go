package search

import (
	"context"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Candidate is one play and what it is worth.
type Candidate struct {
	Play board.Play
	// Probs are the chances of the mover after the play, the opponent on roll.
	Probs eval.Probs
	// Equity is the mover's normalised equity (EMG) if both sides then handle the cube
	// perfectly, or cubeless if the settings are cubeless. Cubeless is always without a cube.
	Equity, Cubeless float64
	// MWC is the mover's match winning chance; 0 in money play.
	MWC float64
	// Plies is the depth at which this candidate was judged.
	Plies int
	// Trials is the number of games of a rollout that judged it instead, 0 without one. A search
	// leaves it at 0. StdErr is the standard error of Equity then.
	Trials int
	StdErr float64
}

// ranking is a set of plays being judged.
type ranking struct {
	question // of the opponent's node after a play: the opponent is its mover
	*standing
	job   job
	state match.State // before the play, the mover on roll
	given Settings    // the question's
}

// Plays ranks all legal plays of a roll, best first; candidates that were judged
// deeper come before shallower ones, in a decided race those that bear off more checkers
// before others that are as good (bearOffFirst). The list is empty if no play is legal. When
// the settings' budget runs out the ranking of the last finished level is
// returned; when ctx ends first, that ranking and an error that wraps ctx.Err().
// Errors about the arguments wrap ErrSettings, match.ErrScore or
// board.ErrIllegalPosition.
func (e *Engine) Plays(ctx context.Context, p board.Position, d board.Dice, st match.State, s Settings) ([]Candidate, error) {
	return e.PlaysBeside(ctx, p, d, st, s, nil)
}

// PlaysBeside is Plays for the judge of a play that was made, which left the position made, for its mover:
// if it is not the best, it is searched to the full depth, and so are the best two.
func (e *Engine) PlaysBeside(ctx context.Context, p board.Position, d board.Dice, st match.State, s Settings, made *board.Position) ([]Candidate, error) {
	r, err := e.ranking(ctx, p, st, &s)
	if err != nil {
		return nil, err
	}
	defer r.job.end()
	r.given = s.drawn(&p, about(d))
	list := r.shallow(&p, d)
	if len(list) == 0 {
		return nil, nil
	}
	if len(list) > 1 && r.given.Plies > 0 && r.deepen(list) && made != nil {
		r.compare(list, made)
	}
	return list, r.job.failed()
}

// Best returns the best legal play of a roll, as Plays ranks them, and how many are legal. At 0 plies with
// contact and without noise the full net judges only those that the small net leaves (First): twice as
// fast for one other choice in 200. Errors are those of Plays.
func (e *Engine) Best(ctx context.Context, p board.Position, d board.Dice, st match.State, s Settings) (best Candidate, legal int, err error) {
	drawn := s.drawn(&p, about(d))
	if drawn.Plies > 0 || s.Noise > 0 || e == nil || e.rules.Checkers != 0 || !p.Contact() {
		list, err := e.Plays(ctx, p, d, st, s)
		if len(list) > 0 {
			best = list[0]
		}
		return best, len(list), err
	}
	r, err := e.ranking(ctx, p, st, &drawn)
	if err != nil {
		return best, 0, err
	}
	defer r.job.end()
	w := r.borrow()
	defer e.giveBack(w)
	w.plays = e.rules.AppendPlays(w.plays[:0], p, d)
	if legal = len(w.plays); legal == 0 {
		return best, 0, nil
	}
	list := r.unsorted(w, w.plays[:w.small.Shortlist(&p, w.plays, &r.reply, First)], w.list)
	w.list = list
	sortCandidates(list)
	bearOffFirst(list)
	return list[0], legal, r.job.failed()
}

// about tells apart the decisions of a position by the roll.
func about(d board.Dice) uint64 { return 1 + uint64(d.Sorted().A)<<8 + uint64(d.Sorted().B) }

// Rate values the given plays of position p at the full depth of the settings, ignoring the
// filter and any Share, and returns them in their own order. It is for analysis, where even a
// poor play that was made is judged. A stopped search leaves the candidates it did not finish
// at 0 plies.
func (e *Engine) Rate(ctx context.Context, p board.Position, plays []board.Play, st match.State, s Settings) ([]Candidate, error) {
	r, err := e.ranking(ctx, p, st, &s)
	if err != nil {
		return nil, err
	}
	defer r.job.end()
	if len(plays) == 0 {
		return nil, nil
	}
	w := r.borrow()
	list := r.unsorted(w, plays, nil)
	e.giveBack(w)
	if s.Plies > 0 {
		r.level(list, s.Plies)
	}
	return list, r.job.failed()
}

func (e *Engine) ranking(ctx context.Context, p board.Position, st match.State, s *Settings) (*ranking, error) {
	if err := e.check(&p, &st, s); err != nil {
		return nil, err
	}
	l, err := e.worth(st)
	if err != nil {
		return nil, err
	}
	r := &ranking{job: e.begin(ctx, s), state: st, given: *s, standing: e.standing(l, s.Cubeful)}
	r.question = question{mover: l.other, other: l.mover, spots: r.standing.spots, settings: &r.given, cubeful: s.Cubeful, money: st.Length == 0}
	r.bearoffs = r.job.bearoffs(&p, l.mover, &st, s, s.Plies, s.Cubeful).swap()
	return r, nil
}

func (r *ranking) plan(depth int) *plan {
	if depth == 0 && r.settings.Noise == 0 && r.settings.Efficiency == nil && r.bearoffs.known == (cube.Known{}) {
		return r.static
	}
	return r.job.engine.newPlan(r.question, depth)
}

// borrow takes a worker for 0 plies.
func (r *ranking) borrow() *worker { return r.job.engine.borrow(r.job.ctx, r.plan(0)) }

// shallow ranks the plays of roll d in p at 0 plies.
func (r *ranking) shallow(p *board.Position, d board.Dice) []Candidate {
	w := r.borrow()
	defer r.job.engine.giveBack(w)
	w.plays = r.job.engine.rules.AppendPlays(w.plays[:0], *p, d)
	list := r.unsorted(w, w.plays, nil)
	sortCandidates(list)
	bearOffFirst(list)
	return list
}

// unsorted values plays at 0 plies, in the memory of list if that is long enough.
func (r *ranking) unsorted(w *worker, plays []board.Play, list []Candidate) []Candidate {
	probs := w.evalPlays(plays)
	if cap(list) < len(plays) {
		list = make([]Candidate, len(plays))
	}
	list = list[:len(plays)]
	clear(list)
	after, v := &w.children[0], &w.below
	for i := range plays {
		*after = plays[i].Result.Swap()
		if !w.known(after, 0, v) {
			v.pr = probs[i].Invert()
			w.leaf(after, v)
		}
		list[i].Play = plays[i]
		r.set(&list[i], after, v, 0)
	}
	return list
}

// set stores the value v of the opponent's node, the position after c's play.
func (r *ranking) set(c *Candidate, after *board.Position, v *value, plies int) {
	u := -r.top.best(v.u[:], after)
	c.Probs, c.Plies = v.pr.Invert(), plies
	c.Equity = r.emg(u)
	c.Cubeless = r.emg(cube.Weigh(&r.plain, &c.Probs))
	if !r.money {
		c.MWC = (u + 1) / 2
	}
}

func (r *ranking) emg(u float64) float64 {
	if r.money {
		return u
	}
	return r.job.engine.table.EMG(r.state, (u+1)/2)
}

// deepen searches list, ranked at 0 plies, down to the depth of the settings,
// level by level, leaving behind at each what the filter drops. A play left behind that
// leads those that were searched is searched after all: what all plays have in common, as
// what the cube is worth, may look different a ply deeper. It reports whether the time was enough.
func (r *ranking) deepen(list []Candidate) bool {
	cuts := r.settings.cuts()
	n := len(list)
	for k, cut := range cuts {
		if cut.Accept >= 0 {
			n = cut.keep(list[:n])
		}
		next := k + 1
		if next < len(cuts) && cuts[next].Accept < 0 {
			continue
		}
		// A play without a rival is looked at once more only where that costs next to nothing.
		if n == 1 && (next > 1 || next == len(cuts)) {
			return true
		}
		if !r.level(list[:n], next) {
			return false
		}
		sortCandidates(list[:n])
		var ok bool
		if n, ok = r.leaders(list, n, next); !ok {
			return false
		}
		bearOffFirst(list[:n])
	}
	return true
}

// leaders searches to depth the plays behind the first n of list, best first, that lead them, one by one,
// and returns how many are searched then and whether the time was enough.
func (r *ranking) leaders(list []Candidate, n, depth int) (int, bool) {
	for {
		lead := 0
		for i := n; i < len(list); i++ {
			if list[i].Equity > list[lead].Equity {
				lead = i
			}
		}
		if lead < n {
			return n, true
		}
		c := list[lead]
		copy(list[n+1:lead+1], list[n:lead])
		list[n] = c
		if !r.level(list[n:n+1], depth) {
			return n, false
		}
		n++
		sortCandidates(list[:n])
	}
}

// compare searches to the full depth, of list as deepen leaves it, the play that made a position and the
// best two, as far as they are shallower, if that play is not the best.
func (r *ranking) compare(list []Candidate, made *board.Position) {
	depth := r.settings.Plies
	at := slices.IndexFunc(list, func(c Candidate) bool { return c.Play.Result == *made })
	if at <= 0 || list[at].Plies == depth {
		return
	}
	n := 0 // those of the full depth come first
	for n < len(list) && list[n].Plies == depth {
		n++
	}
	c, from := list[at], n
	n = max(n, min(2, at))
	copy(list[n+1:at+1], list[n:at])
	list[n] = c
	n++
	if !r.level(list[from:n], depth) {
		return
	}
	sortCandidates(list[:n])
	n, _ = r.leaders(list, n, depth)
	bearOffFirst(list[:n])
}

// level judges all of list at depth; it reports whether it finished and changes
// nothing when it did not, so that no two depths are compared.
func (r *ranking) level(list []Candidate, depth int) bool {
	positions := make([]board.Position, len(list))
	for i := range list {
		positions[i] = list[i].Play.Result.Swap()
	}
	out := make([]value, len(list))
	if !r.job.nodes(r.plan(depth), depth, positions, out) {
		return false
	}
	for i := range list {
		r.set(&list[i], &positions[i], &out[i], depth)
	}
	return true
}

// keep returns how many of list, best first, pass the cut; at least one.
func (c Cut) keep(list []Candidate) int {
	n := min(c.Accept, len(list))
	for limit := min(n+c.Extra, len(list)); n < limit; n++ {
		if list[0].Equity-list[n].Equity > c.Threshold {
			break
		}
	}
	return max(n, 1)
}

// Settled reports whether a search with these settings goes no deeper than plies with a list
// whose best play is margin (EMG) ahead of the second: the filter sees no rival for it there.
func (s *Settings) Settled(plies int, margin float64) bool {
	cuts := s.cuts()
	if plies < 0 || plies >= len(cuts) {
		return plies >= s.Plies
	}
	c := cuts[plies]
	if plies == 0 && len(cuts) > 1 && cuts[1].Accept >= 0 {
		return false // a look at 1 ply costs so little that even a play without a rival gets it
	}
	return c.Accept >= 0 && c.keep([]Candidate{{Equity: margin}, {}}) == 1
}

// place is where a candidate stood, and by what it is ordered.
type place struct {
	equity float64
	index  int
}

// before reports whether a comes before b; not by cmp.Compare: there are no NaNs, and it asks
// for them each time.
func (a place) before(b place, list []Candidate) bool {
	return a.equity > b.equity || a.equity == b.equity && a.beforeEqual(b, list)
}

func (a place) beforeEqual(b place, list []Candidate) bool {
	if x, y := list[a.index].Cubeless, list[b.index].Cubeless; x != y {
		return x > y
	}
	return a.index < b.index
}

// decidedFrom is the winning chance of a decided game's likely winner.
const decidedFrom = 0.995

// decidedTie is how much better (EMG) a play of a decided race must be to come before one
// that bears off more checkers.
const decidedTie = 0.0005

// decided reports whether a race is decided: win is the winning chance of a player.
func decided(win float32) bool { return win >= decidedFrom || win <= 1-decidedFrom }

// bearOffFirst puts the plays of a decided race that are as good as the best of list, at its
// depth, in order of the checkers that they bear off. list is sorted.
func bearOffFirst(list []Candidate) {
	if len(list) < 2 || list[0].Play.Result.Contact() || !decided(list[0].Probs[eval.Win]) {
		return
	}
	n := 1
	for n < len(list) && list[n].Plies == list[0].Plies && list[0].Equity-list[n].Equity <= decidedTie && !list[n].Play.Result.Contact() {
		n++
	}
	slices.SortStableFunc(list[:n], func(a, b Candidate) int {
		return a.Play.Result.Me.Count() - b.Play.Result.Me.Count()
	})
}

// sortCandidates orders by equity; among equals, as where the opponent cashes
// after every play, by cubeless equity, then by the generator's order. Candidates are
// large, so their places are sorted and each moves once.
func sortCandidates(list []Candidate) {
	var room [64]place
	order := room[:0]
	for i := range list {
		order = append(order, place{list[i].Equity, i})
	}
	if len(order) > len(room) {
		slices.SortFunc(order, func(a, b place) int {
			switch {
			case a.before(b, list):
				return -1
			case b.before(a, list):
				return 1
			}
			return 0
		})
	} else { // without a call for every comparison, which takes most of the time of so few
		for i := 1; i < len(order); i++ {
			at, p := i, order[i]
			for ; at > 0 && p.before(order[at-1], list); at-- {
				order[at] = order[at-1]
			}
			order[at] = p
		}
	}
	for i := range order {
		if order[i].index < 0 {
			continue // moved with an earlier one
		}
		first, to := list[i], i
		for {
			from := order[to].index
			order[to].index = -1
			if from == i {
				list[to] = first
				break
			}
			list[to] = list[from]
			to = from
		}
	}
}
