//go:build amd64 && !purego

package kernel

import (
	"unsafe"

	"fibsbot/engine/board"
)

//go:noescape
func addSwapsAVX2(sums, w *int16, swaps *Swap, n int)

//go:noescape
func rankAVX2(scores *int32, base, out, w *int16, before, after *uint8, stride, n int)

//go:noescape
func rankAVX512(scores *int32, base, out, w *int16, before, after *uint8, stride, n int)

func addSwaps(sums *[SwapUnits]int16, w []int16, swaps []Swap) {
	switch {
	case len(swaps) == 0:
	case level == levelGo:
		addSwapsGo(sums, w, swaps)
	default:
		addSwapsAVX2(&sums[0], &w[0], &swaps[0], len(swaps))
	}
}

func rank(scores []int32, base, out *[SwapUnits]int16, w []int16, before *board.Position, plays []board.Play) {
	const stride = int(unsafe.Sizeof(board.Play{}))
	switch level {
	case levelGo:
		rankGo(scores, base, out, w, before, plays)
	case levelAVX512:
		rankAVX512(&scores[0], &base[0], &out[0], &w[0], &before.Me[0], &plays[0].Result.Me[0], stride, len(plays))
	default:
		rankAVX2(&scores[0], &base[0], &out[0], &w[0], &before.Me[0], &plays[0].Result.Me[0], stride, len(plays))
	}
}

// The assembly reads a position as 50 counts that follow one another.
var _ [0]struct{} = [unsafe.Sizeof(board.Position{}) - rankPoints]struct{}{}
