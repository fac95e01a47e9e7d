package host

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/server"
	"fibsbot/fibs/telnet"
	"fibsbot/internal/testsize"
)

func telnetOver(dial func(context.Context, string, string) (net.Conn, error)) telnet.Options {
	return telnet.Options{Dial: dial}
}

// TestSoak_day lets accounts of a host play for a simulated day: connections break, people come,
// go and dawdle, the server restarts, the configuration changes. By default it runs a quarter
// of an hour with four accounts; FIBSBOT_SOAK_DAY=24h is the long form, with
// FIBSBOT_SOAK_ACCOUNTS (20).
func TestSoak_day(t *testing.T) {
	brief := testsize.Sample(t)
	length, accounts := 15*time.Minute, 4
	if s := os.Getenv("FIBSBOT_SOAK_DAY"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		length, accounts = d, 20
		if _, err := fmt.Sscan(os.Getenv("FIBSBOT_SOAK_ACCOUNTS"), &accounts); err != nil {
			t.Logf("%d accounts", accounts)
		}
	}
	var seed uint64 = 17
	bad := 1.0
	for name, into := range map[string]any{"FIBSBOT_SOAK_SEED": &seed, "FIBSBOT_SOAK_CHAOS": &bad} {
		if _, err := fmt.Sscan(os.Getenv(name), into); err == nil {
			t.Logf("%s=%s", name, os.Getenv(name))
		}
	}
	modes := []archivetest.Mode{archivetest.ModeOf(t)}
	if modes[0].Name == "" && os.Getenv("FIBSBOT_SOAK_DAY") == "" { // no habit, and all habits
		modes = append(modes, archivetest.Modes[len(archivetest.Modes)-1])
		if brief {
			modes = modes[1:]
		}
	}
	for _, m := range modes {
		t.Run(m.Name, func(t *testing.T) {
			real := time.Now()
			synctest.Test(t, func(t *testing.T) { newDay(t, m, seed, accounts, length, bad).run() })
			t.Logf("%v took %v", length, time.Since(real).Round(time.Second))
		})
	}
}

// TestDecision_neverTwiceNorForAPastState plays over connections that break all the time. For
// each game command the account must have made a decision in the state in which the server
// executes it, and no decision may be used twice. A refused command must be harmless, or the
// account must have been unable to know the new state. It counts what the process holds, so no
// other test runs beside it.
func TestDecision_neverTwiceNorForAPastState(t *testing.T) {
	testsize.Medium(t)
	synctest.Test(t, func(t *testing.T) {
		d := newDay(t, archivetest.Mode{}, 5, 6, 20*time.Minute, 12)
		d.run()
		if st := d.proxy.Stats(); st.Cut+st.Halved < 20 {
			t.Errorf("the lines broke %d times only", st.Cut+st.Halved)
		}
		if n := d.judge.carried["move"]; n < 100 {
			t.Errorf("%d moves only", n)
		}
	})
}

// day is one run of the soak.
type day struct {
	*world
	judge    *judge
	length   time.Duration
	names    []string
	host     *running
	orders   []chan<- bot.Order
	leave    []func()
	archived pool
	marks    []mark
	began    time.Time
}

// mark is a measurement of the resources of the process.
type mark struct {
	at                                 time.Duration
	goroutines, descriptors, ends      int
	heap                               uint64 // KiB
	files, filed, unfiled, saved, sent int
}

