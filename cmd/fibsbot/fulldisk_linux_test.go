package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fibsbot/cmd/internal/cmdline"
)

// TestArchiveCare_fullDisk: backup and restore on a full disk fail with status 1, one line and
// nothing left behind.
func TestArchiveCare_fullDisk(t *testing.T) {
	dir, disk := sampleArchive(t), t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("skipped: a small disk cannot be mounted: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	file := filepath.Join(t.TempDir(), "b.zip")
	if code, _, errOut := cli(t, "archive", "backup", file, "--archive", dir); code != 0 {
		t.Fatal(errOut)
	}
	if err := os.WriteFile(filepath.Join(disk, "full"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"backup", filepath.Join(disk, "b.zip"), "--archive", dir},
		{"restore", file, filepath.Join(disk, "archive")},
	} {
		code, _, errOut := cli(t, append([]string{"archive"}, args...)...)
		if code != cmdline.ExitFailed || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "the disk is full") {
			t.Errorf("%v: status %d: %s", args, code, errOut)
		}
	}
	if left, err := os.ReadDir(disk); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
