package train

import (
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
)

// benchRecords are natural positions with made-up labels.
func benchRecords(n int) []Record {
	rng := rand.New(rand.NewPCG(1, 2))
	var out []Record
	var plays []board.Play
	for len(out) < n {
		p := board.Start
		for turn := 0; turn < 60 && len(out) < n; turn++ {
			plays = board.AppendPlays(plays[:0], p, board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))})
			if len(plays) > 0 {
				p = plays[rng.IntN(len(plays))].Result
			}
			p = p.Swap()
			if p.Result() != 0 || !p.Contact() {
				break
			}
			r := Record{Key: p.Key()}
			for j := range r.Label {
				r.Label[j] = uint16(rng.IntN(65536))
			}
			out = append(out, r)
		}
	}
	return out
}

func benchLearn(b *testing.B, hidden, second int) {
	s := Shape{Kind: KindContact, Hidden: hidden, Second: second, Activation: "squared-clipped"}
	w := newWorker(s)
	w.p, w.g = newParams(s), newParams(s)
	w.p.Randomise(s, rand.New(rand.NewPCG(1, 1)))
	opt := newOptimiser(len(w.p.All))
	recs := benchRecords(4096)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		p, _ := board.FromKey(recs[i%4096].Key)
		w.encode(i%tile, &p)
		if i++; i%tile == 0 {
			at := (i - tile) % 4096
			w.learn(recs[at : at+tile])
		}
		if i%256 == 0 {
			opt.apply(w.p.All, w.g.All, 1e-3, 256)
		}
	}
}

// BenchmarkLearn measures one training sample: key, inputs, forward, backward
// and its share of the optimiser's step.
func BenchmarkLearn(b *testing.B) {
	b.Run("256", func(b *testing.B) { benchLearn(b, 256, 0) })
	b.Run("512", func(b *testing.B) { benchLearn(b, 512, 0) })
	b.Run("512x32", func(b *testing.B) { benchLearn(b, 512, 32) })
}
