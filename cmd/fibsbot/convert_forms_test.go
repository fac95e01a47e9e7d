package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/record/detect"
)

const threeGames = ` 5 point match

 Game 1
 anna : 0                       bert : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 anna : 1                       bert : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 3
 anna : 2                       bert : 0
  1) 31: 8/5 6/5                 64: 24/14
`

// A whole match goes into as many .gam files as it has games, its players are exchanged
// with --swap, and a Snowie position is written.
func TestConvert_forms(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.mat")
	if err := os.WriteFile(in, []byte(threeGames), 0o600); err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	code, _, errOut := command(t, "", "convert", in, filepath.Join(dir, "a.gam"))
	if code != cmdline.ExitDone || !strings.Contains(errOut, "game 3 of 3 is in "+filepath.Join(dir, "a-3.gam")) {
		t.Errorf("status %d, %s", code, errOut)
	}
	for name, wins := range map[string]int{"a.gam": 1, "a-2.gam": 1, "a-3.gam": 0} {
		if s := text(name); strings.Count(s, " anna") != 1 || strings.Count(s, "Wins") != wins {
			t.Errorf("%s:\n%s", name, s)
		}
	}
	code, out, errOut := command(t, "", "convert", "--swap", "--to", "sgf", in, "-")
	if code != cmdline.ExitDone || !strings.Contains(out, "PW[bert]PB[anna]") || !strings.Contains(out, "RE[B+1]\n;B[31") || !strings.Contains(out, "[ws:0][bs:2]") {
		t.Errorf("status %d, %s\n%s", code, errOut, out)
	}
	code, out, _ = command(t, "", "convert", "--to", "snowie-pos", in, "-")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != cmdline.ExitDone || len(lines) != 3 {
		t.Fatalf("status %d, %s", code, out)
	}
	code, ids, errOut := command(t, lines[2]+"\n", "convert", "--to", "xgid", "-", "-")
	_, want, _ := command(t, "", "convert", "--to", "snowie-pos", in, "-")
	if code != cmdline.ExitDone || strings.Count(ids, "XGID=") != 1 || !strings.Contains(ids, ":2:0:0:5:10") && !strings.Contains(ids, ":0:2:0:5:10") || want != out {
		t.Errorf("status %d, %s %s", code, ids, errOut)
	}
}

// convert --to writes what the format's own writer writes, as the API does; completion and
// archive export know the same formats.
func TestConvert_oneList(t *testing.T) {
	list, _, _, err := detect.Read(strings.NewReader(threeGames))
	if err != nil {
		t.Fatal(err)
	}
	_, completed, _ := command(t, "", "__complete", "archive", "export", "--format", "x")
	for _, f := range convertTargets {
		code, out, errOut := command(t, threeGames, "convert", "--to", f.Name, "-", "-")
		var want bytes.Buffer
		if err := f.Write(&want, list[0]); err != nil {
			t.Fatal(err)
		}
		if code != cmdline.ExitDone || !f.OneGame && out != want.String() {
			t.Errorf("%s: status %d, %s, %d bytes, want %d", f.Name, code, errOut, len(out), want.Len())
		}
		if f.Name != "html" && !strings.Contains(completed, f.Name+"\n") {
			t.Errorf("%s: archive export --format does not complete to it", f.Name)
		}
	}
}

// A link opens where --share-base says, and is read from the address as any match file.
func TestConvert_link(t *testing.T) {
	dir := t.TempDir()
	match := filepath.Join("..", "..", "engine", "analyse", "testdata", "gnubg", "match3.sgf")
	code, out, errOut := here(t, "convert", "--to", "link", "--share-base", "https://example.org/bg", match, "-")
	if code != 0 || !strings.HasPrefix(out, "https://example.org/bg/#review=1.") || strings.Count(out, "\n") != 1 {
		t.Fatalf("%d %.100q %s", code, out, errOut)
	}
	file := filepath.Join(dir, "mail.txt")
	if err := os.WriteFile(file, []byte("Look at this: "+out), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, text, _ := here(t, "analyse", "--stored", file); code != 0 || !strings.Contains(text, "Alice 3, Bob 2") {
		t.Errorf("%d %.200q", code, text)
	}
	for flags, says := range map[string]string{"--to link --share-base example.org": "is not the address of a site", "--to sgf --share-base https://example.org": "only with --to link"} {
		code, _, errOut := here(t, append(append([]string{"convert"}, strings.Fields(flags)...), match, "-")...)
		if code != 2 || !strings.Contains(errOut, says) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: %d %q", flags, code, errOut)
		}
	}
}
