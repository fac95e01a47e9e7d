package board

import (
	"testing"

	"pgregory.net/rapid"
)

// crowdedPosition is anyPosition with mine heaped up on few points, so that the Egyptian
// rule has something to forbid.
func crowdedPosition(t *rapid.T) Position {
	p := anyPosition(t)
	if rapid.Bool().Draw(t, "as it is") {
		return p
	}
	n := p.Me.Count()
	p.Me = Checkers{}
	last := rapid.IntRange(0, 12).Draw(t, "last")
	for range n {
		i := last + rapid.IntRange(0, 5).Draw(t, "point")
		if p.Opp[23-i] > 0 {
			continue
		}
		p.Me[i]++
	}
	if p.Me.Count() == 0 || p.Validate() != nil {
		t.Skip("nothing left")
	}
	return p
}

func TestRules_egyptianPlaysAreThoseOfASlowWalk(t *testing.T) {
	forbidden := 0
	rapid.Check(t, func(t *rapid.T) {
		p := crowdedPosition(t)
		d := Rolls[rapid.IntRange(0, len(Rolls)-1).Draw(t, "roll")].Dice
		want := slowPlaysBy(p, d, func(p Position, from, die int) (Position, bool) {
			if to := from - die; to >= 0 && p.Me[to] >= 5 {
				return p, false
			}
			return slowStep(p, from, die)
		})
		got := map[Position]bool{}
		for _, pl := range (Rules{Egyptian: true}).AppendPlays(nil, p, d) {
			if got[pl.Result] {
				t.Fatalf("%s %v: %s comes twice", p.ID(), d, pl.Result.ID())
			}
			got[pl.Result] = true
			checkSteps(t, p, d, &pl)
			at := p
			for _, s := range pl.Steps[:pl.N] {
				if s.To >= 0 && at.Me[s.To] >= 5 {
					t.Fatalf("%s %v: %v puts a sixth checker on a point", p.ID(), d, pl.Steps[:pl.N])
				}
				at.stepTo(int(s.From), int(s.To))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s %v: %d plays, want %d", p.ID(), d, len(got), len(want))
		}
		for q := range want {
			if !got[q] {
				t.Fatalf("%s %v: %s is missing", p.ID(), d, q.ID())
			}
		}
		if len(AppendPlays(nil, p, d)) != len(got) {
			forbidden++
		}
	})
	if forbidden == 0 && !testing.Short() { // few positions may meet no rule
		t.Error("the rule forbade nothing")
	}
}

// In 3-3 with five checkers on the six point one of them has to go before another comes.
func TestRules_egyptianOrderOfSteps(t *testing.T) {
	p := Position{Me: Checkers{8: 1, 5: 5}, Opp: Checkers{0: 2}}
	d := Dice{A: 3, B: 3}
	pl, err := Rules{Egyptian: true}.ParsePlay(p, d, "9/6 6/3(3)")
	if err != nil || pl.Result.Me != (Checkers{5: 3, 2: 3}) {
		t.Errorf("%+v, %v", pl, err)
	}
	if _, err := (Rules{Egyptian: true}).ParsePlay(Position{Me: Checkers{10: 1, 8: 5, 7: 1}, Opp: Checkers{0: 2}}, Dice{A: 2, B: 1}, "11/9 8/7"); err == nil {
		t.Error("a sixth checker on the nine point")
	}
}

func TestRules_resultByTheCheckersOfTheGame(t *testing.T) {
	for _, c := range []struct {
		name string
		each uint8
		opp  Checkers
		want int
	}{
		{"two of three are a single game", 3, Checkers{3: 2}, 1},
		{"all three are a gammon", 3, Checkers{3: 2, 17: 1}, 2},
		{"one in the winner's home is a backgammon", 3, Checkers{3: 2, 18: 1}, 3},
		{"on the bar too", 1, Checkers{Bar: 1}, 3},
		{"of fifteen it is a single game", 0, Checkers{Bar: 1}, 1},
	} {
		r := Rules{Checkers: c.each}
		p := Position{Opp: c.opp}
		back := p.Swap()
		if got := r.Result(&p); got != c.want || r.Result(&back) != -c.want {
			t.Errorf("%s: %d", c.name, got)
		}
	}
}
