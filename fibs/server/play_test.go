package server

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// playOut lets two bots finish the match they sit at.
func playOut(t *testing.T, alice, bob *client, seed uint64, double, resign float64) {
	t.Helper()
	var wg sync.WaitGroup
	for i, c := range []*client{alice, bob} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b := &bot{client: c, rng: rand.New(rand.NewPCG(seed, uint64(i))), double: double, resign: resign}
			if !b.play() {
				t.Errorf("bot %d lost its connection: %v", i, b.log[max(0, len(b.log)-10):])
			}
		}()
	}
	wg.Wait()
}

func TestMatch_randomBotsPlayToTheEnd(t *testing.T) {
	s := start(t, Options{Seed: 7})
	alice, bob := begin(t, s, "5")
	// The boards that begin printed have been read; ask again.
	alice.send("board")
	bob.send("board")
	playOut(t, alice, bob, 1, 0, 0)
	all := s.Matches()
	if len(all) != 1 || !all[0].Finished() {
		t.Fatalf("matches: %+v", all)
	}
	checkRecord(t, all[0])
}

// checkRecord replays a match record through the rules.
func checkRecord(t *testing.T, r MatchRecord) {
	t.Helper()
	score := [2]int{}
	for n, g := range r.Games {
		if g.Score != score {
			t.Fatalf("game %d: score %v, want %v", n, g.Score, score)
		}
		l := startLayout()
		cube := 1
		for k, a := range g.Actions {
			switch a.Kind {
			case Moved:
				if len(a.Steps) == 0 {
					if a.Done && l.demand(a.Side, a.Roll).Steps != 0 {
						t.Fatalf("game %d action %d: danced though it could move", n, k)
					}
					continue
				}
				_, after, err := l.readMove(a.Side, a.Roll, formatSteps(a.Side, a.Steps))
				if err != nil {
					t.Fatalf("game %d action %d: %v", n, k, err)
				}
				l = after
			case Accepted:
				if k > 0 && g.Actions[k-1].Kind == Doubled {
					cube = g.Actions[k-1].Value
				}
			}
		}
		if who, kind := l.winner(); who != 0 {
			want := g.O
			if who == X {
				want = 1 - g.O
			}
			if g.Winner != want || g.Points != kind*cube {
				t.Fatalf("game %d: winner %d with %d points, the moves say %d with %d", n, g.Winner, g.Points, want, kind*cube)
			}
		}
		if g.Winner >= 0 {
			score[g.Winner] += g.Points
		}
	}
	if score != r.Score {
		t.Fatalf("final score %v, games add up to %v", r.Score, score)
	}
}

// TestMatch_noBoardBeforeAnAutomaticRoll: in a match of one point the server always rolls. No
// board comes between the opponent's move and the roll: its player would seem to be on roll.
func TestMatch_noBoardBeforeAnAutomaticRoll(t *testing.T) {
	s := start(t, Options{Seed: 7})
	alice, bob := begin(t, s, "1")
	alice.send("board")
	bob.send("board")
	playOut(t, alice, bob, 1, 0, 0)
	rolls := 0
	for _, c := range []*client{alice, bob} {
		last := ""
		for _, line := range c.log {
			if strings.HasPrefix(line, "S: You roll ") {
				rolls++
				if board := strings.TrimPrefix(last, "S: "); strings.HasPrefix(board, "board:") {
					if v := readView(t, board); v.turn == v.me && v.mine[0] == 0 {
						t.Errorf("%s\n%s", last, line)
					}
				}
			}
			if strings.HasPrefix(line, "S: ") && len(line) > len("S: ") {
				last = line
			}
		}
	}
	if rolls < 20 {
		t.Errorf("%d rolls only", rolls)
	}
}
