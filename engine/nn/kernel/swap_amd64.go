//go:build amd64 && !purego

package kernel

//go:noescape
func addSwapsAVX2(sums, w *int16, swaps *Swap, n int)

//go:noescape
func rankAVX2(scores *int32, base, out, w *int16, swaps *Swap, used *int, n int)

//go:noescape
func rankAVX512(scores *int32, base, out, w *int16, swaps *Swap, used *int, n int)

func addSwaps(sums *[SwapUnits]int16, w []int16, swaps []Swap) {
	switch {
	case len(swaps) == 0:
	case level == levelGo:
		addSwapsGo(sums, w, swaps)
	default:
		addSwapsAVX2(&sums[0], &w[0], &swaps[0], len(swaps))
	}
}

// none stands for an empty list of swaps, which is not read.
var none = make([]Swap, 1)

func rank(scores []int32, base, out *[SwapUnits]int16, w []int16, swaps []Swap, used []int) {
	if level == levelGo {
		rankGo(scores, base, out, w, swaps, used)
		return
	}
	if len(swaps) == 0 {
		swaps = none
	}
	if level == levelAVX512 {
		rankAVX512(&scores[0], &base[0], &out[0], &w[0], &swaps[0], &used[0], len(scores))
		return
	}
	rankAVX2(&scores[0], &base[0], &out[0], &w[0], &swaps[0], &used[0], len(scores))
}
