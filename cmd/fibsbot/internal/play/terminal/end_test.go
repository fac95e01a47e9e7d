package terminal

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
)

// filedIn counts the matches of the archive and wants no unfinished one.
func filedIn(t *testing.T, table *Table, db *index.DB) int {
	t.Helper()
	n := 0
	if err := db.List(context.Background(), index.Filter{}, func(*index.Match) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	if left, err := table.Store.List(); err != nil || len(left) != 0 {
		t.Errorf("unfinished matches left: %d, %v", len(left), err)
	}
	return n
}

// Money play has no end of its own: the person ends it, between two games.
func TestLines_moneyPlayEnds(t *testing.T) {
	table, db := aTable(t, play.Options{Jacoby: new(false), Seed: 5, Strength: play.Strength{Preset: "casual"}})
	var out bytes.Buffer
	if err := Lines(context.Background(), table, strings.NewReader("end\nresign 3\nend\n"), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ends between two games", "next game or end> ", "Money play is over: you 0, casual 3."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the output:\n%s", want, out.String())
		}
	}
	if n := filedIn(t, table, db); n != 1 {
		t.Errorf("%d matches in the archive", n)
	}
}

func TestLines_aMatchIsNotEnded(t *testing.T) {
	table, _ := aTable(t, play.Options{Length: 3, Seed: 5, Strength: play.Strength{Preset: "casual"}})
	var out bytes.Buffer
	if err := Lines(context.Background(), table, strings.NewReader("resign\nend\n"), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "end is for money play") || strings.Contains(out.String(), "Archived") {
		t.Errorf("a match was ended:\n%s", out.String())
	}
}

// A single game that was fair before the roll is refused when the roll has missed.
func TestLines_resignationAfterAMiss(t *testing.T) {
	f, err := os.Open("../testdata/missed.match")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := play.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	table, _ := tableOf(t, m)
	var out bytes.Buffer
	if err := Lines(context.Background(), table, strings.NewReader("resign\nquit\n"), &out); err != nil {
		t.Fatal(err)
	}
	if v := m.View(); v.Phase != play.ToMove || v.Turn != play.You || v.Score != [2]int{} {
		t.Errorf("phase %s, turn %d, score %v:\n%s", v.Phase, v.Turn, v.Score, out.String())
	}
}

func TestScreen_moneyPlayEnds(t *testing.T) {
	table, db := aTable(t, play.Options{Jacoby: new(false), Seed: 5, Strength: play.Strength{Preset: "casual"}})
	s := newScreen(context.Background(), table)
	press(t, s)
	press(t, s, typed("end")...)
	if !strings.Contains(s.note, "between two games") {
		t.Errorf("in a game: %q", s.note)
	}
	press(t, s, typed("resign 3")...)
	press(t, s, typed("end")...)
	if text := s.content(); !strings.Contains(text, "Money play is over: you 0, casual 3.") || !strings.Contains(text, "Archived as") {
		t.Errorf("after the end:\n%s", text)
	}
	press(t, s, enter)
	press(t, s, typed("next")...)
	if s.view.Phase != play.GameOver {
		t.Error("another game began after the end")
	}
	if !press(t, s, typed("q")[0]) {
		t.Error("q does not leave")
	}
	if n := filedIn(t, table, db); n != 1 {
		t.Errorf("%d matches in the archive", n)
	}
}

// A picture shows no dice of a player who answers a resignation or has resigned.
func TestPicture_noDiceBehindAResignation(t *testing.T) {
	table, _ := aTable(t, play.Options{Jacoby: new(false), Seed: 5, Strength: play.Strength{Preset: "casual"}})
	dice := func(when string, want bool) {
		t.Helper()
		v := table.View()
		if text := Pictured(&v); strings.Contains(text, "rolled") != want {
			t.Errorf("%s (%s):\n%s", when, v.Phase, text)
		}
		s := newScreen(context.Background(), table)
		if text := s.content(); strings.Contains(text, "●  ") != want && v.Phase != play.ToMove {
			t.Errorf("%s, on the screen:\n%s", when, text)
		}
	}
	dice("to move", true)
	if err := table.Do(play.Act{Kind: play.Resign, Level: 3}); err != nil {
		t.Fatal(err)
	}
	dice("resigned", false)
	if _, err := table.Think(context.Background()); err != nil {
		t.Fatal(err)
	}
	dice("accepted", false)
}

// A stopped analysis leaves the match in the archive.
func TestFile_stopped(t *testing.T) {
	table, db := aTable(t, play.Options{Jacoby: new(false), Seed: 5, Strength: play.Strength{Preset: "casual"}})
	table.Analysis = ""
	for _, a := range []play.Act{{Kind: play.Resign, Level: 3}} {
		for done := true; done; {
			var err error
			if done, err = table.Think(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Think(t.Context()); err != nil { // accepts
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := table.File(ctx, nil); err != nil {
		t.Error(err)
	}
	if n := filedIn(t, table, db); n != 1 || table.Filed.Identity == "" || table.Filed.PR != "" {
		t.Errorf("%d matches, %+v", n, table.Filed)
	}
}
