//go:build !purego

package kernel

import "unsafe"

const hasVNNI = false

// The functions of simd.wat. Who runs the program connects them to its memory before it starts:
// site/kernel.js of the browser edition. available reports whether that was possible.

//go:wasmimport kernel available
func available() int32

//go:wasmimport kernel hidden
//go:noescape
func hiddenSIMD(a unsafe.Pointer)

//go:wasmimport kernel dots5
//go:noescape
func dots5SIMD(out *int32, h, w *int16, n, count int32)

//go:wasmimport kernel sigmoids
//go:noescape
func sigmoidsSIMD(x *float32, sums *int32, scale, bias *float32, n int32)

//go:wasmimport kernel diffPairs
//go:noescape
func diffPairsSIMD(last *int16, cur *float32, pairs unsafe.Pointer, steps float32, rowBytes uint32) int32

func best() int {
	if available() != 0 {
		return levelSIMD
	}
	return levelGo
}

func has(l int) bool { return l == levelGo || l == levelSIMD && best() == levelSIMD }

func hidden(l *Layer, base *Sums, changes []Change, h []int16) {
	if level == levelGo {
		hiddenGo(l, base, changes, h)
		return
	}
	a := argsOf(l, base, changes, h)
	hiddenSIMD(unsafe.Pointer(&a))
}

func dots5(out []int32, h, w []int16, n int) {
	if level == levelGo {
		dots5Go(out, h, w, n)
		return
	}
	dots5SIMD(&out[0], &h[0], &w[0], int32(n), int32(len(out)/5))
}

func sigmoids(x []float32, sums []int32, scale, bias []float32) {
	if level == levelGo {
		sigmoidsGo(x, sums, scale, bias)
		return
	}
	sigmoidsSIMD(&x[0], &sums[0], &scale[0], &bias[0], int32(len(x)))
}

func diffPairs(last *[DenseInputs]int16, cur *[DenseInputs]float32, pairs *[MaxPairs]Pair, steps float32, rowBytes uint32) int {
	if level == levelGo {
		return diffPairsGo(last, cur, pairs, steps, rowBytes)
	}
	return int(diffPairsSIMD(&last[0], &cur[0], unsafe.Pointer(pairs), steps, rowBytes))
}
