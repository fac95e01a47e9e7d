package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/changes"
	"fibsbot/bot/ops"
	"fibsbot/fibs/clip"
)

// cause is something that happens to a bot.
type cause struct {
	name  string
	heavy bool   // only in the heavy form
	why   string // why it is impossible here, "" if it is possible
	do    func() // returns when the fault is over
}

func (c *campaign) causes() []cause {
	noDisk, noModes := "", ""
	if !c.own {
		noDisk = "no file system may be mounted"
	}
	if _, err := exec.LookPath("setpriv"); err != nil && os.Getuid() == 0 {
		noModes = "there is no setpriv, and root writes everywhere"
	}
	return []cause{
		{name: "no descriptors", do: c.descriptors},
		{name: "SIGSTOP", do: c.stopped},
		{name: "a full disk", why: noDisk, do: c.full},
		{name: "a read-only folder", why: noModes, do: c.readOnly},
		{name: "killed as matches end", do: c.killedAtEnd},
		{name: "killed, its index damaged", do: c.damaged},
		{name: "its index removed while it runs", do: c.removed},
		{name: "killed, the clock 26 hours ahead", heavy: true, do: func() { c.clock(26 * time.Hour) }},
		{name: "killed, the clock 26 hours behind", do: func() { c.clock(-26 * time.Hour) }},
		{name: "the clock set while it runs: an hour and a year, ahead and back", why: steppable(), do: c.clockSet},
		{name: "40 inviters, twenty times each", do: func() { c.crowd(40, 20) }},
		{name: "400 inviters", heavy: true, do: func() { c.crowd(400, 3) }},
		{name: "away and back without end", do: c.awayAndBack},
		{name: "escapes, lines and names of 10,000 bytes", do: c.content},
		{name: "a line without end", heavy: true, do: c.endless},
		{name: "a flood of lines", heavy: true, do: c.flood},
		{name: "load by address, and thrown out", do: c.load},
	}
}

// must stops the test at an error of the test.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *campaign) descriptors() {
	pid := c.cmd.Process.Pid
	var old unix.Rlimit
	must(c.t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &old))
	open, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	must(c.t, err)
	few := unix.Rlimit{Cur: uint64(max(8, len(open)-4)), Max: old.Max}
	must(c.t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, &few, nil))
	time.Sleep(c.hold)
	must(c.t, unix.Prlimit(pid, unix.RLIMIT_NOFILE, &old, nil))
}

func (c *campaign) stopped() {
	must(c.t, c.cmd.Process.Signal(syscall.SIGSTOP))
	time.Sleep(c.hold)
	must(c.t, c.cmd.Process.Signal(syscall.SIGCONT))
}

// full leaves a mebibyte on the file system of the archive, and fills it.
func (c *campaign) full() {
	disk := filepath.Dir(c.dir)
	var st unix.Statfs_t
	must(c.t, unix.Statfs(disk, &st))
	resize := func(blocks uint64) {
		must(c.t, unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT, fmt.Sprintf("size=%d", blocks*uint64(st.Bsize))))
	}
	resize(st.Blocks - st.Bfree + 256)
	file := filepath.Join(disk, "filler")
	f, err := os.Create(file)
	must(c.t, err)
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		c.t.Fatalf("the disk is not full: %v", err)
	}
	time.Sleep(c.hold)
	must(c.t, errors.Join(f.Close(), os.Remove(file)))
	resize(st.Blocks)
}

// readOnly makes the folders of the archive read-only.
func (c *campaign) readOnly() {
	modes := map[string]fs.FileMode{}
	must(c.t, filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if filepath.Base(filepath.Dir(path)) == changes.Dir {
			return fs.SkipDir // comes and goes
		}
		info, err := e.Info()
		modes[path] = info.Mode().Perm()
		return err
	}))
	for path := range modes {
		must(c.t, os.Chmod(path, 0o555))
	}
	c.says("a read-only folder", func(st ops.Status, ready int, metrics string) bool {
		for _, a := range st.Accounts {
			if a.Journal == "" || !strings.Contains(metrics, fmt.Sprintf(`fibsbot_journal_ok{account="%s@%s"} 0`, a.Name, a.Server)) {
				return false
			}
		}
		return ready == http.StatusServiceUnavailable
	})
	time.Sleep(c.hold)
	for path, mode := range modes {
		must(c.t, os.Chmod(path, mode))
	}
}

