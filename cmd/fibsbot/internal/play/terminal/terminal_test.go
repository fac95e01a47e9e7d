package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

var testEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{Threads: 1, Seed: 1, NoBearoff: true})
})

// aTable is a new match with an archive in a temporary folder.
func aTable(t *testing.T, o play.Options) (*Table, *index.DB) {
	t.Helper()
	m, err := play.New(o, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return tableOf(t, m)
}

func tableOf(t *testing.T, m *play.Match) (*Table, *index.DB) {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	store := play.NewStore(filepath.Join(dir, "play"), db)
	if err := store.Add(m); err != nil {
		t.Fatal(err)
	}
	judge, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	return &Table{Match: m, Engine: e, Store: store, Judge: judge, Analysis: "off"}, db
}

func TestParse(t *testing.T) {
	tests := []struct {
		line  string
		phase play.Phase
		want  Command
	}{
		{"8/5 6/5", play.ToMove, Command{Verb: Do, Act: play.Act{Kind: play.Move, Play: "8/5 6/5"}}},
		{"bar/22*", play.ToMove, Command{Verb: Do, Act: play.Act{Kind: play.Move, Play: "bar/22*"}}},
		{"move 8/5", play.ToMove, Command{Verb: Do, Act: play.Act{Kind: play.Move, Play: "8/5"}}},
		{"", play.ToRoll, Command{Verb: Do, Act: play.Act{Kind: play.Roll}}},
		{"", play.ToMove, Command{Verb: Board}},
		{"", play.GameOver, Command{Verb: Do, Act: play.Act{Kind: play.Next}}},
		{"31", play.ToThrow, Command{Verb: Do, Act: play.Act{Kind: play.Roll, Dice: [2]uint8{3, 1}}}},
		{"1-3", play.ToRoll, Command{Verb: Do, Act: play.Act{Kind: play.Roll, Dice: [2]uint8{1, 3}}}},
		{"R", play.ToRoll, Command{Verb: Do, Act: play.Act{Kind: play.Roll}}},
		{"redouble", play.ToRoll, Command{Verb: Do, Act: play.Act{Kind: play.Double}}},
		{"pass", play.ToAnswer, Command{Verb: Do, Act: play.Act{Kind: play.Drop}}},
		{"accept", play.ToAnswer, Command{Verb: Do, Act: play.Act{Kind: play.Take}}},
		{"accept", play.ToAnswerResign, Command{Verb: Do, Act: play.Act{Kind: play.Accept}}},
		{"reject", play.ToAnswerResign, Command{Verb: Do, Act: play.Act{Kind: play.Reject}}},
		{"resign", play.ToRoll, Command{Verb: Do, Act: play.Act{Kind: play.Resign, Level: 1}}},
		{"resign gammon", play.ToRoll, Command{Verb: Do, Act: play.Act{Kind: play.Resign, Level: 2}}},
		{"hint", play.ToMove, Command{Verb: Hint}},
		{"q", play.ToMove, Command{Verb: Quit}},
		{"end", play.GameOver, Command{Verb: End}},
		{"n", play.ToMove, Command{Verb: No}},
		{"n", play.GameOver, Command{Verb: Do, Act: play.Act{Kind: play.Next}}},
	}
	for _, tt := range tests {
		if got, err := Parse(tt.line, tt.phase); err != nil || got != tt.want {
			t.Errorf("Parse(%q, %s) = %+v, %v; want %+v", tt.line, tt.phase, got, err, tt.want)
		}
	}
	for _, line := range []string{"roll 3", "resign 4", "resign me", "castle", "hint me", "7 1", "31x", "00", "311"} {
		if c, err := Parse(line, play.ToRoll); err == nil {
			t.Errorf("Parse(%q) = %+v", line, c)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): more than a line: %v", line, err)
		}
	}
}

