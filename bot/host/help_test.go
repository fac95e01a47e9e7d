package host

import (
	"context"
	"errors"
	"flag"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// TestMain runs more tests at a time than there are processors, because they mostly wait.
func TestMain(m *testing.M) {
	if role := os.Getenv(engineRole); role != "" {
		beEngine(role)
		return
	}
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p.Value.String() == p.DefValue {
		_ = p.Value.Set("8") // a number is valid
	}
	goleak.VerifyTestMain(m)
}

// patience is the time limit for an expected event.
const patience = 3 * time.Minute

var theEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 4, Seed: 1})
})

func testEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := theEngine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// startServer runs an embedded server until the test ends.
func startServer(t testing.TB, opt server.Options) (*server.Server, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	opt.AutoAccounts = true
	srv, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	return srv, ln.Addr().String()
}

// testConfig is a configuration at full speed for accounts on addr.
func testConfig(t testing.TB, addr string, names ...string) *config.Config {
	t.Helper()
	c := config.Default()
	c.Server.Address = addr
	c.Server.Rate = config.Rate{Every: config.Duration(time.Millisecond), Burst: 20}
	c.Server.Reconnect = config.Reconnect{Min: config.Duration(20 * time.Millisecond), Max: config.Duration(100 * time.Millisecond),
		Jitter: 0.3, Kicked: config.Duration(time.Hour)}
	c.Pacing.By = "none"
	c.Archive.Dir = filepath.Join(t.TempDir(), "archive")
	c.Archive.Analyse = "off"
	c.Logs.Dir = ""
	c.Strength.Preset = "beginner"
	for _, n := range names {
		c.Accounts = append(c.Accounts, config.Account{Name: n, Password: "secret"})
	}
	return c
}

// quick is a table that does not wait.
var quick = table.Options{Patience: 300 * time.Millisecond, AutoRoll: 150 * time.Millisecond, Idle: 500 * time.Millisecond}

// running is a host under test.
type running struct {
	*Host
	t    testing.TB
	conf atomic.Pointer[config.Config]
	stop context.CancelFunc
	done chan struct{}
	err  error
}

// onFIBS are the protocols of a host on FIBS.
func onFIBS(p fibs.Protocol) []protocol.Protocol { return []protocol.Protocol{p} }

// startHost runs a host until the test ends.
func startHost(t testing.TB, c *config.Config, edit func(*Options), before ...func(*Host)) *running {
	t.Helper()
	r := &running{t: t, done: make(chan struct{})}
	r.conf.Store(c)
	opt := Options{Config: r.conf.Load, Engine: testEngine(t), Log: testLog(t), Version: "test", Table: quick,
		Metrics: ops.NewMetrics(), NoSync: true, Seed: 1, Protocols: []protocol.Protocol{fibs.Protocol{}}}
	if edit != nil {
		edit(&opt)
	}
	h, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Table == quick {
		for _, s := range h.seats {
			s.inviter.delay = 50 * time.Millisecond
		}
	}
	h.loginGrace = 0
	for _, f := range before {
		f(h)
	}
	r.Host = h
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() {
		defer close(r.done)
		r.err = h.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-r.done
	})
	return r
}

