package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRank_isTheDefinitionOnEveryVariant(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	const rows = 40
	w := make([]int16, rows*SwapUnits)
	var base, out [SwapUnits]int16
	for i := range w {
		w[i] = int16(r.IntN(1<<16) - 1<<15)
	}
	for k := range base {
		base[k], out[k] = int16(r.IntN(20000)-10000), int16(r.IntN(4095)-2047)
	}
	for _, plays := range []int{1, 2, 30} {
		var swaps []Swap
		var used []int
		var want []int32
		sums := base
		for range plays {
			n := r.IntN(6)
			used = append(used, n)
			sums = base
			for range n {
				s := Swap{uint32(r.IntN(rows) * 2 * SwapUnits), uint32(r.IntN(rows) * 2 * SwapUnits)}
				swaps = append(swaps, s)
				for k := range sums {
					sums[k] += w[int(s.On/2)+k] - w[int(s.Off/2)+k]
				}
			}
			total := int32(0)
			for k, x := range sums {
				total += int32(max(x, 0)) * int32(out[k])
			}
			want = append(want, total)
		}
		onEach(t, func(name string) {
			got := make([]int32, plays)
			if Rank(got, &base, &out, w, swaps, used); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			last := base
			if AddSwaps(&last, w, swaps[len(swaps)-used[plays-1]:]); last != sums {
				t.Errorf("%s: sums after the last play differ", name)
			}
		})
	}
}

func TestRank_refusesRowsOutside(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row past the end of the weights was read")
		}
	}()
	var base, out [SwapUnits]int16
	Rank(make([]int32, 1), &base, &out, make([]int16, 2*SwapUnits), []Swap{{0, 2 * 2 * SwapUnits}}, []int{1})
}