// script answers the prompts of Lines with the first legal play.
type script struct {
	t     *testing.T
	table *Table
	out   *bytes.Buffer
	rest  []byte
	extra []string // said first, one a turn
	turns int
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		s.turns++
		if s.turns > 5000 {
			return 0, errors.New("the match does not end")
		}
		v := s.table.View()
		line := ""
		switch {
		case len(s.extra) > 0:
			line, s.extra = s.extra[0], s.extra[1:]
		case v.Phase == play.ToThrow:
			line = fmt.Sprintf("%d-%d", 1+s.turns*s.turns%6, 1+s.turns*7/3%6)
		case v.Phase == play.ToMove:
			line = LegalPlays(&v)[0]
		case v.Phase == play.ToAnswer, v.Phase == play.ToAnswerResign:
			line = "accept"
		}
		s.rest = []byte(line + "\n")
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Dice thrown by hand are asked for, for both sides, and the match ends.
func TestLines_diceByHand(t *testing.T) {
	table, _ := aTable(t, play.Options{Length: 1, Seed: 11, ByHand: true, Strength: play.Strength{Preset: "casual"}})
	var out bytes.Buffer
	in := &script{t: t, table: table, out: &out, extra: []string{"roll", "7-1", "3-3", "31"}}
	if err := Lines(context.Background(), table, in, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"opening roll: your die and casual's, as 31> ", "Both roll 3.", "You win the opening roll, 3-1.", "your dice, as 31> ",
		"casual's dice, as 31> ", "casual rolls ", "The match is over"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the output", want)
		}
	}
}

// A finished match is archived, analysed in the archive without being asked, and reviewed.
func TestLines_aWholeMatchIsArchivedAndReviewed(t *testing.T) {
	testsize.Medium(t)
	table, db := aTable(t, play.Options{Length: 2, Seed: 11, Strength: play.Strength{Preset: "casual"}})
	table.Analysis = ""
	var out bytes.Buffer
	in := &script{t: t, table: table, out: &out, extra: []string{"help", "hint", "plays", "board", "castle", "undo", "yes"}}
	if err := Lines(context.Background(), table, in, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"A match of 2 points against casual", "take back your last decision", "unknown command", "not possible",
		"nothing to confirm", "The match is over", "Analysing the match (Ctrl-C leaves it for later)", "PR  "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the output", want)
		}
	}
	var rows []*index.Match
	if err := db.List(context.Background(), index.Filter{}, func(m *index.Match) error { rows = append(rows, m); return nil }); err != nil || len(rows) != 1 || rows[0].Plies < 2 {
		t.Errorf("the archive has %+v, %v, want one match analysed at 2 plies", rows, err)
	}
	if table.Filed.Identity == "" || !strings.HasPrefix(table.Filed.PR, "PR: you ") {
		t.Errorf("%+v", table.Filed)
	}
	if left, err := table.Store.List(); err != nil || len(left) != 0 {
		t.Errorf("unfinished matches left: %d, %v", len(left), err)
	}
}

