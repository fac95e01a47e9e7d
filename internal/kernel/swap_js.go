//go:build !purego

package kernel

import (
	"unsafe"

	"fibsbot/engine/board"
)

//go:wasmimport kernel addSwaps
//go:noescape
func addSwapsSIMD(sums, w *int16, swaps unsafe.Pointer, n int32)

//go:wasmimport kernel rank
//go:noescape
func rankSIMD(scores *int32, base, out, w *int16, before, after *uint8, stride, n int32)

func addSwaps(sums *[SwapUnits]int16, w []int16, swaps []Swap) {
	switch {
	case len(swaps) == 0:
	case level == levelGo:
		addSwapsGo(sums, w, swaps)
	default:
		addSwapsSIMD(&sums[0], &w[0], unsafe.Pointer(&swaps[0]), int32(len(swaps)))
	}
}

func rank(scores []int32, base, out *[SwapUnits]int16, w []int16, before *board.Position, plays []board.Play) {
	if level == levelGo {
		rankGo(scores, base, out, w, before, plays)
		return
	}
	rankSIMD(&scores[0], &base[0], &out[0], &w[0], &before.Me[0], &plays[0].Result.Me[0], int32(unsafe.Sizeof(board.Play{})), int32(len(plays)))
}

// simd.wat reads a position as 50 counts that follow one another.
var _ [0]struct{} = [unsafe.Sizeof(board.Position{}) - rankPoints]struct{}{}
