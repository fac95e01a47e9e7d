package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomLayer is a layer for the variant in use, not yet finished, the same numbers whatever
// that is, and changes of random rows. Every unit's weights are as large as keep what it
// sums to within 16 bits, so half of what is added on the way does not fit.
func randomLayer(seed uint64, units, rows, pairs, positions int) (*Layer, *Sums, []Change) {
	r := rand.New(rand.NewPCG(seed, 1))
	width := BlockUnits()
	padded := (units + width - 1) / width * width
	l := &Layer{Units: padded, BlockUnits: width, Shift: 8, SparseRows: rows, Pairs: pairs}
	l.Sparse, l.Dense = make([]int16, rows*padded), make([]int16, 2*pairs*padded)
	l.One, l.Gain = make([]int16, padded), make([]int16, padded)
	base := new(Sums)
	changes := make([]Change, positions)
	for k := range changes {
		c := &changes[k]
		c.NOff, c.NOn, c.NPairs = r.IntN(8), r.IntN(8), r.IntN(min(pairs, 20)+1)
		for i := range c.NOff {
			c.Off[i] = uint32(r.IntN(rows) * 2 * width)
		}
		for i := range c.NOn {
			c.On[i] = uint32(r.IntN(rows) * 2 * width)
		}
		for i := range c.NPairs {
			c.Pairs[i] = Pair{uint32(r.IntN(pairs) * 4 * width), [2]int16{int16(r.IntN(513) - 256), int16(r.IntN(513) - 256)}}
			if i%3 < 2 {
				c.Pairs[i].Steps[i%3] = 0
			}
		}
	}
	sparse, dense := make([]int, rows), make([]int, 2*pairs)
	for u := range padded {
		// The last units of a layer may be of no net's.
		l.One[u], l.Gain[u] = 1<<6, 1<<8
		base.Dense[DensePlace(u)] = 128
		if u >= units {
			continue
		}
		g := r.IntN(8)
		l.One[u], l.Gain[u] = 1<<(6+g), 1<<(8-g)
		for _, w := range [][]int{sparse, dense} {
			for i := range w {
				w[i] = int(r.NormFloat64() * 1e4)
			}
		}
		base.Sparse[u] = fit(changes, sparse, dense, width)
		block, at := u/width, u%width
		for i, v := range sparse {
			l.Sparse[(block*rows+i)*width+at] = int16(v)
		}
		for i, v := range dense {
			l.Dense[(block*pairs+i/2)*2*width+2*DensePlace(at)+i%2] = int16(v)
		}
	}
	return l, base, changes
}

// fit shrinks the weights of a unit until they and all its sums are within 16 bits and
// returns what the sum of the sparse ones begins with.
func fit(changes []Change, sparse, dense []int, width int) int16 {
	for {
		s, d, most := 0, 128, 0
		for k := range changes {
			c := &changes[k]
			for _, o := range c.Off[:c.NOff] {
				s -= sparse[int(o)/2/width]
			}
			for _, o := range c.On[:c.NOn] {
				s += sparse[int(o)/2/width]
			}
			for _, p := range c.Pairs[:c.NPairs] {
				for i, steps := range p.Steps {
					d += int(steps) * dense[int(p.Offset)/4/width*2+i]
				}
			}
			most = max(most, s+20, -s+20, d>>8, -d>>8)
		}
		for _, w := range [][]int{sparse, dense} {
			for _, v := range w {
				most = max(most, v, -v)
			}
		}
		if most <= math.MaxInt16 {
			return 20
		}
		for _, w := range [][]int{sparse, dense} {
			for i, v := range w {
				w[i] = int(int64(v) * 32700 / int64(most))
			}
		}
	}
}

// slowHidden is what Layer says, unit by unit.
func slowHidden(l *Layer, base *Sums, changes []Change, units int) (h [][]int16) {
	sums := *base
	for k := range changes {
		c := &changes[k]
		row := make([]int16, units)
		for u := range row {
			block, at := u/l.BlockUnits, u%l.BlockUnits
			sparse := func(o uint32) int16 { return l.Sparse[block*l.SparseRows*l.BlockUnits+int(o/2)+at] }
			for _, o := range c.Off[:c.NOff] {
				sums.Sparse[u] -= sparse(o)
			}
			for _, o := range c.On[:c.NOn] {
				sums.Sparse[u] += sparse(o)
			}
			p := DensePlace(u)
			for _, x := range c.Pairs[:c.NPairs] {
				for i, steps := range x.Steps {
					sums.Dense[p] += int32(steps) * int32(l.Dense[2*block*l.Pairs*l.BlockUnits+int(x.Offset/2)+2*DensePlace(at)+i])
				}
			}
			dense := max(min(int64(sums.Dense[p])>>8, math.MaxInt16), math.MinInt16)
			value := float64(max(min(dense+int64(sums.Sparse[u]), int64(l.One[u])), 0)) / float64(l.One[u])
			row[u] = int16(math.Floor(value*value*(1<<13) + 0.5))
		}
		h = append(h, row)
	}
	return h
}

func TestHidden_isTheDefinitionOnEveryVariant(t *testing.T) {
	for seed, shape := range [][4]int{{512, 330, 37, 16}, {512, 330, 37, 16}, {64, 10, 1, 1}, {256, 414, 13, 5}, {160, 50, 40, 16}, {1024, 20, 37, 3}} {
		units := shape[0]
		onEach(t, func(name string) {
			l, base, changes := randomLayer(uint64(seed), units, shape[1], shape[2], shape[3])
			want := slowHidden(l, base, changes, units)
			l.Finish()
			// In one call and in two.
			for _, cut := range []int{len(changes), len(changes) / 2} {
				sums, h := *base, make([]int16, len(changes)*l.Units)
				if cut > 0 {
					Hidden(l, &sums, changes[:cut], h)
				}
				if cut < len(changes) {
					Hidden(l, &sums, changes[cut:], h[cut*l.Units:])
				}
				for k := range want {
					if got := h[k*l.Units:][:units]; !slices.Equal(got, want[k]) {
						t.Fatalf("%s, shape %v: position %d is %v, want %v", name, shape, k, got, want[k])
					}
				}
			}
		})
	}
}

