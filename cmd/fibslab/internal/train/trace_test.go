package train

import (
	"context"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// race is a position without contact: the end of a path.
var race = board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{0: 2}}

// planned answers for the positions of a path, by depth.
type planned map[board.Key][2]eval.Probs

func (p planned) Label(_ context.Context, keys []board.Key, plies int, out []Label) error {
	for i, k := range keys {
		out[i] = LabelOf(p[k][plies])
	}
	return nil
}

func TestGame_settleAddsWhatEachPositionErrsAgainstItsRolls(t *testing.T) {
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
			if err := g.settle(t.Context(), &selfSpec{Trace: tt.lambda}, teacher); err != nil {
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
	for name, g := range map[string]*game{"no end": {pos: board.Start, path: path}, "nothing but the end": {pos: race, path: path[2:]},
		"an end without a judgement": {pos: race, path: append(path[:2:2], step{key: c})}} {
		if err := g.settle(t.Context(), &selfSpec{Trace: 1}, teacher); err != nil || g.kept != nil {
			t.Errorf("%s: %v, %v", name, g.kept, err)
		}
	}
	for name, sp := range map[string]*SelfPlay{"a trace alone": {Trace: 1}, "siblings alone": {Siblings: 3}, "one sibling": {Trace: 1, Siblings: 1}} {
		alone(sp, &pipTeacher{}).Weights[Natural] = 1
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
