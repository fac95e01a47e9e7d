package nn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"fibsbot/internal/kernel"
)

// SecondWidth is the number of units of a second layer, where a net has one.
const SecondWidth = kernel.SecondUnits

// MaxHidden bounds the first layer's width; Scratch is sized for it.
const MaxHidden = kernel.MaxUnits

// ErrBadWeights is wrapped by every error about weights that are not a usable
// net: wrong dimensions, or a number that is not finite.
var ErrBadWeights = errors.New("bad weights")

// Weights are the numbers of one net in the plain layout that training works on
// and files hold. The net computes
//
//	h = act(Bias + sum of First rows of the active inputs + Dense * rows)
//	m = act(MiddleBias + Middle h)     only where Second is 32, else m = h
//	out = sigmoid(OutBias + Out m)
//
// where act clips to [0,1] and squares, with five outputs in the order of GNU Backgammon: win,
// win gammon, win backgammon, lose gammon, lose backgammon.
type Weights struct {
	Inputs int // rows of First: NumInputs, or NumRaceInputs for a race net
	Hidden int // width of the first layer, a multiple of 32 up to MaxHidden
	Second int // 0 or SecondWidth

	First      []float32 // Inputs rows of Hidden
	Bias       []float32 // Hidden
	Middle     []float32 // Hidden rows of Second: Middle[Second*j+k] leads from h[j] to m[k]
	MiddleBias []float32 // Second
	Out        []float32 // 5 rows of Second, or of Hidden without a second layer
	OutBias    []float32 // 5
}

// NewWeights returns weights of the given shape, all zero.
func NewWeights(inputs, hidden, second int) *Weights {
	w := withoutFirst(inputs, hidden, second)
	w.First = make([]float32, inputs*hidden)
	return w
}

// withoutFirst is NewWeights but for the first layer, by far the largest.
func withoutFirst(inputs, hidden, second int) *Weights {
	w := &Weights{Inputs: inputs, Hidden: hidden, Second: second}
	w.Bias = make([]float32, hidden)
	w.Middle = make([]float32, hidden*second)
	w.MiddleBias = make([]float32, second)
	w.Out = make([]float32, 5*w.last())
	w.OutBias = make([]float32, 5)
	return w
}

// last is the width of the layer before the outputs.
func (w *Weights) last() int {
	if w.Second > 0 {
		return w.Second
	}
	return w.Hidden
}

// parts lists the slices with their names and the lengths they must have.
func (w *Weights) parts() []struct {
	name   string
	values []float32
	want   int
} {
	return []struct {
		name   string
		values []float32
		want   int
	}{
		{"first layer", w.First, w.Inputs * w.Hidden},
		{"first bias", w.Bias, w.Hidden},
		{"second layer", w.Middle, w.Hidden * w.Second},
		{"second bias", w.MiddleBias, w.Second},
		{"outputs", w.Out, 5 * w.last()},
		{"output bias", w.OutBias, 5},
	}
}

// checkShape refuses dimensions that no net of this build has.
func checkShape(inputs, hidden, second int) error {
	switch {
	case inputs != NumInputs && inputs != NumRaceInputs:
		return fmt.Errorf("%w: %d inputs, this build has nets of %d and %d", ErrBadWeights, inputs, NumInputs, NumRaceInputs)
	case hidden <= 0 || hidden > MaxHidden || hidden%kernel.Width != 0:
		return fmt.Errorf("%w: %d hidden units (use a multiple of %d up to %d)", ErrBadWeights, hidden, kernel.Width, MaxHidden)
	case second != 0 && second != SecondWidth:
		return fmt.Errorf("%w: a second layer of %d units (use none or %d)", ErrBadWeights, second, SecondWidth)
	}
	return nil
}

// Validate reports the first thing that makes w no usable net. The error wraps
// ErrBadWeights.
func (w *Weights) Validate() error {
	if err := checkShape(w.Inputs, w.Hidden, w.Second); err != nil {
		return err
	}
	return w.validate(0)
}

