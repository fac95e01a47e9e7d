package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/farm"
	"fibsbot/internal/testsize"
)

// TestFarm_fullDisk fills the disk of a farm while a rollout runs: what is there stays, new
// jobs and the same one again are refused with status 2, and with room again it goes on
// from what was there. It mounts a small disk of memory, which only root may.
func TestFarm_fullDisk(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=192m"); err != nil {
		t.Skip("no disk can be mounted:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) }) // after the server has ended
	rolled := []string{"rollout", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "0", "--truncate", "3", "--json", "--trials"}
	code, want, errOut := plainly(t, append(slices.Clone(rolled), "288")...)
	if code != 0 {
		t.Fatal(errOut)
	}
	f := newFarm(t)
	f.dir = filepath.Join(disk, "farm")
	server := start(t, t.TempDir(), "farm", "serve", "--listen", f.address, "--data", f.dir)
	f.up(t)
	work := func(name string) *process {
		return start(t, t.TempDir(), "farm", "work", "--farm", "tls://"+f.address, "--farm-key", filepath.Join(f.dir, "work.key"), "--threads", "1",
			"--machine", name, "--cache", t.TempDir())
	}
	long := f.flags(append(slices.Clone(rolled), "1000008", "--farm-piece", "1us")...) // a trial a piece
	first := start(t, t.TempDir(), long...)
	c := f.as(t, farm.RoleSubmit)
	stored := func() (n int64) {
		s, err := c.Status(t.Context())
		if err == nil && len(s.Jobs) > 0 {
			n = int64(s.Results)
		}
		return n
	}
	early := work("early")
	wait(t, func() bool { return stored() >= 20 })
	fill := filepath.Join(disk, "fill")
	var fs syscall.Statfs_t
	if err := syscall.Statfs(disk, &fs); err != nil {
		t.Fatal(err)
	}
	ballast, err := os.Create(fill)
	if err != nil {
		t.Fatal(err)
	}
	defer ballast.Close()
	if err := syscall.Fallocate(int(ballast.Fd()), 0, 0, int64(fs.Bavail)*fs.Bsize-16<<20); err != nil {
		t.Fatal(err)
	}
	wait(t, func() bool {
		return strings.Contains(server.err.String(), "the farm takes no jobs and no results until there is room")
	})
	code, _, errOut = here(t, f.flags("rollout", "4HPwATDgc/ABMA", "--dice", "64", "--trials", "36")...)
	oneLine(t, code, cmdline.ExitUsage, errOut, "full")
	send(t, syscall.SIGINT, first.cmd.Process)
	<-first.done
	send(t, syscall.SIGKILL, early.cmd.Process) // its result has not been delivered
	<-early.done
	code, _, errOut = here(t, long...)
	oneLine(t, code, cmdline.ExitUsage, errOut, "full")
	had := stored()
	if had < 20 {
		t.Fatalf("%d results are left", had)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	ballast.Close()
	wait(t, func() bool { return strings.Contains(server.err.String(), "the farm continues") })
	last := work("last")
	code, got, errOut := here(t, f.flags(append(slices.Clone(rolled), "288", "--farm-piece", "1us")...)...)
	if code != 0 || untimed(t, got) != untimed(t, want) {
		t.Errorf("status %d, %s\n%s\n%s", code, errOut, got, want)
	}
	send(t, syscall.SIGTERM, last.cmd.Process)
	<-last.done
	var ran int64
	all := 12 * pieces(want)
	// A worker that found every result there may say nothing.
	if _, err := fmt.Sscanf(last.out.String(), "%d pieces", &ran); err != nil && had < all || ran > max(0, all-had)+9 { // 9 for checks
		t.Errorf("%d results were there, %d of %d pieces run again", had, ran, all)
	}
}
