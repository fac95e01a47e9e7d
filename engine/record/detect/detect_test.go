package detect

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/link"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
)

// Every sample that holds a match or a position is recognised and loads.
func TestRead_everySample(t *testing.T) {
	want := map[string]Format{".sgf": "sgf", ".mat": "mat", ".gam": "mat", ".pos": "pos"}
	n := 0
	files := append(recordtest.Samples(t, "*"), recordtest.Samples(t, "../../fibs/samples/oldmoves*")...)
	for _, file := range files {
		name := filepath.Base(file)
		f := want[filepath.Ext(name)]
		switch {
		case strings.Contains(name, "oldmoves"):
			f = "oldmoves"
		case name == "setup-snowie.txt":
			f = "snowie-pos"
		case name == "setup.txt" || name == "short-analysed.txt":
			f = "gnubg-text"
		case strings.HasSuffix(name, "-snowie.txt"):
			f = "mat"
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ms, got, _, err := Read(bytes.NewReader(text))
		if got != f {
			t.Errorf("%s: %q, want %q", name, got, f)
		}
		if f == Unknown {
			var syntax *record.SyntaxError
			if !errors.Is(err, ErrUnknown) && !errors.As(err, &syntax) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(ms) != 1 || len(ms[0].Games) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		n++
	}
	if n < 35 {
		t.Errorf("only %d samples loaded", n)
	}
}

// The same position in three formats is the same match.
func TestRead_positionInThreeFormats(t *testing.T) {
	dir := reference.Path(t, "formats/samples")
	load := func(name string) *record.Match {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ms, _, ws, err := Read(f)
		if err != nil || len(ws) > 0 {
			t.Fatalf("%s: %v %v", name, ws, err)
		}
		return ms[0]
	}
	want := load("setup-snowie.txt")
	if diff := cmp.Diff(want, load("setup.pos")); diff != "" {
		t.Errorf("Jellyfish:\n%s", diff)
	}
	last := func(m *record.Match) (out record.Turn) {
		for turn := range m.Turns(&m.Games[0]) {
			out = turn
		}
		out.Action = nil
		out.Index = 0
		return out
	}
	m := load("setup-dice.sgf")
	if diff := cmp.Diff(last(want), last(m)); diff != "" {
		t.Errorf("SGF:\n%s", diff)
	}
}

func TestSniff_earliestSignDecides(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"empty", "", Unknown},
		{"a letter", "Dear Sir, the score is 3-2.", Unknown},
		{"SGF with a comment about .mat", "(;GM[6]C[\n 3 point match\n])", "sgf"},
		{"mat by a player with brackets", " 3 point match\n Game 1\n (;x : 0   b : 0\n", "mat"},
		{"rows only", "  1) 31: 8/5 6/5\n", "mat"},
		{"oldmoves after other text", "hello\n** Score is 0-0 in a 3 point match.\n", "oldmoves"},
		{"byte order mark", "\ufeff(;GM[6])", "sgf"},
		{"BKG after other text", "a session of 1979\n\nWhite  6 3   1-7 12-15\nBlack  6 1   13-7 8-7\n", "bkg"},
		{"gnubg's board alone", " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAA\n", "gnubg-text"},
		{"gnubg's analysis with the rows of a .mat in a comment", "The score (after 0 games) is: anna 0, bert 0\n\nAnnotation:\n  1) 31: 8/5 6/5\n", "gnubg-text"},
		{"Black and White in a title", "Black vs White 3 1\nBlack wins the cup\n 3 point match\n", "mat"},
	} {
		if got := Sniff([]byte(c.head)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRead_errorsNameThePlace(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"cut Jellyfish position", "\x7e\x00" + strings.Repeat("\x00", 20), "1:1: not a Jellyfish position"},
		{"Snowie with a word", "7;x;" + strings.Repeat("0;", 40), "fields in a position line"},
		{"Snowie with 20 checkers", "7;0;0;0;1;a;b;0;0;0;1;0;0;15;5;" + strings.Repeat("0;", 25), "1:1: illegal position"},
		{"Snowie bad number", "7;0;0;0;1;a;b;0;0;zero;1;0;0;15;0;" + strings.Repeat("0;", 25), `1:19: field 10 is "zero"`},
	} {
		_, _, _, err := Read(strings.NewReader(c.in))
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A file that only begins like a match is not one.
func TestRead_nothingInIt(t *testing.T) {
	for name, in := range map[string]string{
		"SGF": "(;GM[6])", "SGF twice": "(;GM[6])(;GM[6]MI[length:7])", "SGF of nodes": "(;GM[6]" + strings.Repeat(";", 1<<20) + ")", "unclosed": strings.Repeat(";", 1<<20),
		"parentheses": strings.Repeat("(;", 1<<20), ".mat": " 5 point match\n", ".mat with a game": " 5 point match\n Game 1\n", "oldmoves": "Score is 0-0 in a 5 point match.\n",
	} {
		if all, f, _, err := Read(strings.NewReader(in)); err == nil {
			t.Errorf("%s: %d matches of %s", name, len(all), f)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("(;GM[6];W[31hefe])"))
	f.Add([]byte("7;0;0;0;1;Bob;Alice;0;5;3;2;1;-1;0;0;2;2;2;4;0;0;0;0;0;-1;0;0;0;0;-2;0;-3;-3;-2;-2;2;1;0;4;2;"))
	f.Add([]byte("\x7e\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x02\x00\x02\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x02\x00\x07\x00\x07\x00\x03\x00\x05\x00\x05Alice\x03Bob\x00\x00\x01"))
	f.Add([]byte(" 3 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5\n"))
	f.Add([]byte("Score is 0-0 in a 3 point match.\na is X - b is O\nX: (3 1) 8-5 6-5\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		ms, _, _, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		for _, m := range ms {
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

// What begins like a link to a review is answered as one, whatever follows.
func TestRead_damagedLink(t *testing.T) {
	for _, text := range []string{"#review=", "#review=%3Cimg%20src=x%3E", "review=1.<script>", "https://example.org/bg/#review=1.%3Cimg%3E", "#review=9.AAAA"} {
		if _, f, _, err := Read(strings.NewReader(text)); f != "link" || !errors.Is(err, link.ErrLink) {
			t.Errorf("%s: %q, %v", text, f, err)
		}
	}
}
