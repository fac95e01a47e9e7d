package external

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// converse lets a Server answer the lines and returns what it said.
func converse(t *testing.T, s Server, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestUBGI_conversation: the words of the draft, and what is none of them.
func TestUBGI_conversation(t *testing.T) {
	var warned []string
	s := Server{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Seed: 1, Version: "fibsbot 0.1.0", Warn: func(text string) { warned = append(warned, text) }}
	start := match.Situation{Position: board.Start, State: match.Money(true, 0), Dice: board.Dice{A: 3, B: 1}}
	var shut board.Position // closed out
	for i := range 6 {
		shut.Opp[i] = 2
	}
	shut.Opp[6], shut.Me[board.Bar], shut.Me[5] = 3, 1, 14
	barred := match.Situation{Position: shut, State: match.Money(true, 0), Dice: board.Dice{A: 6, B: 6}}
	got := converse(t, s, "", ubgiHello, start.XGID(), barred.XGID(), "stop", "what?", "XGID=:", "hello 1", ubgiHello, "quit", start.XGID())
	want := []string{"id name fibsbot", "id author the fibsbot authors", "id version 0.1.0", "readyok", "8/5 6/5", "", "sorry", "sorry", "sorry",
		"id name fibsbot", "id author the fibsbot authors", "id version 0.1.0", "readyok"}
	if !slices.Equal(got, want) || len(warned) != 3 {
		t.Errorf("%q, want %q; warned %q", got, want, warned)
	}
	// Behind a first line of the line protocol the word is not known.
	if got := converse(t, s, "hello 1", ubgiHello); len(got) != 2 || !strings.HasPrefix(got[1], "error ") {
		t.Errorf("%q", got)
	}
}

// TestUBGI_fibsBoards: a board line of FIBS is the question of the player it calls the first
// name, whatever his colour and direction.
func TestUBGI_fibsBoards(t *testing.T) {
	const tail = ":25:0:0:0:0:0:0:0:0"
	start := "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
	for _, c := range []struct {
		name, line string
		want       Board
	}{
		{"O to play", "board:You:her:5:2:1:" + start + ":1:3:1:0:0:1:1:1:0:1:-1:0" + tail,
			Board{Dice: board.Dice{A: 3, B: 1}, State: match.State{Length: 5, Score: [2]int{2, 1}, Cube: 1}}},
		{"X to play", "board:You:her:5:2:1:" + start + ":-1:3:1:0:0:1:1:1:0:-1:1:0" + tail,
			Board{Dice: board.Dice{A: 3, B: 1}, State: match.State{Length: 5, Score: [2]int{2, 1}, Cube: 1}}},
		{"O was doubled, turn of X", "board:You:her:5:2:1:" + start + ":-1:0:0:0:0:1:1:1:1:1:-1:0" + tail,
			Board{Doubled: true, State: match.State{Length: 5, Score: [2]int{1, 2}, Cube: 1}}},
		{"O was doubled, turn of O", "board:You:her:5:2:1:" + start + ":1:0:0:0:0:1:1:1:1:1:-1:0" + tail,
			Board{Doubled: true, State: match.State{Length: 5, Score: [2]int{1, 2}, Cube: 1}}},
		{"X was doubled", "board:You:her:5:2:1:" + start + ":1:0:0:0:0:1:1:1:1:-1:1:0" + tail,
			Board{Doubled: true, State: match.State{Length: 5, Score: [2]int{1, 2}, Cube: 1}}},
	} {
		c.want.Position = board.Start
		c.want.State.Crawford = false
		got, err := ubgiPosition(c.line)
		got.State.Crawford = false
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

// TestUBGI_equalsLineProtocol: both protocols answer the same decisions alike.
func TestUBGI_equalsLineProtocol(t *testing.T) {
	n := 2000
	if testsize.Brief() {
		n = 100
	}
	e, pr := enginetest.Open(t), enginetest.Preset(t, "expert")
	line, other := Server{Engine: e, Preset: pr, Seed: 1}, Server{Engine: e, Preset: pr, Seed: 1}
	seen := map[string]int{}
	for _, q := range decisions(n) {
		id, ctx := q.Position.ID(), contextText(q.State)
		request := "cube " + id + " " + ctx
		switch {
		case q.Doubled:
			request = "take " + id + " " + ctx
		case q.Dice.Valid():
			request = fmt.Sprintf("move %s %d %d %s", id, q.Dice.A, q.Dice.B, ctx)
		case !q.State.MayDouble():
			continue
		}
		want, _ := line.respond(t.Context(), request)
		got, ok := other.ubgi(t.Context(), q.XGID())
		if q.Dice.Valid() {
			play, err := board.ParsePlay(q.Position, q.Dice, got)
			a := Answer{Play: play}
			if got = a.After(q.Position).Swap().ID(); err != nil {
				t.Fatalf("%s: %v", q.XGID(), err)
			}
			want, seen["play"] = idOf(t, want), seen["play"]+1
		} else {
			seen[want]++
		}
		if !ok || got != want {
			t.Fatalf("%s: %q, line protocol %q to %s", q.XGID(), got, want, request)
		}
	}
	if len(seen) != 5 {
		t.Errorf("decisions: %v", seen)
	}
}

// idOf writes a Position ID as the package does.
func idOf(t *testing.T, text string) string {
	t.Helper()
	p, err := board.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.ID()
}

// TestStartUBGI asks a started program of UBGI and of no protocol.
func TestStartUBGI(t *testing.T) {
	t.Setenv(role, "engine")
	x, err := (&Spec{Protocol: UBGI, Command: []string{os.Args[0]}}).Open(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	e, pr := enginetest.Open(t), enginetest.Preset(t, "expert")
	for _, q := range decisions(40) {
		if !q.Dice.Valid() && !q.State.MayDouble() {
			continue
		}
		got, err := x.Decide(t.Context(), q, false)
		if err != nil {
			t.Fatalf("%s: %v", q.XGID(), err)
		}
		want := decideHere(t, Player{Engine: e, Preset: pr}, q)
		if got.After(q.Position) != want.After(q.Position) || got.Double != want.Double || got.Take != want.Take {
			t.Fatalf("%s: %+v, want %+v", q.XGID(), got, want)
		}
	}
}

// decideHere is what the engine of this process answers.
func decideHere(t *testing.T, x Player, q Board) (a Answer) {
	t.Helper()
	answer, err := x.decide(context.Background(), q)
	if err == nil && q.Dice.Valid() {
		a.Play, err = board.ParsePlay(q.Position, q.Dice, answer)
	} else if err == nil {
		a, _ = readWord(answer, q.Doubled)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestUbgiPlay(t *testing.T) {
	for text, want := range map[string]string{"24 18 18 13": "24/18 18/13", "24/18 18/13": "24/18 18/13", "24-18 18-13": "24-18 18-13", "": "", "8 5 6": "8 5 6"} {
		if got := ubgiPlay(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Words that only begin like an answer are none.
func TestReadWord(t *testing.T) {
	for _, word := range []string{"", "dance", "d", "rolls", "taken", "resign 1"} {
		for _, doubled := range []bool{false, true} {
			if a, ok := readWord(word, doubled); ok {
				t.Errorf("%q, doubled %t: %+v", word, doubled, a)
			}
		}
	}
}