func TestLines_theTutorSpeaksBeforeItIsTooLate(t *testing.T) {
	table, _ := aTable(t, play.Options{Length: 3, Seed: 5})
	table.Tutor = 0.05
	for {
		done, err := table.Think(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		v := table.View()
		if !done && v.Phase == play.ToMove {
			break
		}
		if !done {
			if err := table.Do(play.Act{Kind: play.Roll}); err != nil {
				t.Fatal(err)
			}
		}
	}
	v := table.View()
	var worst string
	loss := 0.0
	for _, p := range LegalPlays(&v) {
		if j, bad := table.Weigh(context.Background(), play.Act{Kind: play.Move, Play: p}); bad && j.Loss > loss {
			worst, loss = p, j.Loss
		}
	}
	if worst == "" {
		t.Skip("no bad play of this roll")
	}
	var out bytes.Buffer
	if err := Lines(context.Background(), table, strings.NewReader(worst+"\nno\n"+worst+"\nyes\nquit\n"), &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "Tutor: "); n != 2 {
		t.Errorf("the tutor spoke %d times:\n%s", n, out.String())
	}
	if now := table.View(); now.Version == v.Version {
		t.Error("yes did not play it")
	}
	if !strings.Contains(out.String(), "--resume") {
		t.Error("leaving does not say how to go on")
	}
}

// press drives the screen's model without a terminal: commands are carried out at
// once.
func press(t *testing.T, s *screen, keys ...tea.KeyPressMsg) (quit bool) {
	t.Helper()
	var run func(cmd tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil || quit {
			return
		}
		msg := cmd()
		if _, ok := msg.(tea.QuitMsg); ok {
			quit = true
			return
		}
		_, next := s.Update(msg)
		run(next)
	}
	if len(keys) == 0 {
		run(s.Init())
	}
	for _, k := range keys {
		_, cmd := s.Update(k)
		run(cmd)
	}
	return quit
}

var (
	enter = tea.KeyPressMsg{Code: tea.KeyEnter}
	down  = tea.KeyPressMsg{Code: tea.KeyDown}
	right = tea.KeyPressMsg{Code: tea.KeyRight}
	back  = tea.KeyPressMsg{Code: tea.KeyBackspace}
)

func typed(text string) (keys []tea.KeyPressMsg) {
	for _, r := range text {
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return append(keys, enter)
}

func TestScreen_aWholeMatchByKeys(t *testing.T) {
	testsize.Medium(t)
	for _, size := range []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 140, Height: 50}, {Width: 52, Height: 30}} {
		table, db := aTable(t, play.Options{Length: 1, Seed: uint64(size.Width), Strength: play.Strength{Preset: "beginner"}})
		s := newScreen(context.Background(), table)
		s.Update(size)
		press(t, s)
		for turn := 0; s.view.Phase != play.MatchOver; turn++ {
			if turn > 2000 {
				t.Fatal("the match does not end")
			}
			content := s.content()
			for i, line := range strings.Split(content, "\n") {
				if w := ansi.StringWidth(line); w > size.Width {
					t.Fatalf("line %d is %d wide in a window of %d: %q", i, w, size.Width, line)
				}
			}
			if n := strings.Count(content, "\n") + 1; n > size.Height {
				t.Fatalf("%d lines in a window of %d", n, size.Height)
			}
			switch {
			case s.view.Phase == play.ToAnswer, s.view.Phase == play.ToAnswerResign:
				press(t, s, typed("accept")...)
			case s.view.Phase != play.ToMove:
				press(t, s, enter)
			case turn%3 == 0:
				press(t, s, down, enter)
			case turn%3 == 1:
				press(t, s, typed(s.plays[len(s.plays)-1])...)
			default:
				// One checker at a time, with one step taken back.
				press(t, s, right, enter, back, right)
				for range 5 {
					if s.view.Phase == play.ToMove {
						press(t, s, enter)
					}
				}
			}
		}
		if !strings.Contains(strings.Join(s.panel, "\n"), "Archived as") {
			t.Errorf("the review: %q", s.panel)
		}
		if press(t, s, enter) {
			t.Error("Enter leaves before the review is read")
		}
		if !press(t, s, tea.KeyPressMsg{Code: 'q', Text: "q"}) {
			t.Error("q does not leave after the match")
		}
		n := 0
		if err := db.List(context.Background(), index.Filter{}, func(*index.Match) error { n++; return nil }); err != nil || n != 1 {
			t.Errorf("%d matches in the archive, %v", n, err)
		}
	}
}

// Enter makes the only legal play.
func TestScreen_onePlay(t *testing.T) {
	o := play.Options{Strength: play.Strength{Preset: "beginner"}}
	// Two checkers on the ace point: every roll bears both off.
	o.StartFrom(match.Situation{Position: board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{0: 2}}, Dice: board.Dice{A: 4, B: 3}, State: match.State{Length: 5, Cube: 1}}, false)
	table, _ := aTable(t, o)
	s := newScreen(context.Background(), table)
	s.Update(tea.WindowSizeMsg{Width: 100, Height: 40})
	press(t, s)
	if content := s.content(); !strings.Contains(content, "1 legal play (Enter)") {
		t.Errorf("the panel is\n%s", content)
	}
	press(t, s, enter)
	if s.view.Phase != play.GameOver && s.view.Phase != play.MatchOver {
		t.Errorf("after Enter: %s, %q", s.view.Phase, s.note)
	}
}

