package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/fibs/clip"
)

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
				if _, err := r.end(); !errors.Is(err, tt.want) {
					t.Errorf("ended with %v, want %v", err, tt.want)
				}
				if err := r.Send(clip.Roll{}); !errors.Is(err, ErrClosed) {
					t.Errorf("Send after the end: %v", err)
				}
			})
		})
	}
}

// halfOpen is a connection that takes nothing any more and still brings what the
// server had said.
type halfOpen struct {
	net.Conn
	deaf atomic.Bool
}

func (h *halfOpen) Write(p []byte) (int, error) {
	if h.deaf.Load() {
		return 0, syscall.EPIPE
	}
	return h.Conn.Write(p)
}

// TestRun_lastWordsAfterAFailedWrite: a line that cannot be sent ends the connection, but the
// server's last lines are still read and give the reason.
func TestRun_lastWordsAfterAFailedWrite(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		var h halfOpen
		opts := p.options()
		opts.Telnet.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := p.dial(ctx, network, address)
			h.Conn = c
			return &h, err
		}
		r := start(mustDial(t, opts))
		h.deaf.Store(true)
		if err := r.Send(clip.Roll{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // it has failed
		p.say("bob wins the 5 point match 5-3 .\r\n** You just logged in a second time from h, terminating this session.\r\n!close")
		events, err := r.end()
		if !errors.Is(err, ErrKicked) {
			t.Errorf("ended with %v, want %v", err, ErrKicked)
		}
		heard := false
		for _, e := range events {
			heard = heard || e.Kind == clip.MatchOver
		}
		if !heard {
			t.Error("the end of the match was not heard")
		}
	})
}

func TestRun_silentServer(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		delete(p.answer, "time")
		r := start(mustDial(t, p.options()))
		begun := time.Now()
		if _, err := r.end(); !errors.Is(err, ErrSilent) {
			t.Errorf("ended with %v, want ErrSilent", err)
		}
		if took := time.Since(begun); took > 6*time.Minute {
			t.Errorf("noticed after %v", took)
		}
	})
}

func TestRun_keepsAlive(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		r := start(mustDial(t, p.options()))
		time.Sleep(time.Hour)
		select {
		case <-r.all:
			t.Fatalf("ended with %v", r.Err())
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
		r.Close()
	})
}

func TestRun_byeIsReadToTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.answer["bye"] = "Your game with bob was saved.\r\n!close"
		events, err := start(mustDial(t, p.options())).logOut()
		if !errors.Is(err, ErrLost) {
			t.Errorf("ended with %v", err)
		}
		if !slices.ContainsFunc(events, func(e clip.Event) bool { return e.Kind == clip.GameSaved }) {
			t.Error("the last line was not seen")
		}
	})
}

func TestClose_serverIgnoresBye(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		delete(p.answer, "bye")
		c := mustDial(t, p.options())
		begun := time.Now()
		c.Close()
		if err := c.Err(); err != nil {
			t.Errorf("Err after Close: %v", err)
		}
		if took := time.Since(begun); took > 4*time.Second {
			t.Errorf("stopping took %v", took)
		}
	})
}

// TestClose_withoutAReader: a user who closes does not have to read first.
func TestClose_withoutAReader(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		c := mustDial(t, p.options())
		p.say(strings.Repeat("15 bob one\r\n", 2*eventBuffer))
		time.Sleep(time.Second)
		c.Close()
		c.Close()
		if err := c.Err(); err != nil {
			t.Errorf("Err after Close: %v", err)
		}
		if heard := p.heard(); heard[len(heard)-1] != "bye" {
			t.Errorf("our lines: %q", heard)
		}
		for range c.Events() {
		}
	})
}

func TestRun_slowReaderLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		c := mustDial(t, p.options())
		defer c.Close()
		const n = 100 * eventBuffer
		for i := range n {
			p.say(fmt.Sprintf("13 bob %d\r\n", i))
		}
		// No one reads for a while: the client must go on sending.
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
	})
}

// TestDeliver: the events of the login come first, nil last, and an error of the receiver
// ends the connection.
func TestDeliver(t *testing.T) {
	fault := errors.New("no more")
	bubble(t, func(t *testing.T, p *player) {
		opts := p.options()
		var kinds []clip.Kind
		over := make(chan struct{})
		opts.Deliver = func(e *clip.Event) error {
			if e == nil {
				close(over)
				return nil
			}
			if kinds = append(kinds, e.Kind); e.Kind == clip.Says {
				return fault
			}
			return nil
		}
		c := mustDial(t, opts)
		p.say("13 bob hello\r\n12 bob stop\r\n13 bob hello\r\n")
		<-over
		c.Close()
		if err := c.Err(); !errors.Is(err, fault) {
			t.Errorf("ended with %v, want %v", err, fault)
		}
		if c.Events() != nil {
			t.Error("Events beside Deliver")
		}
		if n := len(kinds); n < 10 || kinds[0] != clip.Banner || kinds[n-2] != clip.Shouts || kinds[n-1] != clip.Says {
			t.Errorf("delivered %v", kinds)
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
		select {
		case <-r.Drained():
		default:
			t.Error("Drained got no value after the last command")
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
		r.Close()
	})
}

// maxQueue is how many commands of a class may wait.
const maxQueue = 64

func TestSend_floodBound(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		opts := p.options()
		opts.Pace = Pace{Gap: -1, ChatGap: -1, Burst: 10, Every: time.Second}
		r := start(mustDial(t, opts))
		time.Sleep(time.Minute)
		before := len(p.heard())
		for range maxQueue {
			if err := r.Send(clip.AskBoard{}); err != nil && !errors.Is(err, ErrQueueFull) {
				t.Errorf("Send: %v", err)
			}
		}
		for _, want := range []int{10, 11, 12, 13} {
			time.Sleep(time.Second - time.Millisecond)
			if n := len(p.heard()) - before; n != want {
				t.Errorf("%d lines, want %d: ten at once, then one a second", n, want)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * time.Minute) // what waited is sent, and the bucket is full again
		before = len(p.heard())
		for range 20 {
			if err := r.Send(clip.AskBoard{}); err != nil {
				t.Errorf("Send: %v", err)
			}
		}
		time.Sleep(time.Second / 2)
		if n := len(p.heard()) - before; n != 10 {
			t.Errorf("%d lines at once after a quiet time, want 10", n)
		}
		r.Close()
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
		c.Close()
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
			_, _ = start(mustDial(t, opts)).logOut()
			mu.Lock()
			defer mu.Unlock()
			if strings.Contains(all.String(), " "+password+"\n") {
				t.Errorf("the transcript shows the password:\n%s", all.String())
			}
			for _, want := range []string{"true login fibsbot 1008 alice ********\n", "false 1 alice", "false 12 bob your password is ********\n"} {
				if !strings.Contains(all.String(), want) {
					t.Errorf("the transcript lacks %q:\n%s", want, all.String())
				}
			}
		})
	}
}
