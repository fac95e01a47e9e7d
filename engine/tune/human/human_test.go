package human

import (
	"testing"

	"pgregory.net/rapid"

	"fibsbot/engine/board"
)

// TestChoose_neverBeyondTheLimit: a play that loses more than the limit is never made, and a style
// without error plays the best.
func TestChoose_neverBeyondTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		losses := rapid.SliceOfN(rapid.Float64Range(0, 2), 1, 30).Draw(t, "losses")
		best := rapid.IntRange(0, len(losses)-1).Draw(t, "best")
		losses[best] = 0
		s := Style{Checker: rapid.Float64Range(0, MaxAmount).Draw(t, "amount")}
		p, seed := board.Start, rapid.Uint64().Draw(t, "seed")
		k := s.Choose(&p, losses, seed)
		if losses[k] > s.Limit() || k != s.Choose(&p, losses, seed) {
			t.Fatalf("play %d loses %v, limit %v", k, losses[k], s.Limit())
		}
		if k := (Style{}).Choose(&p, losses, seed); losses[k] != 0 {
			t.Fatalf("without error play %d, which loses %v", k, losses[k])
		}
		if d := Difficulty(losses); d < 0.4 || d > 1.6 {
			t.Fatalf("difficulty %v", d)
		}
	})
}

// TestChoose_errsMoreWhereItIsHard compares the mean loss in a race and in a back game, and with one
// clear play and with a crowd. Seeds are fixed.
func TestChoose_errsMoreWhereItIsHard(t *testing.T) {
	race := board.Position{Me: board.Checkers{0, 0, 5, 5, 5}, Opp: board.Checkers{0, 0, 5, 5, 5}}
	back := board.Start
	back.Me = board.Checkers{}
	back.Me[19], back.Me[21], back.Me[5], back.Me[7] = 2, 3, 5, 5
	if PlanOf(&race) != Bearoff || PlanOf(&back) != BackGame {
		p := board.Start
		t.Fatalf("plans %d, %d, %d", PlanOf(&race), PlanOf(&back), PlanOf(&p))
	}
	mean := func(p *board.Position, losses []float64) (sum float64) {
		for seed := range uint64(4000) {
			sum += losses[Style{Checker: 0.06}.Choose(p, losses, seed*7919)] / 4000
		}
		return sum
	}
	crowd, clear := []float64{0, 0.02, 0.04, 0.06, 0.08, 0.1}, []float64{0, 0.12, 0.14, 0.16, 0.18, 0.2}
	if easy, hard := mean(&race, crowd), mean(&back, crowd); easy > 0.5*hard {
		t.Errorf("race %.4f, back game %.4f", easy, hard)
	}
	if easy, hard := mean(&back, clear), mean(&back, crowd); easy > 1.5*hard {
		t.Errorf("clear %.4f, crowd %.4f", easy, hard)
	}
}

func TestDoubles_clearCasesAreRight(t *testing.T) {
	p, s := board.Start, Style{Cube: 0.1}
	wrong := 0
	for seed := range uint64(2000) {
		if s.Doubles(&p, -0.5, seed) || !s.Doubles(&p, 0.5, seed) || s.Takes(&p, -0.5, seed) || !s.Takes(&p, 0.5, seed) {
			t.Fatal("a cube decision worth half a point was wrong")
		}
		if s.Doubles(&p, -0.02, seed) {
			wrong++
		}
	}
	if wrong < 100 || wrong > 1000 {
		t.Errorf("a close double was wrong %d of 2000 times", wrong)
	}
}
