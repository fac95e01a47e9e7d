//go:build (!amd64 && !js) || purego

package kernel

import "fibsbot/engine/board"

func addSwaps(sums *[SwapUnits]int16, w []int16, swaps []Swap) { addSwapsGo(sums, w, swaps) }

func rank(scores []int32, base, out *[SwapUnits]int16, w []int16, before *board.Position, plays []board.Play) {
	rankGo(scores, base, out, w, before, plays)
}
