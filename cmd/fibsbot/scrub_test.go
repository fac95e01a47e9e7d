package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// TestScrub_craftedMatchFile: names and comments of a match file reach the terminal
// as text, and its table as no formula.
func TestScrub_craftedMatchFile(t *testing.T) {
	testsize.Medium(t)
	evil := "\x1b\\]0;owned\x07\x1b[2J\u202e\u009b31m"
	dir := t.TempDir()
	sgf := "(;FF[4]GM[6]AP[x]MI[length:1][game:0][ws:0][bs:0]PW[=cmd" + evil + "]PB[bob" + evil + "]C[" + evil + "];B[31hehj];W[62xrto])"
	file := filepath.Join(dir, "2026-11-22_120000_bot-bob_1pt.sgf")
	if err := os.WriteFile(file, []byte(sgf), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"analyse", "--preset", "beginner", file},
		{"archive", "rebuild", "--archive", dir},
		{"archive", "list", "--archive", dir},
		{"archive", "list", "--json", "--archive", dir},
		{"archive", "show", "--archive", dir, "ID"},
		{"archive", "stats", "--by", "opponent", "--archive", dir},
		{"archive", "export", "--archive", dir},
	} {
		var out, errOut bytes.Buffer
		if args[len(args)-1] == "ID" {
			var list bytes.Buffer
			if code := run(context.Background(), []string{"archive", "list", "--archive", dir}, strings.NewReader(""), &list, &list); code != 0 {
				t.Fatal(list.String())
			}
			lines := strings.Split(list.String(), "\n")
			args[len(args)-1] = strings.Fields(lines[1])[0]
		}
		if code := run(context.Background(), args, strings.NewReader(""), &out, &errOut); code != 0 {
			t.Errorf("%v: status %d, %s", args, code, errOut.String())
		}
		if all := out.String() + errOut.String(); strings.ContainsAny(all, "\x1b\x07\u202e\u009b") {
			t.Errorf("%v: a terminal obeys\n%q", args, all)
		}
		if args[1] == "export" && (strings.Contains(out.String(), ",=cmd") || !strings.Contains(out.String(), "'=cmd")) {
			t.Errorf("a formula in the table:\n%s", out.String())
		}
	}
}

func TestVersion_asAFlag(t *testing.T) {
	var flag, word, errOut bytes.Buffer
	if a, b := run(context.Background(), []string{"--version"}, nil, &flag, &errOut), run(context.Background(), []string{"version"}, nil, &word, &errOut); a != 0 || b != 0 {
		t.Fatal(a, b, errOut.String())
	}
	if flag.String() != word.String() || !strings.HasPrefix(flag.String(), "fibsbot ") {
		t.Errorf("%q and %q", flag.String(), word.String())
	}
}
