package record_test

import (
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"

	"github.com/google/go-cmp/cmp"
)

func steps(t *testing.T, text string) []board.Step {
	t.Helper()
	s, err := board.ParseSteps(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReplay_problems(t *testing.T) {
	d := func(a, b uint8) board.Dice { return board.Dice{A: a, B: b} }
	move := func(player int, a, b uint8, text string) record.Action {
		return record.Action{Kind: record.Move, Player: player, Dice: d(a, b), Steps: steps(t, text)}
	}
	cube := func(k record.Kind, player int) record.Action { return record.Action{Kind: k, Player: player} }
	opening := move(0, 3, 1, "8/5 6/5")
	money, five := record.Match{}, record.Match{Length: 5}
	for _, c := range []struct {
		name    string
		m       record.Match
		g       record.Game
		actions []record.Action
		problem string // of the last action; empty: all is legal
	}{
		{"a game begins", five, record.Game{}, []record.Action{opening, move(1, 6, 5, "24/13")}, ""},
		{"wrong dice", five, record.Game{}, []record.Action{move(0, 3, 1, "8/4 6/5")}, "not a legal play of 3 and 1"},
		{"from an empty point", five, record.Game{}, []record.Action{move(0, 3, 1, "9/6 6/5")}, "not a legal play of 3 and 1"},
		{"five steps", five, record.Game{}, []record.Action{{Kind: record.Move, Dice: d(1, 1), Steps: make([]board.Step, 5)}}, "not a legal play of 1 and 1"},
		{"dice of 7", five, record.Game{}, []record.Action{{Kind: record.Move, Dice: d(7, 1)}}, "dice 7 and 1"},
		{"not moving", five, record.Game{}, []record.Action{{Kind: record.Move, Dice: d(6, 1)}}, "did not move though there is a legal play"},
		{"out of turn", five, record.Game{}, []record.Action{opening, opening}, "the other player is on roll"},
		{"double and take", five, record.Game{}, []record.Action{opening, cube(record.Double, 1), cube(record.Take, 0), move(1, 6, 5, "24/13")}, ""},
		{"double before the opening roll", five, record.Game{}, []record.Action{cube(record.Double, 1)}, "doubles before the opening roll"},
		{"double out of turn", five, record.Game{}, []record.Action{opening, cube(record.Double, 0)}, "doubles while the other player is on roll"},
		{"double in the Crawford game", five, record.Game{Crawford: true}, []record.Action{opening, cube(record.Double, 1)}, "doubles in the Crawford game"},
		{"double of the other's cube", five, record.Game{},
			[]record.Action{opening, cube(record.Double, 1), cube(record.Take, 0), move(1, 6, 5, "24/13"), move(0, 6, 5, "24/13"), cube(record.Double, 1)},
			"doubles with the cube on the other side"},
		{"no cube at all", record.Match{Rules: record.Rules{NoCube: true}}, record.Game{}, []record.Action{opening, cube(record.Double, 1)}, "doubles in a match without a cube"},
		{"beaver", money, record.Game{}, []record.Action{opening, cube(record.Double, 1), cube(record.Double, 0), cube(record.Take, 1), move(1, 6, 5, "24/13")}, ""},
		{"beaver in a match", five, record.Game{}, []record.Action{opening, cube(record.Double, 1), cube(record.Double, 0)}, "a beaver in a match"},
		{"roll over a double", five, record.Game{}, []record.Action{opening, cube(record.Double, 1), move(1, 6, 5, "24/13")}, "a double waits for an answer"},
		{"take of nothing", five, record.Game{}, []record.Action{opening, cube(record.Take, 1)}, "there is no double to answer"},
		{"own double dropped", five, record.Game{}, []record.Action{opening, cube(record.Double, 1), cube(record.Drop, 1)}, "answers the own double"},
		{"after the end", five, record.Game{}, []record.Action{opening, cube(record.Double, 1), cube(record.Drop, 0), move(1, 6, 5, "24/13")}, "the game is over"},
		{"board of 16 checkers", five, record.Game{},
			[]record.Action{{Kind: record.SetUp, Player: 0, SetUp: &record.Setup{Board: &[2]board.Checkers{{16}, {1}}}}}, "illegal position: 1 and 16"},
		{"unknown kind", five, record.Game{}, []record.Action{{Kind: 99}}, "unknown action"},
		{"player 7", five, record.Game{}, []record.Action{{Kind: record.Move, Player: 7, Dice: d(6, 1), Steps: opening.Steps}}, "not a legal play of 6 and 1"},
	} {
		c.g.Actions = c.actions
		got := ""
		for turn := range c.m.Turns(&c.g) {
			if turn.Index < len(c.actions)-1 && !turn.Legal {
				t.Errorf("%s: action %d: %s", c.name, turn.Index+1, turn.Problem)
			}
			got = turn.Problem
		}
		if c.problem == "" && got != "" || !strings.HasPrefix(got, c.problem) {
			t.Errorf("%s: %q, want %q", c.name, got, c.problem)
		}
	}
}

func TestReplay_cubeAndScoreSeenByBothPlayers(t *testing.T) {
	m := record.Match{Length: 7}
	g := record.Game{Score: [2]int{1, 3}, Actions: []record.Action{
		{Kind: record.Move, Player: 0, Dice: board.Dice{A: 3, B: 1}, Steps: steps(t, "8/5 6/5")},
		{Kind: record.Double, Player: 1},
		{Kind: record.Take, Player: 0},
		{Kind: record.Move, Player: 1, Dice: board.Dice{A: 6, B: 5}, Steps: steps(t, "24/13")},
	}}
	var got []string
	for turn := range m.Turns(&g) {
		s := turn.State
		got = append(got, strings.Join([]string{turn.Action.Kind.String(), turn.Position.ID(), matchText(s.Score, s.Cube, int(s.Owner), turn.Pending)}, " "))
	}
	want := []string{
		"move 4HPwATDgc/ABMA 1-3 cube 1 owner 0 pending 0",
		"double sGfwATDgc/ABMA 1-3 cube 1 owner 0 pending 0",
		"take 4HPwATCwZ/ABMA 1-3 cube 1 owner 0 pending 1",
		"move sGfwATDgc/ABMA 3-1 cube 2 owner 2 pending 0",
	}
	want[1] = strings.Replace(want[1], "1-3", "3-1", 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func matchText(score [2]int, cube, owner, pending int) string {
	digit := func(n int) string { return string(rune('0' + n)) }
	return digit(score[0]) + "-" + digit(score[1]) + " cube " + digit(cube) + " owner " + digit(owner) + " pending " + digit(pending)
}

func TestReplay_whoWinsAndHowMuch(t *testing.T) {
	last := func(loser board.Checkers) *record.Setup {
		return &record.Setup{Board: &[2]board.Checkers{{0: 1}, loser}}
	}
	bearOff := record.Action{Kind: record.Move, Player: 0, Dice: board.Dice{A: 2, B: 1}, Steps: []board.Step{{From: 0, To: board.Off}}}
	gammon, backgammon := board.Checkers{10: 15}, board.Checkers{10: 14, 22: 1}
	for _, c := range []struct {
		name string
		m    record.Match
		set  *record.Setup
		cube int
		want int
	}{
		{"single", record.Match{Length: 5}, last(board.Checkers{3: 14}), 1, 1},
		{"gammon", record.Match{Length: 5}, last(gammon), 1, 2},
		{"backgammon", record.Match{Length: 5}, last(backgammon), 1, 3},
		{"gammon, Jacoby, no double", record.Match{Rules: record.Rules{Jacoby: true}}, last(gammon), 1, 1},
		{"gammon, no Jacoby", record.Match{}, last(gammon), 1, 2},
		{"gammon with the cube on 4", record.Match{Length: 5}, last(gammon), 4, 8},
		{"gammon of three checkers", record.Match{Length: 5, Rules: record.Rules{Variation: record.Hypergammon}}, last(board.Checkers{10: 3}), 1, 2},
		{"single of three checkers", record.Match{Length: 5, Rules: record.Rules{Variation: record.Hypergammon}}, last(board.Checkers{10: 2}), 1, 1},
	} {
		c.m.Games = []record.Game{{Cube: c.cube, Actions: []record.Action{{Kind: record.SetUp, Player: 0, SetUp: c.set}, bearOff}}}
		ws := c.m.Settle()
		want := record.Result{Winner: 0, Points: c.want}
		if diff := cmp.Diff(want, c.m.Games[0].Result); diff != "" || len(ws) > 0 {
			t.Errorf("%s: %s %v", c.name, diff, ws)
		}
	}
}

func TestMatch_finalScore(t *testing.T) {
	m := record.Match{Length: 3, Games: []record.Game{
		{Result: record.Result{Winner: 1, Points: 2}},
		{Score: [2]int{0, 2}, Result: record.Result{Winner: 1, Points: 4}}, // three more than were needed
	}}
	if got := m.FinalScore(); got != [2]int{0, 3} || m.Winner() != 1 {
		t.Errorf("%v, winner %d", got, m.Winner())
	}
	m.Games[1].Result = record.Result{}
	if got := m.FinalScore(); got != [2]int{0, 2} || m.Winner() != record.NoPlayer {
		t.Errorf("%v, winner %d", got, m.Winner())
	}
}

func TestMatch_settleTellsOfASecondMatch(t *testing.T) {
	games := func(scores ...[2]int) (g []record.Game) {
		for _, s := range scores {
			g = append(g, record.Game{Score: s})
		}
		return g
	}
	for _, c := range []struct {
		name string
		m    record.Match
		want int
	}{
		{"one match", record.Match{Length: 5, Games: games([2]int{}, [2]int{1, 0}, [2]int{1, 2})}, 0},
		{"two files joined", record.Match{Length: 5, Games: games([2]int{}, [2]int{1, 2}, [2]int{}, [2]int{2, 0})}, 1},
		{"a session by games", record.Match{Games: games([2]int{2, 0}, [2]int{})}, 0},
	} {
		ws := c.m.Settle()
		if len(ws) != c.want || c.want > 0 && !strings.Contains(ws[0].Text, "two matches") {
			t.Errorf("%s: %v", c.name, ws)
		}
	}
}

// A rating has the value and the experience of one.
func TestPlayer_RatingValue(t *testing.T) {
	for text, want := range map[string]float64{
		"1500.50": 1500.5, "1750.5/300": 1750.5, "1750,5/300": 1750.5, "1620 12": 1620, "1600.00/12": 1600,
		"5,00/0": 0, "3": 0, "1600.00/0": 0, "1600/0,00": 0, "0": 0, "-1500": 0, "99999": 0, "NaN": 0, "expert": 0, "": 0,
	} {
		m := record.Match{Players: [2]record.Player{{Rating: text}, {Rating: "expert"}}}
		m.Settle()
		if got, ok := m.Players[0].RatingValue(); got != want || ok != (want > 0) {
			t.Errorf("%q is a rating of %v, %v", text, got, ok)
		}
		if kept := m.Players[0].Rating; kept != "" && text[0] >= '0' && text[0] <= '9' && want == 0 || want > 0 && kept != text || m.Players[1].Rating != "expert" {
			t.Errorf("%q: kept %q and %q", text, kept, m.Players[1].Rating)
		}
	}
}
