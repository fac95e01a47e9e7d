//go:build amd64 && !purego

package kernel

//go:noescape
func secondSumsAVX512(sums *int32, h, w *int16, last *SecondState, n, count int)

//go:noescape
func secondSumsAVX2(sums *int32, h, w *int16, last *SecondState, n, count int)

//go:noescape
func logitsAVX2(x *float32, sums *int32, t *tail, count int)

//go:noescape
func logisticAVX2(x *float32, n int)

// secondPlace is where the weight from unit u to sum k stands.
func secondPlace(u, k int) int { return u/2*2*SecondUnits + 2*k + u%2 }

func second(s *Second, x []float32, h []int16, sums []int32, last *SecondState, count int) {
	switch level {
	case levelGo:
		secondGo(s, x, h, sums, last, count)
		return
	case levelAVX512:
		secondSumsAVX512(&sums[0], &h[0], &s.weights[0], last, s.units, count)
	default:
		secondSumsAVX2(&sums[0], &h[0], &s.weights[0], last, s.units, count)
	}
	logitsAVX2(&x[0], &sums[0], &s.tail, count)
	logisticAVX2(&x[0], (5*count+7)&^7)
}
