package engine

import (
	"context"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// resignations are situations in which the roll changes what a resignation is worth. A
// single game before the roll is accepted in both.
func resignations(t *testing.T) (missed, joker match.Situation) {
	t.Helper()
	for id, s := range map[string]*match.Situation{"7rZFAADYNtwAGA": &missed, "hvPBBQQ2OwbABg": &joker} {
		p, err := board.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		*s = match.Situation{Position: p, State: match.State{Length: 5, Cube: 1}}
	}
	missed.Dice, joker.Dice = board.Dice{A: 5, B: 4}, board.Dice{A: 5, B: 5}
	return missed, joker
}

// A resignation after the roll is weighed with that roll, by every preset that answers
// without rollouts.
func TestResignation_isWeighedWithTheRoll(t *testing.T) {
	ctx, e := context.Background(), open(t, Options{Seed: 1})
	missed, joker := resignations(t)
	for _, name := range []string{"beginner", "casual", "advanced", "expert", "worldclass"} {
		pr := named(t, name)
		for _, rolled := range []bool{false, true} {
			m, j := missed, joker
			if !rolled {
				m.Dice, j.Dice = board.Dice{}, board.Dice{}
			}
			if yes, err := e.AcceptResignation(ctx, m, 1, pr); err != nil || yes == rolled {
				t.Errorf("%s, the resigner on roll, rolled %v: accepts %v, %v", name, rolled, yes, err)
			}
			if yes, err := e.AcceptOnRoll(ctx, j, 1, pr); err != nil || yes == rolled {
				t.Errorf("%s, the resigner not on roll, rolled %v: accepts %v, %v", name, rolled, yes, err)
			}
		}
	}
}

func TestResignOffer_isWeighedWithTheRoll(t *testing.T) {
	ctx, e, pr := context.Background(), open(t, Options{}), named(t, "expert")
	// Equal dice win before the opponent bears off his last two.
	s := match.Situation{Position: board.Position{Me: board.Checkers{0: 4}, Opp: board.Checkers{0: 2}}, State: match.State{Length: 5, Cube: 1}}
	for _, tt := range []struct {
		dice board.Dice
		want int
	}{{board.Dice{}, 0}, {board.Dice{A: 2, B: 1}, 1}, {board.Dice{A: 1, B: 1}, 0}} {
		s.Dice = tt.dice
		if got, err := e.ResignOffer(ctx, s, pr); err != nil || got != tt.want {
			t.Errorf("dice %v: offers %d, %v; want %d", tt.dice, got, err, tt.want)
		}
	}
}

func TestPlayOn(t *testing.T) {
	ctx, e, pr := context.Background(), open(t, Options{}), named(t, "expert")
	missed, _ := resignations(t)
	before, dance, off := missed, missed, missed
	before.Dice = board.Dice{}
	dance.Position.Me[23], dance.Position.Me[board.Bar] = 1, 1 // only a 1 enters
	off.Position, off.Dice = board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{12: 15}}, board.Dice{A: 2, B: 1}
	// Plays are valued without the net of cube efficiencies.
	usual, after := pr, dance.Position.Swap()
	x := cube.UsualEfficiency.Of(&after)
	usual.Cube.Efficiency = &x
	swapped, err := e.Evaluate(ctx, after, dance.State.Swap(), usual)
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.RankPlays(ctx, missed.Position, missed.Dice, missed.State, pr)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := e.Evaluate(ctx, before.Position, before.State, pr)
	if err != nil {
		t.Fatal(err)
	}
	won := before
	won.Position = board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{5: 5, 4: 5, 3: 4}}
	doubled := won
	doubled.Doubled = true
	noisy := pr
	noisy.Checker.Noise, noisy.Cube.Noise, noisy.Human.Checker = 0.2, 0.2, 5
	for _, tt := range []struct {
		name string
		s    match.Situation
		want float64
	}{
		{"before the roll", before, plain.Cubeful},
		{"the best play", missed, list[0].Equity},
		{"no legal play", dance, -swapped.Cubeful},
		{"bears off", off, e.Table().EMG(off.State, e.Table().After(off.State, 2))},
		{"a double waits", doubled, 1},
	} {
		for _, p := range []preset.Preset{pr, noisy} {
			v, err := e.PlayOn(ctx, tt.s, p)
			if err != nil || math.Abs(v.Cubeful-tt.want) > 1e-4 {
				t.Errorf("%s, noise %v: equity %.4f, %v; want %.4f", tt.name, p.Checker.Noise, v.Cubeful, err, tt.want)
			}
			if mwc := e.Table().MWC(tt.s.State, v.Cubeful); math.Abs(v.MWC-mwc) > 1e-4 {
				t.Errorf("%s: match winning chance %.4f, want %.4f", tt.name, v.MWC, mwc)
			}
		}
	}
}
