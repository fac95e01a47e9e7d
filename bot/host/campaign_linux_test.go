package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/archivetest"
	"fibsbot/bot/ops"
	"fibsbot/config"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// TestCampaignChild is the process that TestCampaign attacks; alone it does nothing.
func TestCampaignChild(t *testing.T) {
	dir := os.Getenv("FIBSBOT_CAMPAIGN_CHILD")
	if dir == "" {
		t.Skip("skipped: only as a child of TestCampaign")
	}
	c := testConfig(t, "", "")
	c.Accounts = nil
	for addr := range strings.SplitSeq(os.Getenv("FIBSBOT_CAMPAIGN_SERVERS"), ",") {
		c.Accounts = append(c.Accounts, config.Account{Name: "robbie", Password: "secret", Address: addr})
	}
	c.Archive.Dir = dir
	c.Opponents.Limit.Matches, c.Opponents.MaxDrops, c.Opponents.MaxSaved = 0, 0, 0 // who plays so much is a test
	r := startHost(t, c, nil, func(h *Host) { h.fileAgain = time.Second })
	served := make(chan error, 1)
	go func() {
		served <- (&ops.Server{Socket: os.Getenv("FIBSBOT_CAMPAIGN_SOCKET"), Status: r.Status}).Run(context.Background())
	}()
	orphaned := make(chan struct{})
	go func() { // the parent, however it ended, has closed our input
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(orphaned)
	}()
	select {
	case <-orphaned:
		os.Exit(1)
	case <-r.done:
		t.Fatalf("the host ended: %v", r.err)
	case err := <-served:
		t.Fatalf("status: %v", err)
	}
}

// campaign is a bot with two accounts of one name on two servers, as a process, and
// opponents who play without end.
type campaign struct {
	t       *testing.T
	servers []*server.Server
	addrs   []string
	dir     string // of the archive
	socket  string
	cmd     *exec.Cmd
	ended   chan error
	out     bytes.Buffer
}

func (c *campaign) start() {
	c.t.Helper()
	c.cmd = exec.Command(os.Args[0], "-test.run=^TestCampaignChild$", "-test.v")
	c.cmd.Env = append(os.Environ(), "FIBSBOT_CAMPAIGN_CHILD="+c.dir, "FIBSBOT_CAMPAIGN_SERVERS="+strings.Join(c.addrs, ","), "FIBSBOT_CAMPAIGN_SOCKET="+c.socket)
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.out
	input, err := c.cmd.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { input.Close() })
	c.ended = make(chan error, 1)
	cmd, ended := c.cmd, c.ended
	go func() { ended <- cmd.Wait() }()
}

func (c *campaign) kill() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	<-c.ended
}

// plays waits until matches have ended on both servers since from, at most limit.
func (c *campaign) plays(what string, limit time.Duration) {
	c.t.Helper()
	began := time.Now()
	before := c.finished()
	for {
		now := c.finished()
		done := true
		for i := range now {
			done = done && now[i] > before[i]
		}
		if done {
			c.t.Logf("%s: both accounts have finished a match %v after its end", what, time.Since(began).Round(time.Millisecond))
			return
		}
		select {
		case err := <-c.ended:
			c.t.Fatalf("%s: the process ended: %v\n%s", what, err, c.out.String())
		case <-time.After(50 * time.Millisecond):
		}
		if time.Since(began) > limit {
			st, err := ops.Ask(c.t.Context(), c.socket)
			c.t.Fatalf("%s: no match ends on both servers %v after the end of the cause: %v %+v (%v)", what, limit, now, st.Accounts, err)
		}
	}
}

func (c *campaign) finished() []int {
	var list []int
	for _, s := range c.servers {
		n := 0
		for _, m := range s.Matches() {
			if m.Finished() {
				n++
			}
		}
		list = append(list, n)
	}
	return list
}

// back is how soon every account must play again when a cause has ended. A machine
// under test may be ten times slower than the one it is meant for.
const back = time.Minute

// hold is how long a cause lasts.
const holdFor = 3 * time.Second

func (c *campaign) descriptors() {
	pid := c.cmd.Process.Pid
	var old unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &old); err != nil {
		c.t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	if err != nil {
		c.t.Fatal(err)
	}
	few := unix.Rlimit{Cur: uint64(max(8, len(open)-4)), Max: old.Max}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &few, nil); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(holdFor)
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &old, nil); err != nil {
		c.t.Fatal(err)
	}
}

