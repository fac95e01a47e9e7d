//go:build arm64 && !purego

package kernel

const hasVNNI = false

// Every arm64 processor has NEON.
func best() int      { return levelNEON }
func has(l int) bool { return l == levelGo || l == levelNEON }

//go:noescape
func hiddenNEON(a *hiddenArgs)

//go:noescape
func dots5NEON(out *int32, h, w *int16, n, count int)

func hidden(l *Layer, base *Sums, changes []Change, h []int16) {
	if level == levelGo {
		hiddenGo(l, base, changes, h)
		return
	}
	a := argsOf(l, base, changes, h)
	hiddenNEON(&a)
}

func dots5(out []int32, h, w []int16, n int) {
	if level == levelGo {
		dots5Go(out, h, w, n)
		return
	}
	dots5NEON(&out[0], &h[0], &w[0], n, len(out)/5)
}

func sigmoids(x []float32, sums []int32, scale, bias []float32) { sigmoidsGo(x, sums, scale, bias) }

func diffPairs(last *[DenseInputs]int16, cur *[DenseInputs]float32, pairs *[MaxPairs]Pair, steps float32, rowBytes uint32) int {
	return diffPairsGo(last, cur, pairs, steps, rowBytes)
}
