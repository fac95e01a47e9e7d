package train

import (
	"fmt"
	"math"
	"math/rand/v2"

	product "fibsbot/cmd/fibslab/internal/kernel"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/internal/kernel"
)

// Kind says which inputs a net has.
type Kind string

// The kinds of nets: contact nets also judge crashed positions.
const (
	KindContact Kind = "contact"
	KindRace    Kind = "race"
)

// Shape is the architecture of a net in training.
type Shape struct {
	Kind       Kind   `json:"kind"`
	Hidden     int    `json:"hidden"` // a multiple of 32
	Second     int    `json:"second"` // 0, or nn.SecondWidth units after the first layer
	Activation string `json:"activation"`
}

// Inputs returns the number of sparse rows and of computed inputs.
func (s Shape) Inputs() (sparse, dense int) {
	if s.Kind == KindRace {
		return nn.NumRaceSparse, nn.NumRaceDense
	}
	return nn.NumSparse, nn.NumDense
}

// Validate returns an error if no such net can be made.
func (s Shape) Validate() error {
	if s.Kind != KindContact && s.Kind != KindRace {
		return fmt.Errorf("unknown kind of net %q (use contact or race)", s.Kind)
	}
	if s.Hidden < 32 || s.Hidden%32 != 0 || s.Hidden > nn.MaxHidden {
		return fmt.Errorf("hidden units %d: not a multiple of 32 up to %d", s.Hidden, nn.MaxHidden)
	}
	if s.Second != 0 && s.Second != nn.SecondWidth {
		return fmt.Errorf("second layer of %d units: not 0 or %d", s.Second, nn.SecondWidth)
	}
	if s.Activation != nn.Activation {
		return fmt.Errorf("unknown activation %q (use %s)", s.Activation, nn.Activation)
	}
	return nil
}

// Params are the weights of a net in training, all in one slice so that the optimiser and
// the averages see a plain vector. The views share its memory:
//
//	First  one row of Hidden weights for each input, sparse rows first
//	Bias   Hidden
//	Mid    Second*Hidden: Hidden rows of Second weights (when Second is not 0)
//	MidB   Second
//	Out    5 rows, of Hidden or Second weights
//	OutB   32, of which 5 are used
type Params struct {
	All                               []float32
	First, Bias, Mid, MidB, Out, OutB []float32
}

// newParams returns zero weights for the shape.
func newParams(s Shape) Params {
	sp, de := s.Inputs()
	last := s.Hidden
	if s.Second != 0 {
		last = s.Second
	}
	sizes := [...]int{(sp + de) * s.Hidden, s.Hidden, s.Hidden * s.Second, s.Second, 5 * last, 32}
	n := 0
	for _, k := range sizes {
		n += k
	}
	p := Params{All: make([]float32, n)}
	rest := p.All
	for i, view := range []*[]float32{&p.First, &p.Bias, &p.Mid, &p.MidB, &p.Out, &p.OutB} {
		*view, rest = rest[:sizes[i]:sizes[i]], rest[sizes[i]:]
	}
	return p
}

// Randomise sets starting weights.
func (p *Params) Randomise(s Shape, rng *rand.Rand) {
	sp, de := s.Inputs()
	h := s.Hidden
	const mid = 0.4
	for r := range sp + de {
		sd := 0.12
		for j := range h {
			p.First[r*h+j] = float32(rng.NormFloat64() * sd)
		}
	}
	for j := range p.Bias {
		p.Bias[j] = mid + float32(rng.NormFloat64()*0.1)
	}
	for j := range p.Mid {
		p.Mid[j] = float32(rng.NormFloat64() / math.Sqrt(float64(h)))
	}
	for j := range p.MidB {
		p.MidB[j] = mid
	}
	for j := range p.Out {
		p.Out[j] = float32(rng.NormFloat64() / math.Sqrt(float64(len(p.Out)/5)))
	}
}

// tile is how many positions pass through the net together: enough that every loaded weight
// is used several times, few enough for the nearest caches.
const tile = 64

