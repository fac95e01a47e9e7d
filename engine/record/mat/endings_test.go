package mat

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"fibsbot/engine/record"

	"github.com/google/go-cmp/cmp"
)

// last is how the game of a file of one game ends, with its last action.
func last(m *record.Match) string {
	t := told(m)
	return strings.Join(t[max(len(t)-2, 1):], "|")
}

// Games that end by words alone, as servers and transcribers write them.
func TestRead_endings(t *testing.T) {
	const (
		head = " 5 point match\n\n Game 1\n anna : 0                       bert : 0\n"
		// anna has three checkers left, bert two.
		late = head + "; Set Pos=-C---------------------b--/0\n"
		open = head + "  1) 31: 8/5 6/5                 64: 24/14\n"
	)
	for _, c := range []struct {
		name, text string
		want       string
		warnings   []string
	}{
		{
			"the result takes the free column behind the play that won",
			late + "  1) 55: 1/0 1/0 1/0             Wins 1 point\n", "0 move 55 1/0 1/0 1/0|0 wins 1", nil,
		},
		{
			"the play that won is hidden", late + "  1) 33: ???\n      Wins 1 point\n", "0 move 33 1/0 1/0 1/0|0 wins 1",
			[]string{"7: 33: the play that won is not in the file: taken as bearing off the rest"},
		},
		{"a play is hidden, its player lost", late + "  1) 33: ???\n                                 Wins 1 point\n", "0 roll 33|1 wins 1 by resignation", nil},
		{"the winner's hidden play cannot win", late + "  1) 21: ???\n      Wins 1 point\n", "0 roll 21|0 wins 1 by resignation", nil},
		{
			"a play in the middle is hidden",
			head + "  1) 31: 8/5 6/5                 64: ???\n  2) 42: 8/4 6/4\n", "0 move 42 8/4 6/4 illegal|unfinished",
			[]string{
				"6: the play of the 64 before this is not in the file: where the checkers stand is not known",
				"6: game 1, action 3: illegal move: the other player is on roll",
			},
		},
		{"resigned a gammon", late + "  1) 21: 1/0 1/0         Resigns gammon\n", "0 move 21 1/0 1/0|0 wins 2 by resignation", nil},
		{"resigned a backgammon", late + "  1) 21: 1/0 1/0         Resigned backgammon\n", "0 move 21 1/0 1/0|0 wins 3 by resignation", nil},
		{"a gammon in words with its points", late + "  1) 21: 1/0 1/0\n      Wins 1 points with a gammon\n", "0 move 21 1/0 1/0|0 wins 1 by resignation", nil},
		{
			// OpenGammon writes it under the winner, other servers under the loser.
			"the word for giving up under the winner",
			open + "  2)                             Resigned Match\n                                Wins 3 points and the match\n", "1 move 64 24/18 18/14|1 wins 3 by resignation", nil,
		},
		{"and under the loser", open + "  2) Resigned Game\n                                 Wins 2 points\n", "1 move 64 24/18 18/14|1 wins 2 by resignation", nil},
		{
			"the match was given up at once",
			head + "  1)                \n   Wins 5 points and the match\n", "0 wins 5 by resignation",
			[]string{"6: 5 points with the cube at 1: the rest of the match was given up"},
		},
		{"the rest of the match, without a number", open + "  2)  Resigned Match\n", "1 move 64 24/18 18/14|1 wins 5 by resignation", nil},
		{
			"the words for the match, spread out",
			open + "  2) 61: 13/7 8/7                 Doubles => 2\n  3)  Drops\n                                  Wins 1 point and the      Match\n", "0 drop|1 wins 1", nil,
		},
		{"a drop on a line of its own", open + "  2) 61: 13/7 8/7                Doubles => 2\n      Drops      Wins 1 point\n", "0 drop|1 wins 1", nil},
		{"a drop and the result under the other player in the next row", open + "  2) 61: 13/7 8/7                 Doubles => 2\n  3)  Drops\n  4)  Wins 1 point\n", "0 drop|1 wins 1", nil},
		{
			"dice that ran into the result", open + "  2) Losses 1 point36: 13/7 13/10\n", "1 move 64 24/18 18/14|1 wins 1 by resignation",
			[]string{`6: behind the end of the game: left out is "36: 13/7 13/10"`},
		},
		{
			"half a play, and resigned", open + "  2) 61: 13/7                    Wins 1 point\n", "0 move 61 13/7 illegal|1 wins 1 by resignation",
			[]string{"6: game 1, action 3: illegal move: not a legal play of 6 and 1"},
		},
	} {
		m, ws, err := Read(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := last(m); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		var said []string
		for _, w := range ws {
			said = append(said, fmt.Sprint(w))
		}
		if diff := cmp.Diff(c.warnings, said); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", c.name, diff)
		}
	}
}

// The score of the next game says who gave up where the words for it do not.
func TestRead_resignedAgainstTheNextScore(t *testing.T) {
	for _, c := range []struct{ words, next string }{
		{"  2)  Resigned Game\n", "anna : 2                       bert : 0"},
		{"  2)  Resigned Game\n      Wins 2 points\n", "anna : 2                       bert : 0"},
		{"  2)                             Resigned Game\n      Wins 2 points\n", "anna : 2                       bert : 0"},
	} {
		text := " 5 point match\n\n Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5                 64: 24/14\n" + c.words +
			"\n Game 2\n " + c.next + "\n  1) 31: 8/5 6/5\n"
		m, ws, err := Read(strings.NewReader(text))
		if err != nil || len(ws) > 0 || m.Games[0].Result != (record.Result{Winner: 0, Points: 2, Resigned: true}) {
			t.Errorf("%q: %v %v %+v", c.words, err, ws, m.Games[0].Result)
		}
	}
}

