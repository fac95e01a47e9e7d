package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// What a format cannot hold is reported once for the whole archive.
func TestArchiveExport_namesLossesOnce(t *testing.T) {
	testsize.Medium(t)
	dir, in := t.TempDir(), t.TempDir()
	for i := range 12 {
		text := fmt.Sprintf("; [EventDate \"2024.06.%02d\"]\n 3 point match\n\n Game 1\n anna : 0      bert : 0\n  1) 31: 8/5 6/5                 64: 24/14\n; a word on %d\n  2) %d1: \n", i+1, i, i%5+2)
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%d.mat", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, errOut := command(t, "", "archive", "import", "--no-analyse", "--archive", dir, "--account", "anna", in); code != cmdline.ExitDone {
		t.Fatal(errOut)
	}
	out := filepath.Join(t.TempDir(), "out")
	code, _, errOut := command(t, "", "archive", "export", "--archive", dir, "--format", "oldmoves", "-o", out)
	if code != cmdline.ExitDone || strings.Count(errOut, "\n") > 5 || !strings.Contains(errOut, ".fibs cannot hold a comment on a play: omitted from ") {
		t.Errorf("status %d, %d lines:\n%s", code, strings.Count(errOut, "\n"), errOut)
	}
}
