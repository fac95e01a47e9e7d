package accountview

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func steps(t *testing.T, text string) []board.Step {
	t.Helper()
	list, err := board.ParseSteps(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// played returns the sheet of a match after a hit: the opponent
// ran, we hit, and the opponent has rolled.
func played(t *testing.T) *sheet.Sheet {
	t.Helper()
	sh := sheet.New("bob", 5, true)
	sh.NewGame()
	sh.OpeningRolled(board.Dice{A: 6, B: 2})
	sh.OpeningWon(sheet.Them)
	sh.Moved(sheet.Them, steps(t, "24/18 13/11"))
	sh.Rolled(sheet.Us, board.Dice{A: 6, B: 1})
	sh.Moved(sheet.Us, steps(t, "13/7* 8/7"))
	sh.Rolled(sheet.Them, board.Dice{A: 3, B: 2})
	return sh
}

// leaderOnRoll gives the player on roll 90% and counts the questions about chances.
type leaderOnRoll struct{ asked int }

func (j *leaderOnRoll) Chances(_ context.Context, p board.Position, _ board.Dice, _ match.State) ([5]float64, error) {
	j.asked++
	return [5]float64{0.9, 0.3, 0.1, 0.05, 0.01}, p.Validate()
}

func (*leaderOnRoll) Winning(_ context.Context, p board.Position, _ match.State) (float64, error) {
	return 0.9, p.Validate()
}

func TestLive_showsBoardAndLastMoves(t *testing.T) {
	var d View
	d.SetMatch(played(t), protocol.User{Name: "bob", Rating: 1612.5, Experience: 400})
	var judge leaderOnRoll
	v := d.Live(t.Context(), &judge)
	table := v.Table
	if table == nil || table.Opponent != "bob" || table.Rating != 1612.5 || table.Length != 5 || table.Game != 1 || table.Turn != "opponent" {
		t.Fatalf("%+v", table)
	}
	want := []ops.Moved{
		{Side: "opponent", What: "plays", Dice: []int{6, 2}, Play: "24/18 13/11"},
		{Side: "me", What: "plays", Dice: []int{6, 1}, Play: "13/7* 8/7"},
		{Side: "opponent", What: "rolls", Dice: []int{3, 2}},
	}
	if diff := cmp.Diff(want, table.Moves); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{3, 2}, table.Dice); diff != "" {
		t.Error(diff)
	}
	if table.Pips != [2]int{160, 166} || table.Board[1][24] != 1 {
		t.Errorf("pips %v, on the bar %d", table.Pips, table.Board[1][24])
	}
	near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
	if c := table.Chances; c == nil || !near(c[0], 0.1) || !near(c[1], 0.05) || !near(c[3], 0.3) {
		t.Errorf("the opponent is on roll and should lead: %v", c)
	}
	for range 5 {
		d.Live(t.Context(), &judge)
	}
	if judge.asked != 1 {
		t.Errorf("one position was evaluated %d times", judge.asked)
	}
	d.SetMatch(nil, protocol.User{})
	if v := d.Live(t.Context(), nil); v.Table != nil {
		t.Errorf("no match, but the view shows %+v", v.Table)
	}
}

func TestLive_doubleAndResignation(t *testing.T) {
	sh := played(t)
	sh.Moved(sheet.Them, steps(t, "bar/22 24/22"))
	sh.DoubledBy(sheet.Us)
	var d View
	d.SetMatch(sh, protocol.User{})
	var judge leaderOnRoll
	v := d.Live(t.Context(), &judge).Table
	if v.Doubled != "me" || v.Chances == nil || v.Chances[0] != 0.9 {
		t.Errorf("the doubler should be on roll: %+v", v)
	}
	if last := v.Moves[len(v.Moves)-1]; last.What != "doubles" || last.Side != "me" {
		t.Errorf("%+v", last)
	}
	sh.Refused()
	sh = played(t)
	sh.Offered(sheet.Them, 2)
	d.SetMatch(sh, protocol.User{})
	if v := d.Live(t.Context(), nil).Table; v.Resigned != "opponent" || v.Offer != 2 {
		t.Errorf("%+v", v)
	}
}

// TestView_isBounded: whatever strangers send, a View keeps a bounded amount.
func TestView_isBounded(t *testing.T) {
	var d View
	long := strings.Repeat("é", 5000) + "\xff\n"
	names := make([]string, 500)
	for range 500 {
		d.Heard(&protocol.Event{Kind: protocol.Says, Name: "eve", Text: long}, noon)
		d.Heard(&protocol.Event{Kind: protocol.Shouts, Name: "eve", Text: "not for us"}, noon)
		d.AddInvitation(ops.Invitation{From: "eve", Said: long})
		d.Trouble(long, noon)
		d.Sent([]protocol.Command{protocol.Tell{Name: "eve", Text: "no"}, protocol.Roll{}}, "bot", noon)
	}
	d.Trouble("another", noon)
	d.SetWaiting(names)
	v := d.Live(t.Context(), nil)
	if len(v.Said) != maxSaid || len(v.Invitations) != maxInvitations || len(v.Waiting) != maxWaiting || len(v.Troubles) != 2 {
		t.Errorf("%d said, %d invitations, %d waiting, %d troubles", len(v.Said), len(v.Invitations), len(v.Waiting), len(v.Troubles))
	}
	if v.Troubles[0].Text != "another" || v.Troubles[1].Times != 500 {
		t.Errorf("troubles %+v", v.Troubles)
	}
	for _, s := range v.Said {
		if len(s.Text) > maxText+4 || s.Text != strings.ToValidUTF8(s.Text, "?") || strings.Contains(s.Text, "not for us") {
			t.Fatalf("%q", s.Text)
		}
	}
}

// TestLive_course: the line of chances has a point for each play, whole after a restart in the
// middle of the match, and begins again with another opponent.
func TestLive_course(t *testing.T) {
	sh := played(t)
	var whole, late View
	for _, dice := range []string{"", "bar/22 24/22"} {
		if dice != "" {
			sh.Moved(sheet.Them, steps(t, dice))
		}
		whole.SetMatch(sh, protocol.User{})
		whole.SetMatch(sh, protocol.User{})
	}
	late.SetMatch(sh, protocol.User{})
	want := []float64{0.9, 0.1, 0.9} // we are on roll after his play
	for name, v := range map[string]*View{"from the start": &whole, "after a restart": &late} {
		live := v.Live(t.Context(), &leaderOnRoll{}).Table
		if diff := cmp.Diff(want, live.Course); diff != "" || len(live.Starts) != 1 || live.Starts[0] != 0 {
			t.Errorf("%s: %v %s", name, live.Starts, diff)
		}
	}
	if live := late.Live(t.Context(), nil).Table; len(live.Course) != 3 {
		t.Errorf("known chances were not shown: %v", live.Course)
	}
	sh.GameWon(sheet.Us, 1, sheet.ByResignation)
	sh.NewGame()
	sh.OpeningRolled(board.Dice{A: 6, B: 2})
	sh.OpeningWon(sheet.Us)
	sh.Moved(sheet.Us, steps(t, "24/18 13/11"))
	whole.SetMatch(sh, protocol.User{})
	if live := whole.Live(t.Context(), &leaderOnRoll{}).Table; len(live.Course) != 4 || len(live.Starts) != 2 || live.Starts[1] != 3 {
		t.Errorf("the second game: %v, begins at %v", live.Course, live.Starts)
	}
	other := sheet.New("carl", 3, true)
	other.NewGame()
	whole.SetMatch(other, protocol.User{})
	if live := whole.Live(t.Context(), &leaderOnRoll{}).Table; len(live.Course) != 0 {
		t.Errorf("another match begins with %v", live.Course)
	}
}

// TestLive_courseIsBounded: an endless match costs no more than its last turns, and each page
// has a bounded number of turns judged.
func TestLive_courseIsBounded(t *testing.T) {
	sh := played(t)
	g := &sh.Games[0]
	play := g.Acts[0]
	g.Acts = g.Acts[:2] // without the roll
	for range 2000 {
		g.Acts = append(g.Acts, play)
	}
	var v View
	v.SetMatch(sh, protocol.User{})
	if n := len(v.course.turns); n != maxTurns {
		t.Errorf("%d turns are kept", n)
	}
	for i, want := range []int{maxJudged, 2 * maxJudged} {
		if live := v.Live(t.Context(), &leaderOnRoll{}).Table; len(live.Course) != want {
			t.Errorf("page %d has %d points", i, len(live.Course))
		}
	}
}
