package mat

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
)

func readSGF(t testing.TB, name string) *record.Match {
	t.Helper()
	f, err := os.Open(reference.Path(t, "formats/samples", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := sgf.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func text(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(reference.Path(t, "formats/samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func written(t testing.TB, m *record.Match) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite_sameBytesAsGnubg(t *testing.T) {
	for _, name := range []string{"match3", "match5", "match7", "session5", "setscore"} {
		if diff := cmp.Diff(text(t, name+".mat"), written(t, readSGF(t, name+".sgf"))); diff != "" {
			t.Errorf("%s (-gnubg +ours):\n%s", name, diff)
		}
	}
}

// Long names stay apart and come back.
func TestWrite_longNames(t *testing.T) {
	m := readSGF(t, "match3.sgf")
	for _, left := range []string{strings.Repeat("x", 26), strings.Repeat("x", 27), strings.Repeat("ü", 28), strings.Repeat("x", 31), strings.Repeat("long name ", 9) + "x"} {
		m.Players[0].Name = left
		for style, write := range map[string]func(io.Writer, *record.Match) error{"gnubg": Write, "XG": WriteXG, "Snowie": WriteSnowie, "gam": WriteGam} {
			var b bytes.Buffer
			if err := write(&b, m); err != nil {
				t.Fatal(err)
			}
			got, ws, err := Read(&b)
			if err != nil || len(ws) > 0 || got.Players[0].Name != left || got.Players[1].Name != m.Players[1].Name || style != "gam" && got.FinalScore() != m.FinalScore() {
				t.Errorf("%s, a name of %d: %v %v %+v", style, len(left), err, ws, got.Players)
			}
		}
	}
}

// bare removes what .mat cannot hold.
func bare(m *record.Match) *record.Match {
	for i := range m.Games {
		g := &m.Games[i]
		g.Statistics, g.Comment, g.Cube = nil, "", 1
		for k := range g.Actions {
			a := &g.Actions[k]
			a.Comment, a.Analysis, a.Marks = "", nil, record.Marks{}
		}
	}
	return m
}

func TestRead_sameMatchAsSGF(t *testing.T) {
	for _, c := range []struct{ mat, sgf string }{
		{"match3.mat", "match3.sgf"},
		{"match5.mat", "match5.sgf"},
		{"match7.mat", "match7.sgf"},
		{"session5.mat", "session5.sgf"},
		{"setscore.mat", "setscore.sgf"},
		{"match3-info.mat", "match3-analysed.sgf"},
		{"match3-snowie.txt", "match3.sgf"},
		{"match5-snowie.txt", "match5.sgf"},
		{"match7-snowie.txt", "match7.sgf"},
		{"session5-snowie.txt", "session5.sgf"},
		{"session-last-game.gam", "session-last-game.sgf"},
	} {
		got, ws, err := Read(strings.NewReader(text(t, c.mat)))
		if err != nil || len(ws) > 0 {
			t.Errorf("%s: %v %v", c.mat, ws, err)
			continue
		}
		want := bare(readSGF(t, c.sgf))
		if strings.Contains(c.mat, "snowie") || strings.Contains(c.mat, "gam") {
			want.Date = ""
		}
		if strings.HasSuffix(c.mat, ".gam") {
			// A single game has neither score nor number, and this one runs on.
			want.Games[0].Score, want.Games[0].Number = [2]int{}, 0
		}
		want.Players[0].Rating, want.Players[1].Rating = "", ""
		want.Judge = record.Provenance{}
		for i := range want.Games {
			want.Games[i].EndUnknown = want.Games[i].Result.Resigned // rows name no resignation
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-%s +read):\n%s", c.mat, c.sgf, diff)
		}
	}
}

func TestRead_otherSamplesLoad(t *testing.T) {
	for _, name := range []string{"autodouble.mat", "nocube.mat", "setup-played.mat", "setup-played-snowie.txt"} {
		if _, _, err := Read(strings.NewReader(text(t, name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const sample = `; [Site "FIBS"]
; [Player 1 Elo "1800"]

 3 point match

 Game 1
 Alice : 0                      Bob : 0
  1)                             63: 13/7 13/10
  2) 65: 13/8 24/18*             11: 25/24 8/7* 6/5 6/5
  3) 62: 25/23 24/18*             Doubles => 2
  4)  Takes                      54: 25/20 13/9
      Wins 2 points
`

func TestRead_lenient(t *testing.T) {
	want, ws, err := Read(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(want.Games[0].Actions); n != 7 || len(ws) > 0 {
		t.Fatalf("%d actions, want 7; %v", n, ws)
	}
	for _, c := range []struct{ name, old, new string }{
		{"CRLF", "\n", "\r\n"},
		{"byte order mark", "; [Site", "\ufeff; [Site"},
		{"bar and off", "25/", "bar/"},
		{"no stars", "*", " "},
		{"lower case", "Doubles", "doubles"},
		{"no cube value", " => 2", ""},
		{"other width of names", "Alice : 0                      Bob : 0", "Alice: 0 Bob: 0"},
		{"(2)", "6/5 6/5", "6/5(2)"},
		{"hash comments", "; [", "# ["},
	} {
		got, _, err := Read(strings.NewReader(strings.ReplaceAll(sample, c.old, c.new)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i := range got.Games[0].Actions {
			if diff := cmp.Diff(want.Games[0].Actions[i], got.Games[0].Actions[i]); diff != "" {
				t.Errorf("%s, action %d:\n%s", c.name, i+1, diff)
			}
		}
		if diff := cmp.Diff(want.Games[0].Result, got.Games[0].Result); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Names of players may be words of a row.
func TestRead_namesThatAreWords(t *testing.T) {
	game := "Double   Wins\n 1)                             63: 24/18 13/10\n 2)  doubles => 2                takes\n 3) 61: 13/7 8/7                66: 24/18 24/18 18/12 13/7\n    Wins 2 points\n"
	m, ws, err := Read(strings.NewReader(game + game))
	if err != nil || len(m.Games) != 2 || m.Players[1].Name != "Wins" {
		t.Fatal(err, ws, m)
	}
	for _, g := range m.Games {
		if len(g.Actions) != 5 {
			t.Errorf("%d actions: %v", len(g.Actions), ws)
		}
	}
}

// A play that fills its column leaves one blank before a cube word, small letters or not.
func TestRead_smallWordBehindAFullColumn(t *testing.T) {
	for _, word := range []string{"doubles ==> 2", "Doubles => 2", "double", "doubles to 2"} {
		m, ws, err := Read(strings.NewReader(head3 + "  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2) 11: 24/23 24/23 23/22 23/22 " + word + "\n  3) Takes\n"))
		if n := len(m.Games[0].Actions); err != nil || n != 5 || len(ws) > 0 {
			t.Errorf("%q: %d actions, %v %v", word, n, err, ws)
		}
	}
}

// A row of any length takes no longer than its length, and what is left out is told.
func TestRead_endlessRow(t *testing.T) {
	for _, part := range []string{"Doubles ", "31: 8/5 6/5 ", " 2) ", "Illegal play (", "x  ", ": 0 "} {
		row := "  1) 31: 8/5 6/5  " + strings.Repeat(part, 60_000/len(part)) + "\n"
		m, ws, err := Read(strings.NewReader(head3 + strings.Repeat(row, 4)))
		if err != nil || len(m.Games[0].Actions) == 0 {
			t.Errorf("%q: %v", part, err)
		}
		if len(ws) == 0 || ws[0].Line != 5 || !strings.Contains(ws[0].Text, "more than 4096 characters") {
			t.Errorf("%q: %v", part, ws[:min(len(ws), 3)])
		}
	}
}

func TestRead_hostileInput(t *testing.T) {
	for _, c := range []struct {
		name string
		in   io.Reader
		want string
	}{
		{"empty", strings.NewReader(""), "1:1: no game in the file"},
		{"binary", strings.NewReader(" 3 point match\n\n\x00\x01"), "3:1: a control character"},
		{"endless line", io.LimitReader(endless{}, 1<<30), "1:65536: a line of more than 65536 characters"},
	} {
		_, _, err := Read(c.in)
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(" 0 point match\n Game 1\n a : 0   b : 0\n  1)  Doubles => 2   Beavers => 4\n  2)  Beavers => 8\n  3) 31: 8/5 6/5  Drops\n Wins 4 points\n"))
	f.Add([]byte("  1) 11:   66: ???\n 2) 21: Illegal play (x)  Wins 99999999 points\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, _, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		first := written(t, m)
		again, _, err := Read(strings.NewReader(first))
		if err != nil {
			return // a match of games without rows
		}
		second := written(t, again)
		third, _, err := Read(strings.NewReader(second))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(second, written(t, third)); diff != "" {
			t.Errorf("writing is not stable:\n%s", diff)
		}
	})
}

// Below "Game 1" stand the names, also where one begins as a row does.
func TestRead_nameLikeARow(t *testing.T) {
	m, ws, err := Read(strings.NewReader(" 3 point match\n\n Game 1\n 1) anna : 0      2) bert : 0\n  1) 31: 8/5 6/5    42: 8/4 6/4\n"))
	if err != nil || len(ws) > 0 || m.Players[0].Name != "1) anna" || m.Players[1].Name != "2) bert" || len(m.Games[0].Actions) != 2 {
		t.Errorf("%v %v %+v", err, ws, m)
	}
}
