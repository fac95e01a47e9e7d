//go:build unix

package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"fibsbot/bot/ops"
	"fibsbot/engine/board"
	"fibsbot/internal/chromium"
)

// used is the processor time of this process so far.
func used(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// TestSpeed_aHundredOpenPages measures what a hundred open pages of the bots take from
// the process that plays, in processor time, with a view that changes every second.
// FIBSBOT_SPEED=1 runs it; the pages are another process.
func TestSpeed_aHundredOpenPages(t *testing.T) {
	if url := os.Getenv("FIBSBOT_SPEED_PAGES"); url != "" {
		readPages(t, url)
		return
	}
	if os.Getenv("FIBSBOT_SPEED") == "" {
		t.Skip("FIBSBOT_SPEED=1 measures")
	}
	start := time.Now()
	server := httptest.NewServer(BotsPage(t.Context(), func(context.Context) (ops.Status, error) {
		st := busy()
		st.Accounts[0].LastLine = time.Now()
		st.Accounts[0].Live.Table.Score[0] = int(time.Since(start).Seconds())
		return st, nil
	}, "test"))
	defer server.Close()
	defer server.CloseClientConnections()
	const span = 20 * time.Second
	before := used(t)
	time.Sleep(span)
	idle := used(t) - before
	pages := exec.CommandContext(t.Context(), os.Args[0], "-test.run=TestSpeed_aHundredOpenPages$", "-test.v")
	pages.Env = append(os.Environ(), "FIBSBOT_SPEED_PAGES="+server.URL)
	out, err := pages.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := pages.Start(); err != nil {
		t.Fatal(err)
	}
	for sc := bufio.NewScanner(out); sc.Scan() && sc.Text() != "all open"; {
	}
	before = used(t)
	time.Sleep(span)
	open := used(t) - before
	_ = pages.Process.Kill()
	_ = pages.Wait()
	share := float64(open-idle) / float64(span)
	t.Logf("in %v: %v of processor time without pages, %v with 100: %.2f %% of one processor", span, idle, open, 100*share)
	if share > 0.02 {
		t.Errorf("more than 2 %% of one processor")
	}
}

// TestSpeed_answers measures how many 0-ply answers to varied positions the API gives over
// real connections, four at a time: a second, and for each second of processor time of
// the serving process, which other work on the machine does not change. FIBSBOT_SPEED=1
// runs it; who asks is another process.
func TestSpeed_answers(t *testing.T) {
	if at := os.Getenv("FIBSBOT_SPEED_ANSWERS"); at != "" {
		askOften(t, at)
		return
	}
	if os.Getenv("FIBSBOT_SPEED") == "" {
		t.Skip("FIBSBOT_SPEED=1 measures")
	}
	server := serve(t)
	for _, path := range []string{"/eval", "/plays"} {
		asking := exec.CommandContext(t.Context(), os.Args[0], "-test.run=TestSpeed_answers$")
		asking.Env = append(os.Environ(), "FIBSBOT_SPEED_ANSWERS="+server.URL+"/api/v1"+path)
		before, start := used(t), time.Now()
		out, err := asking.Output()
		spent, took := used(t)-before, time.Since(start)
		n, _ := strconv.Atoi(string(regexp.MustCompile(`\d+`).Find(out)))
		if err != nil || n == 0 {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("%s: %.0f a second, %.0f for a second of processor time", path, float64(n)/took.Seconds(), float64(n)/spent.Seconds())
		if each := spent / time.Duration(n); each > 5*time.Millisecond {
			t.Errorf("%s: %v of processor time each", path, each)
		}
	}
}

// askOften asks for five seconds and prints how many answers came.
func askOften(t *testing.T, at string) {
	var next, n atomic.Int64
	ids := wanderings(20_000)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
				body := fmt.Sprintf(`{"position":%q,"preset":"expert","dice":[3,1]}`, ids[int(next.Add(1))%len(ids)])
				resp, err := client.Post(at, "application/json", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("%v, status %d", err, resp.StatusCode)
				}
				_ = resp.Body.Close()
				n.Add(1)
			}
		})
	}
	all.Wait()
	fmt.Println(n.Load())
}

// wanderings are n positions of games in which plays are drawn by chance.
func wanderings(n int) (ids []string) {
	r := rand.New(rand.NewPCG(1, 2))
	die := func() uint8 { return uint8(1 + r.IntN(6)) }
	for p := board.Start; len(ids) < n; p = p.Swap() {
		if plays := board.AppendPlays(nil, p, board.Dice{A: die(), B: die()}); len(plays) > 0 {
			p = plays[r.IntN(len(plays))].Result
		}
		if p.Result() != 0 {
			p = board.Start
		}
		ids = append(ids, p.ID())
	}
	return ids
}

