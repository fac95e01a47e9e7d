// Command prunefit makes the small net that prunes replies inside the search.
//
//	go run ./engine/search/prunefit -decisions 400000 -o engine/search/small.bin
//
// It plays games with the static evaluation, sometimes badly, and fits the small
// net to what the full net says about all plays of each roll: only differences
// between the plays of a roll count, so the roll's mean is taken off first. At
// the end it prints how often the full net's best play is on the small net's
// short list, and what is lost where it is not.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/search"
	"fibsbot/weights"
)

const hidden = search.SmallHidden

func main() {
	decisions := flag.Int("decisions", 400000, "rolls to learn from")
	path := flag.String("o", "engine/search/small.bin", "file to write")
	from := flag.String("weights", "", "weights file of the full net")
	seed := flag.Uint64("seed", 1, "seed")
	rate := flag.Float64("rate", 0.02, "first learning rate")
	flag.Parse()
	if err := fit(*decisions, *path, *from, *seed, *rate); err != nil {
		fmt.Fprintln(os.Stderr, "prunefit:", err)
		os.Exit(1)
	}
}

func fit(decisions int, path, from string, seed uint64, rate float64) error {
	set, err := weights.Load(from)
	if err != nil {
		return err
	}
	model, err := eval.NewModel(set, nil)
	if err != nil {
		return err
	}
	t := newTrainer(seed)
	g := game{ev: model.Evaluator(), r: rand.New(rand.NewPCG(seed, 2))}
	var report meter
	for k := range decisions {
		p, plays, probs := g.next()
		t.rate = rate * (1 - float64(k)/float64(decisions))
		report.add(t.step(p, plays, probs))
		if (k+1)%(decisions/20) == 0 {
			fmt.Fprintf(os.Stderr, "%d rolls: %s\n", k+1, report)
			report = meter{}
		}
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, &t.net); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// game deals rolls of positions in play.
type game struct {
	ev    eval.Evaluator
	r     *rand.Rand
	p     board.Position
	on    bool
	wild  float64 // chance of a random play in this game
	plays []board.Play
	probs []eval.Probs
}

// next returns the next position with contact, at least two plays of its roll,
// and the full net's chances of the mover after each.
func (g *game) next() (board.Position, []board.Play, []eval.Probs) {
	for {
		if !g.on || g.p.Result() != 0 || !g.p.Contact() {
			g.p, g.on = board.Start, true
			g.wild = g.r.Float64() * g.r.Float64() * 0.5
		}
		p := g.p
		d := board.Dice{A: uint8(1 + g.r.IntN(6)), B: uint8(1 + g.r.IntN(6))}
		g.plays = board.AppendPlays(g.plays[:0], p, d)
		if len(g.plays) == 0 {
			g.p = p.Swap()
			continue
		}
		if cap(g.probs) < len(g.plays) {
			g.probs = make([]eval.Probs, 2*len(g.plays))
		}
		g.probs = g.probs[:len(g.plays)]
		g.ev.EvalPlays(g.plays, g.probs)
		best := 0
		for i := range g.probs {
			if g.probs[i].Money() > g.probs[best].Money() {
				best = i
			}
		}
		if g.r.Float64() < g.wild {
			best = g.r.IntN(len(g.plays))
		}
		g.p = g.plays[best].Result.Swap()
		if len(g.plays) > 1 {
			return p, g.plays, g.probs
		}
	}
}

// trainer fits by Adagrad, which suits rows that are seldom used.
type trainer struct {
	net   search.Small
	sq    search.Small // sums of squared gradients
	rate  float64
	sums  [][hidden]float32
	grads [][hidden]float32
}

func newTrainer(seed uint64) *trainer {
	t := new(trainer)
	r := rand.New(rand.NewPCG(seed, 1))
	for side := range t.net.Rows {
		for point := range t.net.Rows[side] {
			for count := range t.net.Rows[side][point] {
				for k := range hidden {
					t.net.Rows[side][point][count][k] = float32(r.NormFloat64() * 0.1)
				}
			}
		}
	}
	for o := range t.net.Out {
		for k := range hidden {
			t.net.Out[o][k] = float32(r.NormFloat64() * 0.1)
		}
	}
	for k := range hidden {
		t.net.Bias[k] = 0.5
	}
	return t
}

// scale brings the three outputs to the size that their share in the equity
// asks for.
var scale = [3]float32{2, 1, 1}

// step learns from one roll and returns, from before learning, the rank the
// small net gave the full net's best play and what the small net's choice loses.
func (t *trainer) step(p board.Position, plays []board.Play, probs []eval.Probs) (rank int, loss float64) {
	n := len(plays)
	for len(t.sums) < n {
		t.sums = append(t.sums, [hidden]float32{})
		t.grads = append(t.grads, [hidden]float32{})
	}
	var base [hidden]float32
	t.net.Sum(&p, &base)
	targets := func(i int) [3]float32 {
		return [3]float32{probs[i][eval.Win], probs[i][eval.WinGammon], probs[i][eval.LoseGammon]}
	}
	outs := make([][3]float32, n)
	var meanOut, meanTarget [3]float32
	for i := range plays {
		t.sums[i] = base
		t.net.After(&p, &plays[i], &t.sums[i])
		for o := range outs[i] {
			for k, x := range t.sums[i] {
				if x > 0 {
					outs[i][o] += t.net.Out[o][k] * x
				}
			}
			meanOut[o] += outs[i][o] / float32(n)
			meanTarget[o] += targets(i)[o] / float32(n)
		}
	}
	rank, loss = t.judge(outs, probs)
	var gradOut [3][hidden]float32
	for i := range plays {
		var e [3]float32
		want := targets(i)
		for o := range e {
			e[o] = scale[o] * (outs[i][o] - meanOut[o] - want[o] + meanTarget[o])
		}
		for k, x := range t.sums[i] {
			t.grads[i][k] = 0
			if x <= 0 {
				continue
			}
			for o := range e {
				gradOut[o][k] += e[o] * x
				t.grads[i][k] += e[o] * t.net.Out[o][k]
			}
		}
	}
	for o := range gradOut {
		for k := range hidden {
			t.move(&t.net.Out[o][k], &t.sq.Out[o][k], gradOut[o][k])
		}
	}
	t.firstLayer(&p, plays)
	return rank, loss
}

// firstLayer applies the gradients of all plays; those of rows that all plays
// share are added up first.
func (t *trainer) firstLayer(p *board.Position, plays []board.Play) {
	for side := range 2 {
		for point := range 25 {
			var by [8][hidden]float32
			var used uint8
			for i := range plays {
				c := plays[i].Result.Me[point]
				if side == 1 {
					c = plays[i].Result.Opp[point]
				}
				c = min(c, 7)
				used |= 1 << c
				for k, g := range t.grads[i] {
					by[c][k] += g
				}
			}
			for c := range 8 {
				if used&(1<<c) == 0 {
					continue
				}
				for k, g := range by[c] {
					t.move(&t.net.Rows[side][point][c][k], &t.sq.Rows[side][point][c][k], g)
				}
			}
		}
	}
}

func (t *trainer) move(x, sq *float32, g float32) {
	if g == 0 {
		return
	}
	*sq += g * g
	*x -= float32(t.rate) * g / float32(math.Sqrt(float64(*sq))+1e-6)
}

func (t *trainer) judge(outs [][3]float32, probs []eval.Probs) (rank int, loss float64) {
	best, pick := 0, 0
	u := func(o [3]float32) float32 { return 2*o[0] + o[1] - o[2] }
	for i := range probs {
		if probs[i].Money() > probs[best].Money() {
			best = i
		}
		if u(outs[i]) > u(outs[pick]) {
			pick = i
		}
	}
	for i := range outs {
		if u(outs[i]) > u(outs[best]) {
			rank++
		}
	}
	return rank, float64(probs[best].Money() - probs[pick].Money())
}

// meter collects what step returns.
type meter struct {
	n, first, four, six, eight int
	loss                       float64
}

func (m *meter) add(rank int, loss float64) {
	m.n++
	m.loss += loss
	for _, c := range []struct {
		below int
		count *int
	}{{1, &m.first}, {4, &m.four}, {6, &m.six}, {8, &m.eight}} {
		if rank < c.below {
			*c.count++
		}
	}
}

// String is the share of rolls whose best play is among the first 1, 4, 6, 8.
func (m meter) String() string {
	share := func(c int) float64 { return 100 * float64(c) / float64(max(m.n, 1)) }
	return fmt.Sprintf("best play first %.1f%%, in 4 %.2f%%, in 6 %.2f%%, in 8 %.2f%%, loss of the first %.4f",
		share(m.first), share(m.four), share(m.six), share(m.eight), m.loss/float64(max(m.n, 1)))
}
