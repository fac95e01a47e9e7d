//go:build unix

package main

import (
	"path/filepath"
	"testing"

	"fibsbot/cmd/internal/cmdline"
)

// On a terminal the import asks who the user is, until it understands the answer.
func TestArchiveImport_asksOnATerminal(t *testing.T) {
	t.Parallel()
	files, dir := t.TempDir(), filepath.Join(t.TempDir(), "archive")
	meFile(t, files, "a.mat", "anna", "bob")
	meFile(t, files, "b.mat", "anna", "carl")
	for _, tt := range []struct {
		name, answer, then, account string
	}{
		{"a number", "2\r", "", "bob"},
		{"a name after a slip", "zoe\r", "Carl\r", "carl"},
		{"nothing", "\r", "", "anna"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(dir, tt.name)
			p := startScreen(t, "archive", "import", "--no-analyse", "--archive", dir, files)
			p.until("Number or name (Enter for anna): ")
			p.press(tt.answer)
			if tt.then != "" {
				p.until("not one of these players")
				p.press(tt.then)
			}
			p.until("2 new matches", "\r") // what is still open goes to the most frequent name
			if code := p.ended(); code != 0 {
				t.Fatalf("status %d: %s", code, p.out.String())
			}
			if got := accounts(t, dir); got[tt.account] == 0 {
				t.Errorf("accounts %v, want %s", got, tt.account)
			}
		})
	}
}

// Ctrl-C stops the analysis, not the import.
func TestArchiveImport_stopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(t.TempDir(), "plain.mat")
	if code, _, errOut := cli(t, "convert", archiveSamples+"/match7.sgf", plain); code != 0 {
		t.Fatal(errOut)
	}
	p := startScreen(t, "archive", "import", "--account", "Bob", "--archive", dir, plain)
	p.until("decisions")
	p.press("\x03")
	if code := p.ended(); code != cmdline.ExitInterrupted {
		t.Fatalf("status %d: %s", code, p.out.String())
	}
	p.until(`"fibsbot archive analyse" resumes`)
	if got := accounts(t, dir); len(got) != 1 {
		t.Errorf("accounts %v, want the one of the imported match", got)
	}
}
