package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

func TestAnnotate(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	if code, _, errOut := cli(t, "archive", "import", "--no-analyse", "--archive", dir, archiveSamples+"/match5.sgf"); code != 0 {
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
		{"rollout, looking ahead", []string{id, "1.3", "--rollout", "--trials", "36", "--truncate", "2", "--rollout-preset", "advanced", "--late-ply", "1", "--late-preset", "casual"}, 0, "ply 1 checker 0-ply"},
		{"no preset", []string{id, "1.3", "--rollout", "--rollout-preset", "clib"}, 2, "--rollout-preset"},
		{"away", []string{id, "1.3", "--comment", ""}, 0, "rollout 36"},
		{"no such decision", []string{id, "1.999"}, 2, "no such decision"},
		{"no decision", []string{id, "one"}, 2, "GAME.NUMBER"},
		{"no such match", []string{"ffffffffff", "1.3"}, 2, "ffffffffff"},
		{"no trials", []string{id, "1.3", "--rollout", "--trials", "0"}, 2, "--trials"},
		{"another format", []string{"archive.go", "1.3"}, 2, "fibsbot convert"},
	} {
		code, out, errOut := cli(t, append([]string{"annotate", "--archive", dir}, tt.args...)...)
		text := out
		if tt.code != 0 {
			text = errOut
		}
		if code != tt.code || !strings.Contains(text, tt.want) || tt.name == "away" && strings.Contains(out, "quite so") {
			t.Errorf("%s: status %d, want %d with %q\nstdout: %s\nstderr: %s", tt.name, code, tt.code, tt.want, out, errOut)
		}
	}
	if code, _, errOut := cli(t, "annotate", "--archive", dir, id, "1.3", "--comment", "bob kibitzes: nice\nbob says: well"); code != 0 {
		t.Fatal(errOut)
	}
	if _, out, errOut := cli(t, "archive", "show", "--archive", dir, id); !strings.Contains(out, "\n1.3  bob kibitzes: nice\n1.3  bob says: well\n") {
		t.Errorf("archive show has no comments: %s%s", out, errOut)
	}
	if _, out, _ := cli(t, "archive", "show", "--json", "--archive", dir, id); !strings.Contains(out, `"comments":[{"game":1,"number":3,"text":"bob`) && !strings.Contains(out, `"comments": [`) {
		t.Errorf("archive show --json has no comments: %s", out)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), " Trials 36 ") {
		t.Errorf("the file has no rollout: %v", err)
	}
}
