package kernel

// SwapUnits is the width of the nets that AddSwaps and Rank work on.
const SwapUnits = 128

// Swap is a row that goes and one that comes, by their offset in the weights in bytes.
type Swap struct{ Off, On uint32 }

// AddSwaps adds to sums, for each swap, the row that comes less the one that goes. A row
// is SwapUnits numbers of w; sums wrap at 16 bits.
func AddSwaps(sums *[SwapUnits]int16, w []int16, swaps []Swap) {
	checkSwaps(w, swaps)
	addSwaps(sums, w, swaps)
}

// Rank sets scores[i] to the product of out with what is positive of base after the i-th
// list of swaps. The lists follow one another in swaps; used says how long each is. All
// variants agree to the bit.
func Rank(scores []int32, base, out *[SwapUnits]int16, w []int16, swaps []Swap, used []int) {
	if len(scores) == 0 {
		return
	}
	n := 0
	for _, k := range used[:len(scores)] {
		n += k
	}
	_ = swaps[:n]
	checkSwaps(w, swaps)
	rank(scores, base, out, w, swaps, used)
}

// checkSwaps panics unless every row lies inside w.
func checkSwaps(w []int16, swaps []Swap) {
	limit := uint32(0)
	for _, s := range swaps {
		limit = max(limit, s.Off, s.On)
	}
	if int(limit)/2+SwapUnits > len(w) {
		panic("kernel: row outside the weights")
	}
}

func addSwapsGo(sums *[SwapUnits]int16, w []int16, swaps []Swap) {
	for _, s := range swaps {
		off, on := (*[SwapUnits]int16)(w[s.Off/2:]), (*[SwapUnits]int16)(w[s.On/2:])
		for k := range sums {
			sums[k] += on[k] - off[k]
		}
	}
}

func rankGo(scores []int32, base, out *[SwapUnits]int16, w []int16, swaps []Swap, used []int) {
	for i := range scores {
		sums := *base
		addSwapsGo(&sums, w, swaps[:used[i]])
		swaps = swaps[used[i]:]
		total := int32(0)
		for k, v := range sums {
			// Half of the units are off, and no processor guesses which.
			total += int32(v&^(v>>15)) * int32(out[k])
		}
		scores[i] = total
	}
}
