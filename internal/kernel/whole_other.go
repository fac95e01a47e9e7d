//go:build (!amd64 && !arm64 && !js) || purego

package kernel

const hasVNNI = false

func best() int      { return levelGo }
func has(l int) bool { return l == levelGo }

func hidden(l *Layer, base *Sums, changes []Change, h []int16)  { hiddenGo(l, base, changes, h) }
func dots5(out []int32, h, w []int16, n int)                    { dots5Go(out, h, w, n) }
func sigmoids(x []float32, sums []int32, scale, bias []float32) { sigmoidsGo(x, sums, scale, bias) }
func diffPairs(last *[DenseInputs]int16, cur *[DenseInputs]float32, pairs *[MaxPairs]Pair, steps float32, rowBytes uint32) int {
	return diffPairsGo(last, cur, pairs, steps, rowBytes)
}
