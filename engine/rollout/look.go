package rollout

import (
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/search"
)

// breadth selects the plays of a roll that the nets judge.
type breadth int

const (
	// wide judges the plays that could be the best: a play is chosen.
	wide breadth = iota
	// narrow judges the short list alone: what a roll is worth is estimated.
	narrow
	// both chooses as wide does and estimates by the short list.
	both
)

// lookahead is the short list with contact. A missed play makes the estimate
// of luck a little noisier but not biased, because the mean over the rolls misses it as well. The small net's two or three best give a smaller standard error than Pubeval's
// six best.
var lookahead = search.Narrowing{Least: 2, Most: 3, Margin: 0.03}

// choice is a play: the position after it, still from the mover's view, and the
// mover's chances there.
type choice struct {
	next  board.Position
	probs eval.Probs
}

// best returns the best play of a roll by static evaluation, and what the roll is
// worth to the mover.
func (g *player) best(p *board.Position, roll board.Dice, v *view, look breadth) (choice, sample) {
	g.plays, g.listed = g.plays[:0], g.listed[:0]
	g.list(p, roll, v, look)
	return g.choose(p, 0, v, g.judge())
}

// view is what a decision is valued by: the ladders of the mover and of the opponent, the
// mover's cube and the utility of chances.
type view struct {
	mover, other *cube.Ladder
	spot         cube.Spot
	weights      [6]float64
	// danced and lost are the outcome of a roll without a legal play, once known.
	dances bool
	danced choice
	lost   sample
}

func (g *player) view(l *cube.Ladder, spot cube.Spot) view {
	other := g.ladders[0]
	if l == other {
		other = g.ladders[1]
	}
	return view{mover: l, other: other, spot: spot, weights: l.Weights(spot)}
}

// listing is which of the player's plays are those of a roll, and how many of them, the
// first, are the short list.
type listing struct{ from, to, short int }

// list adds the plays of a roll at p to those to be judged.
func (g *player) list(p *board.Position, roll board.Dice, v *view, look breadth) {
	from := len(g.plays)
	g.plays = g.job.rules.AppendPlays(g.plays, *p, roll)
	if look != narrow && p.Contact() && g.job.rules.Checkers == 0 {
		g.plays = g.plays[:from+g.rank(p, g.plays[from:], &v.weights, search.First)]
	}
	n := len(g.plays) - from
	if look != wide && n > 0 {
		n = g.shortlist(p, g.plays[from:], &v.weights)
		if look == narrow {
			g.plays = g.plays[:from+n]
		}
	}
	g.listed = append(g.listed, listing{from, len(g.plays), n})
}

// judge evaluates the listed positions.
func (g *player) judge() []eval.Probs {
	if cap(g.probs) < len(g.plays) {
		g.probs = make([]eval.Probs, 2*len(g.plays))
	}
	probs := g.probs[:len(g.plays)]
	eval.EvalReplies(g.eval, g.plays, len(g.listed), probs)
	return probs
}

// choose returns the best play of the i-th roll listed and the value of the roll to the mover.
// If look is both, the play is chosen among more plays but the value is that of the short list:
// the luck of the roll thrown must be measured like that of the others, or it is biased.
func (g *player) choose(p *board.Position, i int, w *view, probs []eval.Probs) (play choice, v sample) {
	l := g.listed[i]
	plays, probs := g.plays[l.from:l.to], probs[l.from:l.to]
	if len(plays) == 0 {
		if !w.dances {
			g.after = p.Swap()
			pr := g.eval.Eval(&g.after)
			v, _ = g.look(&g.after, &pr, w.other, w.spot.Swap())
			w.dances, w.danced, w.lost = true, choice{*p, pr.Invert()}, v.inverted()
		}
		return w.danced, w.lost
	}
	at, first := 0, 0 // the best of all and of the short list
	top, firstTop := 0.0, 0.0
	for i := range plays {
		u := g.worth(&plays[i], &probs[i], w)
		// If the opponent cashes after every play, the chances decide.
		if i == 0 || u > top || u == top && cubeless(&w.weights, &probs[i]) > cubeless(&w.weights, &probs[at]) {
			at, top = i, u
		}
		if i == 0 || i < l.short && (u > firstTop || u == firstTop && cubeless(&w.weights, &probs[i]) > cubeless(&w.weights, &probs[first])) {
			first, firstTop = i, u
		}
	}
	pr := &probs[first]
	for k := range pr {
		v[k] = float64(pr[k])
	}
	v[outCubeful] = firstTop
	v[outCubeless] = w.mover.Plain(pr)
	return choice{plays[at].Result, probs[at]}, v
}

// worth is the mover's utility after a play with the given chances.
func (g *player) worth(play *board.Play, pr *eval.Probs, v *view) float64 {
	if !g.job.settings.Cubeful || play.Result.Me.Count() == 0 {
		return cubeless(&v.weights, pr)
	}
	theirs := pr.Invert()
	g.after = play.Result.Swap()
	u, _ := g.cubeful(&g.after, &theirs, v.other, v.spot.Swap())
	return -u
}

// cubeless is the utility of chances with a dead cube.
func cubeless(weights *[6]float64, pr *eval.Probs) float64 {
	u := weights[5]
	for k, c := range pr {
		u += weights[k] * float64(c)
	}
	return u
}

// rank moves the plays of p that the small net likes best to the front and returns how many they are.
func (g *player) rank(p *board.Position, plays []board.Play, weights *[6]float64, by search.Narrowing) int {
	var w [6]float32
	for k := range w {
		w[k] = float32(weights[k])
	}
	return g.ranker.Shortlist(p, plays, &w, by)
}

// shortlist moves the plays of p that look best to the front and returns how
// many they are: by the small net with contact, by a crude count without.
func (g *player) shortlist(p *board.Position, plays []board.Play, weights *[6]float64) int {
	if g.job.rules.Checkers != 0 {
		return len(plays) // looked up
	}
	if p.Contact() {
		return g.rank(p, plays, weights, lookahead)
	}
	return g.ranker.Races(plays)
}
