package play

import (
	"context"
	"errors"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Tesauro's benchmark is an opponent as it is one in a duel: it plays as eval.Pubeval says,
// never doubles and takes every double. It judges resignations as expert does.
func TestThink_pubeval(t *testing.T) {
	e := anEngine(t)
	m, err := New(Options{Length: 3, Seed: 4, Strength: Strength{Preset: Pubeval}}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if v := m.View(); v.Names[Opponent] != Pubeval || v.Opponent != (Standing{}) {
		t.Errorf("it is called %q and plays at %s", v.Names[Opponent], v.Opponent)
	}
	plays, doubled := 0, false
	for range 400 {
		s := m.state
		v := m.View()
		if v.Phase == MatchOver {
			break
		}
		if v.Turn == Opponent && v.Phase != GameOver {
			done, err := m.Think(context.Background(), e)
			if err != nil || !done {
				t.Fatal(done, err)
			}
			last := m.acts[len(m.acts)-1]
			switch last.Kind {
			case Double, Drop, Resign:
				t.Fatalf("pubeval: %s", last.Kind)
			case Move:
				p := s.situation(Opponent).Position
				if all := board.AppendPlays(nil, p, s.dice); len(all) > 0 {
					want := all[eval.Pubeval{}.Best(&p, all)]
					if got := m.state.pos.Swap(); m.state.phase == ToRoll && want.Result != got {
						t.Fatalf("played %s, pubeval plays %s", last.Play, board.FormatPlay(p, want))
					}
					plays++
				}
			}
			continue
		}
		a := Act{Kind: Roll}
		switch {
		case v.Phase == GameOver:
			a = Act{Kind: Next}
		case v.Phase == ToMove:
			a = Act{Kind: Move, Play: firstPlay(&v)}
		case v.MayDouble && !doubled:
			a, doubled = Act{Kind: Double}, true
		}
		if err := m.Do(a, -1); err != nil {
			t.Fatal(err)
		}
	}
	if plays < 10 || !doubled {
		t.Errorf("%d plays, doubled: %v", plays, doubled)
	}
	for _, o := range []Options{{Variation: "hypergammon2"}, {Egyptian: true}} {
		o.Preset = Pubeval
		if _, err := New(o, time.Now()); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// firstPlay is the first legal play of a view, or "".
func firstPlay(v *View) string {
	for _, n := range v.Moves {
		if n.End && n.Play != "" {
			return n.Play
		}
	}
	return ""
}
