package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/internal/testsize"
)

// feedServer serves a feed whose source counts how often it is asked.
func feedServer(t *testing.T, every time.Duration, streams int) (url string, asked *atomic.Int64, fail *atomic.Bool) {
	t.Helper()
	asked, fail = new(atomic.Int64), new(atomic.Bool)
	f := NewFeed(t.Context(), func(context.Context) (ops.Status, error) {
		n := asked.Add(1)
		if fail.Load() {
			return ops.Status{}, errors.New("no fibsbot is running here")
		}
		return ops.Status{Version: strconv.FormatInt(n, 10)}, nil
	}, streams)
	f.every = every
	mux := http.NewServeMux()
	f.Routes(mux)
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.ReadTimeout = 50 * every // a stream outlives it
	srv.Start()
	t.Cleanup(srv.Close)
	return srv.URL + "/api/v1/bots", asked, fail
}

// listen opens a stream and returns its events, without their beats.
func listen(t *testing.T, url string) <-chan string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan string, 64)
	go func() {
		defer close(out)
		defer resp.Body.Close()
		for sc := bufio.NewScanner(resp.Body); sc.Scan(); {
			if line := sc.Text(); strings.HasPrefix(line, "event: ") || strings.HasPrefix(line, "data: ") {
				select {
				case out <- line:
				case <-t.Context().Done():
					return
				}
			}
		}
	}()
	return out
}

func heard(t *testing.T, c <-chan string, want string) {
	t.Helper()
	for limit := time.After(time.Minute); ; {
		select {
		case line, ok := <-c:
			if !ok {
				t.Fatalf("the stream ended before %q", want)
			}
			if strings.Contains(line, want) {
				return
			}
		case <-limit:
			t.Fatalf("never heard %q", want)
		}
	}
}

// A hundred pages that ask within a second cause one question to the bot.
func TestFeed_manyPagesAskTheBotOnce(t *testing.T) {
	url, asked, _ := feedServer(t, time.Hour, 200)
	for range 50 {
		resp, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `"version":"1"`) {
			t.Fatalf("%d %s, %v", resp.StatusCode, body, err)
		}
	}
	for range 50 {
		heard(t, listen(t, url), `"version":"1"`)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the bot was asked %d times", n)
	}
}

func TestFeed_tellsWhatChangesAndThatTheBotIsGone(t *testing.T) {
	testsize.Medium(t)
	url, _, fail := feedServer(t, 20*time.Millisecond, 2)
	a, b := listen(t, url), listen(t, url)
	heard(t, a, "event: bots")
	for i := 10; i < 80; i += 5 { // well beyond the time that a request may take
		heard(t, a, `"version":"`+strconv.Itoa(i))
	}
	resp, err := http.Get(url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one stream too many: %d", resp.StatusCode)
	}
	fail.Store(true)
	for _, c := range []<-chan string{a, b} {
		heard(t, c, "event: gone")
		heard(t, c, "no fibsbot is running here")
	}
	fail.Store(false)
	heard(t, b, "event: bots")
}

// While the bot does not answer, callers can leave, listeners come and go, and all who stay
// get the answer to the one question.
func TestFeed_pendingQuestionBlocksNoCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, answer := 0, make(chan struct{})
		f := NewFeed(t.Context(), func(context.Context) (ops.Status, error) {
			asked++
			<-answer
			return ops.Status{Version: "1"}, nil
		}, 8)
		type view struct {
			body string
			err  error
		}
		views, gone := make(chan view, 8), make(chan error, 1)
		for range 3 {
			go func() {
				body, err := f.look(t.Context())
				views <- view{string(body), err}
			}()
		}
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			_, err := f.look(ctx)
			gone <- err
		}()
		synctest.Wait()
		leave()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("who left was told %v", err)
		}
		changed, quit := f.join()
		<-changed // the first look
		close(answer)
		for range 3 {
			if v := <-views; v.err != nil || !strings.Contains(v.body, `"version":"1"`) {
				t.Errorf("answered %q, %v", v.body, v.err)
			}
		}
		<-changed // the answer
		quit()
		if asked != 1 {
			t.Errorf("the bot was asked %d times", asked)
		}
	})
}

// A question that panics leaves no caller waiting and the feed working.
func TestFeed_aQuestionThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, bad := make(chan struct{}), true
		f := NewFeed(t.Context(), func(context.Context) (ops.Status, error) {
			if <-answer; bad {
				bad = false
				panic("a fault of the source")
			}
			return ops.Status{Version: "2"}, nil
		}, 8)
		go func() {
			defer func() { _ = recover() }()
			_, _ = f.look(t.Context())
		}()
		synctest.Wait()
		waits := make(chan error, 1)
		go func() {
			_, err := f.look(t.Context())
			waits <- err
		}()
		synctest.Wait()
		close(answer)
		if err := <-waits; !errors.Is(err, errUnanswered) {
			t.Errorf("who waited was told %v", err)
		}
		time.Sleep(f.every)
		if body, err := f.look(t.Context()); err != nil || !strings.Contains(string(body), `"version":"2"`) {
			t.Errorf("asked again: %q, %v", body, err)
		}
	})
}
