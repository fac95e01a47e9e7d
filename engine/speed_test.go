package engine_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/bench"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// contactDecisions are decisions with contact and a choice from games that the nets
// play against themselves at 0 plies.
func contactDecisions(b *testing.B, e *engine.Engine, n int) (ps []board.Position, ds []board.Dice) {
	b.Helper()
	r := rand.New(rand.NewPCG(3, 1))
	ev := e.Model().Evaluator()
	out := make([]eval.Probs, 1000)
	for p := board.Start; len(ps) < n; p = p.Swap() {
		if p.Result() != 0 {
			p = board.Start
		}
		d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		plays := board.AppendPlays(nil, p, d)
		// One in three, so that they come from several games.
		if eval.ClassOf(&p) == eval.Contact && len(plays) > 1 && r.IntN(3) == 0 {
			ps, ds = append(ps, p), append(ds, d)
		}
		ev.EvalPlays(plays, out)
		best := 0
		for i := range plays {
			if out[i].Money() > out[best].Money() {
				best = i
			}
		}
		if len(plays) > 0 {
			p = plays[best].Result
		}
	}
	return ps, ds
}

// BenchmarkTwoPlies measures what a search 2 plies deep takes on one thread with the
// nets of the program: the cubeless evaluation of a position and a whole cubeful
// decision of worldclass, 40 positions an operation, the cache empty before each.
func BenchmarkTwoPlies(b *testing.B) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	ps, ds := contactDecisions(b, e, 40)
	world, err := preset.ByName("worldclass")
	if err != nil {
		b.Fatal(err)
	}
	money := match.Money(false, 0)
	cubeless := world.Cube
	cubeless.Cubeful = false
	for _, kind := range []struct {
		name string
		do   func(e *engine.Engine, i int) error
	}{
		{"evaluation", func(e *engine.Engine, i int) error {
			_, err := e.Search().Evaluate(context.Background(), ps[i], money, cubeless)
			return err
		}},
		{"decision", func(e *engine.Engine, i int) error {
			_, err := e.Search().Plays(context.Background(), ps[i], ds[i], money, world.Checker)
			return err
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				e, err := engine.Open(engine.Options{Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				for i := range ps {
					if err := kind.do(e, i); err != nil {
						b.Fatal(err)
					}
				}
				b.StopTimer()
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1e3/float64(len(ps)), "ms/position")
		})
	}
}

// BenchmarkChoice is a decision at 0 plies, of 5,000 natural ones in turn, by an engine that has seen none:
// 15.5 plays an operation.
func BenchmarkChoice(b *testing.B) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	e.Warm()
	natural, err := bench.NaturalQuestions(b.Context(), e, 5000)
	if err != nil {
		b.Fatal(err)
	}
	fresh, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer fresh.Close()
	fresh.Warm()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		q := &natural[i%len(natural)]
		if _, _, err := fresh.Search().Best(b.Context(), q.Position, q.Dice, match.Money(false, 0), search.Settings{}); err != nil {
			b.Fatal(err)
		}
	}
}