func TestScreen_commands(t *testing.T) {
	table, _ := aTable(t, play.Options{Length: 3, Seed: 5})
	s := newScreen(context.Background(), table)
	press(t, s)
	for s.view.Phase != play.ToMove {
		press(t, s, enter)
	}
	before := s.view.Board
	press(t, s, down)
	if moved, _, to := s.boards(); moved == before || len(to) == 0 {
		t.Error("the chosen play is not shown on the board")
	}
	if s.view.Board != before {
		t.Error("choosing played it")
	}
	press(t, s, typed("h")...)
	if len(s.panel) < 3 || !strings.HasPrefix(s.panel[0], " # play") || !strings.Contains(strings.Join(s.panel, "\n"), "\n 1 ") {
		t.Errorf("the hint is %q", s.panel)
	}
	press(t, s, down)
	question, chosen := tea.KeyPressMsg{Code: '?', Text: "?"}, s.selected
	press(t, s, question)
	if !strings.Contains(strings.Join(s.panel, "\n"), "choose a play") {
		t.Errorf("the help is %q", s.panel)
	}
	press(t, s, enter) // closes the help and plays nothing
	if len(s.panel) != 0 || s.view.Board != before || s.selected != chosen {
		t.Errorf("after the help: %q", s.panel)
	}
	press(t, s, question)
	press(t, s, question)
	if len(s.panel) != 0 {
		t.Errorf("a second question mark leaves %q", s.panel)
	}
	press(t, s, typed("8/2 9/9")...)
	if s.note == "" {
		t.Error("an illegal play gives no note")
	}
	s.Update(tea.WindowSizeMsg{Width: 30, Height: 8})
	if !strings.Contains(s.content(), "too small") {
		t.Error("a tiny window gives no message")
	}
	if !press(t, s, tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}) {
		t.Error("Ctrl-C does not leave")
	}
	if again, err := table.Store.List(); err != nil || len(again) != 1 {
		t.Errorf("after leaving %d matches are kept, %v", len(again), err)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"short", 10, []string{"short"}}, {"", 10, nil},
		{"casual wins the opening roll, 5-4", 27, []string{"casual wins the opening", "  roll, 5-4"}},
		{"one two three four", 9, []string{"one two", "  three", "  four"}},
		{"abcdefghijklmno", 9, []string{"abcdefghijklmno"}}, {"größe größe größe", 11, []string{"größe größe", "  größe"}},
		{"a b c", 1, []string{"a b c"}},
	} {
		if got := wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestPicture_hypergammonHasNobodyOffAtItsStart(t *testing.T) {
	m, err := play.New(play.Options{Length: 3, Variation: "hypergammon2", Strength: play.Strength{Preset: "beginner"}, Seed: 1}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	v := Faced{View: m.View()}
	if got := Pictured(&v); strings.Count(got, "off 0") != 2 {
		t.Errorf("two checkers a side:\n%s", got)
	}
}

// What is played against whom, where the match is named.
func TestDescribe_variationAndOpponent(t *testing.T) {
	for _, tt := range []struct {
		o                play.Options
		describe, opener string
	}{
		{play.Options{Length: 3, Strength: play.Strength{Preset: "expert"}},
			"3-point match, 0-0, against expert of ", "A match of 3 points against expert (about 1900 on FIBS)"},
		{play.Options{Length: 3, Variation: "hypergammon2", Strength: play.Strength{Preset: "expert"}},
			"3-point match, 0-0, of hypergammon (2 checkers) against expert of ", "A match of 3 points, hypergammon (2 checkers), against expert"},
		{play.Options{Variation: "nackgammon", Egyptian: true, Strength: play.Strength{Preset: "expert"}},
			"money game of nackgammon (Egyptian rule) against expert of ", "Money play, nackgammon (Egyptian rule), against expert"},
		{play.Options{Egyptian: true, Strength: play.Strength{Preset: "expert"}},
			"money game of backgammon (Egyptian rule) against expert of ", "Money play, backgammon (Egyptian rule), against expert"},
	} {
		table, _ := aTable(t, tt.o)
		v := table.View()
		if got := Describe(&v.View); !strings.HasPrefix(got, tt.describe) {
			t.Errorf("%q, want %q", got, tt.describe)
		}
		if got := opening(&v); got != tt.opener {
			t.Errorf("%q, want %q", got, tt.opener)
		}
	}
}
