// Package prunefit makes the small net that prunes replies inside the search.
//
// It plays games with the static evaluation, some of them badly, and fits the small net to the full
// net's values of all plays of each roll. Only the order near the top counts, so the loss is the
// divergence between two distributions over the plays of the roll, each a softmax of the plays'
// equities at one temperature: a listwise loss (Cao et al. 2007) under which plays far behind cost
// nothing. Half of the rolls count gammons as in money play, the others at random, so that the outputs
// serve every score.
package prunefit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/search"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/kernel"
)

// Fit is one fit of the small net. The result depends on its settings, the full net and the kernel
// variant of the processor alone.
type Fit struct {
	Start       *search.Small // net to continue from, nil for random weights
	Rolls       int           // rolls to learn from
	Seed        uint64
	Rate        float64 // highest learning rate
	Temperature float64 // of the softmax over a roll's plays, in points
	Plans       float64 // share of games that begin at boards of game plans, 0 to 1
	// Progress is called after each hundredth with the mean divergence of its rolls.
	Progress func(rolls int, divergence float64)
}

// Run fits the net to the values of model and writes it to path, now and then and at the end.
func (f *Fit) Run(ctx context.Context, model *eval.Model, path string) (*search.Small, error) {
	t, g := newTrainer(f.Seed, f.Temperature), newGame(model, f.Seed, f.Plans)
	if f.Start != nil {
		t.w = *f.Start
	}
	var sum float64
	part := max(f.Rolls/100, 1)
	for k := range f.Rolls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, plays, probs := g.next()
		sum += t.learn(&p, plays, probs)
		if (k+1)%batch == 0 {
			t.update(schedule(f.Rate, float64(k)/float64(f.Rolls)))
		}
		if (k+1)%part == 0 {
			f.Progress(k+1, sum/float64(part))
			sum = 0
			if err := save(t.net(), path); err != nil {
				return nil, err
			}
		}
	}
	return t.net(), save(t.net(), path)
}

// Read reads the file of a small net.
func Read(path string) (*search.Small, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return search.ReadSmall(b)
}

func save(n *search.Small, path string) error {
	b, err := n.Bytes()
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, 0o644, b)
}

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

// judged is the number of decisions that Measure looks at.
const judged = 20000

// Measure says what the shortlist of a small net keeps and loses on decisions drawn from inside 2-ply
// searches of games that it did not learn from.
func Measure(model *eval.Model, net *search.Small, seed uint64, plans float64) string {
	var n, missed, all, kept int
	var lost float64
	g := newGame(model, seed+1<<32, plans)
	ranker := search.NewRanker(net)
	for ; n < judged; n++ {
		p, plays, probs := g.inside()
		w := score(g.r)
		top := utility(&w, &probs[best(probs, &w)])
		keep := ranker.Shortlist(&p, plays, &w, search.Replies)
		g.ev.EvalPlays(plays[:keep], probs[:keep])
		loss := top - utility(&w, &probs[best(probs[:keep], &w)])
		all += len(plays)
		kept += keep
		// The full net's sums differ in the last digits with the order of plays.
		if loss > 1e-5 {
			missed++
			lost += float64(loss)
		}
	}
	return fmt.Sprintf("%d decisions inside 2-ply searches: %.2f of %.1f plays kept, the best missed in %.2f %%, %.6f points lost on the mean",
		n, float64(kept)/judged, float64(all)/judged, 100*float64(missed)/judged, lost/judged)
}

const (
	hidden = search.SmallHidden
	before = search.SmallContext // inputs of the position before the play
	// batch is how many rolls make one step of the optimiser.
	batch = 32
	// warmUp is the number of steps in which the rate rises.
	warmUp = 500
)

// schedule is the learning rate after a share done of the rolls: half a cosine.
func schedule(rate, done float64) float64 { return rate * (1 + math.Cos(math.Pi*done)) / 2 }

// trainer fits by Adam.
type trainer struct {
	w, grad, mean, square search.Small
	r                     *rand.Rand
	steps                 int
	// temperature of the softmax over a roll's plays, in points.
	temperature float64

	// Of the present roll: rows on before the play and those each play changes; the context's values as rows
	// of the gates; sums before any play; gates; output row with weights, and with the gates too.
	rows, open             []kernel.Row
	changes                [][]kernel.Row
	base, gate, plain, out []float32
	// Scores by the small net and utilities by the full one.
	s, u []float64
}

func newTrainer(seed uint64, temperature float64) *trainer {
	t := &trainer{temperature: temperature, r: rand.New(rand.NewPCG(seed, 1))}
	for i := range t.w.Rows {
		t.w.Rows[i] = float32(t.r.NormFloat64() * 0.1)
	}
	for o := range t.w.Out {
		for k := range t.w.Out[o] {
			t.w.Out[o][k] = float32(t.r.NormFloat64() * 0.1)
		}
	}
	for k := range t.w.Bias {
		t.w.Bias[k] = 0.2
	}
	for _, x := range []*[]float32{&t.base, &t.gate, &t.plain, &t.out} {
		*x = make([]float32, hidden)
	}
	return t
}

