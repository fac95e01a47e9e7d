//go:build amd64 && !purego

package kernel

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

var hasVNNI = cpu.X86.HasAVX512VNNI && best() == levelAVX512

//go:noescape
func hiddenVNNI(a *hiddenArgs)

//go:noescape
func hiddenAVX2(a *hiddenArgs)

//go:noescape
func dots5VNNI(out *int32, h, w *int16, n, count int)

//go:noescape
func dots5AVX2(out *int32, h, w *int16, n, count int)

//go:noescape
func sigmoidsAVX2(x *float32, sums *int32, scale, bias *float32, n int)

//go:noescape
func diffPairsAVX512(last *int16, cur *float32, pairs *Pair, steps float32, rowBytes uint32) int

//go:noescape
func diffMaskAVX2(last, diff *int16, cur *float32, steps float32) uint64

func hidden(l *Layer, base *Sums, changes []Change, h []int16) {
	if level == levelGo {
		hiddenGo(l, base, changes, h)
		return
	}
	a := argsOf(l, base, changes, h)
	if l.BlockUnits == vnniBlock {
		hiddenVNNI(&a)
	} else {
		hiddenAVX2(&a)
	}
}

func dots5(out []int32, h, w []int16, n int) {
	switch {
	case level == levelGo:
		dots5Go(out, h, w, n)
	case level == levelAVX512 && hasVNNI:
		dots5VNNI(&out[0], &h[0], &w[0], n, len(out)/5)
	default:
		dots5AVX2(&out[0], &h[0], &w[0], n, len(out)/5)
	}
}

func sigmoids(x []float32, sums []int32, scale, bias []float32) {
	if level == levelGo {
		sigmoidsGo(x, sums, scale, bias)
		return
	}
	sigmoidsAVX2(&x[0], &sums[0], &scale[0], &bias[0], len(x))
}

func diffPairs(last *[DenseInputs]int16, cur *[DenseInputs]float32, pairs *[MaxPairs]Pair, steps float32, rowBytes uint32) int {
	switch level {
	case levelAVX512:
		return diffPairsAVX512(&last[0], &cur[0], &pairs[0], steps, rowBytes)
	case levelAVX2:
		var diff [DenseInputs]int16
		k := 0
		for m := diffMaskAVX2(&last[0], &diff[0], &cur[0], steps); m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			pairs[k] = Pair{uint32(i) * rowBytes, [2]int16{diff[2*i], diff[2*i+1]}}
			k++
		}
		return k
	}
	return diffPairsGo(last, cur, pairs, steps, rowBytes)
}
