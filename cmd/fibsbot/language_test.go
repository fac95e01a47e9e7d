package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// --language: a built-in language, a file of the user's, what a file lacks, and bad values.
func TestLanguage(t *testing.T) {
	testsize.Medium(t)
	sample := filepath.Join("..", "..", "engine", "analyse", "testdata", "gnubg", "match3.sgf")
	code, out, errOut := cli(t, "analyse", "--stored", "--language", "de", sample)
	if code != 0 || errOut != "" || !regexp.MustCompile(`\d,\d{3}`).MatchString(out) || regexp.MustCompile(`[+-]\d\.\d{3}`).MatchString(out) || !strings.Contains(out, "Spieler") {
		t.Errorf("%d %q\n%.3000s", code, errOut, out)
	}
	file := filepath.Join(t.TempDir(), "nl.json")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(`{"Player": "Speler", "{0}.{1}": "{0},{1}", "Nobody says this": "x"}`)
	code, out, errOut = cli(t, "analyse", "--stored", "--language", file, sample)
	if code != 0 || !strings.Contains(out, "\nSpeler ") || !strings.Contains(out, "Unforced moves") || !regexp.MustCompile(`\d,\d{3}`).MatchString(out) {
		t.Errorf("%d\n%.2000s", code, out)
	}
	if !regexp.MustCompile(`^fibsbot: \S+nl\.json: \d+ texts in English, 1 unknown\n$`).MatchString(errOut) {
		t.Errorf("%q", errOut)
	}
	code, out, errOut = cli(t, "analyse", "--stored", "--json", "--language", "de", sample)
	if _, plain, _ := cli(t, "analyse", "--stored", "--json", sample); code != 0 || out != plain {
		t.Errorf("JSON depends on the language: %d %q", code, errOut)
	}
	put("{\n \"Player\": \"Speler\",\n}")
	for _, args := range [][]string{
		{"analyse", "--stored", "--language", file, sample}, {"analyse", "--stored", "--language", "tlh", sample}, {"analyse", "--stored", "--font", file, sample},
		{"analyse", "--stored", "--format", "pdf", "-o", filepath.Join(t.TempDir(), "x.pdf"), "--font", file, sample}, {"web", "--language", file}, {"quiz", "export", "--language", "tlh", "x.html"},
	} {
		if code, _, errOut := cli(t, args...); code != 2 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "--language") && !strings.Contains(errOut, "--font") {
			t.Errorf("%v: %d %q", args, code, errOut)
		}
	}
}
