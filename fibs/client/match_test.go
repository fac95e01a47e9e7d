package client_test

import (
	"testing"
	"time"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// plays lists the plays of the player on roll by trying every order of the
// dice; only those that use the most dice are kept. It is slow and simple.
func plays(b clip.Board) (best [][]clip.Step) {
	dice := []int{int(max(b.PlayerDice[0], b.PlayerDice[1])), int(min(b.PlayerDice[0], b.PlayerDice[1]))}
	orders := [][]int{dice, {dice[1], dice[0]}}
	if dice[0] == dice[1] {
		orders = [][]int{{dice[0], dice[0], dice[0], dice[0]}}
	}
	// Own numbering: own[k] checkers on the point that is k steps from home,
	// foe likewise seen from our side.
	var own, foe [26]int
	for k := 1; k <= 24; k++ {
		if n := int(b.Points[fibsPoint(b, k)]) * int(b.Colour); n > 0 {
			own[k] = n
		} else {
			foe[k] = -n
		}
	}
	own[25] = int(b.PlayerBar)
	var walk func(own [26]int, dice []int, done []clip.Step)
	walk = func(own [26]int, dice []int, done []clip.Step) {
		if len(best) == 0 || len(done) > len(best[0]) {
			best = nil
		}
		if len(best) == 0 || len(done) == len(best[0]) {
			best = append(best, append([]clip.Step(nil), done...))
		}
		if len(dice) == 0 {
			return
		}
		for k := 25; k >= 1; k-- {
			to := k - dice[0]
			if own[k] == 0 || own[25] > 0 && k != 25 || to >= 1 && foe[to] > 1 || to < 1 && !mayBearOff(own, k, to) {
				continue
			}
			after := own
			after[k]--
			step := clip.Step{From: clip.Bar, To: clip.Off}
			if k != 25 {
				step.From = uint8(fibsPoint(b, k))
			}
			if to >= 1 {
				after[to]++
				step.To = uint8(fibsPoint(b, to))
			}
			walk(after, dice[1:], append(done, step))
		}
	}
	walk(own, orders[0], nil)
	larger := best
	if len(orders) == 2 {
		walk(own, orders[1], nil)
	}
	if len(best[0]) == 1 && len(larger[0]) == 1 {
		// Only one die can be played: the larger one must be.
		return larger
	}
	return best
}

func mayBearOff(own [26]int, from, to int) bool {
	for k := 25; k > 6; k-- {
		if own[k] > 0 {
			return false
		}
	}
	for k := 6; k > from && to < 0; k-- {
		if own[k] > 0 {
			return false
		}
	}
	return true
}

func fibsPoint(b clip.Board, k int) int {
	if b.Direction < 0 {
		return k
	}
	return 25 - k
}

// play follows the prompts and boards of a match to its end.
func (g *guest) play(over chan<- clip.Event) {
	var last string
	boards := 0
	for e := range g.Events() {
		switch e.Kind {
		case clip.Unknown, clip.BadBoard, clip.MoveRefused, clip.UnknownCommand:
			g.t.Errorf("%s: %q %s", e.Kind, e.Raw, e.Text)
		case clip.RollOrDouble:
			g.send(clip.Roll{})
		case clip.JoinNext:
			g.send(clip.Join{})
		case clip.BoardLine:
			boards++
			b := e.Board
			if b.PlayerTurn() != 1 || b.PlayerDice[0] == 0 || b.DoublePending() || e.Raw == last {
				continue
			}
			last = e.Raw
			if all := plays(*b); len(all[0]) > 0 {
				g.send(clip.Move{Steps: all[boards%len(all)]})
			}
		case clip.MatchOver:
			over <- e
			return
		}
	}
	g.t.Errorf("the connection ended in the match: %v", g.Err())
	close(over)
}

// TestServer_wholeMatches plays matches to the end on a server that glues
// lines together and fills the useless fields with nonsense.
func TestServer_wholeMatches(t *testing.T) {
	address := house(t, server.Options{AutoAccounts: true, Seed: 5, Quirks: server.Quirks{Glued: 0.3, Junk: 1, Seed: 5}})
	alice, bob := enter(t, options(address, "alice")), enter(t, options(address, "bob"))
	for range 3 {
		alice.send(clip.Invite{Name: "bob", Length: 5})
		bob.until(clip.Invites)
		bob.send(clip.Join{Name: "alice"})
		ends := [2]chan clip.Event{make(chan clip.Event, 1), make(chan clip.Event, 1)}
		go alice.play(ends[0])
		go bob.play(ends[1])
		var scores [2][2]int
		for i, end := range ends {
			select {
			case e := <-end:
				scores[i] = e.Score
			case <-time.After(limit):
				t.Fatal("the match does not end")
			}
		}
		if scores[0] != scores[1] || scores[0][0] < 5 || scores[0][1] >= 5 {
			t.Errorf("scores %v", scores)
		}
	}
}