// newDay prepares a day. Connections break about once an hour, times bad.
func newDay(t *testing.T, mode archivetest.Mode, seed uint64, accounts int, length time.Duration, bad float64) *day {
	d := &day{length: length, began: time.Now(), archived: pool{seen: map[string]bool{}}}
	letters := func(i int) string { return string(rune('a'+i/26)) + string(rune('a'+i%26)) }
	for i := range accounts {
		d.names = append(d.names, "host_"+letters(i))
	}
	d.judge = newJudge(d.names)
	d.world = newWorld(t, seed, &chaos.Options{Seed: seed, SparedLines: 40,
		ToServer: chaos.Faults{Split: 0.05, Merge: 0.05, CutEveryN: int(600 / bad), CutHalf: 0.0002 * bad},
		ToClient: chaos.Faults{Split: 0.05, Merge: 0.05, Delay: 0.02, MaxDelay: 2 * time.Second, Garbage: 0.002, CutEveryN: int(4000 / bad), CutHalf: 0.00005 * bad},
	}, d.judge)
	mode.Set(&d.opt)
	people := make([]string, accounts)
	for i := range people {
		people[i] = "guest_" + letters(i)
	}
	d.up()
	c := config.Default()
	c.Server.Address = fibsAddress
	c.Archive.Dir = filepath.Join(memoryDir(t), "archive")
	if keep := os.Getenv("FIBSBOT_TEST_KEEP"); keep != "" {
		c.Archive.Dir = filepath.Join(keep, t.Name())
	}
	c.Archive.Analyse = "off"
	c.Logs.Dir = ""
	c.Strength.Preset = "expert"
	c.Strength.Rules = []config.Rule{{When: config.When{Hours: "00:00-06:00"}, Preset: "advanced"}}
	c.Saved.WaitAfterLeave = config.Duration(time.Minute)
	for _, n := range d.names {
		c.Accounts = append(c.Accounts, config.Account{Name: n, Password: "secret"})
	}
	e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d.host = startHost(t, c, func(o *Options) {
		o.Engine = e
		o.Table = table.Options{}
		o.Protocols = onFIBS(fibs.Protocol{Connect: d.dial, Client: func(o *client.Options) {
			o.Transcript = d.judge.listen(o.Name)
			d.judge.dialled(o.Name, o.Pace)
		}})
	}, func(h *Host) { h.decided = d.judge.decided })
	for _, name := range people {
		orders, stop := d.people(name, d.names, []int{1, 3, 3, 5}, time.Minute)
		d.orders, d.leave = append(d.orders, orders), append(d.leave, stop)
	}
	return d
}

// run simulates the day: every five minutes something may happen, every hour it measures the
// process and checks the archive.
func (d *day) run() {
	defer d.host.stop()
	const step = 5 * time.Minute
	hour := min(time.Hour, d.length/3)
	next := hour
	for at := step; at <= d.length; at += step {
		d.happen(int(at / step))
		time.Sleep(time.Until(d.began.Add(at)))
		if at >= next {
			next += hour
			d.mark()
		}
		if n, _ := d.judge.faults(); n > 30 {
			break
		}
	}
	d.evening()
}

// happen causes the disturbances of the day, besides the matches.
func (d *day) happen(n int) {
	switch {
	case n%60 == 31: // announced
		d.srv.Announce(true, time.Minute)
		time.Sleep(time.Minute)
		d.restart(40 * time.Second)
	case n%100 == 50 || n == 2: // not announced
		d.restart(time.Duration(d.rng.IntN(8)) * 20 * time.Second)
	case n%25 == 7:
		d.proxy.CutAll()
	case n%17 == 5:
		d.intrude(d.names[d.rng.IntN(len(d.names))], 90*time.Second)
	case n%9 == 4:
		select {
		case d.orders[d.rng.IntN(len(d.orders))] <- func(t *table.Table, now time.Time) table.Due { return t.Leave(now) }:
		default:
		}
	}
	if n%12 == 6 {
		d.reconfigure(n / 12)
	}
}

func (d *day) restart(away time.Duration) {
	d.down()
	time.Sleep(away)
	d.up()
}

// reconfigure reloads another configuration, one for each hour.
func (d *day) reconfigure(hour int) {
	old := d.host.conf.Load()
	c := *old
	base := config.Default()
	c.Pacing, c.Matchmaking, c.Invitations, c.Saved.Only, c.Server.Rate, c.Archive.Analyse = base.Pacing, base.Matchmaking, base.Invitations, false, base.Server.Rate, "off"
	switch hour % 6 {
	case 1:
		c.Matchmaking.Enabled = true
		c.Matchmaking.AfterIdle, c.Matchmaking.Gap, c.Matchmaking.Lengths = config.Duration(time.Minute), config.Duration(time.Minute), []int{3, 1}
	case 2:
		c.Pacing.By, c.Pacing.Min = "fixed", config.Duration(time.Second)
	case 3:
		c.Server.Rate = config.Rate{Every: config.Duration(2 * time.Second), Burst: 6}
	case 4:
		c.Archive.Analyse = "fast"
	case 5:
		now := time.Now()
		c.Invitations.Hours = now.Add(30*time.Minute).Format("15:04") + "-" + now.Add(5*time.Hour).Format("15:04")
	}
	d.host.conf.Store(&c)
	d.host.Reloaded(old, &c)
}

