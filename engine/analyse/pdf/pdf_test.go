package pdf

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

func printed(t *testing.T, m *record.Match) []byte {
	t.Helper()
	return printedFor(t, m, 0)
}

func printedFor(t *testing.T, m *record.Match, me int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), Options{Me: me}); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b.Bytes(), []byte("%PDF-")) || !bytes.Contains(b.Bytes()[b.Len()-10:], []byte("%%EOF")) {
		t.Fatal("no PDF")
	}
	return b.Bytes()
}

func load(t *testing.T, name string) *record.Match {
	t.Helper()
	m, _, err := sgf.ReadFile(filepath.Join("..", "testdata", "gnubg", name))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWrite(t *testing.T) {
	testsize.Medium(t)
	for _, name := range []string{"match5.sgf", "session5.sgf"} {
		m := load(t, name)
		data := printed(t, m)
		if !bytes.Equal(data, printed(t, m)) {
			t.Errorf("%s: the same match gives another file", name)
		}
		if len(data) > 2<<20 {
			t.Errorf("%s: %d bytes", name, len(data))
		}
		text := textOf(t, data)
		s := analyse.Summarise(m, nil, analyse.DefaultLimits)
		marked := 0
		for i := range s.Games {
			for _, d := range s.Games[i].Decisions {
				for _, k := range []record.Mark{d.Mark, d.CubeMark} {
					if k != record.Unmarked {
						marked++
					}
				}
			}
		}
		// Each marked decision has its XGID below it, each game its result.
		if n := strings.Count(text, "XGID="); n != marked || marked < 5 {
			t.Errorf("%s: %d decisions with boards, %d are marked", name, n, marked)
		}
		if n := len(regexp.MustCompile(`(?m)^ *(Alice|Bob) wins \d`).FindAllString(text, -1)); n != len(m.Games) {
			t.Errorf("%s: %d results of %d games", name, n, len(m.Games))
		}
		if strings.Contains(text, "…") {
			t.Errorf("%s: text is cut at a column's end", name)
		}
		for _, want := range []string{"Alice against Bob", "better ", "PR", " points", "made", "both"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
}

// The reason of each marked decision stands beside its board.
func TestWrite_why(t *testing.T) {
	m := load(t, "match5.sgf")
	var b bytes.Buffer
	asked := 0
	why := func(d *report.Row) string { asked++; return fmt.Sprintf("It loses %d more shots.", 100+asked) }
	if err := Write(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), Options{Why: why}); err != nil {
		t.Fatal(err)
	}
	if text := textOf(t, b.Bytes()); asked < 5 || strings.Count(text, "more shots.") != asked || !strings.Contains(text, "loses 101 more") {
		t.Errorf("%d reasons asked, %d printed", asked, strings.Count(text, "more shots."))
	}
}

// The player me is named first, in the title, the cards and the sheets.
func TestWrite_me(t *testing.T) {
	testsize.Medium(t)
	m := load(t, "match5.sgf")
	for me := range 2 {
		text := textOf(t, printedFor(t, m, me))
		mine, theirs, score := m.Players[me].Name, m.Players[1-me].Name, m.FinalScore()
		for _, want := range []string{mine + " against " + theirs, fmt.Sprintf(", %d : %d", score[me], score[1-me])} {
			if !strings.Contains(text, want) {
				t.Errorf("player %d: no %q", me, want)
			}
		}
		if !regexp.MustCompile(`(?m)^ +` + mine + ` +` + theirs + `$`).MatchString(text) {
			t.Errorf("player %d: the sheet's columns are in another order", me)
		}
		if n := strings.Count(text, mine+" wins") + strings.Count(text, theirs+" wins"); n != len(m.Games) {
			t.Errorf("player %d: %d results", me, n)
		}
	}
}

// No page ends with a heading: what it heads is on the same page.
func TestWrite_headingsStayWithTheirLists(t *testing.T) {
	testsize.Large(t)
	m := load(t, "match7.sgf")
	heading := regexp.MustCompile(`^(Figures|Errors \(\d+\)|Game \d+, \d+ : \d+.*|Arrows:.*)$`)
	g := slices.MaxFunc(m.Games, func(a, b record.Game) int { return len(a.Actions) - len(b.Actions) })
	longest := &m.Games[slices.IndexFunc(m.Games, func(x record.Game) bool { return len(x.Actions) == len(g.Actions) })]
	for n := range 6 { // two plays fewer a time shift every heading after them by a line
		longest.Actions = longest.Actions[:len(longest.Actions)-2]
		for i, page := range strings.Split(textOf(t, printed(t, m)), "\f") {
			lines := slices.DeleteFunc(strings.Split(page, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
			if len(lines) < 3 {
				continue
			}
			// The last line is the footer; the columns of a sheet have a head of names.
			for back, l := range []string{lines[len(lines)-2], lines[len(lines)-3]} {
				if heading.MatchString(strings.TrimSpace(l)) {
					t.Fatalf("%d turns fewer: page %d ends with the heading %q, %d lines before its foot", n+1, i+1, strings.TrimSpace(l), back+1)
				}
			}
		}
	}
}

// TestWrite_beaver: a double that the opponent beavers has a row for it.
func TestWrite_beaver(t *testing.T) {
	testsize.Medium(t)
	if text := textOf(t, printed(t, load(t, "session5.sgf"))); !regexp.MustCompile(`ouble, beaver +−\d\.\d{3}`).MatchString(text) {
		t.Error("no row of a beaver")
	}
}

// What others wrote breaks nothing: names beyond the font, controls, a match of no game.
func TestWrite_hostile(t *testing.T) {
	testsize.Medium(t)
	m := load(t, "match5.sgf")
	m.Players[0].Name, m.Players[1].Name = "(\\) Tj ET\x00\x1b🎲"+strings.Repeat("long ", 100), "日本\xff"
	m.Event = "<b>Cup</b> (final) \\"
	for i := range m.Games[0].Actions {
		m.Games[0].Actions[i].Comment = strings.Repeat("words \n🎲 ) ", 200)
	}
	printed(t, m)
	m.Games = m.Games[:1]
	m.Games[0].Actions = nil
	printed(t, m)
	m.Games = nil
	printed(t, m)
}

// textOf reads the file with poppler's pdftotext, where that is installed.
func textOf(t *testing.T, data []byte) string {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("no pdftotext on this machine")
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-layout", file, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
