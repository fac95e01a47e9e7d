package table

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
)

// TestOrderSteps: servers take entries before anything else and bear-offs last.
func TestOrderSteps(t *testing.T) {
	step := func(from, to int8) board.Step { return board.Step{From: from, To: to} }
	for _, tt := range []struct {
		name       string
		play, want []board.Step
	}{
		{"as it is", []board.Step{step(23, 17), step(12, 10)}, []board.Step{step(23, 17), step(12, 10)}},
		{"entry goes first", []board.Step{step(20, 18), step(board.Bar, 20)}, []board.Step{step(board.Bar, 20), step(20, 18)}},
		{"bear-offs last, higher first", []board.Step{step(3, board.Off), step(5, board.Off), step(4, 2)},
			[]board.Step{step(4, 2), step(5, board.Off), step(3, board.Off)}},
	} {
		p := board.Play{N: uint8(len(tt.play))}
		copy(p.Steps[:], tt.play)
		if diff := cmp.Diff(tt.want, orderSteps(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
