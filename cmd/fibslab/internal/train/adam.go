package train

import (
	"math"

	"fibsbot/internal/kernel"
)

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
