package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
)

func TestBoard(t *testing.T) {
	dir := t.TempDir()
	svg, picture := filepath.Join(dir, "a.svg"), filepath.Join(dir, "a.png")
	code, out, errOut := command(t, "", "board", "4HPwATDgc/ABMA")
	if code != cmdline.ExitDone || !strings.Contains(out, "+12-11-10--9--8--7-") {
		t.Errorf("status %d: %s%s", code, out, errOut)
	}
	if code, _, errOut = command(t, "", "board", "4HPwATDgc/ABMA", "--dice", "31", "--play", "8/5 6/5", "-o", svg); code != cmdline.ExitDone {
		t.Fatalf("status %d: %s", code, errOut)
	}
	text, err := os.ReadFile(svg)
	if err != nil || strings.Count(string(text), `class="bg-arrow"`) != 2 || strings.Contains(string(text), "var(") {
		t.Errorf("%v %s", err, text)
	}
	if code, _, errOut = command(t, "", "board", "4HPwATDgc/ABMA", "-o", picture, "--width", "300"); code != cmdline.ExitDone {
		t.Fatalf("status %d: %s", code, errOut)
	}
	b, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(b)); err != nil || img.Bounds().Dx() != 300 {
		t.Errorf("%v", err)
	}
	for _, args := range [][]string{{"nonsense"}, {"4HPwATDgc/ABMA", "-o", filepath.Join(dir, "a.gif")}, {"4HPwATDgc/ABMA", "-o", picture, "--width", "99999"}, {"4HPwATDgc/ABMA", "--dice", "31", "--play", "8/1"}} {
		if code, _, errOut = command(t, "", append([]string{"board"}, args...)...); code != cmdline.ExitUsage || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%v: status %d: %s", args, code, errOut)
		}
	}
}
