package client

import (
	"bufio"
	"context"
	"io"
	"net"
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
	// answer maps our line to the server's answer. A line without one is swallowed, as FIBS
	// sometimes does. "!close" at the end of an answer closes the connection.
	answer map[string]string
	// lose swallows the first n times of a line.
	lose map[string]int

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
		p.mu.Unlock()
		say, ok := p.answer[line]
		if ok && !lost {
			p.out <- say
		}
	}
}

// say sends text that is not an answer.
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

// running collects the events of a client.
type running struct {
	*Client
	all chan []clip.Event
}

func start(c *Client) *running {
	r := &running{Client: c, all: make(chan []clip.Event, 1)}
	go func() {
		var all []clip.Event
		for e := range c.Events() {
			all = append(all, e)
		}
		r.all <- all
	}()
	return r
}

// end waits until the connection has ended, and returns all events and the reason.
func (r *running) end() ([]clip.Event, error) {
	all := <-r.all
	r.Close()
	return all, r.Err()
}

// logOut sends bye and reads to the end.
func (r *running) logOut() ([]clip.Event, error) {
	if err := r.Send(clip.Bye{}); err != nil {
		return nil, err
	}
	return r.end()
}

func mustDial(t *testing.T, opts Options) *Client {
	t.Helper()
	c, err := Dial(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
