package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

const convertSample = `Score is 0-0 in a 3 point match.
alice is X - bob is O
X: (3 1) 8-5 6-5
O: (6 5) 1-12
X: doubles
O: rejects
X: wins 1

Score is 0-0 in an unlimited match.
carol is X - dave is O
X: (3 1) 8-5 6-5
`

func TestConvert_everyTarget(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.txt")
	if err := os.WriteFile(in, []byte(convertSample), 0o600); err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	var stderr bytes.Buffer
	for _, out := range []string{"a.sgf", "a.mat", "a.fibs", "a.txt", "a.gam", "a.snowie", "a.pos", "a.xgid", "a.ogid"} {
		if err := convert(t.Context(), nil, &stderr, in, path(out)); err != nil {
			t.Errorf("%s: %v", out, err)
		}
	}
	for name, want := range map[string]string{
		"a.sgf":   "PW[alice]PB[bob]RU[Crawford]RE[W+1]\n;W[31hefe]\n;B[65",
		"a-2.sgf": "PW[carol]PB[dave]\n;W[31hefe])",
		"a.mat":   "; [Player 1 \"alice\"]\n; [Player 2 \"bob\"]",
		"a-2.mat": "; [Jacoby \"Off\"]",
		"a.gam":   "  2)  Doubles => 2                Drops\n      Wins 1 point",
		"a.xgid":  ":D:0:0:0:3:10\nXGID=",
		"a.ogid":  "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:31:",
		"a.fibs":  "X: wins 1\n\nScore is 0-0 in an unlimited match.\ncarol is X - dave is O",
		"a.txt":   "* alice moves 8/5 6/5",
		"a-2.txt": "The game is unfinished.",
	} {
		text, err := os.ReadFile(path(name))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q:\n%s", name, want, text)
		}
	}
	if want := "a.gam: .gam cannot hold the rule that gammons count without a double (no Jacoby)"; !strings.Contains(stderr.String(), want) {
		t.Errorf("stderr lacks %q:\n%s", want, stderr.String())
	}
	// From SGF back to the move list nothing changes but the way it is written.
	if err := convert(t.Context(), nil, &stderr, path("a.sgf"), path("b.fibs")); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(path("a.fibs"))
	b, _ := os.ReadFile(path("b.fibs"))
	first, _, _ := strings.Cut(string(a), "\n\n")
	second, _, _ := strings.Cut(string(b), "\n\n")
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
}

