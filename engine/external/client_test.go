package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

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
	default:
		misbehave(os.Getenv(role))
	}
}

// misbehave is a program that harms whoever asks it.
func misbehave(as string) {
	in := bufio.NewScanner(os.Stdin)
	switch as {
	case "endless":
		for {
			fmt.Print("xxxxxxxx")
		}
	case "idle":
		time.Sleep(time.Hour)
	case "sorry":
		fmt.Println("sorry")
		in.Scan()
		return
	case "banner":
		for range 10 * maxBanner {
			fmt.Println("welcome")
		}
		return
	}
	in.Scan()
	fmt.Println("id name hostile\nreadyok")
	switch as {
	case "endless lines":
		for {
			fmt.Println("8/5 6/5")
		}
	case "huge line":
		in.Scan()
		fmt.Println(strings.Repeat("8/5 6/5 ", maxRequest))
	case "deaf":
		time.Sleep(time.Hour)
	case "forks":
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), role+"=idle")
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		_ = c.Run()
	case "dies":
		in.Scan()
		fmt.Print("8/5 ")
	case "late": // answers the question before
		for last := "8/5 6/5"; in.Scan(); last = "24/18 13/11" {
			fmt.Println(last)
		}
	}
	for in.Scan() {
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
	q := Board{Position: board.Start, State: st}
	if a, err := c.Decide(t.Context(), q, false); a.Double || err != nil {
		t.Errorf("doubles at the start: %v", err)
	}
	q.Doubled = true
	if a, err := c.Decide(t.Context(), q, false); !a.Take || err != nil {
		t.Errorf("drops at the start: %v", err)
	}
	q.Doubled, q.Dice = false, d
	for _, cubeless := range []bool{false, true} {
		if a, err := c.Decide(t.Context(), q, cubeless); err != nil || a.After(board.Start) != want.Swap() {
			t.Errorf("cubeless %t: %+v, %v", cubeless, a, err)
		}
	}
	if pr, err := c.Eval(t.Context(), board.Start); err != nil || pr[0] < 0.5 || pr[0] > 0.56 {
		t.Errorf("%v, %v", pr, err)
	}
	if answer, err := c.Ask(t.Context(), "set plies x"); err != nil || !strings.HasPrefix(answer, "error ") {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestClient_badAnswers(t *testing.T) {
	money := match.Money(false, 0)
	decide := func(q Board) func(*Client) error {
		return func(c *Client) error { _, err := c.Decide(t.Context(), q, false); return err }
	}
	for name, ask := range map[string]func(*Client) error{
		"move":   decide(Board{Position: board.Start, State: money, Dice: board.Dice{A: 6, B: 5}}),
		"double": decide(Board{Position: board.Start, State: money}),
		"take":   decide(Board{Position: board.Start, State: money, Doubled: true}),
		"eval":   func(c *Client) error { _, err := c.Eval(t.Context(), board.Start); return err },
	} {
		c, err := other(t, "liar")
		if err != nil {
			t.Fatal(err)
		}
		if err := ask(c); err == nil || !strings.Contains(err.Error(), "sGfwATDgc/ABMA") {
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
