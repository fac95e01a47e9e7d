package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record/link"
	"fibsbot/internal/testsize"
)

// TestShare: links of files and of archived matches lead to the same match, and one that leads nowhere is refused.
func TestShare(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	match := filepath.Join("..", "..", "engine", "analyse", "testdata", "gnubg", "match3.sgf")
	if code, _, errOut := here(t, "archive", "import", "--archive", dir, "--no-analyse", "--account", "Alice", match); code != 0 {
		t.Fatal(errOut)
	}
	for _, args := range [][]string{{"analyse", "--stored", match}, {"archive", "export", "--archive", dir}} {
		code, out, errOut := here(t, append(args, "--share", "--share-base", "https://example.org/bg/")...)
		if code != 0 || !strings.HasPrefix(out, "https://example.org/bg/#review=1.") || strings.Count(out, "\n") != 1 {
			t.Fatalf("%v: %d %.100q %s", args, code, out, errOut)
		}
		if all, _, err := link.Read(strings.NewReader(out)); err != nil || len(all[0].Games) != 4 {
			t.Errorf("%v: %v", args, err)
		}
		for flags, says := range map[string]string{"--share": "--format html", "--share-base https://example.org": "only with --share"} {
			code, out, errOut := here(t, append(args, strings.Fields(flags)...)...)
			if code != 2 || out != "" || !strings.Contains(errOut, says) || strings.Count(errOut, "\n") != 1 {
				t.Errorf("%v %s: %d %q %q", args, flags, code, out, errOut)
			}
		}
	}
}

// TestWebPublish: a folder gets a page for each chosen match and an index; again, it loses the pages of others and
// nothing else.
func TestWebPublish(t *testing.T) {
	testsize.Medium(t)
	dir, site := t.TempDir(), filepath.Join(t.TempDir(), "club")
	for _, name := range []string{"match3.sgf", "match5.sgf"} {
		if code, _, errOut := here(t, "archive", "import", "--archive", dir, "--no-analyse", "--account", "Alice", filepath.Join("..", "..", "engine", "analyse", "testdata", "gnubg", name)); code != 0 {
			t.Fatal(errOut)
		}
	}
	pages := func(args ...string) (names []string) {
		t.Helper()
		code, out, errOut := here(t, append([]string{"web", "publish", site, "--archive", dir}, args...)...)
		if code != 0 || !strings.Contains(out, "index.html") {
			t.Fatalf("%d %q %q", code, out, errOut)
		}
		list, err := os.ReadDir(site)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			names = append(names, f.Name())
		}
		return names
	}
	if got := pages(); len(got) != 3 {
		t.Fatalf("%q", got)
	}
	if err := os.WriteFile(filepath.Join(site, "own.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := pages("--length", "3", "--language", "de")
	index, err := os.ReadFile(filepath.Join(site, "index.html"))
	if err != nil || len(got) != 3 || !strings.Contains(strings.Join(got, " "), "own.html") || !strings.Contains(string(index), got[0]) {
		t.Errorf("%q, %v", got, err)
	}
	page, err := os.ReadFile(filepath.Join(site, got[0]))
	if err != nil || !strings.Contains(string(page), "<html lang=\"de\"") || !strings.Contains(string(page), "Alice") {
		t.Errorf("%v %.200s", err, page)
	}
}
