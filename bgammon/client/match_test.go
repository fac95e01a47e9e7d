package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/server"
	"fibsbot/bgammon/wire"
	"fibsbot/internal/memnet"
)

// player plays the first legal hop, takes every double, doubles every nth turn, and
// leaves when the match is over.
type player struct {
	create int // points of the match to create; 0 joins partner
	join   string
	drop   bool // drops doubles
	double int  // doubles at every nth own turn

	turns int
	last  wire.Board
	wins  int
	said  []string
}

// session is a session whose events come out of a channel.
type session struct {
	*client.Session
	events chan client.Event
	quit   chan struct{}
}

func dial(ctx context.Context, o client.Options) (*session, error) {
	s := &session{events: make(chan client.Event), quit: make(chan struct{})}
	o.Deliver = func(ev *client.Event) {
		if ev == nil {
			close(s.events)
			return
		}
		select {
		case s.events <- *ev:
		case <-s.quit:
		}
	}
	var err error
	s.Session, err = client.Dial(ctx, o)
	return s, err
}

func (s *session) Close() error {
	close(s.quit)
	return s.Session.Close()
}

func (p *player) play(s *session) error {
	if p.create > 0 {
		if err := s.Send(wire.Create{Points: p.create}, nil); err != nil {
			return err
		}
	} else if err := s.Send(wire.Simple("join "+p.join), nil); err == nil {
		return errors.New("a join could be sent")
	}
	for ev := range s.events {
		switch e := ev.Event.(type) {
		case wire.Unknown:
			return fmt.Errorf("%s: %s", e.Line, e.Problem)
		case wire.Refusal:
			return fmt.Errorf("%s refused: %s", e.Command, e.Reason)
		case wire.Win:
			p.wins++
		case wire.Say:
			p.said = append(p.said, e.Text)
		case wire.Board:
			p.last = e
			if e.MatchOver() {
				return nil
			}
			if c := p.answer(e); c != nil {
				if err := s.Send(c, nil); err != nil {
					return err
				}
			}
		}
	}
	return s.Err()
}

func (p *player) answer(b wire.Board) wire.Command {
	switch {
	case !b.Full() || b.Winner != 0:
		return nil
	case b.Turn == wire.TurnNobody && b.Die1 == 0:
		return wire.Roll
	case b.Offered && b.Turn == wire.TurnTheirs && p.drop:
		return wire.Resign
	case b.Offered && b.Turn == wire.TurnTheirs:
		return wire.OK
	case b.Turn != wire.TurnOwn || b.Offered:
		return nil
	case b.Die1 == 0:
		p.turns++
		if p.double > 0 && p.turns%p.double == 0 && b.CubeOwner != 2 && b.Cube < b.Points && b.Crawford != wire.CrawfordNow && b.Points > 1 {
			return wire.Double
		}
		return wire.Roll
	case len(b.Available) > 0:
		return wire.Move{b.Available[len(b.Available)-1]}
	}
	return wire.OK
}

// guest logs in by hand as a person does and joins: the client cannot do either.
func guest(ctx context.Context, dial func(context.Context, string, string) (net.Conn, error), address, name, join string, p *player) error {
	c, err := dial(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	fmt.Fprintf(c, "lj person/en %s\njoin %s\n", name, join)
	buf, rest := make([]byte, 1<<16), ""
	for {
		n, err := c.Read(buf)
		if err != nil {
			return err
		}
		rest += string(buf[:n])
		for {
			line, more, ok := strings.Cut(rest, "\n")
			if !ok {
				break
			}
			rest = more
			switch e := wire.Parse(line).(type) {
			case wire.Refusal:
				return fmt.Errorf("%s refused: %s", e.Command, e.Reason)
			case wire.Ping:
				fmt.Fprintf(c, "pong %s\n", e.Text)
			case wire.Board:
				p.last = e
				if e.MatchOver() {
					return nil
				}
				if command := p.answer(e); command != nil {
					line, err := command.Line()
					if err != nil {
						return err
					}
					fmt.Fprintln(c, line)
				}
			}
		}
	}
}

// world is a server on a network in memory.
func world(t *testing.T, opts server.Options) (*server.Server, *memnet.Network, func()) {
	t.Helper()
	network := &memnet.Network{}
	l, err := network.Listen("bgammon:1337")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(opts)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.Serve(ctx, l) })
	return s, network, func() { cancel(); wg.Wait() }
}

