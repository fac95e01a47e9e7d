package train

import (
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// race is a position without contact: the end of a path.
var race = board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{0: 2}}

func TestGame_settleLabelsThePathWithWhatCameOfIt(t *testing.T) {
	win := func(x float32) eval.Probs { return eval.Probs{x} }
	path := []step{{value: win(0.5), judged: true}, {value: win(0.6), judged: true}, {}, {value: win(0.9), judged: true}}
	tests := []struct {
		name   string
		lambda float64
		pos    board.Position
		path   []step
		want   []float32
	}{
		// The player on roll at the last position wins 0.9 of the games, and so does the other at 1.
		{"the end alone", 1, race, path, []float32{0.1, 0.9, 0.1}},
		// Position 2 (after a dance) has the label of 3; 1 the label of 2, unmixed, since 2 has no judgement; 0
		// half of that and half of the judgement of 1.
		{"half of it", 0.5, race, path, []float32{1 - (0.5*0.9 + 0.5*0.6), 0.9, 0.1}},
		{"no end", 1, board.Start, path, nil},
		{"nothing but the end", 1, race, path[3:], nil},
		{"an end without a judgement", 1, race, path[:3], nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := game{pos: tt.pos, path: tt.path}
			if err := g.settle(&selfSpec{Trace: tt.lambda}, nil); err != nil {
				t.Fatal(err)
			}
			if len(g.kept) != len(tt.want) {
				t.Fatalf("%d records, want %d", len(g.kept), len(tt.want))
			}
			for i, r := range g.kept {
				if got := r.Label.Probs()[0]; math.Abs(float64(got-tt.want[i])) > 1e-4 {
					t.Errorf("position %d wins %v, want %v", i, got, tt.want[i])
				}
			}
		})
	}
}

// planned answers for the positions of a path, by depth.
type planned map[board.Key][2]eval.Probs

func (p planned) Label(keys []board.Key, plies int, out []Label) error {
	for i, k := range keys {
		out[i] = LabelOf(p[k][plies])
	}
	return nil
}

func (planned) Close() error { return nil }

func TestGame_settleWithoutLuckAddsWhatEachPositionErrsAgainstItsRolls(t *testing.T) {
	behind := board.Position{Me: board.Checkers{23: 2}, Opp: board.Checkers{5: 3}}
	a, b, c := board.Start.Key(), behind.Key(), race.Key()
	teacher := planned{
		// The judgement of position a is too low by 0.1, that of b, with the other player on roll, too high by
		// 0.2, of which gammons 0.05.
		a: {{0.4, 0.1, 0, 0.2}, {0.5, 0.1, 0, 0.2}},
		b: {{0.7, 0.3, 0, 0.1}, {0.5, 0.25, 0, 0.1}},
		c: {{0.3}, {0.3}},
	}
	path := []step{{a, teacher[a][0], true}, {b, teacher[b][0], true}, {c, teacher[c][0], true}}
	for _, tt := range []struct {
		name   string
		lambda float64
		want   []eval.Probs
	}{
		{"one ply", 0.001, []eval.Probs{{0.5, 0.1, 0, 0.2}, {0.5, 0.25, 0, 0.1}}},
		// The player at a wins 0.2 more than a's rolls say, for the other wins 0.2 less at b and loses 0.05
		// gammons less.
		{"all of it", 1, []eval.Probs{{0.7, 0.1, 0, 0.15}, {0.5, 0.25, 0, 0.1}}},
		{"half of it", 0.5, []eval.Probs{{0.6, 0.1, 0, 0.175}, {0.5, 0.25, 0, 0.1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := game{pos: race, path: path}
			if err := g.settle(&selfSpec{Trace: tt.lambda, NoLuck: true}, teacher); err != nil {
				t.Fatal(err)
			}
			if len(g.kept) != len(tt.want) {
				t.Fatalf("%d records, want %d", len(g.kept), len(tt.want))
			}
			for i, r := range g.kept {
				for j, got := range r.Label.Probs() {
					if math.Abs(float64(got-tt.want[i][j])) > 1e-3 {
						t.Errorf("position %d, chance %d: %v, want %v", i, j, got, tt.want[i][j])
					}
				}
			}
		})
	}
}

func TestSelfPlay_traceKeepsPathsAndTheirEnds(t *testing.T) {
	sp := &SelfPlay{Teacher: &pipTeacher{}, Games: 20, Seed: 5, Trace: 1}
	sp.Weights[Natural], sp.Weights[BackGame] = 1, 1
	n := 0
	err := sp.Run(t.Context(), 1000, func(_ Plan, r Record) error {
		p, err := board.FromKey(r.Key)
		if err != nil || !p.Contact() || r.Group != 0 {
			t.Errorf("%v, contact %v, group %d: %v", r.Key, p.Contact(), r.Group, err)
		}
		n++
		return nil
	})
	if err != nil || n != 1000 {
		t.Errorf("%d records: %v", n, err)
	}
	for name, sp := range map[string]*SelfPlay{
		"a trace of whole decisions": {Teacher: &pipTeacher{}, Trace: 1, Within: 0.1},
		"luck without a trace":       {Teacher: &pipTeacher{}, NoLuck: true},
		"siblings with luck":         {Teacher: &pipTeacher{}, Trace: 1, Siblings: 3},
	} {
		sp.Weights[Natural] = 1
		if err := sp.Run(t.Context(), 1, nil); err == nil {
			t.Errorf("%s is made", name)
		}
	}
}

// The games of races go on until both sides are home, those of other plans until the contact is over.
func TestGame_settled(t *testing.T) {
	outside := board.Position{Me: board.Checkers{7: 15}, Opp: board.Checkers{8: 15}}
	for _, tt := range []struct {
		plan Plan
		pos  board.Position
		want bool
	}{
		{Holding, board.Start, false},
		{Holding, outside, true},
		{StackedRace, outside, false},
		{StackedRace, race, true},
		{LongRace, board.Position{Opp: board.Checkers{9: 15}}, true},
	} {
		if g := (&game{plan: tt.plan, pos: tt.pos}); g.settled() != tt.want {
			t.Errorf("%v: %v: %v", tt.plan, tt.pos, !tt.want)
		}
	}
}
