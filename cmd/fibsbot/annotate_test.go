package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnnotate(t *testing.T) {
	dir := t.TempDir()
	if code, _, errOut := cli(t, "archive", "import", "--dir", dir, archiveSamples+"/match5.sgf"); code != 0 {
		t.Fatal(errOut)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "imported", "*.sgf"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	id := strings.TrimSuffix(filepath.Base(files[0]), ".sgf")[:8]
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"show", []string{id, "1.3"}, 0, "  1.3 "},
		{"comment", []string{id, "1.3", "--comment", "quite so"}, 0, "quite so"},
		{"stays", []string{files[0], "1.3"}, 0, "quite so"},
		{"hint", []string{id, "1.3", "--hint", "--plies", "0"}, 0, "0-ply"},
		{"rollout", []string{id, "1.3", "--rollout", "--trials", "36", "--truncate", "3"}, 0, "rollout 36"},
		{"away", []string{id, "1.3", "--comment", ""}, 0, "rollout 36"},
		{"no such decision", []string{id, "1.999"}, 2, "no such decision"},
		{"no decision", []string{id, "one"}, 2, "GAME.NUMBER"},
		{"no such match", []string{"ffffffffff", "1.3"}, 2, "ffffffffff"},
		{"no trials", []string{id, "1.3", "--rollout", "--trials", "0"}, 2, "--trials"},
		{"another format", []string{"archive.go", "1.3"}, 2, "fibsbot convert"},
	} {
		code, out, errOut := cli(t, append([]string{"annotate", "--dir", dir}, tt.args...)...)
		text := out
		if tt.code != 0 {
			text = errOut
		}
		if code != tt.code || !strings.Contains(text, tt.want) || tt.name == "away" && strings.Contains(out, "quite so") {
			t.Errorf("%s: status %d, want %d with %q\nstdout: %s\nstderr: %s", tt.name, code, tt.code, tt.want, out, errOut)
		}
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), " Trials 36 ") {
		t.Errorf("the file has no rollout: %v", err)
	}
}
