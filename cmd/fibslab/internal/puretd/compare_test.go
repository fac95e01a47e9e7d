package puretd

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/nn"
)

// comparison is one between the program's nets and a net that knows nothing.
func comparison(t *testing.T, games int) *Comparison {
	t.Helper()
	e, err := engine.Open(engine.Options{CacheMB: 1, Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return &Comparison{Net: tiny(t, chanceInputs, 5), Own: e, Judge: e, Games: games, Trials: 4, Seed: 3}
}

// TestComparison_nothingLearned: a net of random weights loses wherever it differs, by far, and two
// runs say the same.
func TestComparison_nothingLearned(t *testing.T) {
	c := comparison(t, 1)
	list, err := c.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	all := list[len(list)-1]
	if len(list) != int(nn.NumPlans)+2 || all.Kind != "all" || all.Points < max(0.5, 2*all.StdErr) || all.Differ < 10 || all.Differ > all.Decisions {
		t.Errorf("%d rows, %+v", len(list), all)
	}
	sum := 0.0
	for i, d := range list {
		if d != again[i] {
			t.Errorf("%+v, then %+v", d, again[i])
		}
		sum += d.Points
	}
	if math.Abs(sum-2*all.Points) > 1e-9 {
		t.Errorf("the rows have %v, all %v", sum-all.Points, all.Points)
	}
	var table bytes.Buffer
	if err := Print(&table, list); err != nil || strings.Count(table.String(), "\n") != len(list) || !strings.Contains(table.String(), "containment") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// TestComparison_ends: an interrupted comparison has no result.
func TestComparison_ends(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := comparison(t, 100_000)
	list, err := c.Run(ctx, func(int) { cancel() })
	if list != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%d rows, %v", len(list), err)
	}
}

// TestComparison_cubeful: cubeless rollouts do not judge a net that plays for the cube.
func TestComparison_cubeful(t *testing.T) {
	c := comparison(t, 1)
	c.Net = tiny(t, equityInputs, 1)
	if list, err := c.Run(t.Context(), nil); list != nil || !errors.Is(err, ErrCube) {
		t.Errorf("%d rows, %v", len(list), err)
	}
}
