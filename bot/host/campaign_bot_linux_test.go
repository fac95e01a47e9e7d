package host

import (
	"bytes"
	"context"
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/fibs/server"
)

// campaign is a bot with two accounts of one name on two servers, as a process, and
// opponents who never stop playing.
type campaign struct {
	t       *testing.T
	rounds  int    // 0 in the light form
	program string // "" is a copy of the test's own process
	dsn     string
	own     bool          // the archive has a file system of its own
	hold    time.Duration // how long a fault lasts
	back    time.Duration // time limit for every account to play again
	servers []*server.Server
	addrs   []string
	between *between // before the second server
	dir     string   // of the archive
	home    string   // of logs and the socket
	socket  string
	cmd     *exec.Cmd
	ended   chan error
	out     syncBuffer
	moved   time.Time                 // when clock was last at work
	ends    [2]atomic.Pointer[func()] // called once as a match ends on a server
}

// syncBuffer holds the output of a running process.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// mostMemory bounds the memory of a bot under any flood, in MiB.
const mostMemory = 150

func newCampaign(t *testing.T, dsn string) *campaign {
	t.Helper()
	// Test machines may be many times slower: the light form, which CI runs, allows for that.
	c := &campaign{t: t, dsn: dsn, hold: time.Second, back: 2 * time.Minute, home: t.TempDir()}
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_CAMPAIGN")); err == nil && n > 0 {
		c.rounds, c.hold, c.back = n, 3*time.Second, 30*time.Second
		c.program = os.Getenv("FIBSBOT_CAMPAIGN_PROGRAM")
	}
	disk := t.TempDir()
	if c.own = unix.Mount("tmpfs", disk, "tmpfs", 0, "") == nil; c.own {
		t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	}
	c.dir, c.socket = filepath.Join(disk, "archive"), filepath.Join(c.home, "s.sock")
	if c.program != "" {
		c.socket = filepath.Join(c.home, "logs", "status.sock")
	}
	for i := range 2 {
		limits := server.Limits{Connections: 300}
		opt := server.Options{Seed: uint64(11 + i), Limits: limits, KeepMatches: 100_000}
		if m := archivetest.ModeOf(t); m.Name != "" || i == 0 {
			m.Set(&opt)
		} else {
			archivetest.Modes[len(archivetest.Modes)-1].Set(&opt) // all habits
		}
		opt.OnDone = func(d server.Done) {
			if d.Before.Match != 0 && d.After.Match == 0 {
				if do := c.ends[i].Swap(nil); do != nil {
					(*do)()
				}
			}
		}
		srv, addr := startServer(t, opt)
		length := 1
		if c.rounds > 0 {
			length += 2 * i
		}
		spar(t, addr, "human", "robbie", length, 0, nil)
		if i == 1 {
			c.between = newBetween(t, addr)
			addr = c.between.addr
		}
		c.servers, c.addrs = append(c.servers, srv), append(c.addrs, addr)
	}
	c.start()
	t.Cleanup(func() {
		if c.cmd.Process != nil && c.ended != nil {
			_ = c.cmd.Process.Kill()
		}
	})
	c.plays("the start", 2*time.Minute)
	return c
}

// command starts the bot without CAP_DAC_OVERRIDE, so that a read-only folder is read-only for
// root too.
func (c *campaign) command() *exec.Cmd {
	args := []string{os.Args[0], "-test.run=^TestCampaignChild$", "-test.v"}
	env := append(os.Environ(), "FIBSBOT_CAMPAIGN_CHILD="+c.dir, "FIBSBOT_CAMPAIGN_SERVERS="+strings.Join(c.addrs, ","),
		"FIBSBOT_CAMPAIGN_SOCKET="+c.socket, "FIBSBOT_CAMPAIGN_DSN="+c.dsn,
		"TMPDIR="+c.home) // a killed process removes nothing
	if c.program != "" {
		file := filepath.Join(c.home, "bot.yaml")
		yaml := fmt.Sprintf(`accounts:
  - {name: robbie, password_env: ROBBIE, address: %q}
  - {name: robbie, password_env: ROBBIE, address: %q}
server: {address: %q, rate: {every: 50ms, burst: 20}, reconnect: {min: 1s, max: 5s}}
archive: {dir: %q, analyse: off, dsn: %q}
logs: {dir: %q}
strength: {preset: beginner}
pacing: {by: none}
opponents: {max_drop_share: 0, max_saved: 0, limit: {matches: 0}}
`, c.addrs[0], c.addrs[1], c.addrs[0], c.dir, c.dsn, filepath.Join(c.home, "logs"))
		if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
			c.t.Fatal(err)
		}
		args, env = []string{c.program, "run", "-c", file}, append(os.Environ(), "ROBBIE=secret")
	}
	if setpriv, err := exec.LookPath("setpriv"); err == nil && os.Getuid() == 0 {
		args = append([]string{setpriv, "--bounding-set=-dac_override,-dac_read_search", "--"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = env
	return cmd
}

func (c *campaign) start() {
	c.t.Helper()
	c.cmd = c.command()
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

// suffer causes a fault and waits until both accounts play again.
func (c *campaign) suffer(k cause) {
	c.t.Helper()
	// Reset Linux's peak memory counter.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", c.cmd.Process.Pid), []byte("5"), 0)
	k.do()
	took := c.plays(k.name, c.back)
	peak := c.peak()
	c.t.Logf("| %s | %.1f s | %d MiB |", k.name, took.Seconds(), peak)
	if c.program != "" && peak > mostMemory { // the race detector needs memory too
		c.t.Errorf("%s: %d MiB in memory", k.name, peak)
	}
}

// peak returns the peak memory of the process, in MiB.
func (c *campaign) peak() int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		c.t.Fatal(err)
	}
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(data)
	if m == nil {
		c.t.Fatalf("no VmHWM in %s", data)
	}
	kib, _ := strconv.Atoi(string(m[1]))
	return kib >> 10
}

// plays waits up to limit until a match has ended on each server.
func (c *campaign) plays(what string, limit time.Duration) time.Duration {
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
			return time.Since(began)
		}
		select {
		case err := <-c.ended:
			c.t.Fatalf("%s: the process ended: %v\n%s", what, err, tail(c.out.String()))
		case <-time.After(20 * time.Millisecond):
		}
		if time.Since(began) > limit {
			st, err := ops.Ask(c.t.Context(), c.socket)
			c.t.Fatalf("%s: no match ends on both servers %v after the end of the cause: %v %+v (%v)\n%s", what, limit, now, st.Accounts, err, tail(c.out.String()))
		}
	}
}

