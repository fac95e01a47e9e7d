package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// beginFrom begins a match from a text of a position.
func beginFrom(t *testing.T, text string, opponent bool) *Match {
	t.Helper()
	q, err := advice.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Strength: Strength{Preset: "beginner"}, Seed: 7, Name: "anna"}
	o.StartFrom(q, opponent)
	m, err := New(o, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A bearoff of two checkers each, 3-4 in a match to 5, cube 2 with the opponent: on the ace
// points, so that any roll wins.
const lastRoll = "XGID=-B----------------------b-:1:-1:1:00:3:4:0:5:10"

func TestFrom_positionScoreCubeAndDice(t *testing.T) {
	for _, c := range []struct {
		text       string
		opponent   bool
		phase      Phase
		turn       int
		score      [2]int
		cube       int
		owner      int
		dice       []int
		crawford   bool
		mayDouble  bool
		length     int
		wantJacoby bool
	}{
		{lastRoll, false, ToRoll, You, [2]int{4, 3}, 2, Opponent, nil, false, false, 5, false},
		{lastRoll, true, ToRoll, Opponent, [2]int{3, 4}, 2, You, nil, false, false, 5, false},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10", false, ToMove, You, [2]int{1, 2}, 1, record.NoPlayer, []int{3, 1}, false, false, 7, false},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:1:1:7:10", false, ToRoll, You, [2]int{1, 6}, 1, record.NoPlayer, nil, true, false, 7, false},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10", false, ToRoll, You, [2]int{}, 1, record.NoPlayer, nil, false, true, 0, true},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10", false, ToAnswer, You, [2]int{}, 1, record.NoPlayer, nil, false, false, 7, false},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10", true, ToAnswer, Opponent, [2]int{}, 1, record.NoPlayer, nil, false, false, 7, false},
	} {
		v := beginFrom(t, c.text, c.opponent).View()
		if v.Phase != c.phase || v.Turn != c.turn || v.Score != c.score || v.Cube != c.cube || v.Owner != c.owner || v.Crawford != c.crawford ||
			v.MayDouble != c.mayDouble || v.Length != c.length || v.Jacoby != c.wantJacoby || !v.Posed {
			t.Errorf("%s, %v: %+v", c.text, c.opponent, v)
		}
		if !slices.Equal(v.Dice, c.dice) {
			t.Errorf("%s: dice %v", c.text, v.Dice)
		}
	}
}

