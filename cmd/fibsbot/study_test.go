package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// A player imports a match, sees the worst themes, practises them, keeps a position, and
// takes cards along, all by commands.
func TestStudy_byCommands(t *testing.T) {
	testsize.Large(t)
	dir := t.TempDir()
	arch, file := filepath.Join(dir, "archive"), filepath.Join(dir, "match.mat")
	const text = " 3 point match\n\n Game 1\n ann : 0                             bob : 0\n  1) 31: 13/10 6/5                    41: 24/20 24/23\n  2) 62: 24/18 13/11                  Doubles => 2\n  3)  Drops\n      Wins 1 point\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(in string, args ...string) string {
		t.Helper()
		code, out, errOut := runFor(t, in, args...)
		if code != 0 {
			t.Fatalf("%v: %d\n%s", args, code, errOut)
		}
		return out
	}
	do("", "archive", "import", "--archive", arch, "--account", "ann", file)
	do("", "archive", "analyse", "--archive", arch, "--preset", "expert")
	if out := do("", "quiz", "sources", "--archive", arch, "--player", "any"); !strings.Contains(out, "set:openings") || !strings.Contains(out, "Themes") {
		t.Errorf("sources: %s", out)
	}
	if out := do("?\nnonsense\n1\n", "quiz", "--archive", arch, "--player", "any", "--worst", "3", "--questions", "1"); !strings.Contains(out, "1 answered") || !strings.Contains(out, "Best: ") {
		t.Errorf("quiz: %s", out)
	}
	if out := do("s\nq\n", "quiz", "--archive", arch, "--source", "set:cubes"); !strings.Contains(out, "0 answered") {
		t.Errorf("quiz skipped: %s", out)
	}
	cards := filepath.Join(dir, "errors.apkg")
	do("", "quiz", "export", "--archive", arch, "--player", "any", "--worst", "3", cards)
	z, err := zip.OpenReader(cards)
	if err != nil || z.File[0].Name != "collection.anki2" {
		t.Errorf("cards: %v", err)
	}
	z.Close()
	do("", "collection", "add", "Mine", "4HPwATDgc/ABMA", "--archive", arch, "--dice", "31", "--title", "Golden", "--tag", "opening")
	if out := do("", "archive", "search", "--in", "collections", "--archive", arch, "--made", "6,8", "--text", "golden"); !strings.Contains(out, "Mine: Golden opening") {
		t.Errorf("search: %s", out)
	}
	if out := do("", "quiz", "--archive", arch, "--source", "collection:Mine"); !strings.Contains(out, "31 to play") {
		t.Errorf("quiz of a collection: %s", out)
	}
	if code, _, errOut := runFor(t, "", "quiz", "--archive", arch, "--source", "set:x"); code != 2 || !strings.Contains(errOut, "unknown set") {
		t.Errorf("%d %s", code, errOut)
	}
	if code, _, errOut := runFor(t, "", "archive", "search", "--archive", arch, "--lead", "x"); code != 2 || !strings.Contains(errOut, "lead") {
		t.Errorf("%d %s", code, errOut)
	}
}

// runFor runs a command with an input.
func runFor(t *testing.T, in string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e strings.Builder
	code = run(t.Context(), args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

// TestStudy_wrongFolder: an error names a folder without an archive, and the folder is not made.
// Commands that need no match do without it.
func TestStudy_wrongFolder(t *testing.T) {
	for _, args := range [][]string{
		{"collection", "list"}, {"collection", "remove", "A"}, {"collection", "rename", "A", "B"}, {"archive", "search", "--made", "5"},
		{"quiz"}, {"quiz", "sources"}, {"quiz", "export", filepath.Join(t.TempDir(), "a.html")},
	} {
		dir := filepath.Join(t.TempDir(), "typo")
		code, out, errOut := cli(t, append(args, "--archive", dir)...)
		if code != cmdline.ExitUsage || out != "" || !strings.Contains(errOut, "no archive in "+dir) {
			t.Errorf("%v: %d %q %q", args, code, out, errOut)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%v made %s", args, dir)
		}
	}
}
