package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The order is that of a stable sort by equity and cubeless equity, for lists short and long
// and with many that are equal.
func TestSortCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 150 {
		for _, kinds := range []int{1, 3, 1000} {
			list := make([]Candidate, n)
			for i := range list {
				list[i] = Candidate{Equity: float64(r.IntN(kinds)), Cubeless: float64(r.IntN(1 + kinds/2)), Trials: i}
			}
			want := slices.Clone(list)
			slices.SortStableFunc(want, func(a, b Candidate) int {
				switch {
				case a.Equity != b.Equity && a.Equity > b.Equity, a.Equity == b.Equity && a.Cubeless > b.Cubeless:
					return -1
				case a.Equity == b.Equity && a.Cubeless == b.Cubeless:
					return 0
				}
				return 1
			})
			if sortCandidates(list); !slices.Equal(list, want) {
				t.Fatalf("%d candidates of %d kinds are out of order", n, kinds)
			}
		}
	}
}
