package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// player is a server that follows a script: what it says first, and what it
// answers to our lines. It runs on net.Pipe, so time can be a fake one.
type player struct {
	t *testing.T
	// greet is sent on connection.
	greet string
	// answer maps our line to what the server says; a line of ours without an
	// answer is swallowed, as FIBS sometimes does. "!close" closes, after
	// what stands before it.
	answer map[string]string
	// lose swallows the first n times of a line.
	lose map[string]int
	// retype is the line that gets the answer of a registration when it comes
	// for the second time.
	retype string

	mu   sync.Mutex
	got  []string
	at   []time.Time
	conn net.Conn
	out  chan string
	gone chan struct{}
}

const prompt = "WELCOME TO THE\r\n\r\nlogin: "

const greeting = "\r\n1 alice 1593791615 host.example\r\n" +
	"2 alice 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.00 0 0 0 0 1 UTC\r\n" +
	"3\r\nbob rolls 6 and 6.\r\n4\r\n" +
	"5 bob - - 1 0 1550.00 900 10 1700000000 h c -\r\n" +
	"5 alice - - 0 0 1500.00 0 0 1700000100 h fibsbot -\r\n6\r\n"

// usual is the script of a server that does everything right.
func usual() map[string]string {
	return map[string]string{
		"login fibsbot 1008 alice sesame": greeting,
		"set boardstyle 3":                "Value of 'boardstyle' set to 3.\r\n",
		"show saved":                      "no saved games.\r\n",
		"board":                           "** You're not playing.\r\n",
		"toggle ready":                    "** You're now ready to invite or join someone.\r\n",
		"time":                            "Friday, July 03 18:04:27 MEST   ( Fri Jul  3 16:04:27 2020 UTC )\r\n",
		"bye":                             "                    Goodbye.\r\n!close",
	}
}

// dial is the dialler of a client of this server.
func (p *player) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.conn = theirs
	// One goroutine writes: a second writer on a pipe waits for a mutex, and
	// that stops fake time.
	p.out = make(chan string, 1<<16)
	p.gone = make(chan struct{})
	go p.talk(theirs)
	go p.serve(theirs)
	return ours, nil
}

// talk sends what is to be said until our side has gone.
func (p *player) talk(conn net.Conn) {
	for {
		select {
		case s := <-p.out:
			text, closes := strings.CutSuffix(s, "!close")
			_, _ = io.WriteString(conn, text)
			if closes {
				_ = conn.Close()
			}
		case <-p.gone:
			return
		}
	}
}

func (p *player) serve(conn net.Conn) {
	defer close(p.gone)
	defer conn.Close()
	if p.greet != "" {
		p.out <- p.greet
	}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		line := strings.TrimSuffix(lines.Text(), "\r")
		p.mu.Lock()
		p.got = append(p.got, line)
		p.at = append(p.at, time.Now())
		lost := p.lose[line] > 0
		if lost {
			p.lose[line]--
		}
		again := slices.Contains(p.got[:len(p.got)-1], line)
		p.mu.Unlock()
		say, ok := p.answer[line]
		if again && line == p.retype {
			say = "You are registered.\r\nType 'help beginner' to get started.\r\n> "
		}
		if ok && !lost {
			p.out <- say
		}
	}
}

// say sends what nobody asked for.
func (p *player) say(text string) { p.out <- text }

// heard are our lines so far.
func (p *player) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.got...)
}

// options of a client of this server.
func (p *player) options() Options {
	return Options{
		Address: "host.example:4321", Name: "alice", Password: clip.NewSecret("sesame"),
		Ready: true, Telnet: telnet.Options{Dial: p.dial},
	}
}

// bubble runs a test in fake time with a server of its own.
func bubble(t *testing.T, f func(t *testing.T, p *player)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &player{t: t, greet: prompt, answer: usual(), lose: map[string]int{}}
		f(t, p)
		if p.conn != nil {
			_ = p.conn.Close()
		}
		synctest.Wait()
	})
}

// running starts Run and collects the events.
type running struct {
	*Client
	cancel context.CancelFunc
	ended  chan error
	events chan []Event
}

