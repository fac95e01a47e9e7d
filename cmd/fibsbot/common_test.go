package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fibsbot/cmd/internal/cmdline"
)

// writeText is what writeOutput is given in these tests.
func writeText(w io.Writer) error {
	_, err := io.WriteString(w, "text\n")
	return err
}

func TestWriteOutput_devicesAreNotReplaced(t *testing.T) {
	const null = "/dev/null"
	before, err := os.Stat(null)
	if err != nil {
		t.Skipf("no %s: %v", null, err)
	}
	// A link of our own: a failure replaces that one and not the machine's.
	link := filepath.Join(t.TempDir(), "report.txt")
	if err := os.Symlink(null, link); err != nil {
		t.Skip(err)
	}
	if err := cmdline.WriteOutput(link, writeText); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(link)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the link leads to %v, %v; want %s still", after, err, null)
	}
}

func TestWriteOutput_linkStaysLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "report-1.txt"), filepath.Join(dir, "latest.txt")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(file), link); err != nil {
		t.Skip(err)
	}
	if err := cmdline.WriteOutput(link, writeText); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "text\n" {
		t.Errorf("behind the link is %q, %v", got, err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", st, err)
	}
}

func TestWriteOutput_folder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reports.sgf")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	sample := filepath.Join(archiveSamples, "match3.sgf")
	code, _, errOut := cli(t, "convert", sample, dir)
	if code != cmdline.ExitUsage || !strings.Contains(errOut, "a folder needs --to") {
		t.Errorf("convert to a folder: status %d, %s", code, errOut)
	}
}

func TestWantParent_closedFolder(t *testing.T) {
	dir := t.TempDir()
	if err := cmdline.WantParent("--output", filepath.Join(dir, "x.txt")); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("the check left %v, %v", left, err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(filepath.Join(dir, "mine")); err == nil {
		_ = f.Close()
		t.Skip("this user may write everywhere")
	}
	if err := cmdline.WantParent("--output", filepath.Join(dir, "x.txt")); err == nil || !strings.Contains(err.Error(), "no permission") {
		t.Errorf("a folder closed to the user: %v", err)
	}
}

func TestHoldData_oneServerForEachFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	release, err := holdData(dir)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" { // where nothing is locked
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second) // it would serve for ever
		defer stop()
		var out, errOut strings.Builder
		code := run(ctx, []string{"server", "--listen", "127.0.0.1:0", "--data", dir}, strings.NewReader(""), &out, &errOut)
		if code != 1 || !strings.Contains(errOut.String(), "another fibsbot server") {
			t.Errorf("a second server: status %d, %s", code, errOut.String())
		}
	}
	release()
	again, err := holdData(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