// mark measures the process and looks for lost matches.
func (d *day) mark() {
	d.collect()
	d.archived.match(d.t, d.host.conf.Load().Archive.Dir, d.finished, d.names)
	runtime.GC()
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	fds, _ := os.ReadDir("/proc/self/fd")
	m := mark{at: time.Since(d.began).Round(time.Minute), goroutines: runtime.NumGoroutine(), descriptors: len(fds), ends: d.net.Open(),
		heap: mem.HeapAlloc >> 10, filed: d.archived.found, unfiled: len(d.archived.missing), saved: d.saved()}
	m.files, _ = d.files()
	d.judge.mu.Lock()
	m.sent = d.judge.lines
	d.judge.mu.Unlock()
	d.marks = append(d.marks, m)
	d.t.Logf("%6v: %d goroutines, %d descriptors, %d ends of connections, heap %d KiB, %d files, %d matches compared, %d not archived yet, %d saved, %d lines",
		m.at, m.goroutines, m.descriptors, m.ends, m.heap, m.files, m.filed, m.unfiled, m.saved, m.sent)
	say("%6v: %d goroutines, %d descriptors, heap %d KiB, %d files, %d matches compared, %d not archived yet, %d saved, %d lines",
		m.at, m.goroutines, m.descriptors, m.heap, m.files, m.filed, m.unfiled, m.saved, m.sent)
}

// say shows progress of a long run at once.
func say(format string, args ...any) {
	if os.Getenv("FIBSBOT_SOAK_DAY") != "" || os.Getenv("FIBSBOT_SOAK_CROWD") != "" {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}
}

// saved counts the server's unfinished matches of the accounts under test.
func (d *day) saved() (n int) {
	if d.srv == nil {
		return 0
	}
	for _, m := range d.srv.Matches() {
		if !m.Finished() && (d.judge.accounts[m.Players[0]] || d.judge.accounts[m.Players[1]]) {
			n++
		}
	}
	return n
}

// evening stops the partners, waits until finished matches are filed, stops the bots, and
// checks the day's results.
func (d *day) evening() {
	t := d.t
	for _, stop := range d.leave {
		stop()
	}
	// While connections break all the time, it may take some logins to get a complete list of
	// moves.
	for i := 0; i == 0 || i < 10 && d.marks[len(d.marks)-1].unfiled > 0; i++ {
		time.Sleep(2 * time.Minute)
		d.mark()
	}
	open := d.saved()
	journals := d.openJournals()
	d.host.stop()
	<-d.host.done
	if d.host.err != nil {
		t.Error(d.host.err)
	}
	d.down()
	archivetest.Sound(t, d.host.conf.Load().Archive.Dir, fibs.Protocol{})
	d.archived.match(t, d.host.conf.Load().Archive.Dir, d.finished, d.names)
	for _, m := range slices.Sorted(maps.Keys(d.archived.missing)) {
		t.Errorf("lost: %s: %s", m, d.archived.missing[m])
	}
	if len(d.archived.spare) > 0 {
		t.Errorf("archived and not on the server: %q", d.archived.spare)
	}
	t.Logf("%d matches finished, %d archive files equal to the server's record, %d games incomplete because the server had erased the moves; %d matches saved, %d open journals",
		len(d.finished), d.archived.found, d.archived.short, open, journals)
	t.Log(d.judge.summary())
	t.Logf("the line: %+v", d.proxy.Stats())
	say("%s\n%+v", d.judge.summary(), d.proxy.Stats())
	if n, words := d.judge.faults(); n > 0 {
		t.Errorf("%d faults:\n%s", n, strings.Join(words, "\n"))
	}
	if len(d.finished) == 0 {
		t.Error("no match was finished")
	}
	if _, odd := d.files(); len(odd) > 0 {
		t.Errorf("files that belong to no match: %q", odd)
	}
	d.growth()
}

// growth compares the last marks with the first ones.
func (d *day) growth() {
	if len(d.marks) < 4 {
		return
	}
	half := len(d.marks) / 2
	most := func(of func(mark) int, ms []mark) (n int) {
		for _, m := range ms {
			n = max(n, of(m))
		}
		return n
	}
	for _, g := range []struct {
		what  string
		of    func(mark) int
		slack int
	}{
		{"goroutines", func(m mark) int { return m.goroutines }, 40},
		{"descriptors", func(m mark) int { return m.descriptors }, 10},
		{"ends of connections", func(m mark) int { return m.ends }, 20},
		{"KiB of heap", func(m mark) int { return int(m.heap) }, 24 << 10},
	} {
		first, second := most(g.of, d.marks[:half]), most(g.of, d.marks[half:])
		if second > first+g.slack {
			d.t.Errorf("%s grow: at most %d in the first half of the day, %d in the second", g.what, first, second)
		}
	}
}