func start(c *Client) *running {
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{Client: c, cancel: cancel, ended: make(chan error, 1), events: make(chan []Event, 1)}
	go func() { r.ended <- c.Run(ctx) }()
	go func() {
		var all []Event
		for e := range c.Events() {
			all = append(all, e)
		}
		r.events <- all
	}()
	return r
}

// stop closes the client and returns all events and the reason of the end.
func (r *running) stop() ([]Event, error) {
	r.Close()
	err := <-r.ended
	r.cancel()
	return <-r.events, err
}

func mustDial(t *testing.T, opts Options) *Client {
	t.Helper()
	c, err := Dial(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDial_logsInAndSetsUp(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.answer["show saved"] = "  opponent          matchlength   score (your points first)\r\n" +
			"**bob                     5                1 -  1\r\n  dave             unlimited              4 -  2\r\n"
		var journal []uint64
		opts := p.options()
		opts.Journal = func(e Event) error { journal = append(journal, e.Seq); return nil }
		c := mustDial(t, opts)
		want := Welcome{
			Name: "alice", LastLogin: 1593791615, LastHost: "host.example",
			Saved: []SavedMatch{{"bob", 5, 1, 1, true}, {"dave", clip.Unlimited, 4, 2, false}},
		}
		got := c.Welcome()
		if got.Settings == nil || got.Settings.Timezone != "UTC" {
			t.Errorf("settings %v", got.Settings)
		}
		got.Settings = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("welcome (-want +got)\n%s", diff)
		}
		r := start(c)
		events, err := r.stop()
		if err != nil {
			t.Errorf("Run: %v", err)
		}
		for i, e := range events {
			if e.Seq != uint64(i+1) {
				t.Fatalf("event %d has sequence number %d", i, e.Seq)
			}
			if e.Kind == clip.Rolls {
				t.Error("a line of the message of the day was believed")
			}
		}
		if len(journal) != len(events) || events[len(events)-1].Kind != clip.Goodbye {
			t.Errorf("%d events in the journal, %d seen, the last is %v", len(journal), len(events), events[len(events)-1].Kind)
		}
		wantLines := []string{
			"login fibsbot 1008 alice sesame", "set boardstyle 3", "show saved", "board", "toggle ready", "bye",
		}
		if diff := cmp.Diff(wantLines, p.heard()); diff != "" {
			t.Errorf("our lines (-want +got)\n%s", diff)
		}
	})
}

func TestDial_switchesThatDiffer(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.answer["login fibsbot 1008 alice sesame"] = strings.Replace(greeting,
			"2 alice 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.00 0 0 0 0 1 UTC",
			"2 alice 1 0 0 1 0 0 1 1 0 0 0 0 1 1500.00 0 1 3 1 1 UTC", 1)
		p.answer["toggle autoboard"] = "** The board will be refreshed after every move.\r\n"
		p.answer["toggle automove"] = "** Forced moves won't be done automatically.\r\n"
		p.answer["toggle moreboards"] = "** Will send rawboards after rolling.\r\n"
		p.answer["toggle report"] = "** You won't be informed about starting and ending matches.\r\n"
		p.answer["set redoubles none"] = "Value of 'redoubles' set to 'none'.\r\n"
		p.answer["address a@b.example"] = "Your email address is 'a@b.example'.\r\n"
		// The first answer is lost; the list shows that the command was not.
		p.lose["toggle moreboards"] = 1
		p.answer["toggle"] = "The current settings are:\r\nmoreboards      YES\r\nwrap            NO\r\n"
		opts := p.options()
		opts.Email = "a@b.example"
		c := mustDial(t, opts)
		if u := c.Welcome().Unsettled; u != nil {
			t.Errorf("unsettled: %v", u)
		}
		if _, err := start(c).stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
		want := []string{
			"login fibsbot 1008 alice sesame", "set boardstyle 3",
			"toggle autoboard", "toggle automove", "toggle moreboards", "toggle", "toggle report",
			"set redoubles none", "address a@b.example", "show saved", "board", "toggle ready", "bye",
		}
		if diff := cmp.Diff(want, p.heard()); diff != "" {
			t.Errorf("our lines (-want +got)\n%s", diff)
		}
	})
}