// Where the statements about a result contradict each other the more trusted ones decide, and
// the contradiction is told and kept.
func TestRead_contradictingResults(t *testing.T) {
	const (
		galaxy = "; [Site \"BackgammonGalaxy\"]\n; [Player 1 \"anna\"]\n; [Player 2 \"bert\"]\n"
		length = " 5 point match\n\n Game 1\n anna : 0                       bert : 0\n"
		open   = "  1) 31: 8/5 6/5                 64: 24/14\n"
		passed = "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Drops\n"
		left   = "      Wins 1 point\n"
		right  = "                                  Wins 1 point\n"
		next   = "\n Game 2\n anna : %d                       bert : %d\n  1) 31: 8/5 6/5\n"
	)
	elo := func(a, b string) string {
		return fmt.Sprintf("; [Player 1 Elo \"%s\"]\n; [Player 2 Elo \"%s\"]\n", a, b)
	}
	for _, c := range []struct {
		name, text string
		winner     int
		told       string
	}{
		{"a line of the loss names no one", length + open + " Losses 1 point\n" + left, 0, ""},
		{"nor does it on the right", length + open + " Losses 1 point\n\n" + right, 1, ""},
		{"alone, the score in the head decides", galaxy + elo("0,00/0", "5,00/0") + length + open + " Losses 5 point\n", 1, ""},
		{"the score in the head agrees", galaxy + elo("1,00/0", "0,00/0") + length + open + left, 0, ""},
		{"the score in the head and a column", galaxy + elo("0,00/0", "5,00/0") + length + open + left, 1, `game 1: by "Wins 1 point" anna wins, by the score in the head bert: read as won by bert`},
		{"the tags name the players in the other order", strings.Replace(strings.Replace(galaxy, "anna", "x", 1), "bert", "anna", 1) + elo("0,00/0", "5,00/0") + strings.ReplaceAll(length, "bert", "x") + open + right, 0, `game 1: by "Wins 1 point" x wins, by the score in the head anna: read as won by anna`},
		{"a cell and the score of the next game", length + open + "  2)  Losses 1 point\n" + fmt.Sprintf(next, 1, 0), 1, `game 1: by the score of the next game anna wins, by "Losses 1 point" bert: read as won by bert`},
		{"a column and the score of the next game", length + open + left + fmt.Sprintf(next, 0, 1), 1, `game 1: by "Wins 1 point" anna wins, by the score of the next game bert: read as won by bert`},
		{"a pass and a column", length + passed + left, 1, ""},
		{"a pass and the score of the next game", length + passed + right + fmt.Sprintf(next, 1, 0), 1, "game 1: by the score of the next game anna wins, by the last play bert: read as won by bert"},
		{"two words", length + open + "  2)  Losses 1 point\n" + left, 1, `game 1: by "Wins 1 point" anna wins, by "Losses 1 point" bert: read as won by bert`},
	} {
		m, ws, err := Read(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		g := &m.Games[0]
		if !g.Result.Finished() || g.Result.Winner != c.winner || g.Disputed != c.told {
			t.Errorf("%s: %+v, %q, want player %d, %q", c.name, g.Result, g.Disputed, c.winner, c.told)
		}
		if said := strings.Contains(fmt.Sprint(ws), "read as won by"); said != (c.told != "") {
			t.Errorf("%s: %v", c.name, ws)
		}
		if m.Players[0].Rating+m.Players[1].Rating != "" {
			t.Errorf("%s: ratings %q", c.name, m.Players)
		}
	}
}

// Words for a roll that cannot be played, and stops behind plays.
func TestRead_dancesInWords(t *testing.T) {
	const text = " 5 point match\n\n Game 1\n anna : 0                       bert : 0\n; Set Pos=aBBBBBB-----------------B-/0\n"
	for _, word := range []string{"", "Cannot Move", "cannot move.", "Can't move", "(no play)", "(no move)", "No Play", "no legal move", "Dance", "dances", "fans", "-", "---", "0/0", "O-O"} {
		m, ws, err := Read(strings.NewReader(text + "  1)                             61: " + word + "\n  2) 21: 24/23; 24/22.\n"))
		if err != nil || len(m.Games[0].Actions) != 3 || m.Games[0].Actions[1].Comment != "" || m.Games[0].Actions[1].Illegal {
			t.Errorf("%q: %v %v %v", word, err, ws, told(m))
		}
		for _, w := range ws {
			if w.Line == 6 {
				t.Errorf("%q: %v", word, w)
			}
		}
	}
}

// A roll that was not played is written with the four marks that the programs have for it.
func TestWrite_aRollThatWasNotPlayed(t *testing.T) {
	m, _, err := Read(strings.NewReader(" 5 point match\n\n Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5                 51: ????\n      Wins 1 point\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer, *record.Match) error{"gnubg": Write, "XG": WriteXG, "gam": WriteGam} {
		var b strings.Builder
		if err := write(&b, m); err != nil || !strings.Contains(b.String(), " 51: ????\n") {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
}
