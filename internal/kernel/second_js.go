//go:build !purego

package kernel

import "unsafe"

//go:wasmimport kernel secondSums
//go:noescape
func secondSumsSIMD(sums *int32, h, w *int16, last unsafe.Pointer, n, count int32)

//go:wasmimport kernel logits
//go:noescape
func logitsSIMD(x *float32, sums *int32, t unsafe.Pointer, count int32)

//go:wasmimport kernel logistic
//go:noescape
func logisticSIMD(x *float32, n int32)

// secondPlace is where the weight from unit u to sum k stands.
func secondPlace(u, k int) int { return u/2*2*SecondUnits + 2*k + u%2 }

func second(s *Second, x []float32, h []int16, sums []int32, last *SecondState, count int) {
	if level == levelGo {
		secondGo(s, x, h, sums, last, count)
		return
	}
	secondSumsSIMD(&sums[0], &h[0], &s.weights[0], unsafe.Pointer(last), int32(s.units), int32(count))
	logitsSIMD(&x[0], &sums[0], unsafe.Pointer(&s.tail), int32(count))
	logisticSIMD(&x[0], int32(5*count+3)&^3)
}
