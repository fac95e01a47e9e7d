package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/nn"
)

// grownSpan is the range of an output before its sigmoid, to either side, that a grown second
// layer passes on unchanged: chances down to 0.00003.
const grownSpan = 10.5

// grow adds a second layer of nn.SecondWidth units to the weights p. The net stays as it was,
// except for rare outputs beyond grownSpan, so that a fit continues from it. The units of the
// first layer are put into the given order. For squared clipped units the difference of two
// squares is a line,
//
//	(1/2 + x)^2 - (1/2 - x)^2 = 2x   for x in [-1/2, 1/2],
//
// so a pair of units passes on each output. The other 22 see random sums of the first layer
// and count nothing yet.
func grow(to Shape, p Params, order []int, seed uint64) Params {
	rng := rand.New(rand.NewPCG(seed, 2))
	g := NewParams(to)
	for u, old := range order {
		g.Bias[u] = p.Bias[old]
		for at := 0; at < len(p.First); at += to.Hidden {
			g.First[at+u] = p.First[at+old]
		}
	}
	for o := range 5 {
		plus, minus := 2*o, 2*o+1
		g.MidB[plus] = 0.5 + p.OutB[o]/(2*grownSpan)
		g.MidB[minus] = 0.5 - p.OutB[o]/(2*grownSpan)
		g.Out[nn.SecondWidth*o+plus], g.Out[nn.SecondWidth*o+minus] = grownSpan, -grownSpan
		for u, old := range order {
			v := p.Out[o*to.Hidden+old] / (2 * grownSpan)
			g.Mid[nn.SecondWidth*u+plus], g.Mid[nn.SecondWidth*u+minus] = v, -v
		}
	}
	for k := 10; k < nn.SecondWidth; k++ {
		g.MidB[k] = 0.4
		for j := range to.Hidden {
			g.Mid[nn.SecondWidth*j+k] = float32(rng.NormFloat64() / math.Sqrt(float64(to.Hidden)))
		}
	}
	return g
}

// grows reports whether a net of shape to is one of shape from with a second layer.
func grows(from, to Shape) bool {
	want := from
	want.Second = nn.SecondWidth
	return from.Second == 0 && to == want && to.Activation == "squared-clipped"
}

// mostSiblings bounds the pairs of siblings that show how often units change.
const mostSiblings = 20000

// quietFirst orders the units of a net by how often their values differ between siblings of
// the sources, the rarest first. A second layer adds only differences, two units at a time,
// and skips blocks without any (kernel.Second): with the plans' nets three in ten pairs
// differ in this order, and more than four in ten in the order in which they were fitted.
func quietFirst(s Shape, p Params, sources []*Source) []int {
	order, differs := make([]int, s.Hidden), make([]int, s.Hidden)
	for u := range order {
		order[u] = u
	}
	w := newWorker(s)
	w.p = p
	pairs := 0
	for _, src := range sources {
		for i := 1; i < len(src.Records) && pairs < mostSiblings; i++ {
			a, b := &src.Records[i-1], &src.Records[i]
			if a.Group == 0 || a.Group != b.Group {
				continue
			}
			pa, errA := board.FromKey(a.Key)
			pb, errB := board.FromKey(b.Key)
			if errA != nil || errB != nil {
				continue
			}
			w.encode(0, &pa)
			w.encode(1, &pb)
			w.forward(2)
			for u := range differs {
				if w.hid[u] != w.hid[s.Hidden+u] {
					differs[u]++
				}
			}
			pairs++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return differs[a] - differs[b] })
	return order
}
