package search

import (
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

func TestBearOffFirst(t *testing.T) {
	play := func(left uint8, win float32, equity float64, plies int) Candidate {
		c := Candidate{Probs: eval.Probs{eval.Win: win}, Equity: equity, Plies: plies}
		c.Play.Result = board.Position{Me: board.Checkers{2: left}, Opp: board.Checkers{3: 10}}
		return c
	}
	tests := []struct {
		name string
		list []Candidate
		want uint8 // checkers left after the first play
	}{
		{"won, equal", []Candidate{play(5, 0.999, 0.9990, 2), play(4, 0.999, 0.9986, 2), play(3, 0.999, 0.998, 2)}, 4},
		{"lost, equal", []Candidate{play(5, 0.001, -0.9990, 2), play(4, 0.001, -0.9991, 2)}, 4},
		{"undecided", []Candidate{play(5, 0.9, 0.9990, 2), play(4, 0.9, 0.9989, 2)}, 5},
		{"another depth", []Candidate{play(5, 1, 1, 2), play(4, 1, 1, 0)}, 5},
		{"as many off", []Candidate{play(4, 1, 1, 2), play(4, 1, 0.9999, 2)}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bearOffFirst(tt.list)
			if got := tt.list[0].Play.Result.Me[2]; got != tt.want {
				t.Errorf("the first play leaves %d checkers, want %d", got, tt.want)
			}
		})
	}
}
