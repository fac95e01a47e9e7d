//go:build !amd64 || purego

package kernel

func addSwaps(sums *[SwapUnits]int16, w []int16, swaps []Swap) { addSwapsGo(sums, w, swaps) }

func rank(scores []int32, base, out *[SwapUnits]int16, w []int16, swaps []Swap, used []int) {
	rankGo(scores, base, out, w, swaps, used)
}