func TestDial_settingsRefused(t *testing.T) {
	t.Run("without boards there is no play", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *player) {
			p.answer["set boardstyle 3"] = "** Valid arguments are the numbers 1 to 3.\r\n"
			if _, err := Dial(context.Background(), p.options()); !errors.Is(err, ErrSettings) {
				t.Errorf("error %v, want ErrSettings", err)
			}
		})
	})
	t.Run("other switches are only noted", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *player) {
			opts := p.options()
			opts.Switches = map[string]bool{"ratings": true, "bell": true}
			p.answer["toggle ratings"] = "** Don't know how to toggle ratings\r\n"
			p.answer["toggle bell"] = "** Your terminal won't ring the bell if someone talks to you or invites you\r\n"
			c := mustDial(t, opts)
			if diff := cmp.Diff([]string{"bell", "ratings"}, c.Welcome().Unsettled); diff != "" {
				t.Errorf("unsettled (-want +got)\n%s", diff)
			}
			_, _ = start(c).stop()
		})
	})
}

func TestDial_lostCommandsAreRepeated(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.lose = map[string]int{"set boardstyle 3": 2, "show saved": 1, "board": 1}
		_, err := start(mustDial(t, p.options())).stop()
		if err != nil {
			t.Error(err)
		}
		count := map[string]int{}
		for _, line := range p.heard() {
			count[line]++
		}
		if count["set boardstyle 3"] != 3 || count["show saved"] != 2 || count["board"] != 2 {
			t.Errorf("our lines: %v", count)
		}
	})
}

const startLine = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"

func TestDial_findsRunningMatch(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.answer["login fibsbot 1008 alice sesame"] = "** Warning: You are already logged in.\r\n" + greeting
		p.answer["board"] = startLine + "\r\n"
		c := mustDial(t, p.options())
		w := c.Welcome()
		if !w.Replaced || w.Running == nil || w.Running.String() != startLine {
			t.Errorf("replaced %v, running %v", w.Replaced, w.Running)
		}
		_, _ = start(c).stop()
	})
}

func TestDial_fails(t *testing.T) {
	tests := []struct {
		name  string
		setup func(*player)
		want  error
	}{
		{"wrong password", func(p *player) { p.answer["login fibsbot 1008 alice sesame"] = "\r\nlogin: " }, ErrBadLogin},
		{"wrong password on a clone", func(p *player) { p.answer["login fibsbot 1008 alice sesame"] = "Login incorrect\r\nlogin: " }, ErrBadLogin},
		{"falls back to a hand login", func(p *player) {
			p.answer["login fibsbot 1008 alice sesame"] = "\xff\xfb\x01password: "
		}, ErrBadLogin},
		{"numbered lines behind a prompt", func(p *player) {
			p.answer["login fibsbot 1008 alice sesame"] = "> 5 bob - - 0 0 1500.00 0 3 1 h - -\r\n"
		}, ErrBadLogin},
		{"shutdown announced", func(p *player) {
			p.greet = "*** ATTENTION ! FIBS will restart in 60 seconds\r\nlogin: "
			p.answer["login fibsbot 1008 alice sesame"] = "login: "
		}, ErrShutdown},
		{"says nothing", func(p *player) { p.greet = "" }, ErrSilent},
		{"says nothing after the login line", func(p *player) { delete(p.answer, "login fibsbot 1008 alice sesame") }, ErrSilent},
		{"closes at once", func(p *player) { p.greet = "!close" }, ErrLost},
		{"closes in the middle of a line", func(p *player) { p.greet = "WELCOME TO T!close" }, ErrLost},
		{"closes after the login line", func(p *player) { p.answer["login fibsbot 1008 alice sesame"] = "!close" }, ErrLost},
		{"line without end", func(p *player) { p.greet = strings.Repeat("x", 1<<20) }, ErrFlood},
		{"lines without end", func(p *player) { p.greet = strings.Repeat("x\r\n", 1<<16) }, ErrFlood},
		{"kicked while setting up", func(p *player) {
			p.answer["show saved"] = "** You just logged in a second time from h, terminating this session.\r\n!close"
		}, ErrKicked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *player) {
				tt.setup(p)
				c, err := Dial(context.Background(), p.options())
				if !errors.Is(err, tt.want) || c != nil {
					t.Errorf("Dial: %v, want %v", err, tt.want)
				}
				if err != nil && (strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), "\n")) {
					t.Errorf("the error is %q", err)
				}
			})
		})
	}
}

