package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
)

func TestRun_refusesInOneLine(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no weights at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		fault string
	}{
		{[]string{"nosuch"}, `unknown command "nosuch"`},
		{[]string{"puretd"}, "no argument (use fibslab puretd FILE)"},
		{[]string{"puretd", filepath.Join(t.TempDir(), "absent")}, "absent"},
		{[]string{"puretd", t.TempDir()}, "is a folder, not a file"},
		{[]string{"puretd", text}, text + ": not a net of layers"},
		{[]string{"puretd", text, "--plies", "2"}, "--plies: 2"},
		{[]string{"puretd", text, "--plies", "x"}, "--plies"},
		{[]string{"puretd", text, "--release"}, "--release: needs --truth"},
		{[]string{"puretd", text, "--weights", "w"}, "--weights: needs --truth"},
		{[]string{"puretd", text, "--truth-file", "f"}, "--truth-file: needs --truth"},
		{[]string{"bench", "labels"}, "no argument"},
		{[]string{"bench", "labels", text}, text},
		{[]string{"bench", "labels", "absent.grp"}, "absent.grp"},
		{[]string{"bench", "labels", text, "--against", "absent"}, "absent"},
		{[]string{"train", "label", "main_test.go", "b.grp", "--plies", "9"}, "--plies: 9"},
		{[]string{"train", "choose", "n.weights", "--sigmas", "NaN"}, "NaN is not between 0 and 100"},
		{[]string{"train", "truth", "t.jsonl", "--trials", "0"}, "0 is not between 36 and"},
		{[]string{"tune", "measure", "-o", "none/x.results"}, "--output: none: no such file or folder"},
		{[]string{"train", "selfplay", "--positions", "0"}, "--positions"},
		{[]string{"train", "truth", text, "--puretd", "n"}, "--puretd: needs --extend"},
		{[]string{"train", "truth", text, "--extend", "0", "--puretd", text}, text + ": not a net of layers"},
		{[]string{"train", "selfplay", "--siblings", "3"}, "--trace and --siblings go together"},
		{[]string{"train", "selfplay", "--trace", "1", "--siblings", "1"}, "--siblings: 1 is not 2 to 8"},
		{[]string{"train", "small", "none/s.bin"}, "FILE: none: no such file or folder"},
		{[]string{"train", "small", "s.bin", "--rolls", "0"}, "--rolls: 0"},
		{[]string{"train", "small", text, "--measure"}, text + ": "},
		{[]string{"train", "selfplay", "--horizon", "24"}, "--horizon: needs --siblings"},
		{[]string{"train", "selfplay", "--trace", "1", "--siblings", "2", "--horizon", "1"}, "--horizon: 1 is not 2 to 200"},
	} {
		var out, errOut strings.Builder
		code := run(t.Context(), c.args, strings.NewReader(""), &out, &errOut)
		if code != cmdline.ExitUsage || out.Len() > 0 || strings.Count(errOut.String(), "\n") != 1 || !strings.Contains(errOut.String(), c.fault) {
			t.Errorf("%q: status %d, %q, %q, want %q", c.args, code, out.String(), errOut.String(), c.fault)
		}
	}
}

func TestRun_help(t *testing.T) {
	for _, args := range [][]string{nil, {"help"}, {"puretd", "--help"}} {
		var out, errOut strings.Builder
		if code := run(t.Context(), args, strings.NewReader(""), &out, &errOut); code != cmdline.ExitDone || !strings.Contains(out.String(), "puretd") || errOut.Len() > 0 {
			t.Errorf("%q: status %d, %q", args, code, errOut.String())
		}
	}
}
