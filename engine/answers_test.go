package engine

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/search"
	"fibsbot/internal/reference"
)

// TestAnswers_written writes every answer to moves.jsonl and cube.jsonl into the file
// FIBSBOT_ANSWERS, with the nets of FIBSBOT_ANSWERS_WEIGHTS, so that two commits can be
// compared: this file compiles in a checkout of either. A line is the row, the plies and
// the best play with its equity, or the cube's action with its three. docs/records has
// the comparisons made.
func TestAnswers_written(t *testing.T) {
	path := os.Getenv("FIBSBOT_ANSWERS")
	if path == "" {
		t.Skip("FIBSBOT_ANSWERS names no file")
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	e := open(t, Options{Weights: os.Getenv("FIBSBOT_ANSWERS_WEIGHTS")})
	for _, name := range []string{"moves.jsonl", "cube.jsonl"} {
		lines := reference.Lines(t, "reference", name)
		for row := 1; lines.Scan(); row++ {
			var r refState
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			for _, plies := range []int{0, 2} {
				fmt.Fprintf(w, "%s %d %d-ply ", name, row, plies)
				if err := answer(w, e, &r, search.Settings{Plies: plies, Cubeful: true, Filter: search.Normal, Prune: true}); err != nil {
					t.Fatalf("%s:%d: %v", name, row, err)
				}
			}
		}
	}
	if err := cmp.Or(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// answer writes the engine's answer to one row of the reference data.
func answer(w io.Writer, e *Engine, r *refState, s search.Settings) error {
	p, err := board.ParseID(r.ID)
	if err != nil {
		return err
	}
	if len(r.Dice) == 2 {
		list, err := e.Search().Plays(context.Background(), p, board.Dice{A: uint8(r.Dice[0]), B: uint8(r.Dice[1])}, r.state(), s)
		if err == nil && len(list) > 0 {
			fmt.Fprintf(w, "%s %.5f\n", list[0].Play.Result.ID(), list[0].Equity)
		}
		return err
	}
	d, err := e.Search().Cube(context.Background(), p, r.state(), s)
	if err == nil {
		fmt.Fprintf(w, "%v %.5f %.5f %.5f\n", d.Action, d.NoDouble, d.DoubleTake, d.DoublePass)
	}
	return err
}