func TestDial_context(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.greet = ""
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		begun := time.Now()
		if _, err := Dial(ctx, p.options()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(begun); took != 5*time.Second {
			t.Errorf("gave up after %v", took)
		}
	})
}

func TestDial_badOptions(t *testing.T) {
	for _, opts := range []Options{
		{Name: "a:b", Password: clip.NewSecret("sesame")},
		{Name: "alice"},
		{Name: "alice", Password: clip.NewSecret("se same")},
		{Name: "alice", Password: clip.NewSecret("sesame"), Program: "a b"},
	} {
		opts.Telnet.Dial = func(context.Context, string, string) (net.Conn, error) {
			t.Error("connected with options that cannot work")
			return nil, io.EOF
		}
		if _, err := Dial(context.Background(), opts); !errors.Is(err, clip.ErrCommand) {
			t.Errorf("Dial(%+v): %v", opts, err)
		}
	}
}

func TestRun_ends(t *testing.T) {
	tests := []struct {
		name, say string
		want      error
	}{
		{"server closes", "!close", ErrLost},
		{"in the middle of a line", "bob wins the 5 point match 5-!close", ErrLost},
		{"logged in elsewhere", "** You just logged in a second time from h, terminating this session.\r\n!close", ErrKicked},
		{"idle", "Connection timed out.\r\n!close", ErrTimedOut},
		{"shutdown", "*** ATTENTION ! FIBS will shut down in 60 seconds\r\n!close", ErrShutdown},
		{"line without end", strings.Repeat("x", 1<<20), ErrFlood},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *player) {
				r := start(mustDial(t, p.options()))
				p.say(tt.say)
				if err := <-r.ended; !errors.Is(err, tt.want) {
					t.Errorf("Run: %v, want %v", err, tt.want)
				}
				r.cancel()
				if err := r.Send(clip.Roll{}); !errors.Is(err, ErrClosed) {
					t.Errorf("Send after the end: %v", err)
				}
				<-r.events
			})
		})
	}
}

func TestRun_silentServer(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		delete(p.answer, "time")
		r := start(mustDial(t, p.options()))
		begun := time.Now()
		if err := <-r.ended; !errors.Is(err, ErrSilent) {
			t.Errorf("Run: %v, want ErrSilent", err)
		}
		if took := time.Since(begun); took > 6*time.Minute {
			t.Errorf("noticed after %v", took)
		}
		r.cancel()
		<-r.events
	})
}

func TestRun_keepsAlive(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		r := start(mustDial(t, p.options()))
		time.Sleep(time.Hour)
		select {
		case err := <-r.ended:
			t.Fatalf("Run ended: %v", err)
		default:
		}
		n := 0
		for _, line := range p.heard() {
			if line == "time" {
				n++
			}
		}
		if n < 29 || n > 31 {
			t.Errorf("%d keepalives in an hour, want one every two minutes", n)
		}
		_, _ = r.stop()
	})
}

func TestRun_contextLogsOut(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.answer["bye"] = "Your game with bob was saved.\r\n!close"
		var saved bool
		opts := p.options()
		opts.Journal = func(e Event) error { saved = saved || e.Kind == clip.GameSaved; return nil }
		r := start(mustDial(t, opts))
		r.cancel()
		if err := <-r.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
		if !saved {
			t.Error("the last line did not reach the journal")
		}
		if heard := p.heard(); heard[len(heard)-1] != "bye" {
			t.Errorf("our lines: %q", heard)
		}
		<-r.events
	})
}

