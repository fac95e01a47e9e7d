//go:build arm64 && !purego

package kernel

//go:noescape
func secondSumsNEON(sums *int32, h, w *int16, last *SecondState, n, count int)

// secondPlace is where the weight from unit u to sum k stands.
func secondPlace(u, k int) int { return u*SecondUnits + k }

func second(s *Second, x []float32, h []int16, sums []int32, last *SecondState, count int) {
	if level == levelGo {
		secondGo(s, x, h, sums, last, count)
		return
	}
	secondSumsNEON(&sums[0], &h[0], &s.weights[0], last, s.units, count)
	for p := range count {
		s.logits(x[5*p:][:5], sums[p*SecondUnits:][:SecondUnits])
	}
	logisticGo(x[:5*count])
}
