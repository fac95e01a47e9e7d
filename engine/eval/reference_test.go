package eval_test

import (
	"encoding/json"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/internal/reference"
)

// TestEval_isOfGnubgsMind holds the embedded nets against 2-ply values of GNU
// Backgammon. It is about plumbing: a wrong side on roll, gammons of the wrong
// player or the wrong class's net would be off by several times the bounds.
// Random boards far from play are among the positions, so the bounds are wide.
func TestEval_isOfGnubgsMind(t *testing.T) {
	s := reference.Lines(t, "reference/eval.jsonl")
	type sums struct{ n, win, gammon, loss float64 }
	by := map[string]*sums{}
	e := model(t).Evaluator()
	for s.Scan() {
		var r struct {
			ID, Cls string
			P2      eval.Probs
		}
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		p, err := board.ParseID(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		got := e.Eval(&p)
		checkValid(t, p, got)
		c := by[r.Cls]
		if c == nil {
			c = new(sums)
			by[r.Cls] = c
		}
		c.n++
		c.win += math.Abs(float64(got[eval.Win] - r.P2[eval.Win]))
		c.gammon += math.Abs(float64(got[eval.WinGammon] - r.P2[eval.WinGammon]))
		c.loss += math.Abs(float64(got[eval.LoseGammon] - r.P2[eval.LoseGammon]))
	}
	for class, c := range by {
		win, gammon, loss := c.win/c.n, c.gammon/c.n, c.loss/c.n
		t.Logf("%s: %v positions, mean error of wins %.4f, gammons %.4f, gammons lost %.4f", class, c.n, win, gammon, loss)
		if win > 0.05 || gammon > 0.05 || loss > 0.05 {
			t.Errorf("%s: mean errors %.3f %.3f %.3f, want at most 0.05", class, win, gammon, loss)
		}
	}
	if len(by) != 5 {
		t.Errorf("%d classes in the reference, want 5", len(by))
	}
}
