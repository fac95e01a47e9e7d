package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// answers measures how long the accounts of a host take to answer, beyond the
// pause that pacing demands: from the server's line with the question to the command on the
// wire, including the time for the disk.
type answers struct {
	mu     sync.Mutex
	heard  map[string]time.Time // the last line that asks something
	paced  map[string]paced
	beyond []time.Duration
}

// paced is a decision under way.
type paced struct {
	asked time.Time
	wait  time.Duration
}

func (a *answers) decided(name string, _ table.Situation, _ table.Answer, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paced[name] = paced{a.heard[name], wait}
}

// listen is a transcript of one account.
func (a *answers) listen(name string) func(client.Line) {
	var p clip.Parser
	return func(l client.Line) {
		if l.Sent {
			verb, _, _ := strings.Cut(l.Text, " ")
			a.mu.Lock()
			defer a.mu.Unlock()
			switch d, ok := a.paced[name]; verb {
			case "move", "roll", "double", "accept", "reject", "resign":
				if ok && !d.asked.IsZero() {
					a.beyond = append(a.beyond, l.Time.Sub(d.asked)-d.wait)
				}
				delete(a.paced, name)
			}
			return
		}
		for _, ev := range p.Append(nil, l.Text) {
			switch ev.Kind {
			case clip.BoardLine, clip.RollOrDouble, clip.Doubles, clip.OffersResign:
				if ev.Kind == clip.BoardLine && (ev.Board == nil || !ev.Board.Own()) {
					continue
				}
				a.mu.Lock()
				a.heard[name] = l.Time
				a.mu.Unlock()
			}
		}
	}
}

// quantiles returns quantiles of the measured times.
func (a *answers) quantiles(at ...float64) (n int, q []time.Duration) {
	a.mu.Lock()
	list := slices.Clone(a.beyond)
	a.mu.Unlock()
	slices.Sort(list)
	for _, f := range at {
		if len(list) == 0 {
			q = append(q, 0)
			continue
		}
		q = append(q, list[min(len(list)-1, int(f*float64(len(list))))].Round(10*time.Microsecond))
	}
	return len(list), q
}

// peakMemory returns this process's peak memory, in bytes, and the machine's load, as the
// system reports them.
func peakMemory(t *testing.T) (peak int64, load string) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(rest, "%d kB", &peak); err != nil {
		t.Fatal(err)
	}
	if l, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(l), " ")
	}
	return peak << 10, load
}

// TestSoak_crowd lets 200 accounts of one host play each other in real time on the
// embedded server, over sockets and with the journal on disk, at human pace. All must fit in
// 1 GiB with the server, and the median answer must take less than 50 ms beyond pacing. FIBSBOT_SOAK_CROWD=30m is how long.
func TestSoak_crowd(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("FIBSBOT_SOAK_CROWD"))
	if err != nil {
		t.Skip("set FIBSBOT_SOAK_CROWD=30m for the crowd")
	}
	const accounts, most, quick = 200, 1 << 30, 50 * time.Millisecond
	srv, addr := startServer(t, server.Options{Seed: 21, KeepMatches: 100000})
	c := config.Default()
	c.Server.Address = addr
	c.Archive.Dir = filepath.Join(t.TempDir(), "archive")
	c.Logs.Dir = ""
	c.Strength.Preset = "expert"
	c.Opponents.Limit.Matches = 0
	var names []string
	for i := range accounts {
		names = append(names, fmt.Sprintf("crowd_%c%c", 'a'+i/26, 'a'+i%26))
		c.Accounts = append(c.Accounts, config.Account{Name: names[i], Password: "secret"})
	}
	e, err := engine.Open(engine.Options{Threads: EngineThreads(c), CacheMB: c.Engine.CacheMB, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	a := &answers{heard: map[string]time.Time{}, paced: map[string]paced{}}
	h := startHost(t, c, func(o *Options) {
		o.Engine, o.Table, o.NoSync = e, table.Options{}, false
		o.Protocols = onFIBS(fibs.Protocol{Client: func(o *client.Options) { o.Transcript = a.listen(o.Name) }})
	}, func(h *Host) { h.decided = a.decided })
	begin := time.Now()
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	asked := map[int]time.Time{}
	report := begin.Add(time.Minute)
	tell := func() {
		n, q := a.quantiles(0.5, 0.95, 0.99, 1)
		peak, load := peakMemory(t)
		finished := 0
		for _, m := range srv.Matches() {
			if m.Finished() {
				finished++
			}
		}
		say("%8v: %d answers, beyond pacing: median %v, 95%% %v, 99%% %v, longest %v; peak memory %d MiB; %d matches finished; load %s",
			time.Since(begin).Round(time.Second), n, q[0], q[1], q[2], q[3], peak>>20, finished, load)
	}
	for now := begin; now.Sub(begin) < length; now = <-tick.C {
		st := h.Status().Accounts
		ready := func(i int) bool { return st[i].Connected && st[i].State == "ready" }
		for i := 0; i < accounts; i += 2 {
			if ready(i) && ready(i+1) && now.Sub(asked[i]) > 10*time.Second {
				asked[i] = now
				h.seats[i].order(func(t *table.Table, now time.Time) table.Due { return t.Invite(names[i+1], 5, now) })
			}
		}
		if now.After(report) {
			report = report.Add(time.Minute)
			tell()
		}
	}
	tell()
	h.stop()
	<-h.done
	if h.err != nil {
		t.Error(h.err)
	}
	n, q := a.quantiles(0.5, 0.95, 0.99, 1)
	peak, load := peakMemory(t)
	t.Logf("%v, %d accounts: %d answers, beyond pacing: median %v, 95%% %v, 99%% %v, longest %v; peak memory %d MiB; load %s",
		length, accounts, n, q[0], q[1], q[2], q[3], peak>>20, load)
	if n == 0 || q[0] >= quick {
		t.Errorf("the median of %d answers is %v beyond its pacing, less than %v wanted", n, q[0], quick)
	}
	if peak > most {
		t.Errorf("peak memory %d MiB, %d wanted", peak>>20, most>>20)
	}
	finished := map[string]server.MatchRecord{}
	for _, m := range srv.Matches() {
		if m.Finished() {
			finished[fmt.Sprint(m.Number)] = m
		}
	}
	archivetest.Sound(t, c.Archive.Dir, fibs.Protocol{})
	p := pool{seen: map[string]bool{}}
	p.match(t, c.Archive.Dir, finished, names)
	t.Logf("%d matches finished, %d archive files equal to the server's record", len(finished), p.found)
	for m, why := range p.missing {
		t.Errorf("lost: %s: %s", m, why)
	}
}