func TestConvert_mistakesAreOneLine(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.sgf")
	if err := os.WriteFile(bad, []byte("(;GM[6]\n;W[31"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, in, out, stdin, want string }{
		{"unknown target", bad, "x.doc", "", "x.doc: unknown format (give --to"},
		{"cut file", bad, filepath.Join(dir, "x.mat"), "", bad + ":2:5: the file ends inside a value"},
		{"no file", filepath.Join(dir, "none"), filepath.Join(dir, "x.mat"), "", "no such file"},
		{"a folder without --to", bad, dir, "", "a folder needs --to"},
		{"not a match", "-", filepath.Join(dir, "x.mat"), "Dear Sir", "-: not a match file"},
	} {
		var stderr bytes.Buffer
		err := convert(t.Context(), strings.NewReader(c.stdin), &stderr, c.in, c.out)
		var usage cmdline.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, err := os.Stat(filepath.Join(dir, "x.mat")); err == nil {
			t.Errorf("%s: a file was written", c.name)
		}
	}
}

// A folder that is not there is the user's mistake, and the message names his file
// and no temporary one.
func TestConvert_noFolder(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.txt"), filepath.Join(dir, "none", "out.sgf")
	if err := os.WriteFile(in, []byte(convertSample), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errOut := command(t, "", "convert", in, out)
	if code != cmdline.ExitUsage || !strings.Contains(errOut, "write "+out+": no such file") || strings.Contains(errOut, ".tmp-") {
		t.Errorf("status %d, %q", code, errOut)
	}
}

// What looks odd is told in few lines, and not at all where the file turns out to
// be no match: the error is one line then.
func TestConvert_oddLinesDoNotFlood(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.fibs")
	log := convertSample + strings.Repeat("bob moves 13-8 6-5 .\n", 500)
	code, _, errOut := command(t, log, "convert", "-", out)
	if n := strings.Count(errOut, "\n"); code != cmdline.ExitDone || n != maxOddities+1 || !strings.Contains(errOut, "and 480 more like these") {
		t.Errorf("status %d, %d lines: %s", code, n, errOut)
	}
	report := " 5 point match\n" + strings.Repeat("Rolled 31\n", 50)
	code, _, errOut = command(t, report, "convert", "-", out)
	if code != cmdline.ExitUsage || strings.Count(errOut, "\n") != 1 {
		t.Errorf("no match: status %d, %q", code, errOut)
	}
}

// Several files go into a folder; one that cannot be read is named and left out, and
// the failure is named at the end.
func TestConvert_severalFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	game := " 3 point match\n Game 1\n a : 0      b : 0\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
	for name, text := range map[string]string{"one.mat": game, "two.txt": game + strings.ReplaceAll(game, " a ", " c "), "bad.sgf": "(;GM[6]\n;W[31", "cut.xg": "RGMH\x01\x00\x00\x00"} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, _, errOut := command(t, "", "convert", "--to", "sgf", path("one.mat"), path("bad.sgf"), path("cut.xg"), path("two.txt"), path("out")+"/")
	if code != cmdline.ExitUsage || !strings.Contains(errOut, path("bad.sgf")+":2:5: the file ends inside a value") ||
		!strings.Contains(errOut, path("cut.xg")+":1:9: damaged .xg file: it ends inside its header") ||
		!strings.HasSuffix(errOut, "2 of 4 files could not be read\n") {
		t.Errorf("status %d: %s", code, errOut)
	}
	for _, name := range []string{"out/one.sgf", "out/two.sgf", "out/two-2.sgf"} {
		if _, err := os.Stat(path(name)); err != nil {
			t.Error(err)
		}
	}
	code, out, _ := command(t, "", "convert", "--to", "xgid", path("one.mat"), "-")
	if code != cmdline.ExitDone || strings.Count(out, "XGID=") != 2 {
		t.Errorf("status %d: %s", code, out)
	}
	code, _, errOut = command(t, "", "convert", "--to", "doc", path("one.mat"), "-")
	if code != cmdline.ExitUsage || !strings.Contains(errOut, `--to: unknown format "doc" (use sgf, `) {
		t.Errorf("status %d: %s", code, errOut)
	}
}

// convert converts one file, as the command without flags does.
func convert(ctx context.Context, stdin io.Reader, stderr io.Writer, in, out string) error {
	c := converter{ctx: ctx, stdin: stdin, stdout: io.Discard, stderr: stderr}
	return c.run([]string{in}, out)
}

// One file becomes a bounded number of files, and none is begun when it has more matches.
func TestConvert_tooManyFiles(t *testing.T) {
	testsize.Large(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.sgf")
	games := strings.Repeat("(;GM[6]MI[length:0][game:0]PW[a]PB[b];W[31hefe])\n", maxFiles+1)
	if err := os.WriteFile(in, []byte(games), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"mat", "gam", "sgf"} {
		code, _, errOut := command(t, "", "convert", "--to", to, in, filepath.Join(dir, "out")+"/")
		if left, _ := os.ReadDir(filepath.Join(dir, "out")); code != cmdline.ExitUsage || len(left) > 0 || !strings.Contains(errOut, in+": 10001 files, one for each ") {
			t.Errorf("%s: status %d, %d files: %s", to, code, len(left), errOut)
		}
	}
	if code, _, errOut := command(t, "", "convert", "--to", "oldmoves", in, filepath.Join(dir, "out.fibs")); code != cmdline.ExitDone {
		t.Errorf("one file of all: status %d: %s", code, errOut)
	}
}

// stopAt ends a context with the first line written.
type stopAt struct{ stop context.CancelFunc }

func (s stopAt) Write(p []byte) (int, error) {
	s.stop()
	return len(p), nil
}

// A convert of many files ends at once, also within a step that knows no context.
func TestConvert_stopsAtOnce(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.sgf")
	if err := os.WriteFile(in, []byte(strings.Repeat("(;GM[6]MI[length:0][game:0]PW[a]PB[b];W[31hefe])\n", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := converter{ctx: ctx, stdout: io.Discard, stderr: stopAt{cancel}, to: "mat"}
	if err := c.run([]string{in}, filepath.Join(dir, "out")+"/"); !errors.Is(err, cmdline.ErrInterrupted) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "out")); len(left) != 2 {
		t.Errorf("%d files", len(left))
	}
	held := make(chan struct{})
	defer close(held)
	if _, err := cmdline.OrInterrupted(ctx, func() (int, error) { <-held; return 0, nil }); !errors.Is(err, cmdline.ErrInterrupted) {
		t.Error(err)
	}
}
