package texts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func german(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Read("de", []byte(`{"{0}.{1}": "{0},{1}", "{0}%": "{0} %", "{0}-{1}-{2}": "{2}.{1}.{0}", "{0} of {1}": "{1}, davon {0}", "1 match": "1 Match", "{0} matches": "{0} Matches"}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCatalogue_valuesAndFigures(t *testing.T) {
	c := german(t)
	var english *Catalogue
	for _, x := range []struct{ got, want string }{
		{c.T("{0} of {1}", 3, "x"), "x, davon 3"}, {english.T("{0} of {1}", 3, "x"), "3 of x"}, {c.T("unknown {0}", 1), "unknown 1"},
		{c.Count(1, "1 match", "{0} matches"), "1 Match"}, {c.Count(2, "1 match", "{0} matches"), "2 Matches"}, {english.Count(2, "1 match", "{0} matches"), "2 matches"},
		{c.Format("%+.3f", 0.1234), "+0,123"}, {c.Number("61.2% 14.0 v1.2"), "61,2 % 14,0 v1,2"}, {english.Format("%.1f%%", 61.25), "61.2%"},
		{c.Number("end. 8/5."), "end. 8/5."}, {c.Date("2026-11-27"), "27.11.2026"}, {c.Date("May 2026"), "May 2026"}, {english.Date("2026-11-27"), "2026-11-27"},
		{c.Lang(), "de"}, {english.Lang(), "en"},
	} {
		if x.got != x.want {
			t.Errorf("got %q, want %q", x.got, x.want)
		}
	}
}

func TestLoad_badFiles(t *testing.T) {
	dir := t.TempDir()
	for name, x := range map[string]struct{ data, want string }{
		"a.json": {"{\n \"Play\": \"Spielen\",\n \"Quiz\": }", "line 3"},
		"b.json": {"{\n \"Play\": 3}", "line 2: not a file of texts: want an object of texts, found a number"},
		"c.json": {`{"{0} of {1}": "{0} von"}`, `"{0} of {1}" is translated as "{0} von"`},
		"d.json": {`["Play"]`, "line 1: not a file of texts"},
		"e.json": {"", "line 1: not a file of texts"},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(x.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
	if _, err := Load(filepath.Join(dir, "none.json")); err == nil || strings.Contains(err.Error(), "stat ") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open("tlh"); err == nil || !strings.Contains(err.Error(), "en") {
		t.Errorf("an unknown language: %v", err)
	}
}

// Built-in catalogues are valid; texts without values keep their meaning only if translated
// with the same values, which Read checks.
func TestBuiltIn_everyCatalogue(t *testing.T) {
	for _, lang := range Languages() {
		c, ok := Find(lang + "-XX")
		if !ok || c.Lang() != lang {
			t.Errorf("%s is not found", lang)
		}
	}
	c, _ := Find(Pseudo)
	if c.Phrase("Play") != "⟦Play⟧" || c.Number("1.5%") != "1.5%" {
		t.Errorf("%q %q", c.Phrase("Play"), c.Number("1.5%"))
	}
	if missing, unknown := german(t).Missing(); missing < 800 || unknown != 0 {
		t.Errorf("%d missing, %d unknown", missing, unknown)
	}
}
