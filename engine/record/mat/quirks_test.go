package mat

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/engine/record"

	"github.com/google/go-cmp/cmp"
)

// told lists a match in words: games, actions, results.
func told(m *record.Match) []string {
	var out []string
	for i := range m.Games {
		g := &m.Games[i]
		out = append(out, fmt.Sprintf("game %d-%d", g.Score[0], g.Score[1]))
		for k := range g.Actions {
			a := &g.Actions[k]
			s := fmt.Sprintf("%d %v", a.Player, a.Kind)
			if a.Dice.Valid() {
				s += fmt.Sprintf(" %d%d", a.Dice.A, a.Dice.B)
			}
			for _, st := range a.Steps {
				s += fmt.Sprintf(" %d/%d", st.From+1, st.To+1)
			}
			if a.Illegal {
				s += " illegal"
			}
			if a.Comment != "" {
				s += " {" + a.Comment + "}"
			}
			out = append(out, s)
		}
		switch r := g.Result; {
		case !r.Finished():
			out = append(out, "unfinished")
		case r.Resigned:
			out = append(out, fmt.Sprintf("%d wins %d by resignation", r.Winner, r.Points))
		default:
			out = append(out, fmt.Sprintf("%d wins %d", r.Winner, r.Points))
		}
	}
	return out
}

const head3 = " 3 point match\n\n Game 1\n anna : 0                       bert : 0\n"