// killedAtEnd kills the process as a match ends on each server, before it can read that, and starts
// it again.
func (c *campaign) killedAtEnd() {
	for range max(2, 10*c.rounds) {
		for i := range c.ends {
			killed := make(chan error, 1)
			do := func() { killed <- c.cmd.Process.Kill() }
			c.ends[i].Store(&do)
			select {
			case err := <-killed:
				must(c.t, err)
			case <-time.After(c.back):
				c.t.Fatalf("no match ends on server %d", i+1)
			}
			<-c.ended
			c.start()
		}
	}
}

// damaged kills the process, damages its index and starts it again.
func (c *campaign) damaged() {
	c.kill()
	must(c.t, os.WriteFile(filepath.Join(c.dir, index.FileName), bytes.Repeat([]byte("rubbish"), 5000), 0o644))
	c.start()
}

// removed deletes the index while the bot runs.
func (c *campaign) removed() {
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(c.dir, index.FileName+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.t.Fatal(err)
		}
	}
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`)

// clockSet moves the process's wall clock back and forth during play and checks that its
// accounts continue to play.
func (c *campaign) clockSet() {
	clock := newClock(c.t, c.cmd.Process.Pid)
	const year = 365 * 24 * time.Hour
	steps := []time.Duration{year, -time.Hour}
	if c.rounds > 0 {
		steps = []time.Duration{time.Hour, -time.Hour, year, -year}
	}
	for _, d := range steps {
		clock.set(c.t, d)
		c.says(fmt.Sprintf("the clock set by %v", d), func(st ops.Status, _ int, _ string) bool {
			return time.Until(st.Accounts[0].LastLine.Add(-d)).Abs() < time.Minute
		})
		c.plays(fmt.Sprintf("the clock set by %v", d), c.back)
		time.Sleep(c.hold / 4)
	}
	clock.set(c.t, 0)
}

// clock imitates a step of the clock by d between two runs: it moves all times in files, and
// the times of the files, by -d.
func (c *campaign) clock(d time.Duration) {
	c.kill()
	c.moved = time.Now().UTC()
	must(c.t, filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".json", ".journal", ".meta":
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			moved := stamp.ReplaceAllFunc(data, func(b []byte) []byte {
				at, err := time.Parse(time.RFC3339Nano, string(b))
				if err != nil {
					return b
				}
				return []byte(at.Add(-d).Format(time.RFC3339Nano))
			})
			if err := os.WriteFile(path, moved, 0o644); err != nil {
				return err
			}
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		at := info.ModTime().Add(-d)
		return os.Chtimes(path, at, at)
	}))
	c.start()
}

// name returns one of many names that consist of letters.
func name(prefix string, i int) string {
	return fmt.Sprintf("%s_%c%c", prefix, 'a'+i/26, 'a'+i%26)
}

// crowd lets n users log in, invite and ask for help again and again.
func (c *campaign) crowd(n, often int) {
	all := make([]*visitor, n)
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for i := k; i < n; i += 8 {
				all[i] = login(c.t, c.addrs[i%2], name("crowd", i), "secret")
			}
		})
	}
	wg.Wait()
	for range often {
		for _, p := range all {
			p.send(clip.Invite{Name: "robbie", Length: 5})
			p.send(clip.Tell{Name: "robbie", Text: strings.Repeat("help ", 80)})
		}
	}
	time.Sleep(c.hold)
	for _, p := range all {
		p.send(clip.Bye{}) // an opponent of the bot leaves it
	}
}

// raw is a user who types lines; it ignores what the server sends.
func (c *campaign) raw(server int, name string) net.Conn {
	c.t.Helper()
	sock, err := net.Dial("tcp", c.servers[server].Addr().String())
	must(c.t, err)
	_, err = fmt.Fprintf(sock, "login tester 1008 %s secret\r\n", name)
	must(c.t, err)
	go func() { _, _ = io.Copy(io.Discard, sock) }()
	return sock
}

// awayAndBack makes ten users leave and return as fast as the server allows. The server
// announces each change to every client.
func (c *campaign) awayAndBack() {
	var socks []net.Conn
	for i := range 10 {
		socks = append(socks, c.raw(i%2, name("restless", i)))
	}
	until := time.Now().Add(c.hold)
	text := []byte(strings.Repeat("away "+strings.Repeat("x", 300)+"\r\nback\r\n", 20))
	for time.Now().Before(until) {
		for _, s := range socks {
			_ = s.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
			_, _ = s.Write(text) // the server may read slowly
		}
	}
	for _, s := range socks {
		s.Close()
	}
}

// content injects hostile lines, as a foreign server may pass on or make up.
func (c *campaign) content() {
	long := strings.Repeat("n", 10_000)
	escapes := "\x1b]0;owned\x07 \x1b[2J\x1b[31m \x9b31m \u202ekcehc \u2066 \x00 \x08\x08"
	c.between.say(
		"12 "+long+" hello", "12 human "+escapes, "12 human "+long, "15 human "+escapes, "13 "+escapes+" "+escapes,
		"5 "+long+" - - 1 0 1500.00 0 0 1795248402 host client -",
		"5 human - - 1 0 1500.00 0 0 1795248402 "+escapes+" "+long+" -",
		long+" wants to play a 5 point match with you.", escapes+" wants to play a 5 point match with you.",
		"human wants to play a 0 point match with you.", "human wants to play a 99999999999999999999 point match with you.",
		long, escapes, "** "+escapes, "** "+long, "board:"+long, "board:You:"+escapes+":1:2:3",
		"board:You:human:5:0:0:0:99:99:99", strings.Repeat(":", 10_000), "  "+long+"   5   0 - 0",
	)
	time.Sleep(c.hold / 2)
}

// endless sends half a megabyte without a line end: only the connection is lost.
func (c *campaign) endless() {
	c.between.raw(bytes.Repeat([]byte("endless "), 1<<16))
	time.Sleep(c.hold / 2)
}

// flood sends a hundred thousand lines of who, chat and rubbish.
func (c *campaign) flood() {
	for i := range 10_000 {
		who := name("who", i%700)
		c.between.say("5 "+who+" - - 1 0 1500.00 0 0 1795248402 host client -", "13 "+who+" "+strings.Repeat("shout ", 60),
			"7 "+who+" "+who+" logs in.", "8 "+who+" "+who+" drops connection.", "12 "+who+" stats", who+" wants to play a 5 point match with you.",
			"rubbish "+strings.Repeat("x", 300), "", "13 "+who+" again", "5 "+who+" - - 0 1 1500.00 0 0 1795248402 host client -")
	}
}

// load lets one address hold all connections it can get and fail logins; then it disconnects
// the bot, which has to log in again.
func (c *campaign) load() {
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}, Timeout: time.Second}
	var held []net.Conn
	n := 400
	if c.rounds > 0 {
		n = 1200
	}
	for i := range n {
		sock, err := from.Dial("tcp", c.servers[i%2].Addr().String())
		if err != nil {
			continue
		}
		held = append(held, sock)
		if i%4 == 0 {
			_, _ = fmt.Fprintf(sock, "login tester 1008 robbie wrong\r\n")
		}
	}
	defer func() {
		for _, s := range held {
			s.Close()
		}
	}()
	for _, s := range c.servers {
		s.DropUser("robbie")
	}
	c.plays("load by address", c.back) // while they are there
}