func TestDensePlace_isAPermutation(t *testing.T) {
	seen := map[int]bool{}
	for u := range 128 {
		p := DensePlace(u)
		if p/32 != u/32 || seen[p] {
			t.Errorf("unit %d is stored at %d", u, p)
		}
		seen[p] = true
	}
}

func TestDots5_isTheDefinitionOnEveryVariant(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{64, 128, 320, 512, 1024} {
		for _, count := range []int{1, 7, 16} {
			h, w := make([]int16, n*count), make([]int16, 5*n)
			for i := range h {
				h[i] = int16(r.IntN(8193))
			}
			// What the first half of a row adds, the second takes off again but for a part
			// that fits.
			for j := range n / 2 {
				for k := range count {
					h[k*n+n-1-j] = h[k*n+j]
				}
				for o := range 5 {
					w[o*n+j] = int16(r.IntN(30000))
					w[o*n+n-1-j] = int16(r.IntN(4000)-2000) - w[o*n+j]
				}
			}
			want := make([]int32, 5*count)
			for i := range want {
				for j := range n {
					want[i] += int32(h[i/5*n+j]) * int32(w[i%5*n+j])
				}
			}
			onEach(t, func(name string) {
				got := make([]int32, 5*count)
				if Dots5(got, h, w, n); !slices.Equal(got, want) {
					t.Fatalf("%s, %d of %d: %v, want %v", name, count, n, got, want)
				}
			})
		}
	}
}

func TestSigmoids_areRightAndEqualOnEveryVariant(t *testing.T) {
	const n = 4000
	sums, scale, bias := make([]int32, n), make([]float32, n), make([]float32, n)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range sums {
		sums[i], scale[i], bias[i] = int32(r.Uint32()), float32(math.Exp(-25+8*r.Float64())), float32(r.NormFloat64())
	}
	var want []float32
	onEach(t, func(name string) {
		got := make([]float32, n)
		Sigmoids(got, sums, scale, bias)
		if want == nil {
			want = got
			for i, x := range got {
				y := 1 / (1 + math.Exp(-float64(float32(sums[i])*scale[i]+bias[i])))
				if math.Abs(float64(x)-y) > 3e-7 {
					t.Fatalf("%d: %v, want %v", i, x, y)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s differs from plain Go", name)
		}
	})
}

func TestDiffPairs_everyVariantListsTheSame(t *testing.T) {
	onEach(t, func(name string) {
		r := rand.New(rand.NewPCG(4, 4))
		for _, steps := range []float32{256, 4096} {
			var last, before [DenseInputs]int16
			var cur [DenseInputs]float32
			for range 200 {
				for range r.IntN(30) {
					cur[r.IntN(DenseInputs)] = []float32{0, 1, r.Float32(), float32(r.IntN(513)) / 512}[r.IntN(4)]
				}
				var pairs [MaxPairs]Pair
				n := DiffPairs(&last, &cur, &pairs, steps, 12)
				for i, x := range cur {
					if want := int16(math.RoundToEven(float64(x * steps))); last[i] != want {
						t.Fatalf("%s: input %v is %d steps, want %d", name, x, last[i], want)
					}
				}
				at := 0
				for i := range DenseInputs / 2 {
					d := [2]int16{last[2*i] - before[2*i], last[2*i+1] - before[2*i+1]}
					if d == [2]int16{} {
						continue
					}
					if at >= n || pairs[at] != (Pair{uint32(12 * i), d}) {
						t.Fatalf("%s: pair %d differs by %v, listed are %v", name, i, d, pairs[:n])
					}
					at++
				}
				if at != n {
					t.Fatalf("%s: %d pairs differ, %d are listed", name, at, n)
				}
				before = last
			}
		}
	})
}

func BenchmarkHidden(b *testing.B) {
	onEach(b, func(name string) {
		l, base, changes := randomLayer(1, 512, 330, 37, 16)
		l.Finish()
		for k := range changes {
			changes[k].NOff, changes[k].NOn, changes[k].NPairs = 3, 3, 11
		}
		h, out, w := make([]int16, 16*512), make([]int32, 80), make([]int16, 5*512)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Hidden(l, base, changes, h)
				Dots5(out, h, w, 512)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/position")
		})
	})
}

// The sums of a block are the same words by the order of memory and by arithmetic.
func TestBlockSums_packIsLoad(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var s Sums
	for u := range s.Sparse {
		s.Sparse[u], s.Dense[u] = int16(r.Uint32()), int32(r.Uint32())
	}
	var a, b blockSums
	a.load(&s, 64)
	if b.pack(&s, 64); a != b {
		t.Errorf("packed %v, loaded %v", b, a)
	}
	var stored, unpacked Sums
	a.store(&stored, 64)
	if a.unpack(&unpacked, 64); stored != unpacked {
		t.Error("what is unpacked is not what is stored")
	}
	if !slices.Equal(stored.Sparse[64:128], s.Sparse[64:128]) || !slices.Equal(stored.Dense[64:128], s.Dense[64:128]) {
		t.Error("what is stored is not what was loaded")
	}
}