func TestMatch_againstAPerson(t *testing.T) {
	tests := []struct {
		name         string
		points       int
		ours, theirs player
	}{
		{"one point", 1, player{}, player{}},
		{"doubles that are taken", 5, player{double: 3}, player{double: 4}},
		{"doubles that are dropped", 9, player{double: 5}, player{drop: true}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, network, stop := world(t, server.Options{Seed: uint64(i + 1)})
				defer stop()
				session, err := dial(t.Context(), client.Options{Address: "bgammon:1337", Name: "BOT_us", Dialer: network.Dial})
				if err != nil {
					t.Fatal(err)
				}
				tt.ours.create = tt.points
				var wg sync.WaitGroup
				var theirs error
				wg.Go(func() {
					time.Sleep(time.Second)
					theirs = guest(t.Context(), network.Dial, "bgammon:1337", "mira", "1", &tt.theirs)
				})
				if err := tt.ours.play(session); err != nil {
					t.Fatal(err)
				}
				wg.Wait()
				if theirs != nil {
					t.Fatal(theirs)
				}
				if err := session.Close(); err != nil {
					t.Fatal(err)
				}
				matches := s.Matches()
				if len(matches) != 1 || !matches[0].Over {
					t.Fatalf("matches: %+v", matches)
				}
				m := matches[0]
				if m.Score != [2]int{tt.ours.last.Own.Points, tt.ours.last.Opponent.Points} || m.Names != [2]string{"BOT_us", "Guest_mira"} {
					t.Errorf("the server's score %v of %v, ours %+v", m.Score, m.Names, tt.ours.last)
				}
				if tt.ours.wins != len(m.Games) {
					t.Errorf("%d wins heard of %d games", tt.ours.wins, len(m.Games))
				}
			})
		})
	}
}

func TestSession_pingsAreAnsweredForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, network, stop := world(t, server.Options{})
		defer stop()
		session, err := client.Dial(t.Context(), client.Options{Address: "bgammon:1337", Name: "BOT_us", Dialer: network.Dial})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if got := s.Users(); len(got) != 1 {
			t.Errorf("on line after an hour: %v", got)
		}
		if err := session.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if got := s.Users(); len(got) != 0 {
			t.Errorf("on line after Close: %v", got)
		}
	})
}

func TestDial_refusals(t *testing.T) {
	tests := []struct {
		name string
		opts client.Options
		want error
		says string
	}{
		{"a name without BOT_", client.Options{Name: "fibsbot"}, client.ErrName, "must begin with BOT_"},
		{"a wrong password", client.Options{Name: "BOT_known", Password: "hush hush"}, client.ErrBadLogin, "No account"},
		{"a name in use", client.Options{Name: "BOT_busy"}, client.ErrInUse, "in use"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, network, stop := world(t, server.Options{Accounts: map[string]string{"BOT_known": "right"}})
				defer stop()
				busy, err := client.Dial(t.Context(), client.Options{Address: "bgammon:1337", Name: "BOT_busy", Dialer: network.Dial})
				if err != nil {
					t.Fatal(err)
				}
				defer busy.Close()
				tt.opts.Address, tt.opts.Dialer = "bgammon:1337", network.Dial
				tt.opts.Transcript = func(l client.Line) {
					if strings.Contains(l.Text, "hush") {
						t.Errorf("a password in the transcript: %q", l.Text)
					}
				}
				_, err = client.Dial(t.Context(), tt.opts)
				if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "hush") {
					t.Errorf("%v; want %v with %q", err, tt.want, tt.says)
				}
			})
		})
	}
}

func TestDial_aServerThatSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := &memnet.Network{}
		l, err := network.Listen("bgammon:1337")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, err = client.Dial(t.Context(), client.Options{Address: "bgammon:1337", Name: "BOT_us", Dialer: network.Dial})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v; want a deadline", err)
		}
	})
}

func TestSession_aLineWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := &memnet.Network{}
		l, err := network.Listen("bgammon:1337")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			fmt.Fprint(c, "hello you\n{\"Type\":\"welcome\",\"PlayerName\":\"BOT_us\"}\n")
			for range 1 << 20 {
				if _, err := fmt.Fprint(c, strings.Repeat("x", 4096)); err != nil {
					return
				}
			}
		}()
		s, err := client.Dial(t.Context(), client.Options{Address: "bgammon:1337", Name: "BOT_us", Dialer: network.Dial})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Err(); !errors.Is(err, client.ErrFlood) {
			t.Errorf("%v; want ErrFlood", err)
		}
		s.Close()
	})
}

// A fault in what takes the lines ends the connection, and its error has the line.
func TestSession_aFaultInALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, network, stop := world(t, server.Options{})
		defer stop()
		s, err := client.Dial(t.Context(), client.Options{Address: "bgammon:1337", Name: "BOT_us", Dialer: network.Dial,
			Deliver: func(ev *client.Event) {
				if ev != nil {
					panic("cannot be read")
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Err(); !errors.Is(err, client.ErrCrash) || !strings.Contains(err.Error(), "hello") || !strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("%v; want ErrCrash with the line", err)
		}
	})
}

func TestWebSocket(t *testing.T) {
	srv := server.New(server.Options{Seed: 7})
	web := httptest.NewServer(srv)
	defer web.Close()
	s, err := dial(t.Context(), client.Options{Address: "ws" + strings.TrimPrefix(web.URL, "http"), Name: "BOT_us"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Send(wire.Create{Points: 3, Title: "come in"}, nil); err != nil {
		t.Fatal(err)
	}
	for ev := range s.events {
		if b, ok := ev.Event.(wire.Board); ok {
			if b.Points != 3 || b.Own.Name != "BOT_us" {
				t.Errorf("board %+v", b)
			}
			return
		}
	}
	t.Fatal("no board: ", s.Err())
}
