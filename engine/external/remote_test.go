package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// decisions are boards with dice, before the roll, and with a double where it is allowed.
func decisions(n int) (out []Board) {
	for _, q := range games(n) {
		out = append(out, q)
		if !q.Dice.Valid() && q.State.MayDouble() {
			q.Doubled = true
			out = append(out, q)
		}
	}
	return out
}

// What FormatBoard writes, ParseBoard reads, and it fits into gnubg's 255 bytes.
func TestFormatBoard(t *testing.T) {
	crawford := match.State{Length: 5, Score: [2]int{4, 2}, Cube: 1, Crawford: true}
	for _, q := range append(decisions(200), Board{Position: board.Start, State: crawford}, Board{Position: board.Start, State: crawford.Swap()},
		Board{Position: board.Start, State: match.State{Length: 5, Score: [2]int{4, 2}, Cube: 1}}) {
		line := FormatBoard(q)
		got, err := ParseBoard(line)
		if diff := cmp.Diff(q, got); err != nil || diff != "" || len(line+" jacobyrule off\n") > 255 {
			t.Fatalf("%s: %v %s", line, err, diff)
		}
	}
}

// serve lets a Player serve on loopback and returns its address.
func serve(t *testing.T, x Player) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- x.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return ln.Addr().String()
}

// A Remote gets from a Player over the network what its engine decides.
func TestRemote_player(t *testing.T) {
	e, pr := enginetest.Open(t), enginetest.Preset(t, "expert")
	x, err := Dial(t.Context(), serve(t, Player{Engine: e, Preset: pr, Jacoby: true, Version: "fibsbot"}))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	seen := map[string]int{}
	for _, q := range decisions(150) {
		if !q.Dice.Valid() && !q.State.MayDouble() {
			continue
		}
		got, err := x.Decide(t.Context(), q, false)
		if err != nil {
			t.Fatal(err)
		}
		if want := decideHere(t, Player{Engine: e, Preset: pr, Jacoby: true}, q); got.After(q.Position) != want.After(q.Position) || got.Double != want.Double || got.Take != want.Take {
			t.Fatalf("%v: %+v, want %+v", q, got, want)
		}
		seen[fmt.Sprint(question(&q), got.Double, got.Take)]++
	}
	if len(seen) != 5 {
		t.Errorf("decisions: %v", seen)
	}
	if probs, err := x.Eval(t.Context(), board.Start); err != nil || probs.Money() < 0.03 || probs.Money() > 0.12 {
		t.Errorf("the start: %v, %v", probs, err)
	}
}

// Programs that answer otherwise: one line says which and what was wrong.
func TestRemote_otherAnswers(t *testing.T) {
	answers := make(chan string, 1)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				sc := bufio.NewScanner(conn)
				for sc.Scan() {
					answer := "Error: unknown command"
					if strings.HasPrefix(sc.Text(), "board:") {
						if strings.Contains(sc.Text(), "jacobyrule") {
							answer = "Error: options"
						} else {
							answer = <-answers
						}
					}
					if _, err := io.WriteString(conn, answer+"\r\n"); err != nil || answer == "" {
						return
					}
				}
			}()
		}
	}()
	x, err := Dial(t.Context(), ln.Addr().String()) // knows no version: boards without options
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	money := match.State{Cube: 1}
	for _, c := range []struct{ answer, want string }{
		{"8/5 6/5", ""}, {"24/23 13/10", ""}, {"6 5 8 5", "bad play"}, {"8/5", "bad play"}, {"resign 1", "bad play"}, {"Error: busy", "Error: busy"},
	} {
		answers <- c.answer
		if _, err := x.Decide(t.Context(), Board{Position: board.Start, Dice: board.Dice{A: 3, B: 1}, State: money}, false); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.answer, err, c.want)
		}
	}
	for answer, want := range map[string]string{"Roll": "false", "DOUBLE": "true", "resign 2": "want double or roll", "?": "want double or roll"} {
		answers <- answer
		got, err := x.Decide(t.Context(), Board{Position: board.Start, State: money}, false)
		if text := fmt.Sprint(got.Double, err); !strings.Contains(text, want) {
			t.Errorf("double: %q: %s, want %s", answer, text, want)
		}
	}
	for _, address := range []string{"127.0.0.1:1", "nowhere"} {
		if _, err := Dial(t.Context(), address); !errors.Is(err, ErrDial) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", address, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if _, err := Dial(ctx, silent.Addr().String()); !errors.Is(err, ErrDial) || !strings.Contains(err.Error(), "no answer to version") {
		t.Errorf("a silent program: %v", err)
	}
}

// gnubg's own external server is asked: its plays are legal, its cube answers are read.
func TestRemote_gnubg(t *testing.T) {
	testsize.Medium(t)
	if _, err := os.Stat("/usr/games/gnubg"); err != nil {
		t.Skip("gnubg is not installed")
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".gnubgrc"), []byte("set evaluation chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("LC_ALL", "C")
	x, err := (&Spec{Protocol: Gnubg, Command: []string{"/usr/games/gnubg"}}).Open(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	q := Board{Position: board.Start, Dice: board.Dice{A: 3, B: 1}, State: match.State{Cube: 1}}
	if a, err := x.Decide(t.Context(), q, false); err != nil || a.Play.Result.Swap().ID() != "sGfwATDgc/ABMA" {
		t.Errorf("31 of the start: %+v, %v", a, err)
	}
	doubles, takes := 0, 0
	for _, q := range decisions(150) {
		if !q.Dice.Valid() && !q.State.MayDouble() {
			continue
		}
		a, err := x.Decide(t.Context(), q, false)
		if err != nil {
			t.Fatalf("%s: %v", FormatBoard(q), err)
		}
		if a.Double {
			doubles++
		}
		if a.Take {
			takes++
		}
	}
	if doubles == 0 || takes == 0 {
		t.Errorf("%d doubles, %d takes", doubles, takes)
	}
}
