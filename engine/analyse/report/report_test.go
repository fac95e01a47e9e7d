package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
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

// TestHTML_isOneSoundPage checks what a browser cannot forgive: the page is well
// formed, needs nothing from outside and escapes what players call themselves.
func TestHTML_isOneSoundPage(t *testing.T) {
	for _, name := range []string{"match5.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		m.Players[0].Name = `<b onclick="x">Al & "ice"</b>`
		var b bytes.Buffer
		if err := HTML(&b, m, s, nil); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		for _, bad := range []string{"<script", "http-equiv", "src=", "@import", "url(", "<b onclick"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page contains %q", name, bad)
			}
		}
		d := xml.NewDecoder(strings.NewReader(page))
		d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		errs := 0
		for _, g := range Build(m, s).Games {
			errs += len(g.Errors)
		}
		if got := strings.Count(page, "<article"); got != errs || errs == 0 {
			t.Errorf("%s: %d errors drawn, %d found", name, got, errs)
		}
		if !strings.Contains(page, "<polyline") {
			t.Errorf("%s: no curve", name)
		}
	}
}
