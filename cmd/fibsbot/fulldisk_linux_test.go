package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// TestArchiveCare_fullDisk: on a full disk an archive can be read and copied elsewhere. What
// writes there fails with status 1, names the file and the room, and leaves nothing behind.
func TestArchiveCare_fullDisk(t *testing.T) {
	testsize.Large(t)
	dir, disk := sampleArchive(t), t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("skipped: a small disk cannot be mounted: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	file := filepath.Join(t.TempDir(), "b.zip")
	if code, _, errOut := cli(t, "archive", "backup", file, "--archive", dir); code != 0 {
		t.Fatal(errOut)
	}
	there := filepath.Join(disk, "there")
	if err := os.CopyFS(there, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "archive", "list", "--archive", there); code != 0 {
		t.Fatal(errOut)
	}
	if err := os.WriteFile(filepath.Join(disk, "full"), make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	for line, want := range map[string]int{
		"archive list --archive THERE": 0, "archive show match7.sgf --archive THERE": 0, "archive stats --archive THERE": 0,
		"archive verify --archive THERE": 0, "archive errors --archive THERE": 0, "archive undelete --archive THERE": 0,
		"archive backup OUT/c.zip --archive THERE": 0, "archive export --format csv -o OUT/c.csv --archive THERE": 0, "archive export --format sgf -o OUT/c --archive THERE": 0,
		"archive backup DISK/b.zip --archive " + dir: 1, "archive restore " + file + " DISK/archive": 1,
		"archive edit match7.sgf --event Open --archive THERE": 1, "archive rename Alice Carl --archive THERE": 1, "archive delete match7.sgf --archive THERE": 1,
		"archive prune --older-than 1d --archive THERE": 1, "archive rebuild --archive THERE": 1, "config init DISK/bot.yaml": 1,
		"rollout backgammon --trials 36 --preset beginner --plies 0 --resume DISK/r.json": 1,
	} {
		args := strings.Fields(strings.NewReplacer("THERE", there, "DISK", disk, "OUT", filepath.Dir(file)).Replace(line))
		code, _, errOut := cli(t, args...)
		if code != want || want == cmdline.ExitFailed && (strings.Count(errOut, "\n") > 2 || !strings.Contains(errOut, "the disk is full (0 kB free)") || !strings.Contains(errOut, disk)) {
			t.Errorf("%s: status %d: %s", line, code, errOut)
		}
	}
	if left, err := os.ReadDir(disk); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
