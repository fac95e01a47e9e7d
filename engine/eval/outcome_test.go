package eval

import (
	"testing"

	"fibsbot/engine/board"
)

// The chances of a finished game are worth its points, and turning them round is
// turning the points round.
func TestOutcome(t *testing.T) {
	for _, points := range []int{-3, -2, -1, 1, 2, 3} {
		pr := Outcome(points)
		if got := pr.Money(); got != float32(points) {
			t.Errorf("%d points: %v, worth %v", points, pr, got)
		}
		if Outcome(-points) != pr.Invert() {
			t.Errorf("%d points: %v for one side, %v for the other", points, pr, Outcome(-points))
		}
	}
	p := board.Start
	if _, ok := Result(&p); ok {
		t.Error("the start position is a finished game")
	}
	p.Me = board.Checkers{}
	if pr, ok := Result(&p); !ok || pr != Outcome(2) && pr != Outcome(3) {
		t.Errorf("all borne off against the start: %v, %v", pr, ok)
	}
}
