package rollout_test

import (
	"context"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
)

// BenchmarkRollout plays 144 cubeful games from the start with the nets of the
// program on one thread.
func BenchmarkRollout(b *testing.B) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	s := rollout.Default()
	s.Trials, s.Threads = 144, 1
	var last rollout.Result
	for b.Loop() {
		j, err := rollout.New(b.Context(), rollout.Options{Evaluator: e.Model().Evaluator, Search: e.Search()}, board.Start, match.Money(false, 0), s)
		if err != nil {
			b.Fatal(err)
		}
		j.AddPosition("start")
		if err := j.Run(context.Background(), nil); err != nil {
			b.Fatal(err)
		}
		last = j.Results()[0]
	}
	b.ReportMetric(float64(last.EquityErr), "stderr-cubeful")
	b.ReportMetric(float64(last.CubelessErr), "stderr-cubeless")
	b.ReportMetric(144*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
