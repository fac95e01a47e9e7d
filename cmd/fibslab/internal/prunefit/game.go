package prunefit

import (
	"fmt"
	"math/rand/v2"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/search"
)

// near is how far behind the best a play may be with which a game sometimes continues, in points: the
// width of the normal filter.
const near = 0.16

// game deals rolls of positions in play.
type game struct {
	ev eval.Evaluator
	r  *rand.Rand
	p  board.Position
	on bool
	// planned is the share of games that begin at boards of a plan.
	planned float64
	// wild and loose are the chances, in this game, of a random play and of one
	// near the best.
	wild, loose float64
	plays       []board.Play
	probs       []eval.Probs
	close       []int
}

func newGame(model *eval.Model, seed uint64, planned float64) *game {
	return &game{ev: model.Evaluator(), r: rand.New(rand.NewPCG(seed, 2)), planned: planned}
}

// starts are the plans of planned games: plays that natural games seldom see.
var starts = []train.Plan{train.Prime, train.BackGame, train.Containment, train.BearoffContact, train.Crashed,
	train.MutualBackGame, train.Snake, train.LateHit, train.MassiveBackGame}

// start draws the board at which a game begins.
func (g *game) start() board.Position {
	if g.planned == 0 || g.r.Float64() >= g.planned {
		return board.Start
	}
	return train.StartOf(starts[g.r.IntN(len(starts))], g.r)
}

// next returns the next position with contact, the plays of its roll, at least three, and the full net's
// chances of the mover after each; the slices are valid until the next call.
func (g *game) next() (board.Position, []board.Play, []eval.Probs) {
	for {
		if !g.on || g.p.Result() != 0 || !g.p.Contact() {
			g.p, g.on = g.start(), true
			g.wild, g.loose = 0, 0.1
			switch k := g.r.IntN(10); {
			case k < 3:
				g.loose = 0.6
			case k < 6:
				g.wild = g.r.Float64() * g.r.Float64() * 0.5
			}
		}
		p := g.p
		if !g.roll(p) {
			g.p = p.Swap()
			continue
		}
		pick := best(g.probs, &money)
		switch x := g.r.Float64(); {
		case x < g.wild:
			pick = g.r.IntN(len(g.plays))
		case x < g.wild+g.loose:
			pick = g.rival(pick)
		}
		g.p = g.plays[pick].Result.Swap()
		if len(g.plays) > 2 {
			return p, g.plays, g.probs
		}
	}
}

// roll throws the dice for p and judges all plays; it reports whether there is a play.
func (g *game) roll(p board.Position) bool {
	d := board.Dice{A: uint8(1 + g.r.IntN(6)), B: uint8(1 + g.r.IntN(6))}
	g.plays = board.AppendPlays(g.plays[:0], p, d)
	if cap(g.probs) < len(g.plays) {
		g.probs = make([]eval.Probs, 2*len(g.plays))
	}
	g.probs = g.probs[:len(g.plays)]
	g.ev.EvalPlays(g.plays, g.probs)
	return len(g.plays) > 0
}

// rival is a random one of the plays near the best.
func (g *game) rival(best int) int {
	g.close = g.close[:0]
	for i := range g.probs {
		if g.probs[best].Money()-g.probs[i].Money() < near {
			g.close = append(g.close, i)
		}
	}
	return g.close[g.r.IntN(len(g.close))]
}

// inside returns a decision as a 2-ply search of the next position meets it: after a rival of the best
// play and the opponent's best reply to some roll.
func (g *game) inside() (board.Position, []board.Play, []eval.Probs) {
	// The games use the working memory after it, as it is shared.
	for {
		_, plays, _ := g.next()
		p := plays[g.rival(best(g.probs, &money))].Result.Swap()
		if p.Result() != 0 {
			continue
		}
		if g.roll(p) {
			p = g.plays[best(g.probs, &money)].Result
		}
		p = p.Swap()
		if p.Result() == 0 && p.Contact() && g.roll(p) && len(g.plays) > 2 {
			return p, g.plays, g.probs
		}
	}
}

// money are the weights of a money game without Jacoby.
var money = [6]float32{2, 1, 1, -1, -1, -1}

// score draws weights: money, or those of a match score, where gammons may count nothing or twice as
// much. Winning instead of losing is always worth 2.
func score(r *rand.Rand) [6]float32 {
	if r.IntN(2) == 0 {
		return money
	}
	gammon := func() float32 {
		if r.IntN(4) == 0 {
			return 0
		}
		return 2 * r.Float32() * r.Float32()
	}
	won, lost := gammon(), gammon()
	return [6]float32{2, won, won, -lost, -lost, -1}
}

func utility(w *[6]float32, pr *eval.Probs) float32 {
	return w[0]*pr[0] + w[1]*pr[1] + w[2]*pr[2] + w[3]*pr[3] + w[4]*pr[4] + w[5]
}

func best(probs []eval.Probs, w *[6]float32) int {
	b := 0
	for i := range probs {
		if utility(w, &probs[i]) > utility(w, &probs[b]) {
			b = i
		}
	}
	return b
}

// verdict is what pruning by a net keeps and costs.
type verdict struct {
	n, missed   int
	plays, kept int
	loss        float64
}

// judged is the number of decisions of a verdict.
const judged = 20000

// judge measures a shortlist on decisions inside searches.
func judge(model *eval.Model, net *search.Small, seed uint64, planned float64, by search.Narrowing) verdict {
	var v verdict
	g := newGame(model, seed+1<<32, planned)
	ranker := search.NewRanker(net)
	for v.n < judged {
		p, plays, probs := g.inside()
		w := score(g.r)
		top := utility(&w, &probs[best(probs, &w)])
		keep := ranker.Shortlist(&p, plays, &w, by)
		g.ev.EvalPlays(plays[:keep], probs[:keep])
		loss := top - utility(&w, &probs[best(probs[:keep], &w)])
		v.n++
		v.plays += len(plays)
		v.kept += keep
		// The full net's sums differ in the last digits with the order of plays.
		if loss > 1e-5 {
			v.missed++
			v.loss += float64(loss)
		}
	}
	return v
}

func (v verdict) String() string {
	n := float64(v.n)
	return fmt.Sprintf("%d decisions inside 2-ply searches: %.2f of %.1f plays kept, the best missed in %.2f %%, %.6f points lost on the mean",
		v.n, float64(v.kept)/n, float64(v.plays)/n, 100*float64(v.missed)/n, v.loss/n)
}
