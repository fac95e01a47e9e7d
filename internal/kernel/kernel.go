package kernel

// Width is what every vector length must be a multiple of.
const Width = 32

// Row names a row of weights and what it is multiplied by. Offset is where the
// row starts, in floats.
type Row struct {
	Offset uint32
	Scale  float32
}

// AdamStep are the numbers of one Adam step (Kingma and Ba 2014). Rate is the
// learning rate with the bias corrections of the step already in it. NewMean and
// NewSquare are 1-beta1 and 1-beta2. Epsilon is added to the square root. Keep
// multiplies the weights first: 1 minus learning rate times decoupled weight
// decay. Scale multiplies the gradient, 1/batch for a sum over a batch.
type AdamStep struct {
	Rate, NewMean, NewSquare, Epsilon, Keep, Scale float32
}

// level is the variant in use: what the processor offers, or what Force said.
var level = best()

// Force selects the named variant, "go", "avx2", "avx512", "neon" or "simd128", and reports whether this
// processor has it; if not, nothing changes. An empty name selects the best variant. Force is
// for tests and measurements and must not be called while anything else here runs.
func Force(name string) bool {
	if name == "" {
		level = best()
		return true
	}
	for l, known := range levelNames {
		if known == name && has(l) {
			level = l
			return true
		}
	}
	return false
}

// Name says which variant runs: "avx512", "avx2", "neon", "simd128" or "go".
func Name() string { return levelNames[level] }

const (
	levelGo = iota
	levelAVX2
	levelAVX512
	levelNEON // for whole numbers; the rest is plain Go
	levelSIMD // of WebAssembly, for whole numbers
)

var levelNames = [...]string{"go", "avx2", "avx512", "neon", "simd128"}

func checkWidth(n int) {
	if n == 0 || n%Width != 0 {
		panic("kernel: vector length is not a multiple of 32")
	}
}

// checkRows panics unless every row of width floats lies inside a weight slice
// of size floats. It is the price of a wrong index being a panic and not a read
// of foreign memory.
func checkRows(rows []Row, width, size int) {
	limit := uint32(0)
	for i := range rows {
		limit = max(limit, rows[i].Offset)
	}
	if int(limit)+width > size {
		panic("kernel: row outside the weights")
	}
}

// Accumulate sets dst to base plus the sum of Scale times row over rows. A row is
// len(dst) floats of w from its Offset. dst may be base.
func Accumulate(dst, base, w []float32, rows []Row) {
	n := len(dst)
	checkWidth(n)
	_ = base[n-1]
	checkRows(rows, n, len(w))
	accumulate(dst, base, w, rows)
}

// AddOuter adds Scale times g to each row of w named in rows, len(g) floats from
// its Offset: the gradient of the first layer's weights, or a plain gradient
// step on them.
func AddOuter(w []float32, rows []Row, g []float32) {
	checkWidth(len(g))
	checkRows(rows, len(g), len(w))
	addOuter(w, rows, g)
}

// Activate sets dst to the values of units with the sums src: what is clipped to [0,1] and
// squared. dst may be src.
func Activate(dst, src []float32) {
	checkWidth(len(dst))
	_ = src[len(dst)-1]
	activate(dst, src)
}

// Slope multiplies g by the slope of Activate at pre, element by element: the way of a gradient
// back.
func Slope(g, pre []float32) {
	checkWidth(len(g))
	_ = pre[len(g)-1]
	slope(g, pre)
}

// Adam moves the weights w one step against the gradient g and clears g. m and v
// are Adam's running means of g and of g squared.
func Adam(w, m, v, g []float32, p *AdamStep) {
	n := len(w)
	checkWidth(n)
	_, _, _ = m[n-1], v[n-1], g[n-1]
	adam(w, m, v, g, p)
}
