package search

import (
	"context"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/internal/yield"
)

// worker walks the tree for one goroutine.
type worker struct {
	engine *Engine
	ev     Evaluator
	small  *Ranker
	plan   *plan
	// ctx ends the walk. It is asked before every roll, and directly: a flag set
	// by a goroutine of its own would wait for a processor that the workers keep
	// busy.
	ctx context.Context

	plays []board.Play
	probs []eval.Probs
	spots [maxSpots]float64
	// answers holds, by depth, how the rolls of the node being looked at are played.
	answers [MaxPlies + 1][]answer
	// children holds, by depth, the position being looked at: one that lived on
	// the stack would be moved to the heap by the calls through interfaces.
	children [MaxPlies + 1]board.Position
	below    value       // of the last such position at 0 plies
	list     []Candidate // of Best
	// danced holds, by depth, what the present node is worth after a roll that
	// cannot be played: the same for all such rolls.
	danced [MaxPlies + 1]struct {
		known bool
		v     value
	}
}

// node fills out with the value, to p.Me on roll, of p with depth plies to go.
// It returns false when the search was stopped; out is then meaningless.
func (w *worker) node(p *board.Position, depth int, out *value) bool {
	if w.known(p, depth, out) {
		return true
	}
	if depth == 0 {
		out.pr = w.ev.Eval(p)
		w.plan.noise.add(p, &out.pr)
		w.leaf(p, out)
		return true
	}
	y := &w.plan.layers[depth]
	a, b := hashPosition(p)
	a = mix(a, y.context, 0)
	if w.engine.remembered(a, b, out) {
		return true
	}
	var sum accumulator
	w.danced[depth].known = false
	if !w.replies(p, depth) {
		return false
	}
	for i := range w.plan.rolls {
		var child value
		if !w.answered(&w.answers[depth][i], depth, &child) {
			return false
		}
		sum.add(&child, w.plan.rolls[i].weight, len(y.spots))
	}
	w.danced[depth].known = false
	sum.finish(out, len(y.spots))
	w.engine.remember(a, b, out)
	return true
}

// accumulator adds up the rolls of a node in float64.
type accumulator struct {
	pr [5]float64
	u  [maxSpots]float64
}

func (s *accumulator) add(v *value, weight float64, spots int) {
	for i, x := range v.pr {
		s.pr[i] += weight * float64(x)
	}
	for i := range spots {
		s.u[i] += weight * float64(v.u[i])
	}
}

func (s *accumulator) finish(out *value, spots int) {
	for i, x := range s.pr {
		out.pr[i] = float32(x)
	}
	for i := range spots {
		out.u[i] = float32(s.u[i])
	}
}

// answer is how a roll is played: the position after it, the opponent on roll, and the
// mover's chances there. Where no play is legal, played is false and the chances are
// unknown.
type answer struct {
	after  board.Position
	pr     eval.Probs
	played bool
	end    int // where its plays end among those of all rolls
}

// roll fills out with what p with depth plies to go is worth to p.Me once roll
// number i was thrown and played best. It returns false when the search was
// stopped.
func (w *worker) roll(p *board.Position, depth, i int, out *value) bool {
	yield.Now()
	if w.ctx.Err() != nil {
		return false
	}
	var a answer
	w.plays = w.listed(w.plays[:0], p, i, depth)
	a.choose(p, w.plays, w.evalPlays(w.plays), &w.plan.layers[depth])
	return w.answered(&a, depth, out)
}

// answered fills out with what the node with depth plies to go is worth once a roll was
// answered by a.
func (w *worker) answered(a *answer, depth int, out *value) bool {
	var below value
	dance := &w.danced[depth]
	if !a.played && dance.known {
		*out = dance.v
		return true
	}
	child := &w.children[depth]
	*child = a.after
	if depth == 1 && a.played {
		if !w.known(child, 0, &below) {
			below.pr = a.pr.Invert()
			w.leaf(child, &below)
		}
	} else if !w.node(child, depth-1, &below) {
		return false
	}
	w.lift(depth, child, &below, out)
	if !a.played {
		dance.known, dance.v = true, *out
	}
	return true
}

// lift turns the value below of a child into that for the player above, with
// depth plies to go there: the other side's view, after the best cube action of
// the player below.
func (w *worker) lift(depth int, child *board.Position, below, out *value) {
	out.pr = below.pr.Invert()
	y := &w.plan.layers[depth]
	for i := range y.links {
		out.u[i] = float32(-y.links[i].best(below.u[:], child))
	}
}

// replies sets the answers at depth to the statically best play of each roll at p. Their
// plays are judged together: those that want the same net follow one another then, and what
// they have in common stays in the processor's nearest cache. It returns false when the
// search was stopped.
func (w *worker) replies(p *board.Position, depth int) bool {
	y, answers := &w.plan.layers[depth], w.answers[depth][:0]
	w.plays = w.plays[:0]
	for i := range w.plan.rolls {
		yield.Now()
		if w.ctx.Err() != nil {
			return false
		}
		w.plays = w.listed(w.plays, p, i, depth)
		answers = append(answers, answer{end: len(w.plays)})
	}
	w.answers[depth] = answers
	probs := w.room(len(w.plays))
	eval.EvalReplies(w.ev, w.plays, len(answers), probs)
	w.disturb(w.plays, probs)
	from := 0
	for i := range answers {
		a := &answers[i]
		a.choose(p, w.plays[from:a.end], probs[from:a.end], y)
		from = a.end
	}
	return true
}