func TestFrom_badPositions(t *testing.T) {
	for field, change := range map[string]func(*Options){
		"position": func(o *Options) { o.From.Position = "nonsense" },
		"cube":     func(o *Options) { o.From.Cube = 3 },
		"score":    func(o *Options) { o.From.Score = [2]int{9, 0} },
		"dice":     func(o *Options) { o.From.Dice = [2]uint8{7, 1} },
		"crawford": func(o *Options) { o.From.Crawford = true },
	} {
		q, err := advice.Read("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:7:10")
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Strength: Strength{Preset: "beginner"}}
		o.StartFrom(q, false)
		change(&o)
		_, err = New(o, time.Now())
		var wrong *advice.FieldError
		if !errors.Is(err, ErrOptions) || !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// The position is played over and over with a count, saved and read between, and ends in a
// record that the rules allow.
func TestFrom_againCountsResults(t *testing.T) {
	m := beginFrom(t, lastRoll, false)
	for n := 1; n <= 3; n++ {
		if err := m.Do(Act{Kind: Roll}, -1); err != nil {
			t.Fatal(err)
		}
		v := m.View()
		if v.Easy == nil || v.Easy.Play == "" {
			t.Fatalf("game %d: no easy play in %+v", n, v)
		}
		if err := m.Do(Act{Kind: Move, Play: v.Easy.Play}, -1); err != nil {
			t.Fatal(err)
		}
		v = m.View()
		// 3-4 and a cube of 2 decide the match, but the position can be played again.
		if v.Phase != GameOver || v.MayNext || v.Tally.Games != n || v.Tally.Won != [2]int{0, n} || v.Tally.Points != [2]int{0, 2 * n} {
			t.Fatalf("game %d: %s, next %v, tally %+v", n, v.Phase, v.MayNext, v.Tally)
		}
		if err := m.Do(Act{Kind: Next}, -1); !errors.Is(err, ErrNotNow) {
			t.Errorf("next game of a decided match: %v", err)
		}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if m, err = Read(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		if n < 3 {
			if err := m.Do(Act{Kind: Again}, -1); err != nil {
				t.Fatal(err)
			}
		}
	}
	rec := m.Record()
	if len(rec.Games) != 3 {
		t.Fatalf("%d games in the record", len(rec.Games))
	}
	for i := range rec.Games {
		g := &rec.Games[i]
		if g.Score != [2]int{4, 3} || g.Result.Points != 2 || g.Result.Winner != You {
			t.Errorf("game %d: %+v", i, g)
		}
		for r := record.NewReplay(rec, g); ; {
			turn, ok := r.Next()
			if !ok {
				break
			}
			if !turn.Legal {
				t.Errorf("game %d: %v: %s", i, turn.Action, turn.Problem)
			}
		}
	}
	// One given up in the middle is neither counted nor recorded.
	for range 2 {
		if err := m.Do(Act{Kind: Again}, -1); err != nil {
			t.Fatal(err)
		}
	}
	if v := m.View(); v.Tally.Games != 3 || len(m.Record().Games) != 4 {
		t.Errorf("tally %+v, %d games", v.Tally, len(m.Record().Games))
	}
}

func TestFrom_swapGivesTheOtherSide(t *testing.T) {
	m := beginFrom(t, "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:1:0:7:10", false)
	before := m.View()
	if err := m.Do(Act{Kind: Swap}, -1); err != nil {
		t.Fatal(err)
	}
	after := m.View()
	if after.Turn != Opponent || after.Score != [2]int{2, 1} || after.Owner != Opponent || after.Board[You] != before.Board[Opponent] ||
		after.Board[Opponent] != before.Board[You] || after.PositionID != before.PositionID || !after.MayUndo {
		t.Errorf("after the swap: %+v", after)
	}
	e := anEngine(t)
	if done, err := m.Think(t.Context(), e); err != nil || !done {
		t.Fatal(done, err)
	}
	if v := m.View(); v.Turn != You || v.Acts[len(v.Acts)-1].Side != Opponent {
		t.Errorf("the engine did not take over: %+v", v)
	}
	// The player who was on roll is player You of the record, whoever played for him.
	if a := m.Record().Games[0].Actions; a[len(a)-1].Kind != record.Move || a[len(a)-1].Player != You {
		t.Errorf("%+v", a)
	}
	if err := m.Undo(-1); err != nil {
		t.Fatal(err)
	}
	if v := m.View(); v.Turn != You || v.Score != before.Score || v.Board != before.Board {
		t.Errorf("undo of the swap: %+v", v)
	}
	if err := m.Do(Act{Kind: Swap}, -1); err != nil {
		t.Fatal(err)
	}
	if err := m.Do(Act{Kind: Again}, -1); err != nil {
		t.Fatal(err)
	}
	if v := m.View(); v.Turn != Opponent || v.Owner != Opponent {
		t.Errorf("again after a swap: %+v", v)
	}
}

// The engine plays on for the person to the end of the game and does not resign.
func TestThinkFor_thePerson(t *testing.T) {
	m := beginFrom(t, "XGID=-BBB------------------bbb-:0:0:1:00:0:0:0:1:10", false)
	e := anEngine(t)
	for range 60 {
		v := m.View()
		if v.Phase == GameOver {
			if v.Result.How != "off" {
				t.Errorf("the game ended by %s", v.Result.How)
			}
			return
		}
		if done, err := m.ThinkFor(t.Context(), e, v.Turn); err != nil || !done {
			t.Fatal(done, err)
		}
	}
	t.Error("the game does not end")
}

func TestEasy(t *testing.T) {
	for _, c := range []struct {
		position   string
		dice       board.Dice
		play, want string
	}{
		{"XGID=-B----------------------b-:0:0:1:00:0:0:0:1:10", board.Dice{A: 2, B: 1}, "1/off(2)", "forced"},
		{"XGID=--B--B------------------b-:0:0:1:00:0:0:0:1:10", board.Dice{A: 5, B: 2}, "5/off 2/off", "bearoff"},
		{"XGID=-----BB-----------------b-:0:0:1:00:0:0:0:1:10", board.Dice{A: 2, B: 1}, "", ""},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", board.Dice{A: 3, B: 1}, "", ""},
	} {
		q, err := advice.Read(c.position)
		if err != nil {
			t.Fatal(err)
		}
		got := EasyPlay(board.Rules{}, q.Position, c.dice)
		if c.want == "" && got != nil || c.want != "" && (got == nil || *got != Easy{c.play, c.want}) {
			t.Errorf("%s %v: %+v", c.position, c.dice, got)
		}
	}
}

// A match against a preset of the configuration is resumed as long as the preset is there.
func TestStore_presetOfTheConfiguration(t *testing.T) {
	mine, err := preset.ByName("casual")
	if err != nil {
		t.Fatal(err)
	}
	mine.Name = "mine"
	find := func(name string) (preset.Preset, error) {
		if name == "mine" {
			return mine, nil
		}
		return preset.Preset{}, preset.ErrUnknown
	}
	o := Options{Length: 3, Strength: Strength{Preset: "mine"}}
	if err := o.FindPreset(find); err != nil {
		t.Fatal(err)
	}
	m, err := New(o, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	first := NewStore(dir, nil)
	first.Presets = find
	if err := first.Add(m); err != nil {
		t.Fatal(err)
	}
	second := NewStore(dir, nil)
	if _, err := second.Get(m.ID()); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "mine") {
		t.Errorf("without the preset: %v", err)
	}
	second.Presets = find
	again, err := second.Get(m.ID())
	if err != nil || again.Foe().Name != "mine" {
		t.Errorf("%v, %v", again, err)
	}
}
