package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/board"
)

func TestRank_isTheDefinitionOnEveryVariant(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	w := make([]int16, RankRows*SwapUnits)
	var base, out [SwapUnits]int16
	for i := range w {
		w[i] = int16(r.IntN(1<<16) - 1<<15)
	}
	for k := range base {
		base[k], out[k] = int16(r.IntN(20000)-10000), int16(r.IntN(4095)-2047)
	}
	counts := func() (p board.Position) {
		for i := range p.Me {
			p.Me[i], p.Opp[i] = uint8(r.IntN(16)), uint8(r.IntN(16))
		}
		return p
	}
	for _, n := range []int{1, 2, 30} {
		p := counts()
		plays := make([]board.Play, n)
		var want []int32
		for i := range plays {
			after := p
			if i%7 == 5 {
				after = counts() // everything changes
			}
			for range r.IntN(6) {
				after.Me[r.IntN(25)], after.Opp[r.IntN(25)] = uint8(r.IntN(16)), uint8(r.IntN(16))
			}
			plays[i].Result = after
			sums := base
			add := func(point int, count, sign int16) {
				for k := range sums {
					sums[k] += sign * w[(point*RankCounts+int(min(count, RankCounts-1)))*SwapUnits+k]
				}
			}
			for at := range after.Me {
				add(at, int16(p.Me[at]), -1)
				add(at, int16(after.Me[at]), 1)
				add(25+at, int16(p.Opp[at]), -1)
				add(25+at, int16(after.Opp[at]), 1)
			}
			total := int32(0)
			for k, x := range sums {
				total += int32(max(x, 0)) * int32(out[k])
			}
			want = append(want, total)
		}
		onEach(t, func(name string) {
			got := make([]int32, n)
			if Rank(got, &base, &out, w, &p, plays); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		})
	}
}

func TestAddSwaps_isTheDefinitionOnEveryVariant(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	const rows = 40
	w := make([]int16, rows*SwapUnits)
	for i := range w {
		w[i] = int16(r.IntN(1<<16) - 1<<15)
	}
	for _, n := range []int{0, 1, 30} {
		var base [SwapUnits]int16
		var swaps []Swap
		want := base
		for range n {
			s := Swap{uint32(r.IntN(rows) * 2 * SwapUnits), uint32(r.IntN(rows) * 2 * SwapUnits)}
			swaps = append(swaps, s)
			for k := range want {
				want[k] += w[int(s.On/2)+k] - w[int(s.Off/2)+k]
			}
		}
		onEach(t, func(name string) {
			got := base
			if AddSwaps(&got, w, swaps); got != want {
				t.Errorf("%s: %d swaps: sums differ", name, n)
			}
		})
	}
}

func TestRank_refusesTooFewRows(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row past the end of the weights was read")
		}
	}()
	var base, out [SwapUnits]int16
	Rank(make([]int32, 1), &base, &out, make([]int16, RankRows*SwapUnits-1), &board.Start, make([]board.Play, 1))
}
