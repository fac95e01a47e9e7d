package gnubgtext

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/sgf"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// read reads a text that is one match.
func read(t *testing.T, text string) (*record.Match, []record.Warning) {
	t.Helper()
	all, ws, err := Read(strings.NewReader(text))
	if err != nil || len(all) != 1 {
		t.Fatalf("%d matches, %v", len(all), err)
	}
	return all[0], append(ws, record.SettleDates(all, record.Days{})...)
}

func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A match of four games whose files were joined, with a double, a drop, a resignation, a
// comment and gnubg's analysis: all of it is in the .sgf beside it.
func TestRead_golden(t *testing.T) {
	m, ws := read(t, file(t, "testdata/match.txt"))
	if len(ws) > 0 {
		t.Errorf("warnings %v", ws)
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/match.sgf", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(file(t, "testdata/match.sgf"), b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The analysis in gnubg's text equals that in its .sgf, to the digits printed.
func TestRead_analysisIsThatOfTheSGF(t *testing.T) {
	want, _, err := sgf.Read(strings.NewReader(file(t, recordtest.Samples(t, "short-analysed.sgf")[0])))
	if err != nil {
		t.Fatal(err)
	}
	got, ws := read(t, file(t, recordtest.Samples(t, "short-analysed.txt")[0]))
	if len(ws) > 0 {
		t.Errorf("warnings %v", ws)
	}
	plays, cubes := 0, 0
	near := func(a, b, off float64) bool { return math.Abs(a-b) < off }
	for i := range want.Games[0].Actions {
		a, b := &want.Games[0].Actions[i], &got.Games[0].Actions[i]
		if a.Kind != b.Kind || a.Player != b.Player || a.Dice.Sorted() != b.Dice.Sorted() || a.Marks.Luck != b.Marks.Luck {
			t.Fatalf("action %d: %+v, want %+v", i, b, a)
		}
		if a.Analysis == nil || b.Analysis == nil {
			continue
		}
		if c, d := a.Analysis.Cube, b.Analysis.Cube; c != nil && d != nil {
			cubes++
			if !near(c.NoDouble.Cubeful, d.NoDouble.Cubeful, 2e-3) || !near(c.DoubleTake.Cubeful, d.DoubleTake.Cubeful, 2e-3) || !near(c.NoDouble.Probs[0], d.NoDouble.Probs[0], 6e-4) || c.Settings.Plies != d.Settings.Plies {
				t.Errorf("action %d: cube %+v, want %+v", i, d, c)
			}
		}
		for k, d := range b.Analysis.Candidates {
			if k >= len(a.Analysis.Candidates) || k == len(b.Analysis.Candidates)-1 && b.Analysis.Played == k {
				break // a play made that is not among the best is printed last
			}
			plays++
			c := a.Analysis.Candidates[k]
			if !near(c.Outcome.Cubeful, d.Outcome.Cubeful, 6e-4) || !near(c.Outcome.Probs[3], d.Outcome.Probs[3], 6e-4) || c.Settings.Cubeful != d.Settings.Cubeful {
				t.Errorf("action %d, candidate %d: %+v, want %+v", i, k, d, c)
			}
		}
	}
	if plays < 10 || cubes < 2 {
		t.Errorf("only %d plays and %d cube decisions compared", plays, cubes)
	}
}

// A position that gnubg exports, and a board that its terminal draws.
func TestRead_positions(t *testing.T) {
	const ids = " GNU Backgammon  Position ID: bHcGASC2PQCABQ\n                 Match ID   : UQnqADAAKAAE\n"
	const names = " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: anna\n +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: bert (Cube: 2)\n"
	m, ws := read(t, "look:\n\n"+ids+names+"\nwhat now?\n")
	if len(ws) > 0 || m.Length != 7 || !m.IsPosition() || m.Games[0].Score != [2]int{3, 5} || m.Players[1].Name != "bert" || m.Players[0].Name != "anna" {
		t.Errorf("%v %+v", ws, m)
	}
	d := record.LastDiagram(m, &m.Games[0])
	if d.OnRoll != 1 || d.Cube != 2 || d.Owner != 1 || d.Dice.Sorted() != (board.Dice{A: 4, B: 2}) {
		t.Errorf("%+v", d)
	}
	if all, _, err := Read(strings.NewReader(strings.Repeat(ids+names, 3))); err != nil || len(all) != 3 {
		t.Errorf("three boards: %d %v", len(all), err)
	}
	if files := recordtest.Samples(t, "setup.txt"); len(files) > 0 {
		m, ws := read(t, file(t, files[0]))
		if e := record.LastDiagram(m, &m.Games[0]); len(ws) > 0 || e.Boards != d.Boards || e.Owner != d.Owner || e.Dice.Sorted() != d.Dice.Sorted() {
			t.Errorf("setup.txt: %v %+v, want %+v", ws, e, d)
		}
	}
}

func TestRead_heads(t *testing.T) {
	const play = "\nMove number 1:  anna to play 31\n\n* anna moves 8/5 6/5\n"
	for _, c := range []struct {
		name, in string
		want     func(*record.Match) bool
	}{
		{"one point", "The score (after 0 games) is: anna 0, bert 0 (match to 1 point), post-Crawford play\n" + play, func(m *record.Match) bool { return m.Length == 1 && !m.Games[0].Crawford }},
		{"Crawford", "The score (after 2 games) is: anna 4, bert 1 (match to 5 points), Crawford game\n" + play, func(m *record.Match) bool {
			return m.Games[0].Crawford && m.Games[0].Score == [2]int{4, 1} && m.Games[0].Number == 2
		}},
		{"behind it", "The score (after 3 games) is: anna 4, bert 2 (match to 5 points), post-Crawford play\n" + play, func(m *record.Match) bool { return !m.Games[0].Crawford && m.Rules.Crawford }},
		{"money", "The score (after 1 game) is: anna 2, bert 0\n" + play, func(m *record.Match) bool { return m.Length == 0 && m.Rules.Jacoby && !m.Rules.Crawford }},
		{"no head", play, func(m *record.Match) bool { return len(m.Games[0].Actions) == 1 }},
		{"all of the information", "The score (after 0 games) is: anna 0, bert 0\n\nMatch Information:\nbert's rating: 1500\nDate: 24.06.1999\nEvent: Cup: 1\nRound: 2\nPlace: here\nAnnotator: me\nComments: a\nb\n" + play, func(m *record.Match) bool {
			return m.Players[1].Rating == "1500" && m.Date == "1999-06-24" && m.Event == "Cup: 1" && m.Round == "2" && m.Place == "here" && m.Annotator == "me" && m.Comment == "a\nb"
		}},
		{"gave up at once", "The score (after 0 games) is: anna 0, bert 0 (match to 3 points)\n\nbert wins 1 point\n", func(m *record.Match) bool {
			return m.Games[0].Result == record.Result{Winner: 1, Points: 1, Resigned: true}
		}},
	} {
		m, ws := read(t, c.in)
		if len(ws) > 0 || !c.want(m) {
			t.Errorf("%s: %v %+v", c.name, ws, m)
		}
	}
}

func TestRead_warningsNameTheLine(t *testing.T) {
	const head = "The score (after 0 games) is: anna 0, bert 0 (match to 3 points)\n"
	for _, c := range []struct{ name, in, want string }{
		{"illegal play", "Move number 1:  anna to play 31\n* anna moves 8/2\n", "3: game 1, action 1: illegal move"},
		{"a play of no words", "Move number 1:  anna to play 31\n* anna moves (x\n", "3: 31: cannot read"},
		{"no dice", "Move number 1:  anna\n* anna moves 8/5\n", "2: cannot read"},
		{"a board that does not follow", "Move number 1:  anna to play 31\n* anna moves 8/5 6/5\nMove number 2:  bert to play 42\n GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAhqAAAAAAAE\n* bert moves 8/4 6/4\n", "4: the board drawn here does not follow from the plays"},
		{"another Match ID", "Move number 1:  anna to play 31\n GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : ____________\n", "4: cannot read the Match ID"},
		{"a date", "Match Information:\nDate: soon\n", "3: cannot read the date"},
		{"behind the end", "Move number 1:  anna doubles to 2\n* bert rejects\nMove number 2:  bert to play 31\n* bert moves 8/5 6/5\n", "5: the game is over"},
	} {
		_, ws := read(t, head+c.in)
		if len(ws) == 0 || !strings.HasPrefix(ws[0].String(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, ws, c.want)
		}
	}
	_, _, err := Read(strings.NewReader("\nThe score (after 0 games) is: anna 3, bert 0 (match to 3 points)\n"))
	var syntax *record.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 2 {
		t.Errorf("beyond the match: %v", err)
	}
}

// Damage anywhere in a file costs no more than the games it is in, and never a panic.
func TestRead_damaged(t *testing.T) {
	text := file(t, "testdata/match.txt")
	rows := strings.SplitAfter(text, "\n")[:400] // two games and a half: a whole file for each place takes too long
	for i := 0; i < len(rows); i += 29 {
		all, _, err := Read(strings.NewReader(strings.Join(rows[:i], "") + strings.Join(rows[i+1:], "")))
		if err != nil {
			t.Errorf("without line %d: %v", i+1, err)
		}
		if len(all) == 0 {
			continue
		}
		if _, _, err := Read(strings.NewReader(strings.Join(rows[:i+1], ""))); err != nil && i > 0 {
			t.Errorf("up to line %d: %v", i+1, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("%v %v", files, err)
	}
	for _, name := range files {
		f.Add(file(f, name))
	}
	f.Add("The score (after 1 game) is: a 0, b 2 (match to 5 points), Crawford game\nMove number 1:  b doubles to 2\n* a accepts\n")
	f.Add(" GNU Backgammon  Position ID: bHcGASC2PQCABQ\n                 Match ID   : UQnqADAAKAAE\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, ws, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, w := range ws {
			if w.Line < 0 || strings.Contains(w.Text, "\n") {
				t.Errorf("%q", w)
			}
		}
		for _, m := range all {
			var b bytes.Buffer
			if err := sgf.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			if _, _, err := sgf.Read(&b); err != nil {
				t.Fatalf("what was read cannot be kept as SGF: %v", err)
			}
		}
	})
}
