package oldmoves

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
)

func text(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(reference.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func read(t testing.TB, in string) (*record.Match, []record.Warning) {
	t.Helper()
	m, ws, err := Read(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	return m, ws
}

func write(t testing.TB, m ...*record.Match) string {
	t.Helper()
	var b bytes.Buffer
	for _, one := range m {
		if err := Write(&b, one); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestOldmoves_sameAsSGF(t *testing.T) {
	for _, name := range []string{"match3", "match5", "match7"} {
		want, _, err := sgf.Read(strings.NewReader(text(t, "formats/samples/"+name+".sgf")))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Games {
			want.Games[i].EndUnknown = false // the players resigned; gnubg's R does not tell
		}
		sample := text(t, "formats/samples/"+name+".oldmoves.txt")
		if diff := cmp.Diff(sample, write(t, want)); diff != "" {
			t.Errorf("%s (-sample +written):\n%s", name, diff)
		}
		got, ws := read(t, sample)
		if len(ws) > 0 {
			t.Errorf("%s: %v", name, ws)
		}
		want.Date = ""
		for i := range want.Games {
			want.Games[i].Statistics = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-sgf +oldmoves):\n%s", name, diff)
		}
	}
}

func TestRead_samplesOfTheServerReference(t *testing.T) {
	for _, c := range []struct {
		name  string
		games int
		final [2]int
	}{
		{"oldmoves-match3.txt", 3, [2]int{3, 2}},
		{"oldmoves-match5.txt", 5, [2]int{4, 5}},
		{"oldmoves-unlimited.txt", 4, [2]int{3, 4}},
	} {
		m, ws := read(t, text(t, "fibs/samples/"+c.name))
		if len(ws) > 0 {
			t.Errorf("%s: %v", c.name, ws)
		}
		if len(m.Games) != c.games {
			t.Errorf("%s: %d games, want %d", c.name, len(m.Games), c.games)
		}
		if m.FinalScore() != c.final {
			t.Errorf("%s: %v, want %v", c.name, m.FinalScore(), c.final)
		}
		again, _ := read(t, write(t, m))
		if diff := cmp.Diff(m, again); diff != "" {
			t.Errorf("%s changes when written and read:\n%s", c.name, diff)
		}
	}
}

const twoMatches = `junk before Score is 0-0 in a 5 point match.
alice is X - bob is O.
O: (3 1) 17-20 19-20
X: (6 3) 24-18 13-10
O: wants to resign
X: accepts
X: wins

Score is 0-2 in a 5 point match.
bob is X - alice is O
X: (2 1) 13-11 6-5
O: doubles
X: rejects
O: wins
Score is 0-0 in an unlimited match.
alice is X - carol is O
X: (4 2) 8-4 6-4
O: (6 6) 24-18 24-18 13-7 13-7
X: (5 1) can't move
`

func TestReadAll_severalMatches(t *testing.T) {
	all, ws, err := ReadAll(strings.NewReader(twoMatches))
	if err != nil {
		t.Fatal(err)
	}
	if len(ws) > 0 {
		t.Errorf("warnings %v", ws)
	}
	type outline struct {
		Names  [2]string
		Length int
		Games  int
		Final  [2]int
		First  record.Result
	}
	var got []outline
	for _, m := range all {
		got = append(got, outline{[2]string{m.Players[0].Name, m.Players[1].Name}, m.Length, len(m.Games), m.FinalScore(), m.Games[0].Result})
	}
	want := []outline{
		// The resignation cost two points, by the score of the next game.
		{[2]string{"alice", "bob"}, 5, 2, [2]int{3, 0}, record.Result{Winner: 0, Points: 2, Resigned: true}},
		{[2]string{"alice", "carol"}, 0, 1, [2]int{0, 0}, record.Result{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	again, _, err := ReadAll(strings.NewReader(write(t, all...)))
	if err != nil || len(again) != 2 {
		t.Errorf("%d matches after writing: %v", len(again), err)
	}
}

// FIBS scatters empty lines, also between the two lines that begin a list, and
// rings the bell of accounts that have it on.
func TestRead_emptyLinesAndBells(t *testing.T) {
	got, ws := read(t, "Score is 0-0 in a 3 point match.\r\n\r\n\aalice is X - bob is O\r\nO: (3 1) 8-5 6-5\r\n\a\r\n")
	want, _ := read(t, "Score is 0-0 in a 3 point match.\nalice is X - bob is O\nO: (3 1) 8-5 6-5\n")
	if len(ws) > 0 {
		t.Errorf("warnings %v", ws)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with empty lines and bells (-want +got)\n%s", diff)
	}
}

// TestRead_lastLine: a roll without a play at the end of a game was not played, even if only one
// play or none was legal, and a double that a resignation has overtaken stays without an answer.
func TestRead_lastLine(t *testing.T) {
	const head = "Score is 0-0 in a 3 point match.\nanna is X - bert is O\n"
	const early = head + "O: (3 1) 17-20 19-20\nX: (6 3) 24-18 18-15\n"
	shut := board.Position{Me: board.Checkers{0: 14, board.Bar: 1}, Opp: board.Checkers{0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 12: 3}}
	late := head + "# Board " + shut.ID() + ", X on roll\n"
	for _, c := range []struct{ name, in, last string }{
		{"cut", head + "O: (3 1) 17-20 19-20\nX: (6 6) \n", "0 roll 66"},
		{"cut before a dance", late + "X: (6 5) \n", "0 roll 65"},
		{"a dance", late + "X: (6 5) can't move\n", "0 move 65"},
		{"a dance without a word for it", late + "X: (6 5) \nO: (6 1) 12-18 18-19\n", "1 move 61"},
		{"won by a resignation", early + "O: (4 2) \nX: wants to resign\nO: accepts\nO: wins 1\n", "1 roll 42|1 wins 1 by resignation"},
		{"the doubled player resigns", early + "O: doubles\nX: wants to resign\nO: accepts\nO: wins 1\n", "1 double|1 wins 1 by resignation"},
		{"the doubler resigns", early + "O: doubles\nO: wants to resign\nX: wins 2\n", "1 double|0 wins 2 by resignation"},
		{"resigned after the take", early + "O: doubles\nX: accepts\nO: wants to resign\nX: accepts\nX: wins 2\n", "0 take|0 wins 2 by resignation"},
		{"refused, then dropped", early + "O: doubles\nX: wants to resign\nO: rejects\nX: rejects\nO: wins 1\n", "0 drop|1 wins 1"},
		{"without an answer", early + "O: doubles\nO: wins 1\n", "0 drop|1 wins 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, _ := read(t, c.in)
			for range 2 {
				g := &m.Games[0]
				a := &g.Actions[len(g.Actions)-1]
				got := fmt.Sprintf("%d %v", a.Player, a.Kind)
				if a.Kind == record.Roll || a.Kind == record.Move {
					got += fmt.Sprintf(" %d%d", a.Dice.A, a.Dice.B)
				}
				if g.Result.Finished() {
					got += fmt.Sprintf("|%d wins %d", g.Result.Winner, g.Result.Points)
				}
				if g.Result.Resigned {
					got += " by resignation"
				}
				if got != c.last {
					t.Fatalf("%q, want %q", got, c.last)
				}
				m, _ = read(t, write(t, m)) // and so it is after it was written
			}
		})
	}
}

func TestRead_badInput(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "1:1: no game in the file"},
		{"no names", "Score is 0-0 in a 3 point match.\nX: doubles\n", "2:1: the line after the score"},
		{"two X", "Score is 0-0 in a 3 point match.\na is X - b is X\n", "2:1: the line after the score"},
		{"binary", "Score is 0-0 in a 3 point match.\n\x00", "2:1: a control character"},
		{"long line", strings.Repeat("y", 1<<20), "1:65536: a line of more than"},
	} {
		_, _, err := Read(strings.NewReader(c.in))
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(twoMatches))
	f.Add([]byte("Score is 1-0 in a 3 point match.\na is O - b is X\nX: doubles\nO: doubles\nX: accepts\nO: (1 1) bar-24 6-off 19-off bar-1\nX: (2 2) \nO: wins 4\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		all, _, err := ReadAll(bytes.NewReader(in))
		if err != nil {
			return
		}
		second, _, err := ReadAll(strings.NewReader(write(t, all...)))
		if err != nil {
			t.Fatal(err)
		}
		text := write(t, second...)
		third, _, err := ReadAll(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, write(t, third...)); diff != "" {
			t.Errorf("writing is not stable:\n%s", diff)
		}
	})
}

// gnubg's importer crashes on a name of more than 31 bytes.
func TestWrite_longNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("x", 46), strings.Repeat("ü", 20)} {
		m := &record.Match{Length: 1, Players: [2]record.Player{{Name: name}, {Name: "bert"}}, Games: []record.Game{{Cube: 1}}}
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		got, _, err := Read(&b)
		if n := got.Players[0].Name; err != nil || len(n) > 31 || len(n) < 30 || !strings.HasPrefix(name, n) {
			t.Errorf("%q becomes %q: %v", name, n, err)
		}
	}
}
