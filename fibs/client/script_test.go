package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