func (c *campaign) stopped() {
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(holdFor)
	if err := c.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		c.t.Fatal(err)
	}
}

// full fills the file system of the archive, where it has one of its own.
func (c *campaign) full() {
	file := filepath.Join(c.dir, "..", "filler")
	f, err := os.Create(file)
	if err != nil {
		c.t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		c.t.Fatalf("the disk is not full: %v", err)
	}
	time.Sleep(holdFor)
	if err := errors.Join(f.Close(), os.Remove(file)); err != nil {
		c.t.Fatal(err)
	}
}

// damaged kills the process, damages its index and starts it again.
func (c *campaign) damaged() {
	c.kill()
	if err := os.WriteFile(filepath.Join(c.dir, index.FileName), bytes.Repeat([]byte("rubbish"), 5000), 0o644); err != nil {
		c.t.Fatal(err)
	}
	c.start()
}

// crowd is forty people who log in, invite, and say what terminals obey.
func (c *campaign) crowd() {
	var all []*visitor
	for i := range 40 {
		p := login(c.t, c.addrs[i%2], fmt.Sprintf("crowd_%c%c", 'a'+i/26, 'a'+i%26), "secret")
		all = append(all, p)
		for range 3 {
			p.send(clip.Invite{Name: "robbie", Length: 5})
			p.send(clip.Tell{Name: "robbie", Text: strings.Repeat("help ", 80)})
		}
	}
	time.Sleep(holdFor)
	for _, p := range all {
		p.send(clip.Bye{}) // whom the bot plays by now leaves it
	}
}

// TestCampaign_nothingStopsOrFalsifiesIt: the "It must reach", in a short
// form; FIBSBOT_CAMPAIGN=N goes through the causes N times.
func TestCampaign_nothingStopsOrFalsifiesIt(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: attacks a process for half a minute")
	}
	rounds := 1
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_CAMPAIGN")); err == nil && n > 0 {
		rounds = n
	}
	disk := t.TempDir()
	small := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=12m") == nil
	if small {
		t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	}
	c := &campaign{t: t, dir: filepath.Join(disk, "archive"), socket: filepath.Join(t.TempDir(), "s.sock")}
	for i := range 2 {
		srv, addr := startServer(t, server.Options{Seed: uint64(11 + i)})
		c.servers, c.addrs = append(c.servers, srv), append(c.addrs, addr)
		spar(t, addr, "human", "robbie", 1+2*i, 0, nil)
	}
	c.start()
	c.plays("the start", back)
	for range rounds {
		c.descriptors()
		c.plays("no descriptors", back)
		c.stopped()
		c.plays("stopped", back)
		if small {
			c.full()
			c.plays("a full disk", back)
		} else {
			t.Log("no small file system may be mounted here: the full disk is left out")
		}
		c.damaged()
		c.plays("killed, its index damaged", back)
		c.crowd()
		c.plays("a crowd", back)
	}
	ended := c.finished()
	// What the kill interrupted is filed by now; the last matches may need a moment.
	deadline := time.Now().Add(back)
	for {
		missing := c.missing(ended)
		if len(missing) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %v matches are not archived as the servers have them; the first: %+v", len(missing), ended, missing[0])
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Logf("%v matches archived as the servers have them", ended)
	c.kill()
}

// missing are the matches that had ended, the first n of each server, and are not in
// the archive as their server has them.
func (c *campaign) missing(n []int) []archivetest.Match {
	var archived []archivetest.Match
	err := filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".sgf" && !strings.HasPrefix(e.Name(), ".") {
			if m, err := archivetest.FromArchive(path); err == nil {
				archived = append(archived, m)
			}
		}
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	var out []archivetest.Match
	for i, s := range c.servers {
		seen := 0
		for _, r := range s.Matches() {
			if !r.Finished() || seen == n[i] {
				continue
			}
			seen++
			want, found := archivetest.FromServer(r, "robbie"), false
			for k, got := range archived {
				if _, ok := archivetest.Same(want, got); ok {
					archived, found = append(archived[:k], archived[k+1:]...), true
					break
				}
			}
			if !found {
				out = append(out, want)
			}
		}
	}
	return out
}
