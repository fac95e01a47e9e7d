package sheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// truth is a game as a server played it, and the sheet of a bot that saw parts of it.
type truth struct {
	t    *testing.T
	rng  *rand.Rand
	acts []Act // rolls and plays are separate acts
	at   []Board
	s    *Sheet
	won  Side // Nobody while the game runs
	pts  int
}

// playTruth plays a game with random dice, many of them closed, random plays and doubles.
func playTruth(t *testing.T, seed uint64) *truth {
	g := &truth{t: t, rng: rand.New(rand.NewPCG(seed, 7)), s: New("bob", 5, true), won: Nobody}
	v := Board{Mine: true, Opponent: "bob", Length: 5, Position: board.Start, Turn: Side(g.rng.IntN(2)), Cube: 1, Owner: match.Centred, Doubler: Nobody}
	g.at = []Board{v}
	step := func(a Act) {
		g.acts, g.at = append(g.acts, a), append(g.at, v)
	}
	dice := func() board.Dice {
		if g.rng.IntN(3) == 0 && len(g.acts) > 1 {
			return board.Dice{A: 6, B: 6}
		}
		return board.Dice{A: uint8(1 + g.rng.IntN(6)), B: uint8(1 + g.rng.IntN(6))}
	}
	for len(g.acts) < 300 {
		us := v.Turn
		if len(g.acts) > 1 && g.rng.IntN(12) == 0 && v.Owner != us.Other().Owner() && v.Cube < 4 {
			v.Doubler = us
			step(Act{Kind: ActDoubled, Side: us})
			if v.Doubler = Nobody; g.rng.IntN(6) == 0 {
				g.won, g.pts = us, v.Cube
				step(Act{Kind: ActDropped, Side: us.Other()})
				return g
			}
			v.Cube, v.Owner = 2*v.Cube, us.Other().Owner()
			step(Act{Kind: ActTook, Side: us.Other()})
		}
		v.Dice = dice()
		for len(g.acts) == 0 && v.Dice.Double() {
			v.Dice = dice()
		}
		step(Act{Kind: ActRolled, Side: us, Dice: v.Dice})
		view := v.Position
		if us == Them {
			view = view.Swap()
		}
		a := Act{Kind: ActPlayed, Side: us, Dice: v.Dice, Play: board.Play{Result: view}}
		if plays := board.AppendPlays(nil, view, v.Dice); len(plays) > 0 {
			a.Play = plays[g.rng.IntN(len(plays))]
		}
		if v.Position = a.Play.Result; us == Them {
			v.Position = v.Position.Swap()
		}
		v.Turn, v.Dice = us.Other(), board.Dice{}
		if points := a.Play.Result.Result(); points > 0 {
			g.won, g.pts = us, points*v.Cube
			step(a)
			return g
		}
		step(a)
	}
	return g
}

// see lets the sheet see act n.
func (g *truth) see(n int) {
	switch a := g.acts[n]; a.Kind {
	case ActRolled:
		g.s.Rolled(a.Side, a.Dice)
		g.s.Saw(g.at[n+1])
	case ActPlayed:
		g.s.Moved(a.Side, a.Play.Steps[:a.Play.N])
		if n+1 < len(g.acts) {
			g.s.Saw(g.at[n+1])
		}
	case ActDoubled:
		g.s.DoubledBy(a.Side)
	case ActTook:
		g.s.Took(a.Side, 0)
	}
	if n+1 == len(g.acts) && g.won != Nobody {
		how := ByBearingOff
		if g.acts[n].Kind == ActDropped {
			how = ByDrop
		}
		g.s.GameWon(g.won, g.pts, how)
	}
}

// miss breaks the connection before act n and returns the first act after the resume: the bot can
// have missed its own play that was sent and its dances, but no decision of its own.
func (g *truth) miss(n int) int {
	if a := g.acts[n]; a.Kind == ActPlayed && a.Side == Us {
		g.s.SentMove(a.Play.Steps[:a.Play.N])
	}
	g.s.Interrupted()
	for first := n; n < len(g.acts) && (n == first || !g.settled(n) || g.rng.IntN(7) > 0); n++ {
		if a := g.acts[n]; n > first && a.Side == Us && (a.Kind == ActPlayed && a.Play.N > 0 || a.Kind == ActDoubled || a.Kind == ActTook || a.Kind == ActDropped) {
			break
		}
	}
	if n < len(g.acts) {
		g.s.Saw(g.at[n])
	}
	return n
}

// settled reports whether a server stops before act n: it does not between a roll and its dance.
func (g *truth) settled(n int) bool {
	return n == len(g.acts) || g.acts[n].Kind != ActPlayed || g.acts[n].Play.N > 0
}

// list has the lines of the server's list after n acts.
func (g *truth) list(n int) []Act {
	var out []Act
	for i, a := range g.acts[:n] {
		if a.Kind != ActRolled || i+1 == n {
			out = append(out, a)
		}
	}
	return out
}

