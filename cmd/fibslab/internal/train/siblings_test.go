package train_test

import (
	"slices"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// TestSelfPlay_siblings: the plays of a decision are a group, made with one roll, and the games
// after them do not depend on how a run is cut into pieces.
func TestSelfPlay_siblings(t *testing.T) {
	testsize.Large(t)
	e, err := engine.Open(engine.Options{CacheMB: 1, Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run := func(games, horizon int) (all []train.Record) {
		sp := &train.SelfPlay{Size: games, Seed: 5, Trace: 1, Siblings: 3, Horizon: horizon}
		sp.Weights[train.Natural] = 1
		spec, err := sp.Spec()
		if err != nil {
			t.Fatal(err)
		}
		runner, err := train.Gamer(spec)
		if err != nil {
			t.Fatal(err)
		}
		sp.Crew = &shard.Local{New: func() (shard.Runner, error) { return runner(train.Own(e)), nil }}
		if err := sp.Run(t.Context(), 1500, func(r train.Record) error { all = append(all, r); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	all := run(40, 0)
	if !slices.Equal(all, run(3, 0)) {
		t.Error("other pieces give other records")
	}
	groups := map[uint32][]board.Position{}
	for _, r := range all {
		p, err := board.FromKey(r.Key)
		if err != nil {
			t.Fatal(err)
		}
		if r.Group != 0 {
			groups[r.Group] = append(groups[r.Group], p)
		}
	}
	whole, equal := 0, 0
	for _, g := range groups {
		if len(g) < 2 { // others were positions that are there already, or their games had no end
			continue
		}
		whole++
		if len(g) > 3 {
			t.Errorf("%d siblings", len(g))
		}
		if g[0].Opp.Pips() == g[1].Opp.Pips() {
			equal++
		}
	}
	if whole < 10 || equal < whole*8/10 {
		t.Errorf("%d groups, in %d the mover has as many pips after two plays", whole, equal)
	}

	// With a horizon the games are their beginnings.
	early := run(40, 8)
	if !slices.Equal(early, run(3, 8)) {
		t.Error("other pieces give other records with a horizon")
	}
	long := func(list []train.Record) (n int) {
		for _, r := range list {
			if p, err := board.FromKey(r.Key); err == nil && p.Me.Pips()+p.Opp.Pips() > 200 {
				n++
			}
		}
		return n
	}
	if a, b := long(all), long(early); b < len(early)*9/10 || a > len(all)*8/10 {
		t.Errorf("%d of %d positions are early, with a horizon %d of %d", a, len(all), b, len(early))
	}
}
