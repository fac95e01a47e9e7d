package search

import (
	"context"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// TestCounters: a search counts its nodes once, the same search again finds them in the cache,
// and without a cache every node is searched again. Static evaluations do not count.
func TestCounters(t *testing.T) {
	ctx := context.Background()
	ask := func(e *Engine, plies int) Counters {
		t.Helper()
		before := e.Counters()
		if _, err := e.Evaluate(ctx, board.Start, match.Money(false, 0), Settings{Plies: plies, Cubeful: true}); err != nil {
			t.Fatal(err)
		}
		c := e.Counters()
		return Counters{c.Nodes - before.Nodes, c.Hits - before.Hits}
	}
	e := testEngine(t, Options{Threads: 1})
	if c := ask(e, 0); c != (Counters{}) {
		t.Errorf("0 plies: %+v", c)
	}
	first, again := ask(e, 2), ask(e, 2)
	if first.Nodes < 2 || first.Nodes > 22 {
		t.Errorf("2 plies: %+v, want the root, those of 1 ply and one for each roll at most", first)
	}
	if again.Nodes != 0 || again.Hits < 1 {
		t.Errorf("2 plies again: %+v", again)
	}
	none := testEngine(t, Options{Threads: 1, CacheBytes: -1})
	one, two := ask(none, 2), ask(none, 2)
	if one != two || one.Nodes < first.Nodes || one.Hits != 0 {
		t.Errorf("without a cache: %+v, then %+v", one, two)
	}
}
