//go:build (!amd64 && !arm64 && !js) || purego

package kernel

func secondPlace(u, k int) int { return u*SecondUnits + k }

func second(s *Second, x []float32, h []int16, sums []int32, last *SecondState, count int) {
	secondGo(s, x, h, sums, last, count)
}
