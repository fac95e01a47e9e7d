package kernel

import "fibsbot/engine/board"

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

// The rows that Rank works on: first each point of the player on roll, then each point of the
// opponent. A point has a row for each count of checkers; the last one, RankCounts-1, also
// covers higher counts.
const (
	RankCounts = 8
	rankPoints = 2 * 25
	// RankRows is how many there are.
	RankRows = rankPoints * RankCounts
)

// Rank sets scores[i] to the product of out with what is positive of base after plays[i]:
// for each point on which the play's result differs from the position before, the row that
// comes is added and the one that goes is taken off. w holds RankRows rows of SwapUnits
// numbers. All variants agree to the bit.
func Rank(scores []int32, base, out *[SwapUnits]int16, w []int16, before *board.Position, plays []board.Play) {
	if len(plays) == 0 {
		return
	}
	if len(w) < RankRows*SwapUnits {
		panic("kernel: too few rows to rank by")
	}
	_ = scores[len(plays)-1]
	rank(scores, base, out, w, before, plays)
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

func rankGo(scores []int32, base, out *[SwapUnits]int16, w []int16, before *board.Position, plays []board.Play) {
	for i := range plays {
		sums, after := *base, &plays[i].Result
		for side, c := range [2][2]*board.Checkers{{&before.Me, &after.Me}, {&before.Opp, &after.Opp}} {
			for point, was := range c[0] {
				if is := c[1][point]; is != was {
					row := (side*25 + point) * RankCounts
					off := (*[SwapUnits]int16)(w[(row+min(int(was), RankCounts-1))*SwapUnits:])
					on := (*[SwapUnits]int16)(w[(row+min(int(is), RankCounts-1))*SwapUnits:])
					for k := range sums {
						sums[k] += on[k] - off[k]
					}
				}
			}
		}
		total := int32(0)
		for k, v := range sums {
			// Half of the units are off, and no processor guesses which.
			total += int32(v&^(v>>15)) * int32(out[k])
		}
		scores[i] = total
	}
}
