package sheet

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// TestSaw_twiceIsOnce: whatever was lost before it, a board that comes again, as the
// answer to a question of before, changes nothing: the same question would be answered
// twice. What we have sent since is still on its way then, and is believed when the
// next board shows it.
func TestSaw_twiceIsOnce(t *testing.T) {
	torn, seeds := 0, uint64(600)
	if testing.Short() {
		seeds = 120
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := New("bob", 0, true)
		s.NewGame()
		pos, turn, cube, owner := board.Start, []Side{Us, Them}[rng.IntN(2)], 1, match.Centred
		told := func(f func()) {
			if rng.IntN(6) > 0 {
				f()
			}
		}
		for range 4 + rng.IntN(60) {
			view := pos
			if turn == Them {
				view = pos.Swap()
			}
			if rng.IntN(20) == 0 && (owner == match.Centred || owner == turn.Owner()) {
				told(func() { s.DoubledBy(turn) })
				cube, owner = 2*cube, turn.Other().Owner()
				told(func() { s.Took(turn.Other(), cube) })
			}
			d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
			told(func() { s.Rolled(turn, d) })
			v := Board{Mine: true, Opponent: "bob", Position: pos, Turn: turn, Dice: d, Cube: cube, Owner: owner, Doubler: Nobody}
			if rng.IntN(4) == 0 {
				if rng.IntN(3) == 0 {
					s.Interrupted()
				}
				s.Saw(v)
				key, acts := s.Key(), slices.Clone(s.Current().Acts)
				if _, known := s.Position(); !known {
					t.Fatalf("seed %d: a board was seen and the position is not known", seed)
				}
				if s.Current().Torn {
					torn++
				}
				s.Saw(v)
				if s.Key() != key || !slices.EqualFunc(acts, s.Current().Acts, equalAct) {
					t.Fatalf("seed %d: the same board again: %+v was %+v, %d acts were %d", seed, s.Key(), key, len(s.Current().Acts), len(acts))
				}
			}
			plays := board.AppendPlays(nil, view, d)
			if len(plays) == 0 {
				told(func() { s.Danced(turn) })
			} else {
				p := plays[rng.IntN(len(plays))]
				if turn == Us {
					s.SentMove(p.Steps[:p.N])
				}
				told(func() { s.Moved(turn, p.Steps[:p.N]) })
				view = p.Result
			}
			if pos = view; turn == Them {
				pos = view.Swap()
			}
			if turn = turn.Other(); view.Me.Count() == 0 {
				break
			}
		}
	}
	if torn < 200 {
		t.Errorf("%d boards behind a hole only", torn)
	}
}

func equalAct(a, b Act) bool {
	a.Shown, b.Shown = nil, nil
	return a == b
}