// tell gives the sheet a list, with other lines of the server between its own; ended adds the line
// about the winner.
func (g *truth) tell(lines []Act, ended bool) {
	g.s.ListBegins()
	g.s.ListPlayers(true, true)
	for _, a := range lines {
		g.s.Listed(map[ActKind]ActKind{ActRolled: ActPlayed, ActPlayed: ActPlayed, ActDoubled: ActDoubled, ActTook: ActTook, ActDropped: ActDropped}[a.Kind],
			a.Side == Us, a.Dice, a.Play.Steps[:a.Play.N])
		if g.rng.IntN(30) == 0 {
			g.s.ListEnds()
		}
	}
	if ended {
		g.s.ListWon(g.won == Us)
	} else {
		g.s.ListEnds()
	}
}

// check fails the test if the sheet's game has no mark and is not the first n acts. It returns
// whether it is marked.
func (g *truth) check(n int, how string) (marked bool) {
	g.t.Helper()
	got := g.s.Last()
	if got == nil || got.Torn || got.doubtful || n == len(g.acts) && g.won != Nobody && !got.Finished() {
		return true // also if the bot does not know that the game is over
	}
	words := func(acts []Act) (out []string) {
		for i, a := range acts {
			if a.Kind != ActRolled || i+1 == len(acts) {
				out = append(out, fmt.Sprint(a.Kind, a.Side, a.Dice.Sorted(), a.Play.Steps[:a.Play.N], a.Play.Result.ID()))
			}
		}
		return out
	}
	if want, have := words(g.acts[:n]), words(got.Acts); !slices.Equal(want, have) {
		i := 0
		for i < min(len(want), len(have)) && want[i] == have[i] {
			i++
		}
		g.t.Fatalf("%s: after %d acts a game without a mark has %d turns of %d: from %d, want %q, have %q", how, n, len(have), len(want), i+1,
			want[i:min(len(want), i+4)], have[i:min(len(have), i+4)])
	}
	if n == len(g.acts) && g.won != Nobody && (got.Winner != g.won || got.Points != g.pts) {
		g.t.Fatalf("%s: won by %d, %d points; played: %d, %d", how, got.Winner, got.Points, g.won, g.pts)
	}
	return false
}

// TestMend_neverFalse: connections break, and the list of moves comes whole or lacks any of its
// lines, has some twice, or is late. The game then is what was played, or it is marked. A whole list
// leaves no hole.
func TestMend_neverFalse(t *testing.T) {
	testsize.Medium(t)
	kinds := map[string]func(*truth, []Act) []Act{
		"whole":                  func(_ *truth, l []Act) []Act { return l },
		"without its last lines": func(g *truth, l []Act) []Act { return l[:max(0, len(l)-1-g.rng.IntN(3))] },
		"without lines before the open roll": func(g *truth, l []Act) []Act {
			n := len(l) - 1
			return append(slices.Clone(l[:max(0, n-1-g.rng.IntN(3))]), l[n])
		},
		"without a pair": func(g *truth, l []Act) []Act {
			at := g.rng.IntN(max(1, len(l)-1))
			if at+1 < len(l) && l[at].Kind == ActPlayed && l[at].Play.N+l[at+1].Play.N == 0 {
				return l // two dances: nothing that a hole leaves shows that they are missing
			}
			return slices.Delete(slices.Clone(l), at, min(len(l), at+2))
		},
		"without any": func(g *truth, l []Act) []Act {
			return slices.DeleteFunc(slices.Clone(l), func(Act) bool { return g.rng.IntN(12) == 0 })
		},
		"twice": func(g *truth, l []Act) []Act {
			at := g.rng.IntN(len(l))
			to := min(len(l), at+1+g.rng.IntN(2))
			return slices.Insert(slices.Clone(l), to, l[at:to]...)
		},
		"of another game": func(g *truth, l []Act) []Act {
			o := playTruth(g.t, g.rng.Uint64())
			return o.list(min(len(l), len(o.acts)))
		},
	}
	for name, change := range kinds {
		t.Run(name, func(t *testing.T) {
			lists, torn, unsure := 0, 0, 0
			for seed := range uint64(40) {
				g := playTruth(t, seed)
				g.s.NewGame()
				g.s.Saw(g.at[0])
				for n := 0; n < len(g.acts); {
					if n == 0 || !g.settled(n) || g.rng.IntN(12) > 0 {
						g.see(n)
						n++
						g.check(n, "seen")
						continue
					}
					n = g.miss(n)
					if n == len(g.acts) && g.won == Nobody {
						break
					}
					l := g.list(n)
					ended := n == len(g.acts)
					for late := g.rng.IntN(6); n+1 < len(g.acts) && (late > 3 || !g.settled(n)); late-- {
						g.see(n)
						n++
					}
					g.tell(change(g, l), ended)
					lists++
					switch marked := g.check(n, name); {
					case marked && g.s.Last().Torn:
						torn++
					case marked:
						unsure++
					}
					if name == "whole" && ended && !g.s.Last().Finished() {
						t.Errorf("seed %d: the whole list shows that the game has ended, the sheet does not", seed)
					}
				}
				if g.s.Current() == nil && g.s.NeedsMending() {
					g.tell(change(g, g.list(len(g.acts))), true)
					if marked := g.check(len(g.acts), name+", at the end"); marked && name == "whole" {
						t.Errorf("seed %d: marked after the whole list of a finished game", seed)
					}
				}
			}
			t.Logf("%d lists, %d torn, %d uncertain", lists, torn, unsure)
			if name == "whole" && torn > 0 {
				t.Errorf("%d of %d games are torn after a whole list", torn, lists)
			}
		})
	}
}
