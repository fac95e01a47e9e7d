package ops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

var sample = Status{
	Version: "v1", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Config: "bot.yaml",
	Accounts: []Account{{Name: "Robo", Server: "localhost:4321", State: "playing", Connected: true, Opponent: "bob", Match: "1-0 in 5 points"}},
}

func get(t *testing.T, s *Server, path string) (int, string) {
	t.Helper()
	rec := httptest.NewRecorder()
	s.Handler().ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
	body, err := io.ReadAll(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	return rec.Code, string(body)
}

func TestReadyz_followsTheAccounts(t *testing.T) {
	st := sample
	s := &Server{Status: func() Status { return st }}
	if code, body := get(t, s, "/readyz"); code != 200 || body != "Robo playing\n" {
		t.Errorf("connected: %d %q", code, body)
	}
	st = Status{Accounts: []Account{{Name: "Robo", State: "waiting"}}}
	if code, _ := get(t, s, "/readyz"); code != 503 {
		t.Errorf("not connected: %d", code)
	}
	if code, body := get(t, s, "/healthz"); code != 200 || body != "ok\n" {
		t.Errorf("health: %d %q", code, body)
	}
}

func TestMetrics_countWhatTheyAreTold(t *testing.T) {
	m := NewMetrics()
	m.Connected("Robo", true)
	m.Line.WithLabelValues("Robo").Set(1000)
	m.Matches.WithLabelValues("Robo", "won").Inc()
	m.Matches.WithLabelValues("Robo", "won").Inc()
	m.Decision("Robo", "play", "expert", 20*time.Millisecond)
	m.Queue.WithLabelValues("Robo").Set(3)
	m.Reconnects.WithLabelValues("Robo", "silent").Inc()
	m.Invitations.WithLabelValues("Robo", "opponents.block", YesNo(false)).Inc()
	m.Unknown.WithLabelValues("Robo").Inc()
	m.Rating.WithLabelValues("Robo").Set(1712.5)
	m.Reload(false)
	m.Searches(func() (nodes, hits uint64) { return 12, 5 })
	m.Searches(func() (nodes, hits uint64) { return 1, 1 }) // a further engine is ignored
	_, body := get(t, &Server{Metrics: m, Status: func() Status { return sample }}, "/metrics")
	for _, want := range []string{
		`fibsbot_connected{account="Robo"} 1`,
		`fibsbot_last_line_timestamp_seconds{account="Robo"} 1000`,
		`fibsbot_matches_total{account="Robo",result="won"} 2`,
		`fibsbot_decision_seconds_bucket{account="Robo",kind="play",preset="expert",le="0.03"} 1`,
		`fibsbot_send_queue_length{account="Robo"} 3`,
		`fibsbot_reconnects_total{account="Robo",reason="silent"} 1`,
		`fibsbot_invitations_total{accepted="no",account="Robo",rule="opponents.block"} 1`,
		`fibsbot_unknown_lines_total{account="Robo"} 1`,
		`fibsbot_rating{account="Robo"} 1712.5`,
		`fibsbot_config_last_reload_successful 0`,
		`fibsbot_search_nodes_total 12`,
		`fibsbot_search_cache_hits_total 5`,
		`fibsbot_config_reloads_total{ok="no"} 1`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("missing %s", want)
		}
	}
}

// TestRun_endsBesideASlowReader: a request in progress delays the end of the process by at
// most a second and does not make the server fail.
func TestRun_endsBesideASlowReader(t *testing.T) {
	testsize.Medium(t)
	asked, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := &Server{Socket: filepath.Join(t.TempDir(), "status.sock"), Status: func() Status {
		once.Do(func() { close(asked) })
		<-release
		return sample
	}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		for ctx.Err() == nil { // until the server is up
			_, _ = Ask(ctx, s.Socket)
			time.Sleep(time.Millisecond)
		}
	}()
	select {
	case <-asked:
	case err := <-done:
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	close(release)
	<-answered
}

func TestAsk_overSocketAndTCP(t *testing.T) {
	addr := freeport.On(t, "127.0.0.1")
	sock := filepath.Join(t.TempDir(), "status.sock")
	if err := os.WriteFile(sock, nil, 0o600); err != nil { // left by a killed process
		t.Fatal(err)
	}
	s := &Server{Listen: addr, Socket: sock, Metrics: NewMetrics(), Status: func() Status { return sample }, looks: time.Millisecond}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	for _, where := range []string{sock, addr} {
		var got Status
		var err error
		for {
			if got, err = Ask(t.Context(), where); !errors.Is(err, ErrNotRunning) {
				break
			}
			select {
			case err := <-done:
				t.Fatal(err)
			default:
			}
		}
		if diff := cmp.Diff(sample, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", where, err, diff)
		}
	}
	if st, err := os.Stat(sock); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v %v", st.Mode(), err)
	}
	// After the folder is removed the socket is made again.
	if err := os.RemoveAll(filepath.Dir(sock)); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := Ask(t.Context(), sock); err == nil {
			break
		} else if time.Since(begin) > time.Minute {
			t.Fatal(err)
		}
	}
	if err := (&Server{Socket: sock}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "another fibsbot") {
		t.Errorf("second process: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := Ask(t.Context(), sock); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after the end: %v", err)
	}
}

// TestMetrics_ratingsOfOpponents: opponents with arbitrary ratings cannot create an unbounded
// number of series.
func TestMetrics_ratingsOfOpponents(t *testing.T) {
	m := NewMetrics()
	for rating := 900; rating < 2300; rating++ {
		m.Decision("Robo", "play", fmt.Sprintf("rating %d", rating), time.Millisecond)
	}
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if n := len(f.GetMetric()); f.GetName() == "fibsbot_decision_seconds" && n != 14 {
			t.Errorf("%d series", n)
		}
	}
}
