package play

import (
	"testing"

	"fibsbot/bearoff"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// Hypergammon is played, judged and recorded by its own rules: an engine for 15 checkers
// is handed in as everywhere.
func TestMatch_hypergammon(t *testing.T) {
	src := bearoff.NewSource(bearoff.Options{Cache: t.TempDir()})
	defer src.Close()
	e, err := engine.Open(engine.Options{Bearoff: src, Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	pr, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Variation: "Hypergammon1", Length: 7, Seed: 5, Strength: Strength{Preset: "expert"}}
	if err := o.Ready(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	m := newMatch(t, o)
	for n := 0; m.View().Phase != MatchOver; n++ {
		if n > 2000 {
			t.Fatal("the match does not end")
		}
		v := m.View()
		if v.Checkers != 1 || v.Board[0].Count() > 1 || v.Board[1].Count() > 1 {
			t.Fatalf("%+v", v)
		}
		if done, err := m.Think(t.Context(), e); err != nil {
			t.Fatal(err)
		} else if done {
			continue
		}
		a := Act{Kind: Roll}
		switch v.Phase {
		case ToMove:
			h, err := m.Hint(t.Context(), e, pr)
			if err != nil {
				t.Fatal(err)
			}
			a = Act{Kind: Move}
			if len(h.Plays) > 0 {
				a.Play = board.FormatPlay(h.Situation.Position, h.Plays[0].Play)
				if j, err := m.Cost(t.Context(), e, a, pr); err != nil || j.Loss > 1e-6 {
					t.Fatalf("%s loses %v, %v", a.Play, j.Loss, err)
				}
			}
		case ToAnswer:
			a.Kind = Take
		case ToAnswerResign:
			a.Kind = Accept
		case GameOver:
			a.Kind = Next
			// Who loses has his one checker yet: a gammon at least.
			if v.Result.How == "off" && v.Result.Level < 2 {
				t.Fatalf("%+v", v.Result)
			}
		}
		if err := m.Do(a, -1); err != nil {
			t.Fatal(err)
		}
	}
	rec := m.Record()
	if w := rec.Settle(); len(w) > 0 || rec.Rules.Variation != record.Variation("Hypergammon1") || !rec.Games[len(rec.Games)-1].Result.Finished() {
		t.Errorf("%v, %+v", w, rec.Rules)
	}
}

// The Egyptian rule holds for the person's plays and the steps offered to him.
func TestMatch_egyptian(t *testing.T) {
	m := newMatch(t, Options{Egyptian: true, Length: 1, Seed: 1, ByHand: true})
	if err := m.Do(Act{Kind: Roll, Dice: [2]uint8{2, 1}}, -1); err != nil {
		t.Fatal(err)
	}
	if err := m.Do(Act{Kind: Move, Play: "8/6 24/23"}, -1); err == nil {
		t.Error("a sixth checker on the six point")
	}
	for _, n := range m.View().Moves {
		if n.End {
			if _, err := (board.Rules{Egyptian: true}).ParsePlay(board.Start, board.Dice{A: 2, B: 1}, n.Play); err != nil {
				t.Errorf("%s is offered", n.Play)
			}
		}
	}
	if err := m.Do(Act{Kind: Move, Play: "13/11 24/23"}, -1); err != nil {
		t.Error(err)
	}
	if !m.Record().Rules.Egyptian {
		t.Error("the record lacks the Egyptian rule")
	}
}