// validate looks at the numbers of the parts from one on.
func (w *Weights) validate(from int) error {
	for _, p := range w.parts()[from:] {
		if len(p.values) != p.want {
			return fmt.Errorf("%w: %s has %d numbers, want %d", ErrBadWeights, p.name, len(p.values), p.want)
		}
		for i, v := range p.values {
			if math.IsNaN(float64(v)) || math.Abs(float64(v)) > maxWeight {
				return fmt.Errorf("%w: %s: number %d is %v", ErrBadWeights, p.name, i, v)
			}
		}
	}
	return nil
}

// maxWeight bounds every weight: far beyond anything trained, and small enough
// that all sums of a unit are within 16 bits in steps of 1.
const maxWeight = 400

// finestGrid is the exponent of the finest step of first-layer weights. The rounding moves a win
// chance by 0.0001.
const finestGrid = 11

// Grid returns g such that rounding the first layer to multiples of 2^-g keeps
// every weight within 16 bits: 11 while weights stay within (-16, 16), less for
// larger ones.
func (w *Weights) Grid() int {
	largest := float32(0)
	for _, v := range w.First {
		largest = max(largest, v, -v)
	}
	g := finestGrid
	for g > 0 && float64(largest) > math.Ldexp(math.MaxInt16, -g) {
		g--
	}
	return g
}

// round returns v rounded to the grid of steps 2^-g.
func round(v float32, g int) float32 {
	steps := float64(uint(1) << g)
	return float32(math.RoundToEven(float64(v)*steps) / steps)
}

// Round brings the first layer and its bias to the grid, as NewNet does. A fit
// may call it to see what the rounding costs, or to finish on it.
func (w *Weights) Round() {
	g := w.Grid()
	for i, v := range w.First {
		w.First[i] = round(v, g)
	}
	for i, v := range w.Bias {
		w.Bias[i] = round(v, g)
	}
}

// Net is one network, ready to evaluate and immutable.
type Net struct {
	rest *Weights // all but the first layer, whose bias is rounded to the grid
	grid int
	// row copies the weights from input row r to the hidden units from j on, rounded to the
	// grid.
	row func(r, j int, to []float32)
	// forms are the net in whole numbers, by the kernels' layout.
	forms [kernel.Layouts]struct {
		once  sync.Once
		whole *whole
	}
}

// NewNet checks w and lays it out for evaluation. The first layer is rounded to
// w.Grid. The error wraps ErrBadWeights.
func NewNet(w *Weights) (*Net, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	grid := w.Grid()
	w = w.clone(slices.Clone(w.First))
	w.Round()
	return &Net{rest: w, grid: grid, row: func(r, j int, to []float32) { copy(to, w.First[r*w.Hidden+j:]) }}, nil
}

// clone returns a copy of w that has first as its first layer.
func (w *Weights) clone(first []float32) *Weights {
	c := *w
	c.First = first
	for _, part := range []*[]float32{&c.Bias, &c.Middle, &c.MiddleBias, &c.Out, &c.OutBias} {
		*part = slices.Clone(*part)
	}
	return &c
}

// Weights returns the net's numbers in the plain layout, the first layer as
// rounded.
func (n *Net) Weights() *Weights {
	w := n.rest.clone(make([]float32, n.rest.Inputs*n.rest.Hidden))
	for r := range w.Inputs {
		n.row(r, 0, w.First[r*w.Hidden:][:w.Hidden])
	}
	return w
}

// Race reports whether the net takes the inputs of a race.
func (n *Net) Race() bool { return n.rest.Inputs == NumRaceInputs }

// String describes the shape: "404-512-5 squared-clipped".
func (n *Net) String() string {
	second := ""
	if n.rest.Second > 0 {
		second = fmt.Sprint("-", n.rest.Second)
	}
	return fmt.Sprintf("%d-%d%s-5 %s", n.rest.Inputs, n.rest.Hidden, second, Activation)
}
