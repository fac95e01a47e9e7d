package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// role says what this test program does instead of testing, when it is started again
// as the other end of the protocol.
const role = "FIBSBOT_EXTERNAL_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "engine":
		e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 1, Seed: 1})
		if err != nil {
			panic(err)
		}
		p, _ := preset.ByName("expert")
		s := Server{Engine: e, Preset: p, Seed: 1}
		if err := s.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
	case "liar": // answers everything in the same way
		for i, in := 0, bufio.NewScanner(os.Stdin); in.Scan(); i++ {
			if i == 0 {
				fmt.Println("ok liar cube")
				continue
			}
			fmt.Println("sGfwATDgc/ABMA")
		}
	case "plain": // knows no cube
		fmt.Println("ok plain")
	case "mute":
	}
}

func other(t *testing.T, as string) (*Client, error) {
	t.Helper()
	t.Setenv(role, as)
	c, err := Start(t.Context(), []string{os.Args[0]}, os.Stderr)
	if err == nil {
		t.Cleanup(func() { _ = c.Close() })
	}
	return c, err
}

// TestClient_againstTheServer lets the two ends of the line protocol talk.
func TestClient_againstTheServer(t *testing.T) {
	c, err := other(t, "engine")
	if err != nil {
		t.Fatal(err)
	}
	want, err := board.ParseID("sGfwATDgc/ABMA")
	if err != nil {
		t.Fatal(err)
	}
	st, d := match.State{Length: 7, Score: [2]int{2, 4}, Cube: 1}, board.Dice{A: 1, B: 3}
	if !c.Cube() {
		t.Error("the server knows the cube")
	}
	for name, move := range map[string]func() (board.Position, error){
		"move": func() (board.Position, error) { return c.Move(board.Start, d, st) },
		"pos":  func() (board.Position, error) { return c.MoveCubeless(board.Start, d) },
	} {
		if got, err := move(); err != nil || got != want.Swap() {
			t.Errorf("%s: %s, %v", name, got.ID(), err)
		}
	}
	if yes, err := c.Double(board.Start, st); yes || err != nil {
		t.Errorf("doubles at the start: %v", err)
	}
	if yes, err := c.Take(board.Start, st); !yes || err != nil {
		t.Errorf("drops at the start: %v", err)
	}
	if pr, err := c.Eval(board.Start); err != nil || pr[0] < 0.5 || pr[0] > 0.56 {
		t.Errorf("%v, %v", pr, err)
	}
	if answer, err := c.Ask("set plies x"); err != nil || !strings.HasPrefix(answer, "error ") {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestClient_badAnswers(t *testing.T) {
	c, err := other(t, "liar")
	if err != nil {
		t.Fatal(err)
	}
	p, d := board.Start, board.Dice{A: 6, B: 5}
	for name, ask := range map[string]func() error{
		"move":   func() error { _, err := c.Move(p, d, match.Money(false, 0)); return err },
		"double": func() error { _, err := c.Double(p, match.Money(false, 0)); return err },
		"take":   func() error { _, err := c.Take(p, match.Money(false, 0)); return err },
		"eval":   func() error { _, err := c.Eval(p); return err },
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "sGfwATDgc/ABMA") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c, err := other(t, "plain"); err != nil || c.Cube() {
		t.Errorf("plain: %v", err)
	}
	if _, err := other(t, "mute"); err == nil {
		t.Error("no answer to hello was taken for one")
	}
	if _, err := Start(t.Context(), []string{"/no/such/engine"}, nil); !errors.Is(err, ErrStart) {
		t.Errorf("no such program: %v", err)
	}
	if _, err := Start(t.Context(), nil, nil); !errors.Is(err, ErrStart) {
		t.Errorf("no words: %v", err)
	}
}