func TestRun_serverIgnoresBye(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		delete(p.answer, "bye")
		r := start(mustDial(t, p.options()))
		begun := time.Now()
		if _, err := r.stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
		if took := time.Since(begun); took > 4*time.Second {
			t.Errorf("stopping took %v", took)
		}
	})
}

func TestRun_journalRefuses(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		full := errors.New("disk full")
		opts := p.options()
		opts.Journal = func(e Event) error {
			if e.Kind == clip.Rolls {
				return full
			}
			return nil
		}
		r := start(mustDial(t, opts))
		p.say("bob rolls 3 and 1.\r\n")
		if err := <-r.ended; !errors.Is(err, ErrJournal) || !errors.Is(err, full) {
			t.Errorf("Run: %v", err)
		}
		r.cancel()
		for _, e := range <-r.events {
			if e.Kind == clip.Rolls {
				t.Error("somebody saw an event that is not in the journal")
			}
		}
	})
}

func TestRun_slowReaderLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		c := mustDial(t, p.options())
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- c.Run(ctx) }()
		const n = 3 * maxPending
		for i := range n {
			p.say(fmt.Sprintf("13 bob %d\r\n", i))
		}
		// Nobody reads for a while: the client must go on sending.
		time.Sleep(10 * time.Minute)
		if heard := p.heard(); heard[len(heard)-1] != "time" {
			t.Errorf("no keepalive while the reader sleeps: %q", heard[len(heard)-1])
		}
		next := 0
		for e := range c.Events() {
			if e.Kind != clip.Shouts {
				continue
			}
			if e.Text != fmt.Sprint(next) {
				t.Fatalf("shout %q, want %d", e.Text, next)
			}
			if next++; next == n {
				break
			}
		}
		go func() {
			for range c.Events() {
			}
		}()
		c.Close()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestSend_orderAndPace(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		r := start(mustDial(t, p.options()))
		time.Sleep(time.Minute)
		before := len(p.heard())
		// All at once: game first, then lobby, then chat, with their gaps.
		var stale atomic.Bool
		for _, s := range []struct {
			command clip.Command
			valid   func() bool
		}{
			{clip.Kibitz{Text: "hello"}, nil}, {clip.Kibitz{Text: "again"}, nil}, {clip.ShowSaved{}, nil},
			{clip.Roll{}, nil}, {clip.Double{}, func() bool { return !stale.Load() }},
			{clip.Move{Steps: []clip.Step{{From: 24, To: 18}}}, func() bool { return true }},
		} {
			if err := r.SendWhile(s.command, s.valid); err != nil {
				t.Errorf("Send(%T): %v", s.command, err)
			}
			if _, first := s.command.(clip.Kibitz); !first {
				stale.Store(true)
			}
		}
		time.Sleep(time.Minute)
		p.mu.Lock()
		got, at := p.got[before:], p.at[before:]
		p.mu.Unlock()
		// The first kibitz may have gone before the others were queued.
		want := []string{"roll", "move 24-18", "show saved", "kibitz hello", "kibitz again"}
		if got[0] == "kibitz hello" {
			want = []string{"kibitz hello", "roll", "move 24-18", "show saved", "kibitz again"}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("our lines (-want +got)\n%s", diff)
		}
		for i := 1; i < len(at); i++ {
			least := 150 * time.Millisecond
			if strings.HasPrefix(got[i], "kibitz") {
				least = 1500 * time.Millisecond
			}
			if gap := at[i].Sub(at[i-1]); gap < least {
				t.Errorf("%q came %v after %q, want %v", got[i], gap, got[i-1], least)
			}
		}
		_, _ = r.stop()
	})
}

func TestSend_floodBound(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		opts := p.options()
		opts.Pace = Pace{Gap: -1, ChatGap: -1, Burst: 10, Window: 10 * time.Second}
		r := start(mustDial(t, opts))
		time.Sleep(time.Minute)
		before := len(p.heard())
		for range maxQueue {
			if err := r.Send(clip.AskBoard{}); err != nil && !errors.Is(err, ErrQueueFull) {
				t.Errorf("Send: %v", err)
			}
		}
		time.Sleep(9 * time.Second)
		if n := len(p.heard()) - before; n != 10 {
			t.Errorf("%d lines in nine seconds, want 10", n)
		}
		time.Sleep(10 * time.Second)
		if n := len(p.heard()) - before; n != 20 {
			t.Errorf("%d lines in nineteen seconds, want 20", n)
		}
		_, _ = r.stop()
	})
}