// openJournals counts the journals of matches that are not over.
func (d *day) openJournals() int {
	list, _ := filepath.Glob(filepath.Join(d.host.conf.Load().Archive.Dir, "open", "*.journal"))
	return len(list)
}

// files counts the files of the archive and lists those that belong neither to an
// archived nor to an open match nor to an account.
func (d *day) files() (n int, odd []string) {
	dir := d.host.conf.Load().Archive.Dir
	stems := map[string]bool{}
	var all []string
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		n++
		all = append(all, path)
		if filepath.Ext(path) == ".sgf" {
			stems[strings.TrimSuffix(filepath.Base(path), ".sgf")] = true
		}
		return nil
	})
	for _, path := range all {
		rel, _ := filepath.Rel(dir, path)
		stem, _, _ := strings.Cut(filepath.Base(path), ".")
		switch top, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); {
		case top == "state" || top == "open" || rel == filepath.Join("changes", ".lock") || strings.HasPrefix(top, "index."):
		case !stems[stem]:
			odd = append(odd, rel)
		}
	}
	return n, odd
}

// pool matches archive files with the server's records.
type pool struct {
	seen    map[string]bool // files and records dealt with
	spare   []string        // files without a record
	files   map[string]archivetest.Match
	missing map[string]string // records without a file
	found   int
	short   int
}

// match reads the new files in dir and finds the files of every finished match, one for each
// account under test that played in it.
func (p *pool) match(t *testing.T, dir string, finished map[string]server.MatchRecord, names []string) {
	list, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	if p.files == nil {
		p.files = map[string]archivetest.Match{}
	}
	for _, f := range list {
		if p.seen[f] {
			continue
		}
		p.seen[f] = true
		m, err := archivetest.FromArchive(f)
		if err != nil {
			t.Error(err)
		}
		p.files[f] = m
	}
	p.missing = map[string]string{}
	for key, r := range finished {
		waiting := len(p.missing)
		for _, name := range r.Players {
			if !slices.Contains(names, name) || p.seen[key+name] {
				continue
			}
			want := archivetest.FromServer(r, name)
			near := "no file"
			for f, m := range p.files {
				short, ok := archivetest.Same(want, m)
				if ok {
					begun, err := archivetest.BegunUnasked(f)
					if ok = err == nil && short <= begun; !ok {
						near = fmt.Sprintf("%s has %d incomplete games, %d begun unasked", f, short, begun)
					}
				} else if m.Players == want.Players && m.Length == want.Length && len(m.Games) == len(want.Games) {
					near = f + ": " + difference(want, m)
				}
				if ok {
					p.seen[key+name] = true
					p.found++
					p.short += short
					delete(p.files, f)
					near = ""
					break
				}
			}
			if near != "" {
				p.missing[key+" "+name] = fmt.Sprintf("%v, %d points, ended %v; nearest: %s", r.Players, r.Length, r.Ended.Format("02 15:04:05"), near)
			}
		}
		if len(p.missing) == waiting {
			r.Games = nil // checked; a day has many matches
			finished[key] = r
		}
	}
	p.spare = slices.Sorted(maps.Keys(p.files))
}

// difference returns where a file differs from the server's record.
func difference(want, got archivetest.Match) string {
	for i, w := range want.Games {
		g := got.Games[i]
		for k := range max(len(w.Acts), len(g.Acts)) {
			if k >= len(w.Acts) || k >= len(g.Acts) || w.Acts[k] != g.Acts[k] {
				return fmt.Sprintf("game %d, incomplete %v, action %d: server %q, file %q", i+1, g.Incomplete, k+1,
					w.Acts[min(k, len(w.Acts)):min(k+2, len(w.Acts))], g.Acts[min(k, len(g.Acts)):min(k+2, len(g.Acts))])
			}
		}
		w.Acts, g.Acts = nil, nil
		if !reflect.DeepEqual(w, g) {
			return fmt.Sprintf("game %d: server %+v, file %+v", i+1, w, g)
		}
	}
	return fmt.Sprintf("server %+v, file %+v", want.Games, got.Games)
}