// listed appends to plays those of roll number i at p that could be the best.
func (w *worker) listed(plays []board.Play, p *board.Position, i, depth int) []board.Play {
	from := len(plays)
	plays = w.engine.rules.AppendPlays(plays, *p, w.plan.rolls[i].dice)
	switch {
	case !w.plan.prune:
	case p.Contact():
		by := Replies
		if depth == 1 {
			by = Leaves
		}
		plays = plays[:from+w.small.Shortlist(p, plays[from:], &w.plan.layers[depth].weights, by)]
	case p.Me.Rearmost() > 5 && gammonSaved(p): // bearoffs are looked up
		plays = plays[:from+w.small.Races(plays[from:])]
	}
	return plays
}

// choose sets a to the statically best of the plays of a roll at p.
func (a *answer) choose(p *board.Position, plays []board.Play, probs []eval.Probs, y *layer) {
	if a.played = len(plays) > 0; !a.played {
		a.after = p.Swap()
		return
	}
	best, top := 0, float32(0)
	for i := range probs {
		if u := utility(&y.weights, &probs[i]); i == 0 || u > top {
			best, top = i, u
		}
	}
	a.after, a.pr = plays[best].Result.Swap(), probs[best]
}

// room is the worker's buffer for the chances after n plays.
func (w *worker) room(n int) []eval.Probs {
	if cap(w.probs) < n {
		w.probs = make([]eval.Probs, 2*n)
	}
	return w.probs[:n]
}

// evalPlays evaluates the plays of a roll into the worker's buffer, noise included.
func (w *worker) evalPlays(plays []board.Play) []eval.Probs {
	probs := w.room(len(plays))
	w.ev.EvalPlays(plays, probs)
	w.disturb(plays, probs)
	return probs
}

// disturb adds the noise.
func (w *worker) disturb(plays []board.Play, probs []eval.Probs) {
	if w.plan.noise.deviation == 0 {
		return
	}
	for i := range probs {
		// Noise belongs to the position as the player on roll sees it, so
		// that a position is disturbed alike however it is reached.
		after, pr := plays[i].Result.Swap(), probs[i].Invert()
		if after.Result() == 0 {
			w.plan.noise.add(&after, &pr)
			probs[i] = pr.Invert()
		}
	}
}

func utility(w *[6]float32, pr *eval.Probs) float32 {
	return w[0]*pr[0] + w[1]*pr[1] + w[2]*pr[2] + w[3]*pr[3] + w[4]*pr[4] + w[5]
}

// known answers finished games and positions whose equities are exact, in money play
// by the databases, at a score by an endgame: no search can improve on those.
func (w *worker) known(p *board.Position, depth int, out *value) bool {
	y := &w.plan.layers[depth]
	if points := w.engine.rules.Result(p); points != 0 {
		out.pr = eval.Outcome(points)
		for i, s := range y.spots {
			out.u[i] = float32(y.ladder.Result(s, points))
		}
		return true
	}
	if u := w.spots[:len(y.spots)]; w.plan.known.Values(p, y.other, y.spots, u) {
		if e, ok := w.engine.exact.Exact(p); ok {
			out.pr = e.Probs
			copyFloats(out, u)
			return true
		}
	}
	if w.engine.exact == nil || !w.plan.money || y.ladder.Priced() || !w.plan.cubeful || w.plan.noise.deviation > 0 || w.plan.x >= 0 {
		return false
	}
	e, ok := w.engine.exact.Exact(p)
	if !ok {
		return false
	}
	out.pr = e.Probs
	for i, s := range y.spots {
		out.u[i] = float32(y.ladder.Known(&e, s))
	}
	return true
}

// leaf fills out.u in, from out.pr, the static chances of the player on roll.
func (w *worker) leaf(p *board.Position, out *value) {
	y := &w.plan.layers[0]
	if !w.plan.cubeful {
		for i, s := range y.spots {
			out.u[i] = float32(y.ladder.Cubeless(&out.pr, s))
		}
		return
	}
	w.values(p, y, out)
}

func (w *worker) values(p *board.Position, y *layer, out *value) {
	u := w.spots[:len(y.spots)]
	ladder := y.ladder.For(p)
	x := w.plan.x
	if x < 0 {
		x = w.engine.efficiency.Of(p)
	}
	if w.engine.exact != nil && !w.plan.money && w.plan.x < 0 {
		if e, ok := w.engine.exact.Exact(p); ok {
			// The database's cube knowledge carried into the match; the
			// efficiency depends on who owns the cube.
			for i, s := range y.spots {
				ladder.Values(&out.pr, e.Efficiency(s.Owner, w.engine.efficiency.TwoSided), y.spots[i:i+1], u[i:i+1])
			}
			copyFloats(out, u)
			return
		}
	}
	if w.plan.learned && !ladder.Priced() {
		for i, s := range y.spots {
			ladder.Values(&out.pr, cube.UsualEfficiencyNet().Of(ladder, p, &out.pr, s, x), y.spots[i:i+1], u[i:i+1])
		}
	} else {
		ladder.Values(&out.pr, x, y.spots, u)
	}
	copyFloats(out, u)
}

func copyFloats(out *value, u []float64) {
	for i, x := range u {
		out.u[i] = float32(x)
	}
}
