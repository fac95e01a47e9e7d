package train

import (
	"math"
	"slices"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/nn"
)

// Coarse weights are in steps of 2^-g. Each input has a g of its own: one that seldom acts bears larger
// steps. An input that acts like the mean of all has coarseGrid; one that acts r times as much has
// steps smaller by r^coarsePower.
const (
	coarseGrid  = 8
	coarsePower = 0.4
	finestGrid  = 11 // of nets
	middleGrid  = 11 // of the second layer
)

// coarseGrids returns g for each input of nets of contact, by how much it acts in the positions of
// bench nets: the mean of its square.
var coarseGrids = sync.OnceValues(func() ([]int, error) {
	recs, err := BenchPositions()
	if err != nil {
		return nil, err
	}
	var (
		e     nn.Encoder
		f     nn.Features
		dense [nn.NumDense]float32
		acts  = make([]float64, nn.NumInputs)
		mean  float64
	)
	for i := range acts {
		acts[i] = 1 // those that no position has
	}
	for _, r := range recs {
		p, err := board.FromKey(r.Key)
		if err != nil || !p.Contact() {
			continue
		}
		e.Encode(&p, &f)
		for _, row := range f.Active[:f.NActive] {
			acts[row]++
		}
		f.Computed(dense[:])
		for i, v := range dense {
			acts[nn.NumSparse+i] += float64(v * v)
		}
	}
	for _, a := range acts {
		mean += math.Pow(a, 2*coarsePower) / nn.NumInputs
	}
	grids := make([]int, len(acts))
	for i, a := range acts {
		g := coarseGrid + math.Log2(math.Pow(a, 2*coarsePower)/mean)/2
		grids[i] = min(int(math.Round(g)), finestGrid)
	}
	return grids, nil
})

// coarsenClass rounds the weights of the net of a class, see coarsen.
func coarsenClass(s Shape, p Params, class string) error {
	grids, err := coarseGrids()
	if err != nil {
		return err
	}
	samples, err := coarseSamples()
	if err != nil {
		return err
	}
	coarsen(s, p, grids, samples[class])
	return nil
}

// coarsen rounds the weights of the inputs to steps of 2^-grids[i], those of the second layer to steps
// of 2^-middleGrid, so that they compress better. Then it moves the biases of both layers so that the
// means of their sums over the sample stay.
func coarsen(s Shape, p Params, grids []int, sample []board.Position) {
	first, second := meanSums(s, p, sample)
	for r, g := range grids {
		onGrid(p.First[r*s.Hidden:][:s.Hidden], g)
	}
	onGrid(p.Mid, middleGrid)
	now, _ := meanSums(s, p, sample)
	addDifference(p.Bias, first, now)
	onGrid(p.Bias, finestGrid)
	_, now = meanSums(s, p, sample)
	addDifference(p.MidB, second, now)
}

// addDifference adds a - b to the numbers of list.
func addDifference(list []float32, a, b []float64) {
	for i := range list {
		list[i] += float32(a[i] - b[i])
	}
}

// meanSums returns what the units of both layers add up on average, nothing for an empty sample.
func meanSums(s Shape, p Params, sample []board.Position) (first, second []float64) {
	w := newWorker(s)
	w.p = p
	first, second = make([]float64, s.Hidden), make([]float64, s.Second)
	add := func(to []float64, sums []float32) {
		for i, v := range sums {
			to[i%len(to)] += float64(v) / float64(len(sample))
		}
	}
	for part := range slices.Chunk(sample, tile) {
		for i := range part {
			w.encode(i, &part[i])
		}
		w.forward(len(part))
		add(first, w.pre[:len(part)*s.Hidden])
		add(second, w.pre2[:len(part)*s.Second])
	}
	return first, second
}

// coarseSamples returns by class the positions of bench nets, and those after the plays of its decisions.
// Their labels are not used.
var coarseSamples = sync.OnceValues(func() (map[string][]board.Position, error) {
	recs, err := BenchPositions()
	if err != nil {
		return nil, err
	}
	ds, err := BenchProblems()
	if err != nil {
		return nil, err
	}
	for _, d := range ds {
		for _, c := range d.Candidates {
			recs = append(recs, Record{Key: c.Key})
		}
	}
	list := map[string][]board.Position{}
	for _, r := range recs {
		if p, err := board.FromKey(r.Key); err == nil {
			c := ClassOf(&p)
			list[c] = append(list[c], p)
		}
	}
	return list, nil
})

// onGrid rounds numbers to steps of 2^-g. None becomes a negative zero, which no whole number is.
func onGrid(list []float32, g int) {
	for i, v := range list {
		list[i] = float32(math.Ldexp(math.RoundToEven(math.Ldexp(float64(v), g)), -g)) + 0
	}
}