// readPages holds a hundred streams open, as pages do.
func readPages(t *testing.T, url string) {
	var all sync.WaitGroup
	for range 100 {
		all.Add(1)
		go func() {
			resp, err := (&http.Client{Transport: &http.Transport{}}).Get(url + "/api/v1/bots/events")
			if err != nil {
				t.Error(err)
				all.Done()
				return
			}
			first := true
			for sc := bufio.NewScanner(resp.Body); sc.Scan(); {
				if first {
					all.Done()
				}
				first = false
			}
		}()
	}
	all.Wait()
	fmt.Println("all open")
	<-t.Context().Done()
}

// spent is the processor time of a process and all below it so far.
func spent(t *testing.T, pid int) (sum time.Duration) {
	t.Helper()
	const tick = 10 * time.Millisecond // of /proc
	parent, ticks := map[int]int{}, map[int]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		f := strings.Fields(rest)
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent[id], _ = strconv.Atoi(f[1])
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		ticks[id] = user + system
	}
	for id, n := range ticks {
		for p := id; p > 1; p = parent[p] {
			if p == pid {
				sum += time.Duration(n) * tick
				break
			}
		}
	}
	return sum
}

// TestSpeed_interaction measures in a real browser the time from a key or a tap to the next
// picture. It reports the browser's event timing, and the processor time of all browser
// processes, which other work on the machine does not change. FIBSBOT_SPEED=1 runs it.
func TestSpeed_interaction(t *testing.T) {
	if os.Getenv("FIBSBOT_SPEED") == "" {
		t.Skip("FIBSBOT_SPEED=1 measures")
	}
	browser := chromium.Own(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	measure := func(room string, times int, act func()) {
		time.Sleep(time.Second) // what the page does by itself is over
		before := spent(t, chromedp.FromContext(browser).Browser.Process().Pid)
		b.eval(`window.slow = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) window.slow.push([e.name, e.duration, e.processingEnd - e.processingStart]); }).observe({ type: "event", durationThreshold: 16, buffered: false }); 0`, nil)
		act()
		time.Sleep(300 * time.Millisecond) // entries come after the picture
		each := (spent(t, chromedp.FromContext(browser).Browser.Process().Pid) - before) / time.Duration(times)
		var list [][3]any
		b.eval(`window.slow`, &list)
		worst, script := 0.0, 0.0
		for _, e := range list {
			worst, script = max(worst, e[1].(float64)), max(script, e[2].(float64))
		}
		t.Logf("%s: %d events took 16 ms or more to the next picture, the slowest %.0f ms, %.1f ms of it scripts; %v of processor time each", room, len(list), worst, script, each)
		if script > 50 {
			t.Errorf("%s: a script ran for %.0f ms", room, script)
		}
	}
	b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
	b.until(`document.querySelector(".bg-can")`)
	measure("Play, checkers by mouse and back", 48, func() {
		for range 48 {
			x, y := b.middle(`document.querySelector(".bg-can")`)
			if x < 0 {
				b.run(chromedp.KeyEvent(kb.Backspace))
				continue
			}
			b.run(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1), input.DispatchMouseEvent(input.MouseReleased, x, y).WithButton(input.Left).WithClickCount(1))
		}
	})
	b.navigate("/positions")
	b.until(ready["/positions"])
	measure("Positions, a click beside everything", 40, func() {
		for range 40 {
			b.eval(`0`, nil)
			b.run(input.DispatchMouseEvent(input.MousePressed, 5, 400).WithButton(input.Left).WithClickCount(1), input.DispatchMouseEvent(input.MouseReleased, 5, 400).WithButton(input.Left).WithClickCount(1))
		}
	})
	for _, way := range []string{"finger", "mouse"} {
		measure("Positions, a brush and a checker by "+way, 80, func() {
			for i := range 40 {
				b.eval(`document.querySelector("[data-brush=`+[]string{"none", "me"}[i%2]+`]").click()`, nil)
				x, y := b.middle(fmt.Sprintf(`document.querySelector('[data-point="%d"]')`, 6+2*(i/2%2)))
				if way == "finger" {
					b.tap(x, y)
					continue
				}
				b.run(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1), input.DispatchMouseEvent(input.MouseReleased, x, y).WithButton(input.Left).WithClickCount(1))
			}
		})
	}
	measure("Positions, keys on the board", 8, func() {
		b.eval(`document.querySelector('.bg-hit[tabindex="0"]').focus()`, nil)
		for _, k := range []string{kb.ArrowLeft, "3", kb.ArrowLeft, "2", "+", "-", kb.ArrowUp, "1"} {
			b.run(chromedp.KeyEvent(k))
		}
	})
	b.navigate("/matches")
	b.until(ready["/matches"])
	measure("Matches, sorting", 6, func() {
		for range 6 {
			b.run(chromedp.Click("#list th button", chromedp.ByQuery))
		}
	})
}
