package prunefit

import (
	"math"
	"math/rand/v2"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/search"
	"fibsbot/internal/kernel"
)

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
		t.s[i] = float64(kernel.Rectified(t.out, t.base, n.Rows[:], t.changes[i]))
	}
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