func TestRead_rows(t *testing.T) {
	for _, c := range []struct {
		name, rows string
		want       string // after "game 0-0"
		warns      int
	}{
		{
			"Losses in the loser's cell keeps the play before it",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 62: 24/18 13/11    Losses 2 point\n\n      Wins 2 point\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 move 62 24/18 13/11|0 wins 2 by resignation", 0,
		},
		{
			"Losses on the left, Wins on the right of a row",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)  Losses 3 point             Wins 3 point and the match\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|1 wins 3 by resignation", 0,
		},
		{
			"Losses on a line of its own",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n Losses 1 point\n                                  Wins 1 point\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|1 wins 1 by resignation", 0,
		},
		{
			"the number of the row again in the middle of it",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 43: 24/20 13/10         2)  Losses 2 point       Wins 2 point and the match\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 move 43 24/20 13/10|1 wins 2 by resignation", 0,
		},
		{"left before the first roll", "  1)       Losses 3 point\n                                  Wins 3 point and the match\n", "1 wins 3 by resignation", 0},
		{
			"rolled and resigned",
			"  1) 31: 8/5 6/5                 61: ????\n      Wins 1 point\n",
			"0 move 31 8/5 6/5|1 roll 61|0 wins 1 by resignation", 0,
		},
		{
			"resigned without a roll",
			"  1)                             31: 8/5 6/5\n  2) 42: 8/4 6/4                 00: ????\n      Wins 1 point\n",
			"1 move 31 8/5 6/5|0 move 42 8/4 6/4|0 wins 1 by resignation", 0,
		},
		{
			"tabs between the cells",
			"  1)\t31: 8/5 6/5\t42: 8/4 6/4\n  2)\t53: 8/3 6/3\t61: 13/7 8/7\n  3)\t\t62: 24/18 13/11\n\tWins 1 point\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 move 53 8/3 6/3|1 move 61 13/7 8/7|1 move 62 24/18 13/11 illegal|0 wins 1 by resignation", 1,
		},
		{
			"tabs, the right player begins",
			"1)\t\t31: 8/5 6/5\n2)\t42: 8/4 6/4\t53: 8/3 6/3\n\t\tWins 1 point\n",
			"1 move 31 8/5 6/5|0 move 42 8/4 6/4|1 move 53 8/3 6/3|1 wins 1 by resignation", 0,
		},
		{
			"a play that fills its column",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 11: 24/23 24/23 23/22 23/22 62: 24/18 13/11\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 move 11 24/23 24/23 23/22 23/22|1 move 62 24/18 13/11|unfinished", 0,
		},
		{
			"no colon, a stroke, no number, small die first",
			"  1) 13 8/5 6/5                  4-2: 8/4 6/4\n 53: 8/3 6/3                   16: 13/7 8/7\n",
			"0 move 13 8/5 6/5|1 move 42 8/4 6/4|0 move 53 8/3 6/3|1 move 16 13/7 8/7|unfinished", 0,
		},
		{
			"cube words of many programs",
			"  1) 31: 8/5 6/5                 Doubles ==> 2\n  2)  Accepts                    42: 8/4 6/4\n  3)  Redoubles => 4             Passes\n      Wins 2 points\n",
			"0 move 31 8/5 6/5|1 double|0 take|1 move 42 8/4 6/4|0 double|1 drop|0 wins 2", 0,
		},
		{
			"a drop on the left and the result in the wrong column",
			"  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n      Wins 1 point\n",
			"0 move 31 8/5 6/5|1 double|0 drop|1 wins 1", 0,
		},
		{
			"a result in a numbered row, and an empty one",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)  Wins 2 point\n  3)\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 wins 2 by resignation", 0,
		},
		{
			"took and resigned at once",
			"  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                      42: 8/4 6/4\n  3) 53: 8/3 6/3      Losses 2 point\n      Wins 2 point\n",
			"0 move 31 8/5 6/5|1 double|0 take|1 move 42 8/4 6/4|0 move 53 8/3 6/3|0 wins 2 by resignation", 0,
		},
		{
			"resigned, no result line",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)  Resigned Game\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|1 wins 1 by resignation", 0,
		},
		{
			"resigned the match",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)  Resigned Match\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|1 wins 3 by resignation", 0,
		},
		{
			"a number that cannot be",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 61: ????\n                                  Wins 4016 point\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 roll 61|1 wins 3 by resignation", 1,
		},
		{
			"stars and numbers in any order, joined steps",
			"  1) 31: 24/23 24/21             52: 13/8 13/11\n  2) 33: 24/18(2) 13/10          44: 24/20*(2) 13/5\n",
			"0 move 31 24/23 24/21|1 move 52 13/8 13/11|0 move 33 24/18 24/18 13/10 illegal|1 move 44 24/20 24/20 13/9 9/5|unfinished", 1,
		},
		{
			"no move, in words",
			"  1) 31: 8/5 6/5                 42: Cannot Move\n  2) 53: no move                 61: 13/7 8/7\n",
			"0 move 31 8/5 6/5|1 move 42 illegal|0 move 53 illegal|1 move 61 13/7 8/7|unfinished", 2,
		},
		{
			"text behind a play is its comment",
			"  1) 31: 8/5 6/5 good!           42: 8/4 6/4\n",
			"0 move 31 8/5 6/5 {good!}|1 move 42 8/4 6/4|unfinished", 0,
		},
		{
			"a comment between the rows",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n; well played\n  2) 53: 8/3 6/3\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4 {well played}|0 move 53 8/3 6/3|unfinished", 0,
		},
		{
			"an illegal play in steps",
			"  1) 31: Illegal play (8/5 7/6)  42: 8/4 6/4\n",
			"0 move 31 8/5 7/6 illegal|1 move 42 8/4 6/4|unfinished", 1,
		},
		{
			"an illegal play by the position after it",
			"  1) 31: Illegal play (3;0;0;0;1;bert;anna;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;2;0;0;0;0;)   42: 8/4 6/4\n",
			"0 move 31 illegal|1 set-up|1 move 42 8/4 6/4|unfinished", -1,
		},
		{
			"an illegal play of the left player by the position after it, as eXtreme Gammon writes it",
			"  1) 31: Illegal play (3;0;1;0;0;bert;anna;0;0;0;1;0;0;1;1;2;2;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;-1;0;0;-2;0;0;6;6;) 66: 4/0 4/0 3/0 3/0\n",
			"0 move 31 illegal|1 set-up|1 move 66 4/0 4/0 3/0 3/0|unfinished", 1,
		},
		{
			"and one of the right player",
			"  1)                             31: Illegal play (3;0;1;0;0;anna;bert;0;0;0;1;0;0;1;1;2;2;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;-1;0;0;-2;0;0;6;6;)\n  2) 66: 4/0 4/0 3/0 3/0\n",
			"1 move 31 illegal|0 set-up|0 move 66 4/0 4/0 3/0 3/0|unfinished", 1,
		},
		{
			"a mark before the dice", "  1) 31: 8/5 6/5                /42: 8/4 6/4\n", "0 move 31 8/5 6/5|1 move 42 8/4 6/4|unfinished", 1,
		},
		{
			"impossible dice do not become a comment without a warning", "  1) 31: 8/5 6/5                142: 8/4 6/4\n", "0 move 31 8/5 6/5 {142: 8/4 6/4}|unfinished", 1,
		},
		{
			"rows behind the end",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n      Wins 1 point\n  2) 53: 8/3 6/3                 61: 13/7 8/7\n",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 wins 1 by resignation", 1,
		},
		{
			"cut in the middle of a row",
			"  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 53: 8/",
			"0 move 31 8/5 6/5|1 move 42 8/4 6/4|0 roll 53 {8/}|unfinished", 1,
		},
	} {
		m, ws, err := Read(strings.NewReader(head3 + c.rows))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := append([]string{"game 0-0"}, strings.Split(c.want, "|")...)
		if diff := cmp.Diff(want, told(m)); diff != "" {
			t.Errorf("%s (-want +got):\n%s%v", c.name, diff, ws)
		}
		if c.warns >= 0 && len(ws) != c.warns || c.warns < 0 && len(ws) == 0 {
			t.Errorf("%s: %d warnings, want %d: %v", c.name, len(ws), c.warns, ws)
		}
	}
}

