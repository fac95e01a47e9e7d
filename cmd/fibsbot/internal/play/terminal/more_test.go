package terminal

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/advice"
)

// from is a table that begins from a position.
func from(t *testing.T, text string) *Table {
	t.Helper()
	q, err := advice.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	o := play.Options{Strength: play.Strength{Preset: "beginner"}, Seed: 7}
	o.StartFrom(q, false)
	table, _ := aTable(t, o)
	return table
}

// say plays lines and returns what was printed.
func say(t *testing.T, table *Table, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Lines(context.Background(), table, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

const opening31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"

func TestLines_hintColumnsAndNth(t *testing.T) {
	table := from(t, opening31)
	text := say(t, table, "hint", "=99", "=2")
	has(t, text, " # play               equity     diff    win    g   bg   lose    g   bg\n", " 1 8/5 6/5", "=99: there are")
	acts := table.View().Acts
	if len(acts) == 0 || acts[0].Kind != play.Move || acts[0].Play == "8/5 6/5" {
		t.Errorf("=2 played %+v", acts)
	}
	// Without a hint before.
	table = from(t, opening31)
	say(t, table, "=")
	if acts := table.View().Acts; len(acts) == 0 || acts[0].Play != "8/5 6/5" {
		t.Errorf("= played %+v", acts)
	}
	has(t, say(t, from(t, "4HPwATDgc/ABMA"), "=1"), "no roll to play")
}

func TestHint_fitsAPanel(t *testing.T) {
	table := from(t, opening31)
	for _, width := range []int{28, 34, 37, 50, 72} {
		lines, err := table.Hint(context.Background(), width)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if len(line) > width {
				t.Errorf("width %d: %d wide: %q", width, len(line), line)
			}
		}
		has(t, strings.Join(lines, "\n"), "equity", "diff", "win", "lose", " 1 8/5 6/5")
	}
}

func TestLines_tutorSwitches(t *testing.T) {
	table := from(t, opening31)
	table.Tutor = 0.01
	has(t, say(t, table, "24/20", "no"), "Tutor: 24/20 loses")
	has(t, say(t, table, "tutor cube", "24/20"), "The tutor warns of cube actions")
	if len(table.View().Acts) == 0 {
		t.Error("the tutor of the cube stopped a play")
	}
	table = from(t, opening31)
	table.Tutor = 0.01
	has(t, say(t, table, "tutor off", "24/20"), "The tutor is off")
	if len(table.View().Acts) == 0 {
		t.Error("the tutor still warns")
	}
	has(t, say(t, table, "tutor loud"), "want on, off, plays or cube")
}

// A position is played over and over with a count; forced plays are made automatically.
func TestLines_againFromAPosition(t *testing.T) {
	table := from(t, "XGID=-B----------------------b-:1:-1:1:00:3:4:0:5:10")
	table.Auto = Auto{Forced: true}
	text := say(t, table, "roll", "again", "roll", "end")
	has(t, text, "again or end", "you 1, beginner 0 of 1; +2.00 points a game", "you 2, beginner 0 of 2; +2.00", "The games from this position are over.")
	if table.Filed.Identity == "" {
		t.Error("not archived")
	}
}

func TestLines_engineAndSwap(t *testing.T) {
	table := from(t, opening31)
	say(t, table, "engine")
	if acts := table.View().Acts; len(acts) == 0 || acts[0].Kind != play.Move || acts[0].Side != play.You {
		t.Errorf("%+v", acts)
	}
	table = from(t, opening31)
	has(t, say(t, table, "swap"), "The sides are swapped", "beginner plays")
	table = from(t, opening31)
	has(t, say(t, table, "engine game"), "again, next game or end")
}

// Two people record a match: each is named, an illegal play is marked and corrected.
func TestLines_twoPeople(t *testing.T) {
	table, db := aTable(t, play.Options{Length: 1, Two: true, ByHand: true, Name: "anna", Opponent: "bob", Event: "Club night"})
	text := say(t, table, "31", "8/5 6/5", "64", "24/14", "65", "illegal 24/18 8/4", "fix 65: 24/18 13/8", "resign", "accept")
	has(t, text, "opening roll: the die of anna, then that of bob", "anna: play 3-1", "bob: dice, as 31", "bob: play 6-4", "bob plays 24/14",
		"anna plays 24/18 8/4 (illegal)", "bob offers to resign", "anna wins a single game")
	if table.Filed.Identity == "" {
		t.Fatal("not archived")
	}
	row, err := db.Show(t.Context(), table.Filed.Identity)
	if err != nil {
		t.Fatal(err)
	}
	edition, err := db.Edit(row)
	if err != nil {
		t.Fatal(err)
	}
	if m := edition.Match; m.Event != "Club night" || m.Players[0].Name != "bob" || len(m.Games[0].Actions) < 3 || m.Games[0].Actions[2].Illegal {
		t.Errorf("%+v", m)
	}
}

// The board is seen from the side of whoever plays, with each person's own colour.
func TestView_twoPeopleEachFromBelow(t *testing.T) {
	table, _ := aTable(t, play.Options{Length: 1, Two: true, ByHand: true, Name: "anna", Opponent: "bob"})
	for _, a := range []play.Act{{Kind: play.Roll, Dice: [2]uint8{3, 1}}, {Kind: play.Move, Play: "8/5 6/5"}} {
		if err := table.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	v := table.View()
	if !v.Turned || v.Names[play.You] != "bob" || v.Turn != play.You || v.Board[play.Opponent][4] != 2 {
		t.Errorf("%+v", v)
	}
	lines := strings.Split(strings.TrimSpace(Pictured(&v)), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, "O bob") {
		t.Errorf("the last line is %q", last)
	}
}