// net returns the net as it is now.
func (t *trainer) net() *search.Small { n := t.w; return &n }

// forward fills s for the plays of p under weights w.
func (t *trainer) forward(p *board.Position, plays []board.Play, w *[6]float32) {
	n := &t.w
	t.rows = search.AppendSmallRows(t.rows[:0], p)
	kernel.Accumulate(t.base, n.Bias[:], n.Rows[:], t.rows)
	t.open = t.open[:0]
	for j, x := range t.base[:before] {
		if x > 0 {
			t.open = append(t.open, kernel.Row{Offset: uint32(j * hidden), Scale: x})
		}
	}
	for k := range t.gate {
		t.gate[k] = 1
		t.plain[k] = w[eval.Win]*n.Out[0][k] + w[eval.WinGammon]*n.Out[1][k] + w[eval.LoseGammon]*n.Out[2][k]
	}
	kernel.Accumulate(t.gate, t.gate, n.Gate[:], t.open)
	for k := range t.out {
		t.out[k] = t.plain[k] * t.gate[k]
	}
	for len(t.changes) < len(plays) {
		t.changes = append(t.changes, nil)
		t.s, t.u = append(t.s, 0), append(t.u, 0)
	}
	for i := range plays {
		t.changes[i] = search.AppendSmallChanges(t.changes[i][:0], p, &plays[i])
		t.s[i] = t.score(i)
	}
}

// score is the score of a play by its changes.
func (t *trainer) score(play int) (s float64) {
	var sum [hidden]float32
	kernel.Accumulate(sum[:], t.base, t.w.Rows[:], t.changes[play])
	for k, x := range sum {
		s += float64(t.out[k] * max(x, 0))
	}
	return s
}

// softmax turns x into the distribution of its softmax.
func (t *trainer) softmax(x []float64) {
	top, sum := math.Inf(-1), 0.0
	for _, v := range x {
		top = max(top, v)
	}
	for i, v := range x {
		x[i] = math.Exp((v - top) / t.temperature)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// learn adds the gradient of one roll, under weights that it draws, and returns the loss: how far the
// small net's distribution diverges from the full net's. The gradient is that of the loss times the
// temperature.
func (t *trainer) learn(p *board.Position, plays []board.Play, probs []eval.Probs) (loss float64) {
	w := score(t.r)
	t.forward(p, plays, &w)
	s, u := t.s[:len(plays)], t.u[:len(plays)]
	for i := range u {
		u[i] = float64(utility(&w, &probs[i]))
	}
	t.softmax(s)
	t.softmax(u)
	// Gradients by the sums before any play, the output row with the gates, the
	// output row and the gates.
	var dBase, dOut, dPlain, dGate, sum, g [hidden]float32
	for i := range u {
		loss += u[i] * (math.Log(u[i]+1e-12) - math.Log(s[i]+1e-12))
		// No play is left out, however small its share: the gradients of a roll add up to nothing. Otherwise the
		// level that all scores share, which costs nothing, drifts until the sums overflow.
		d := float32(s[i] - u[i])
		kernel.Accumulate(sum[:], t.base, t.w.Rows[:], t.changes[i])
		for k, x := range sum {
			g[k] = 0
			if x > 0 {
				g[k] = d * t.out[k]
				dOut[k] += d * x
			}
			dBase[k] += g[k]
		}
		kernel.AddOuter(t.grad.Rows[:], t.changes[i], g[:])
	}
	for k, x := range dOut {
		dPlain[k], dGate[k] = x*t.gate[k], x*t.plain[k]
		for o, v := range [3]float32{w[eval.Win], w[eval.WinGammon], w[eval.LoseGammon]} {
			t.grad.Out[o][k] += v * dPlain[k]
		}
	}
	kernel.AddOuter(t.grad.Gate[:], t.open, dGate[:])
	for _, r := range t.open {
		var x float32
		for k, v := range t.w.Gate[r.Offset:][:hidden] {
			x += v * dGate[k]
		}
		dBase[r.Offset/hidden] += x
	}
	kernel.AddOuter(t.grad.Rows[:], t.rows, dBase[:])
	for k, x := range dBase {
		t.grad.Bias[k] += x
	}
	return loss
}

// update takes one step of Adam against the gradient of a batch.
func (t *trainer) update(rate float64) {
	t.steps++
	rate *= min(1, float64(t.steps)/warmUp)
	fix1, fix2 := 1-math.Pow(0.9, float64(t.steps)), 1-math.Pow(0.999, float64(t.steps))
	step := kernel.AdamStep{
		Rate: float32(rate * math.Sqrt(fix2) / fix1), NewMean: 0.1, NewSquare: 0.001, Epsilon: 1e-7, Keep: 1, Scale: 1.0 / batch,
	}
	w, m, v, g := parts(&t.w), parts(&t.mean), parts(&t.square), parts(&t.grad)
	for i := range w {
		kernel.Adam(w[i], m[i], v[i], g[i], &step)
	}
}

func parts(n *search.Small) [][]float32 {
	return [][]float32{n.Rows[:], n.Bias[:], n.Gate[:], n.Out[0][:], n.Out[1][:], n.Out[2][:]}
}
