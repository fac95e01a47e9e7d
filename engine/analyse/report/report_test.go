package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

func analysed(t testing.TB, name string) (*record.Match, *analyse.Summary) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "gnubg", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := sgf.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m, analyse.Summarise(m, nil, analyse.DefaultLimits)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; go test -update rewrites it\n%s", file, diff)
	}
}

// TestText_tableFitsTheTerminal: 80 columns are what a terminal has at least.
func TestText_tableFitsTheTerminal(t *testing.T) {
	for _, name := range []string{"match7.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		m.Players[0].Name = strings.Repeat("name", 5) // 20 letters, the most that FIBS takes
		var b bytes.Buffer
		if err := Text(&b, m, s, false); err != nil {
			t.Fatal(err)
		}
		table, _, _ := strings.Cut(b.String(), "\nErrors\n")
		for line := range strings.Lines(table) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
		if !strings.Contains(table, m.Players[0].Name+" ") {
			t.Errorf("%s: the name is cut", name)
		}
	}
}

func TestText_golden(t *testing.T) {
	m, s := analysed(t, "session5.sgf")
	var b bytes.Buffer
	if err := Text(&b, m, s, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "session5.txt", b.Bytes())
}

func TestJSON_holdsTheContractsFields(t *testing.T) {
	m, s := analysed(t, "match5.sgf")
	b, err := json.MarshalIndent(Build(m, s), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "match5.json", append(b, '\n'))
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	player := doc["players"].([]any)[0].(map[string]any)
	for _, k := range []string{
		"name", "unforced_moves", "checker_error", "cube_decisions", "cube_error", "error_per_decision",
		"snowie_error", "luck", "luck_adjusted_result", "rating_word", "rating_estimate",
	} {
		if _, ok := player[k]; !ok {
			t.Errorf("no %s", k)
		}
	}
}

// TestHTML_isOneSoundPage: the page needs nothing from outside, escapes what players
// call themselves, and has every decision in it.
func TestHTML_isOneSoundPage(t *testing.T) {
	for _, name := range []string{"match5.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		m.Players[0].Name = `<b onclick="x">Al & "ice"</b>`
		var b bytes.Buffer
		if err := HTML(&b, m, s, nil); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		for _, bad := range []string{"http-equiv", "src=", "@import", "<b onclick", "style=", "ZgotmplZ", "NaN", "%!"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page contains %q", name, bad)
			}
		}
		if strings.Count(page, "url(") != strings.Count(page, "url(#") {
			t.Errorf("%s: the page refers to something outside", name)
		}
		acts := 0
		for _, g := range Build(m, s).Games {
			for _, d := range g.Decisions {
				if d.Kind != "double" || d.Played != "No double" && d.Played != "No redouble" {
					acts++
				}
			}
		}
		if got := strings.Count(page, "<article id="); got < acts || acts == 0 {
			t.Errorf("%s: %d decisions drawn, %d made", name, got, acts)
		}
	}
}

// TestHTML_longSession: a money session of 25 games stays below 3 MB.
func TestHTML_longSession(t *testing.T) {
	m := session(t)
	var b bytes.Buffer
	if err := HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), nil); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 3e6 {
		t.Errorf("%d bytes", b.Len())
	}
	t.Logf("%d games, %d bytes, %d decisions", len(m.Games), b.Len(), strings.Count(b.String(), "<article id="))
}

// session is a money session of 25 games.
func session(t testing.TB) *record.Match {
	m, _ := analysed(t, "session5.sgf")
	long, _ := analysed(t, "match7.sgf") // longer games than those of the session
	games := append(m.Games, long.Games...)
	m.Games = nil
	for i := range 25 {
		g := games[i%len(games)]
		g.Number, g.Score, g.Crawford = i, [2]int{i, i}, false
		m.Games = append(m.Games, g)
	}
	return m
}