func TestRead_names(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{" anna : 0                       bert : 2", "anna|0|bert|2"},
		{" anna: 0   Bot1: 12", "anna|0|Bot1|12"},
		{" anna (1500) : 0  bert x (USA) : 0", "anna (1500)|0|bert x (USA)|0"},
		{" an:na : 0    be : rt : 3", "an:na|0|be : rt|3"},
		{" anna,1650.5 : 0    bert,x : 0", "anna|0|bert,x|0"},
		{" anna : 0 bert : 1", "anna|0|bert|1"},
		{"  : 0      lasse : 0", "|0|lasse|0"},
		{" Breum  : 0\tK 2 : 4", "Breum|0|K 2|4"},
		{" a : 5  b : 1   x : 3", "a|5|b : 1 x|3"},
		{" 3-2 : 1   10) 31: : 2", "3-2|1|10) 31:|2"},
		{" no names here", "none"},
		{" anna : 0", "none"},
	} {
		n, ok := parseNames(c.line)
		got := fmt.Sprintf("%s|%d|%s|%d", n.name[0], n.score[0], n.name[1], n.score[1])
		if !ok {
			got = "none"
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
	}
}

const game1 = " Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                      42: 8/4 6/4\n      Wins 2 points\n\n"

func TestReadAll_severalMatches(t *testing.T) {
	second := strings.ReplaceAll(strings.ReplaceAll(game1, "anna", "carl"), "bert", "dora")
	next := strings.ReplaceAll(strings.ReplaceAll(game1, "Game 1", "Game 2"), "anna : 0", "anna : 2")
	for _, c := range []struct {
		name, text string
		want       string // players/length/games of each
	}{
		{"two heads", "; [Site \"A\"]\n 4 point match\n" + game1 + next + "; [Site \"B\"]\n 5 point match\n" + second, "anna-bert/4/2 carl-dora/5/1"},
		{"the same players again", " 4 point match\n" + game1 + next + " 4 point match\n" + game1, "anna-bert/4/2 anna-bert/4/1"},
		{"a header repeated on each page does not start a match", " 4 point match\n" + game1 + " 4 point match\n" + next, "anna-bert/4/2"},
		{"tags without a length", "; [Site \"A\"]\n 3 point match\n" + game1 + "; [Site \"B\"]\n" + second, "anna-bert/3/1 carl-dora/3/1"},
		{"a money session is one", game1 + next, "anna-bert/0/2"},
		{"a title with figures above", "2024 championship\n+-----+\n| anna : bert |\n+-----+\n 3 point match\n" + game1, "anna-bert/3/1"},
		{"lengths in other words", "Match of 5 points\n" + game1 + "Unlimited match\n" + second + "7 Points Match\n" + game1, "anna-bert/5/1 carl-dora/0/1 anna-bert/7/1"},
		{"the length of XG's money sessions", "99999 point match\n" + game1, "anna-bert/0/1"},
		{"lone carriage returns", strings.ReplaceAll(" 3 point match\n"+game1, "\n", "\r"), "anna-bert/3/1"},
	} {
		all, ws, err := ReadAll(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, m := range all {
			got = append(got, fmt.Sprintf("%s-%s/%d/%d", m.Players[0].Name, m.Players[1].Name, m.Length, len(m.Games)))
		}
		if s := strings.Join(got, " "); s != c.want || len(ws) > 0 {
			t.Errorf("%s: %s, want %s; %v", c.name, s, c.want, ws)
		}
	}
}

func TestRead_tags(t *testing.T) {
	m, ws, err := Read(strings.NewReader(`; [Site "Backgammon Studio"]
; [Match ID "-77"]
; [Player 1 "bert"]
; [Player 2 "anna"]
; [Player 1 Elo "1722,50/310"]
; [Player 2 Elo "1600.00/12"]
; [EventDate "2024.6.1"]
; [EventTime "9.05"]
; [Variation "NackGammon"]
; [Jacoby "Off"]
; [Beaver "Off"]
; [Cubelimit "1024"]
0 point match
` + game1))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	want := record.Rules{Variation: record.Nackgammon, CubeLimit: 1024}
	if m.Rules != want || m.Date != "2024-06-01" || m.Time != "09:05" || m.Place != "Backgammon Studio" {
		t.Errorf("%+v %s %s %s", m.Rules, m.Date, m.Time, m.Place)
	}
	a, _ := m.Players[0].RatingValue()
	b, _ := m.Players[1].RatingValue()
	if a != 1600 || b != 1722.5 {
		t.Errorf("ratings %v and %v: Player 1 is the right column here", a, b)
	}
	m, _, err = Read(strings.NewReader("; [CubeLimit \"1\"]\n; [Crawford \"Off\"]\n 3 point match\n" + strings.Replace(game1, "bert : 0", "bert : 2", 1)))
	if err != nil || !m.Rules.NoCube || m.Rules.Crawford || m.Games[0].Crawford {
		t.Errorf("%+v %v", m.Rules, err)
	}
}

// If no tag states the Jacoby rule, a gammon that counted two without a double shows that the
// rule was off.
func TestRead_jacobyByTheScore(t *testing.T) {
	text := " 0 point match\n Game 1\n a : 0      b : 0\n; Set Pos=-A----------------------O-/0\n  1) 31: 1/off                   11:\n      Wins %s points\n"
	for _, c := range []struct {
		points string
		jacoby bool
	}{{"1", true}, {"3", false}} {
		m, ws, err := Read(strings.NewReader(fmt.Sprintf(strings.Replace(text, "O-", "o-", 1), c.points)))
		if err != nil || m.Rules.Jacoby != c.jacoby {
			t.Errorf("%s points: %v %+v %v", c.points, err, m.Rules, ws)
		}
	}
}

func TestRead_setPos(t *testing.T) {
	for _, prefix := range []string{"Set Pos=", "Set Pos=XGID=", "set pos = "} {
		setPosOf(t, prefix)
	}
}

func setPosOf(t *testing.T, prefix string) {
	t.Helper()
	m, ws, err := Read(strings.NewReader(" 7 point match\n Game 1\n a : 0      b : 0\n; " + prefix + "-b----D-D---eE--ac-d----B-/-1\n  1)                             42: 8/4 6/4\n"))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	for turn := range m.Turns(&m.Games[0]) {
		if turn.Action.Kind != record.Move {
			continue
		}
		if turn.State.Cube != 2 || turn.State.Owner != 2 || turn.Position.Opp[5] != 4 || turn.Position.Me[5] != 4 {
			t.Errorf("%+v", turn)
		}
	}
	if len(m.Games[0].Actions) != 2 || m.Games[0].Actions[0].Player != 1 {
		t.Errorf("%v", told(m))
	}
}

// Galaxy files: points cut to what the match still needed are correct, and a single game of 16
// points is a money game.
func TestRead_galaxy(t *testing.T) {
	last := "; [Site \"BackgammonGalaxy\"]\n 3 point match\n\n Game 1\n anna : 2                       bert : 2\n" +
		"; Set Pos=-A---------------------o--/0\n  1) 31: 1/0        Losses 1 point\n      Wins 1 point and the match\n"
	m, ws, err := Read(strings.NewReader(last))
	if err != nil || len(ws) > 0 || m.Games[0].Result.Points < 2 {
		t.Errorf("%v %v %+v", err, ws, m.Games[0].Result)
	}
	single := "; [Site \"BackgammonGalaxy\"]\n 16 point match\n\n" + game1
	m, ws, err = Read(strings.NewReader(single))
	if err != nil || m.Length != 0 || !m.Rules.Jacoby || len(ws) != 1 {
		t.Errorf("%v %v %+v", err, ws, m.Rules)
	}
}

// The points of a game that ended by words alone come from the next game's score.
func TestRead_resultFromTheNextScore(t *testing.T) {
	m, ws, err := Read(strings.NewReader(head3 + "  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)  Resigned Game\n\n Game 2\n anna : 0                       bert : 2\n" +
		"  1) 31: 8/5 6/5                 42: 8/4 6/4\n"))
	if err != nil || len(ws) > 0 || m.Games[0].Result != (record.Result{Winner: 1, Points: 2, Resigned: true}) {
		t.Errorf("%v %v %+v", err, ws, m.Games[0].Result)
	}
	// Columns exchanged in the second game.
	m, ws, err = Read(strings.NewReader(head3 + "  1) 31: 8/5 6/5                 42: 8/4 6/4\n      Wins 1 point\n\n Game 2\n bert : 0                       anna : 1\n" +
		"  1) 31: 8/5 6/5                 42: 8/4 6/4\n                                  Wins 1 point\n"))
	if err != nil || len(ws) > 0 || m.Games[1].Actions[0].Player != 1 || m.Games[1].Result.Winner != 0 || m.Games[1].Score != [2]int{1, 0} {
		t.Errorf("%v %v %v", err, ws, told(m))
	}
}