// resting makes a host that does not run, for tests that act in place of its accounts'
// goroutines.
func resting(t testing.TB, c *config.Config) *Host {
	t.Helper()
	h, err := New(Options{Config: func() *config.Config { return c }, Engine: testEngine(t), Log: testLog(t), Metrics: ops.NewMetrics(), NoSync: true, Seed: 1, Protocols: []protocol.Protocol{fibs.Protocol{}}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// wait waits for Run to return.
func (r *running) wait() error {
	r.t.Helper()
	select {
	case <-r.done:
		return r.err
	case <-time.After(patience):
		r.t.Fatalf("the host does not end: %+v", r.Status())
		return nil
	}
}

// until polls the status until ok returns true.
func (r *running) until(what string, ok func(ops.Status) bool) {
	r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !ok(r.Status()) {
		select {
		case <-limit:
			r.t.Fatalf("%s: %+v", what, r.Status())
		case <-tick.C:
		}
	}
}

func (r *running) ready(n int) {
	r.t.Helper()
	r.until("not logged in", func(st ops.Status) bool {
		up := 0
		for _, a := range st.Accounts {
			if a.Connected {
				up++
			}
		}
		return up == n
	})
}

func testLog(t testing.TB) logrus.FieldLogger {
	l := logrus.New()
	l.SetOutput(testWriter{t})
	l.SetLevel(logrus.PanicLevel)
	if os.Getenv("FIBSBOT_TEST_LOG") != "" {
		l.SetLevel(logrus.DebugLevel)
	}
	return l
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) { w.t.Logf("%s", p); return len(p), nil }

// visitor is a human player: a client whose lines the test reads.
type visitor struct {
	t      testing.TB
	name   string
	c      *client.Client
	events chan clip.Event
}

// login logs in a visitor who is ready to play.
func login(t testing.TB, addr, name, password string) *visitor {
	t.Helper()
	p := &visitor{t: t, name: name, events: make(chan clip.Event, 10000)}
	c, err := client.Dial(t.Context(), client.Options{Address: addr, Name: name, Password: clip.NewSecret(password), Ready: true,
		Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}, Deliver: p.deliver})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p.c = c
	t.Cleanup(func() {
		c.Close()
		if err := c.Err(); err != nil && !errors.Is(err, client.ErrLost) && !errors.Is(err, client.ErrKicked) {
			t.Logf("%s: %v", name, err)
		}
	})
	return p
}

// deliver drops lines that the test does not read in time.
func (p *visitor) deliver(ev *clip.Event) error {
	if ev == nil {
		close(p.events)
		return nil
	}
	select {
	case p.events <- *ev:
	default:
	}
	return nil
}

// typed is a command that a person types.
type typed string

func (t typed) Encode() (string, error) { return string(t), nil }

func (p *visitor) send(c clip.Command) {
	p.t.Helper()
	if err := p.c.Send(c); err != nil {
		p.t.Fatalf("%s: %v", p.name, err)
	}
}

// expect waits for a line and returns it.
func (p *visitor) expect(what string, ok func(clip.Event) bool) clip.Event {
	p.t.Helper()
	limit := time.After(patience)
	var seen []string
	for {
		select {
		case ev, open := <-p.events:
			if !open {
				p.t.Fatalf("%s was logged out while waiting for %s", p.name, what)
			}
			if ok(ev) {
				return ev
			}
			seen = append(seen, ev.Raw)
		case <-limit:
			p.t.Fatalf("%s waits for %s; heard\n%s", p.name, what, strings.Join(seen[max(0, len(seen)-30):], "\n"))
		}
	}
}

// told waits until name sends a tell that contains part.
func (p *visitor) told(name, part string) string {
	p.t.Helper()
	return p.expect("a tell with "+part, func(ev clip.Event) bool {
		return ev.Kind == clip.Says && ev.Name == name && strings.Contains(ev.Text, part)
	}).Text
}

func kind(k clip.Kind) func(clip.Event) bool {
	return func(ev clip.Event) bool { return ev.Kind == k }
}

// spar starts an account that invites partner and plays by rules of thumb. It stops at the end
// of the test, or after that many matches.
func spar(t testing.TB, addr, name, partner string, length, matches int, observe func(bot.Observation)) <-chan struct{} {
	t.Helper()
	a := &bot.Account{Protocol: fibs.Protocol{},
		Name: name, Conduct: &bot.Plain{Min: 1, Max: 99, Invite: partner, Length: length, Every: 300 * time.Millisecond, Matches: matches, Seen: observe,
			Backoff: bot.Backoff{Min: 20 * time.Millisecond, Max: 100 * time.Millisecond}},
		Dial: fibs.Dialer(client.Options{Address: addr, Name: name, Password: clip.NewSecret("secret"),
			Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}}),
		Table: quick, MaxMatches: matches,
		Archive: archive.Options{},
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := a.Run(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return done
}
