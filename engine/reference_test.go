package engine

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// every returns how many rows apart the tests take: all with FIBSBOT_FULL set,
// one in so many otherwise.
func every(n int) int {
	if os.Getenv("FIBSBOT_FULL") != "" {
		return 1
	}
	return n
}

type refState struct {
	ID                        string
	ML, Crawford, Cube, Owner int
	Score                     [2]int
	Jacoby, Beavers           int
	Dice                      []int
	Top                       []struct {
		Res string
		Eq  float64
		Ply int
	}
	P2 struct {
		ND   float64 `json:"nd"`
		DT   float64 `json:"dt"`
		DP   float64 `json:"dp"`
		Code int
	}
}

func (r *refState) state() match.State {
	return match.State{
		Length: r.ML, Score: r.Score, Cube: r.Cube, Crawford: r.Crawford == 1,
		Owner:  map[int]match.Owner{-1: match.Centred, 0: match.Mine, 1: match.Theirs}[r.Owner],
		Jacoby: r.Jacoby == 1, Beavers: r.Beavers,
	}
}

// TestReference_moves2ply compares our 2-ply choice with gnubg's world class:
// how often it is the same, and what it loses in gnubg's eyes.
func TestReference_moves2ply(t *testing.T) {
	testsize.Medium(t)
	sc := reference.Lines(t, "reference", "moves.jsonl")
	e := open(t, Options{})
	s := search.Settings{Plies: 2, Cubeful: true, Filter: search.Normal, Prune: true}
	step, row, n, same, unknown := every(75), 0, 0, 0, 0
	loss := 0.0
	for sc.Scan() {
		if row++; row%step != 0 {
			continue
		}
		var r refState
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Top) < 2 {
			continue
		}
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		list, err := e.Search().Plays(context.Background(), p, board.Dice{A: uint8(r.Dice[0]), B: uint8(r.Dice[1])}, r.state(), s)
		if err != nil {
			t.Fatal(err)
		}
		n++
		got, found := list[0].Play.Result.Swap().ID(), false
		for i, c := range r.Top {
			if c.Res == got {
				d := math.Max(0, r.Top[0].Eq-c.Eq)
				loss += d
				found = true
				if i == 0 || d < 1e-5 {
					same++
				}
			}
		}
		if !found {
			unknown++
			loss += r.Top[0].Eq - r.Top[len(r.Top)-1].Eq
		}
	}
	share := float64(same) / float64(n)
	t.Logf("%d decisions, same choice %.1f %%, mean loss in gnubg's eyes %.5f (%d outside its first five)", n, 100*share, loss/float64(n), unknown)
	if share < 0.5 || loss/float64(n) > 0.02 {
		t.Error("far from gnubg's choices: a sign of a broken search, not of taste")
	}
}

// TestReference_cube2ply compares 2-ply cube decisions with gnubg's.
func TestReference_cube2ply(t *testing.T) {
	sc := reference.Lines(t, "reference", "cube.jsonl")
	e := open(t, Options{})
	double := map[int]bool{0: true, 1: true, 5: true, 7: true, 8: true}
	pass := map[int]bool{1: true, 4: true, 8: true, 11: true, 19: true, 20: true}
	step, row, n, doubles, takes := every(75), 0, 0, 0, 0
	var diff, loss float64
	for sc.Scan() {
		if row++; row%step != 0 {
			continue
		}
		var r refState
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		d, err := e.Search().Cube(context.Background(), p, r.state(), search.Settings{Plies: 2, Prune: true})
		if err != nil {
			t.Fatal(err)
		}
		if !d.Available() || d.Dead || r.P2.Code == 15 {
			continue
		}
		n++
		diff += math.Abs(d.NoDouble - r.P2.ND)
		if d.Action.Double() == double[r.P2.Code] {
			doubles++
		} else {
			loss += math.Abs(math.Min(r.P2.DT, r.P2.DP) - r.P2.ND)
		}
		if (d.DoubleTake > d.DoublePass) == pass[r.P2.Code] {
			takes++
		}
	}
	t.Logf("%d decisions: same double %.1f %%, same take %.1f %%, mean difference of no double %.4f, mean loss by doubling %.5f",
		n, 100*float64(doubles)/float64(n), 100*float64(takes)/float64(n), diff/float64(n), loss/float64(n))
	if float64(doubles) < 0.8*float64(n) || float64(takes) < 0.8*float64(n) {
		t.Error("far from gnubg's decisions: a sign of a broken search, not of taste")
	}
}