func TestSend_refuses(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		c := mustDial(t, p.options())
		if err := c.Send(clip.Tell{Name: "bob", Text: "x\r\nresign b"}); !errors.Is(err, clip.ErrCommand) {
			t.Errorf("injected line end: %v", err)
		}
		for range maxQueue {
			if err := c.Send(clip.Roll{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Send(clip.Roll{}); !errors.Is(err, ErrQueueFull) {
			t.Errorf("one too many: %v", err)
		}
		if c.Waiting() != maxQueue {
			t.Errorf("%d wait", c.Waiting())
		}
		_, _ = start(c).stop()
	})
}

func TestTranscript_isMasked(t *testing.T) {
	for _, password := range []string{"sesame", "se"} {
		bubble(t, func(t *testing.T, p *player) {
			p.answer["login fibsbot 1008 alice "+password] = greeting
			p.answer["bye"] = "12 bob your password is " + password + "\r\n!close"
			var mu sync.Mutex
			var all strings.Builder
			opts := p.options()
			opts.Password = clip.NewSecret(password)
			opts.Transcript = func(l Line) {
				mu.Lock()
				defer mu.Unlock()
				fmt.Fprintf(&all, "%v %s\n", l.Sent, l.Text)
			}
			_, _ = start(mustDial(t, opts)).stop()
			mu.Lock()
			defer mu.Unlock()
			if strings.Contains(all.String(), " "+password+"\n") {
				t.Errorf("the transcript tells the password:\n%s", all.String())
			}
			for _, want := range []string{"true login fibsbot 1008 alice ********\n", "false 1 alice", "false 12 bob your password is ********\n"} {
				if !strings.Contains(all.String(), want) {
					t.Errorf("the transcript lacks %q:\n%s", want, all.String())
				}
			}
		})
	}
}

func TestRegister(t *testing.T) {
	script := func() map[string]string {
		return map[string]string{
			"guest":      "Welcome to FIBS. You just logged in as guest.\r\nPlease register before using this server:\r\nType 'name username'\r\n> ",
			"name alice": "Your name will be alice\r\nType in no password and hit Enter/Return if you want to change it now.\r\n\xff\xfb\x01Please give your password: ",
			"sesame":     "Please retype your password: ",
			"bye":        "Goodbye.\r\n!close",
		}
	}
	tests := []struct {
		name   string
		change func(p *player)
		want   error
	}{
		{"good", func(p *player) {}, nil},
		{"name taken", func(p *player) {
			p.answer["name alice"] = "** Please use another name. 'alice' is already used by someone else.\r\n> "
		}, ErrNameTaken},
		{"name refused", func(p *player) {
			p.answer["name alice"] = "** Your name may only contain letters and the underscore character _ .\r\n> "
		}, ErrNameRefused},
		{"password too short", func(p *player) {
			p.answer["sesame"] = "Minimal password length is 4 characters.\r\nPlease give your password: "
		}, ErrPasswordRefused},
		{"no guests", func(p *player) { delete(p.answer, "guest") }, ErrSilent},
		{"closes", func(p *player) { p.answer["guest"] = "!close" }, ErrLost},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *player) {
				p.answer = script()
				tt.change(p)
				if tt.want == nil {
					p.retype = "sesame"
				}
				err := Register(context.Background(), p.options())
				if !errors.Is(err, tt.want) {
					t.Errorf("Register: %v, want %v", err, tt.want)
				}
				if err != nil && strings.Contains(err.Error(), "sesame") {
					t.Errorf("the error tells the password: %v", err)
				}
				if tt.want == nil {
					want := []string{"guest", "name alice", "sesame", "sesame", "bye"}
					if diff := cmp.Diff(want, p.heard()); diff != "" {
						t.Errorf("our lines (-want +got)\n%s", diff)
					}
				}
			})
		})
	}
}