// worker computes values and gradients for one goroutine, a tile at a time.
type worker struct {
	shape         Shape
	sparse, dense int
	p             Params // weights read
	g             Params // gradients added to
	enc           nn.Encoder
	race          nn.RaceEncoder

	feat nn.Features
	on   [nn.MaxActive]uint16
	// For each position of the tile: its active sparse rows, and the computed
	// inputs with a 1 for the bias, whose row follows the input rows in Params.
	rows  [tile][]kernel.Row
	given []float32

	pre, hid, gh []float32 // tile rows of Hidden
	pre2, h2, g2 []float32 // tile rows of nn.SecondWidth
	midT         []float32 // Mid transposed: nn.SecondWidth rows of Hidden
	midTFresh    bool
	zero         []float32
	outRows      [5]kernel.Row
	lossScale    [5]float32
	out          [tile][5]float32
	delta        [tile][5]float32 // gradients before the sigmoids
}

func newWorker(s Shape) *worker {
	sp, de := s.Inputs()
	h := s.Hidden
	w := &worker{shape: s, sparse: sp, dense: de, given: make([]float32, tile*(de+1)),
		pre: make([]float32, tile*h), hid: make([]float32, tile*h), gh: make([]float32, tile*h),
		zero: make([]float32, max(h, nn.SecondWidth)), lossScale: outputWeights}
	if s.Second != 0 {
		w.pre2, w.h2, w.g2 = make([]float32, tile*nn.SecondWidth), make([]float32, tile*nn.SecondWidth), make([]float32, tile*nn.SecondWidth)
		w.midT = make([]float32, nn.SecondWidth*h)
	}
	for i := range w.rows {
		w.rows[i] = make([]kernel.Row, 0, nn.MaxActive)
	}
	return w
}

// outputWeights weigh the five outputs in the loss: the win chance counts double
// in the equity, backgammons are rare and noisy.
var outputWeights = [5]float32{2, 1, 0.7, 1, 0.7}

// encode writes the position to place i of the tile.
func (w *worker) encode(i int, p *board.Position) {
	if w.shape.Kind == KindRace {
		w.race.Encode(p, &w.feat)
	} else {
		w.enc.Encode(p, &w.feat)
	}
	h := uint32(w.shape.Hidden)
	rows := w.rows[i][:0]
	for _, r := range w.feat.Rows(w.on[:0], w.shape.Kind == KindRace) {
		rows = append(rows, kernel.Row{Offset: uint32(r) * h, Scale: 1})
	}
	w.rows[i] = rows
	given := w.given[i*(w.dense+1):][:w.dense+1]
	w.feat.Computed(given[:w.dense])
	given[w.dense] = 1
}

// computed returns the rows of First of the computed inputs of p, and the bias behind them.
func (w *worker) computed(p *Params) []float32 {
	from := w.sparse * w.shape.Hidden
	return p.All[from : from+(w.dense+1)*w.shape.Hidden]
}

// forward fills out with the chances of the first n encoded positions.
func (w *worker) forward(n int) {
	h := w.shape.Hidden
	for i := range n {
		kernel.Accumulate(w.pre[i*h:][:h], w.zero[:h], w.p.First, w.rows[i])
	}
	product.AddProduct(w.pre, h, product.Rows(w.given, w.dense+1), w.computed(&w.p), h, n, w.dense+1, h)
	kernel.Activate(w.hid[:n*h], w.pre[:n*h])
	last, width := w.hid, h
	if w.shape.Second != 0 {
		for i := range n {
			copy(w.pre2[nn.SecondWidth*i:], w.p.MidB)
		}
		product.AddProduct(w.pre2, nn.SecondWidth, product.Rows(w.hid, h), w.p.Mid, nn.SecondWidth, n, h, nn.SecondWidth)
		kernel.Activate(w.h2[:nn.SecondWidth*n], w.pre2[:nn.SecondWidth*n])
		last, width = w.h2, nn.SecondWidth
	}
	for i := range n {
		out := &w.out[i]
		copy(out[:], w.p.OutB[:5])
		for j, x := range last[i*width:][:width] {
			for o := range out {
				out[o] += x * w.p.Out[o*width+j]
			}
		}
		for j, x := range out {
			out[j] = float32(1 / (1 + math.Exp(-float64(x))))
		}
	}
}

