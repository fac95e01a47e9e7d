package bench_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/bench"
	"fibsbot/engine/board"
)

func openEngine(t *testing.T, seed uint64) *engine.Engine {
	t.Helper()
	e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 1, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// The signature depends on play alone, not on the seed or on earlier questions.
func TestSignature(t *testing.T) {
	a, b := openEngine(t, 1), openEngine(t, 99)
	one, err := bench.Signature(t.Context(), a)
	if err != nil || len(one) != 16 {
		t.Fatalf("%q, %v", one, err)
	}
	if again, err := bench.Signature(t.Context(), a); err != nil || again != one {
		t.Errorf("%s, then %s, %v", one, again, err)
	}
	if other, err := bench.Signature(t.Context(), b); err != nil || other != one {
		t.Errorf("%s, with another seed %s, %v", one, other, err)
	}
}

func TestNaturalQuestions(t *testing.T) {
	qs, err := bench.NaturalQuestions(t.Context(), openEngine(t, 1), 300)
	if err != nil || len(qs) != 300 || qs[0].Position != board.Start {
		t.Fatalf("%d, %v", len(qs), err)
	}
	for _, q := range qs {
		if err := q.Position.Validate(); err != nil || !q.Dice.Valid() || q.Position.Result() != 0 {
			t.Fatalf("%+v: %v", q, err)
		}
	}
}

func TestMeasure_interrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bench.Measure(ctx, openEngine(t, 1), time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
