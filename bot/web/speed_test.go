package web

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"fibsbot/bot/ops"
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

// TestSpeed_interaction measures in a real browser how long it takes from a key or a tap
// to the next picture: the whole of it as the browser's event timing tells it.
// FIBSBOT_SPEED=1 runs it.
func TestSpeed_interaction(t *testing.T) {
	if os.Getenv("FIBSBOT_SPEED") == "" {
		t.Skip("FIBSBOT_SPEED=1 measures")
	}
	browser := startBrowser(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	measure := func(room string, act func()) {
		b.eval(`window.slow = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) window.slow.push([e.name, e.duration, e.processingEnd - e.processingStart]); }).observe({ type: "event", durationThreshold: 16, buffered: false }); 0`, nil)
		act()
		time.Sleep(300 * time.Millisecond) // entries come after the picture
		var list [][3]any
		b.eval(`window.slow`, &list)
		worst, script := 0.0, 0.0
		for _, e := range list {
			worst, script = max(worst, e[1].(float64)), max(script, e[2].(float64))
		}
		t.Logf("%s: %d events took 16 ms or more to the next picture, the slowest %.0f ms, %.1f ms of it scripts", room, len(list), worst, script)
		if script > 50 {
			t.Errorf("%s: a script ran for %.0f ms", room, script)
		}
	}
	b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
	b.until(`document.querySelector(".bg-can")`)
	measure("Play, checkers by touch and back", func() {
		for range 12 {
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
	measure("Positions, checkers by touch", func() {
		for i := range 10 {
			x, y := b.middle(fmt.Sprintf(`document.querySelector('[data-point="%d"]')`, 2+i%3))
			b.run(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1), input.DispatchMouseEvent(input.MouseReleased, x, y).WithButton(input.Left).WithClickCount(1))
		}
	})
	measure("Positions, keys on the board", func() {
		b.eval(`document.querySelector('.bg-hit[tabindex="0"]').focus()`, nil)
		for _, k := range []string{kb.ArrowLeft, "3", kb.ArrowLeft, "2", "+", "-", kb.ArrowUp, "1"} {
			b.run(chromedp.KeyEvent(k))
		}
	})
	b.navigate("/matches")
	b.until(ready["/matches"])
	measure("Matches, sorting", func() {
		for range 6 {
			b.run(chromedp.Click("#list th button", chromedp.ByQuery))
		}
	})
}