// learn adds the gradients of the loss, the cross-entropy, at the encoded positions, which are
// those of recs, and returns the sum of their weighted squared output errors.
func (w *worker) learn(recs []Record) (loss float64) {
	n := len(recs)
	w.forward(n)
	h := w.shape.Hidden
	last, width, back := w.hid, h, w.gh
	if w.shape.Second != 0 {
		last, width, back = w.h2, nn.SecondWidth, w.g2
	}
	loss = w.deltas(recs)
	for i := range n {
		for j, d := range w.delta[i] {
			w.g.OutB[j] += d
			w.outRows[j] = kernel.Row{Offset: uint32(j * width), Scale: d}
		}
		kernel.AddOuter(w.g.Out, w.outRows[:], last[i*width:][:width])
		kernel.Accumulate(back[i*width:][:width], w.zero[:width], w.p.Out, w.outRows[:])
	}
	if w.shape.Second != 0 {
		kernel.Slope(w.g2[:nn.SecondWidth*n], w.pre2[:nn.SecondWidth*n])
		for i := range n {
			for j, v := range w.g2[nn.SecondWidth*i:][:nn.SecondWidth] {
				w.g.MidB[j] += v
			}
		}
		product.AddProduct(w.g.Mid, nn.SecondWidth, product.Rows(w.hid, h).T(), w.g2, nn.SecondWidth, h, n, nn.SecondWidth)
		w.transposeMid()
		clear(w.gh[:n*h])
		product.AddProduct(w.gh, h, product.Rows(w.g2, nn.SecondWidth), w.midT, h, n, nn.SecondWidth, h)
	}
	kernel.Slope(w.gh[:n*h], w.pre[:n*h])
	for i := range n {
		kernel.AddOuter(w.g.First, w.rows[i], w.gh[i*h:][:h])
	}
	product.AddProduct(w.computed(&w.g), h, product.Rows(w.given, w.dense+1).T(), w.gh, h, w.dense+1, n, h)
	return loss
}

// deltas fills in the gradients before the sigmoids and returns the sum of the weighted
// squared output errors.
func (w *worker) deltas(recs []Record) (loss float64) {
	for i := range recs {
		for j, v := range w.out[i] {
			e := v - float32(recs[i].Label[j])*(1.0/65535)
			d := e * w.lossScale[j]
			w.delta[i][j] = d
			loss += float64(e * d)
		}
	}
	return loss
}

// transposeMid updates midT after a step of the optimiser.
func (w *worker) transposeMid() {
	if w.midTFresh {
		return
	}
	h := w.shape.Hidden
	for j := range h {
		for k, v := range w.p.Mid[nn.SecondWidth*j:][:nn.SecondWidth] {
			w.midT[k*h+j] = v
		}
	}
	w.midTFresh = true
}

// Probe evaluates positions of its kind with weights in training; not safe for concurrent use.
type Probe struct{ w *worker }

// NewProbe returns a Probe for weights of that shape, which it does not copy.
func NewProbe(s Shape, p Params) *Probe {
	w := newWorker(s)
	w.p = p
	return &Probe{w}
}

// Eval returns the chances of the player on roll.
func (b *Probe) Eval(p *board.Position) eval.Probs {
	b.w.encode(0, p)
	b.w.forward(1)
	return eval.Probs(b.w.out[0])
}

// optimiser is Adam on one vector of weights.
type optimiser struct {
	mean, square []float32
	step         int
}

func newOptimiser(n int) *optimiser {
	return &optimiser{mean: make([]float32, n), square: make([]float32, n)}
}

const (
	beta1 = 0.9
	beta2 = 0.999
)

// apply moves w against the gradient sum g of a batch and clears g.
func (o *optimiser) apply(w, g []float32, rate float64, batch int) {
	o.step++
	c1 := 1 - math.Pow(beta1, float64(o.step))
	c2 := math.Sqrt(1 - math.Pow(beta2, float64(o.step)))
	kernel.Adam(w, o.mean, o.square, g, &kernel.AdamStep{
		Rate: float32(rate * c2 / c1), NewMean: 1 - beta1, NewSquare: 1 - beta2,
		Epsilon: 1e-7, Keep: 1, Scale: 1 / float32(batch)})
}