// says waits until ok accepts the status, readiness and metrics of the process.
func (c *campaign) says(what string, ok func(st ops.Status, ready int, metrics string) bool) {
	c.t.Helper()
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", c.socket)
		}}}
	get := func(path string) (int, string) {
		resp, err := client.Get("http://localhost" + path)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	limit := time.Now().Add(c.back)
	for {
		st, err := ops.Ask(c.t.Context(), c.socket)
		ready, text := get("/readyz")
		_, metrics := get("/metrics")
		if err == nil && ok(st, ready, metrics) {
			return
		}
		if time.Now().After(limit) {
			c.t.Fatalf("%s: not told after %v: %+v (%v), readyz %d %s, metrics:\n%s", what, c.back, st, err, ready, text, tail(metrics))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func tail(text string) string { return text[max(0, len(text)-4000):] }

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

// judge compares archive and index with the records of the servers, and stops the bot.
func (c *campaign) judge() {
	c.t.Helper()
	ended := c.finished()
	sum := 0
	for _, n := range ended {
		sum += n
	}
	// Matches interrupted by kills are filed by now; the last ones may take a moment.
	deadline := time.Now().Add(c.back)
	for {
		lost, untrue := c.compare(ended)
		if len(lost) == 0 {
			break
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%d of %v matches are not archived as the servers have them; the first: %+v\narchived in its stead perhaps: %+v", len(lost), ended, lost[0], nearest(lost[0], untrue))
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.indexed(sum)
	c.kill()
	// The kill may have prevented a row of the index.
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(c.dir, index.FileName+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.t.Error(err)
		}
	}
	archivetest.Sound(c.t, c.dir, fibs.Protocol{})
	_, untrue := c.compare(c.finished())
	for _, m := range untrue {
		c.t.Errorf("no server has the match that is archived: %+v", m)
	}
	for _, name := range c.texts() {
		data, err := os.ReadFile(name)
		if err != nil {
			c.t.Fatal(err)
		}
		if at := bytes.IndexAny(data, "\x1b\x07\u202e"); at >= 0 {
			c.t.Errorf("%s holds what a terminal obeys: %q", name, data[max(0, at-40):min(len(data), at+40)])
		}
	}
	if strings.ContainsAny(c.out.String(), "\x1b\x07\u202e") {
		c.t.Error("what the process says holds what a terminal obeys")
	}
	c.t.Logf("%v matches archived and indexed as the servers have them, %d false", ended, len(untrue))
}

// indexed waits until the index has n matches.
func (c *campaign) indexed(n int) {
	c.t.Helper()
	limit := time.Now().Add(2 * time.Minute)
	for {
		rows := 0
		d, err := index.Open(c.t.Context(), c.dir, c.dsn)
		if err == nil {
			err = d.List(c.t.Context(), index.Filter{}, func(m *index.Match) error {
				rows++
				// A process killed while it files a match keeps the result but not the hour. Files
				// written before clock moved all times except those in names have two clocks; names
				// have whole seconds.
				if took := m.Finished.Sub(m.Started); !m.Finished.IsZero() && filepath.Base(m.File) >= c.moved.Add(time.Second).Format("2006-01-02_150405") && (took < 0 || took > 30*time.Minute) {
					c.t.Errorf("%s: a match of %v", m.File, took)
				}
				return nil
			})
			d.Close()
		}
		if err == nil && rows >= n {
			return
		}
		if time.Now().After(limit) {
			c.t.Fatalf("%d rows in the index for %d matches (%v)", rows, n, err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// texts are the files that an operator reads.
func (c *campaign) texts() []string {
	list, err := filepath.Glob(filepath.Join(c.home, "logs", "*.log"))
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// compare returns the differences between the first n finished matches of each server and
// the archive: matches that are missing or differ, and archived ones that no server has.
func (c *campaign) compare(n []int) (lost, untrue []archivetest.Match) {
	var archived []archivetest.Match
	err := filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".sgf" && !strings.HasPrefix(e.Name(), ".") {
			if m, err := archivetest.FromArchive(path); err == nil {
				archived = append(archived, m)
			} else {
				c.t.Logf("%s: %v", path, err) // it may be being moved; a bad one is reported as missing
			}
		}
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
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
				lost = append(lost, want)
			}
		}
	}
	return lost, archived
}

// nearest returns those of the archived matches that begin as m does.
func nearest(m archivetest.Match, archived []archivetest.Match) []archivetest.Match {
	return slices.DeleteFunc(slices.Clone(archived), func(a archivetest.Match) bool {
		return len(a.Games) == 0 || len(m.Games) == 0 || len(a.Games[0].Acts) == 0 || len(m.Games[0].Acts) == 0 || a.Games[0].Acts[0] != m.Games[0].Acts[0]
	})
}
