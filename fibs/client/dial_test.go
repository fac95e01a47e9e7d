package client

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/fibs/clip"
)

func TestDial_logsInAndSetsUp(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.answer["show saved"] = "  opponent          matchlength   score (your points first)\r\n" +
			"**bob                     5                1 -  1\r\n  dave             unlimited              4 -  2\r\n"
		c := mustDial(t, p.options())
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
		events, err := start(c).logOut()
		if !errors.Is(err, ErrLost) {
			t.Errorf("ended with %v", err)
		}
		for _, e := range events {
			if e.Kind == clip.Rolls {
				t.Error("a line of the message of the day was believed")
			}
		}
		if events[0].Kind != clip.Banner || !strings.Contains(events[len(events)-1].Raw, "Goodbye") {
			t.Errorf("%d events, from %v to %v", len(events), events[0], events[len(events)-1])
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
			"2 alice 1 0 0 1 1 0 1 1 0 0 0 0 1 1500.00 0 1 3 1 1 UTC", 1) // away, too
		p.answer["toggle autoboard"] = "** The board will be refreshed after every move.\r\n"
		p.answer["toggle automove"] = "** Forced moves won't be done automatically.\r\n"
		p.answer["toggle moreboards"] = "** Will send rawboards after rolling.\r\n"
		p.answer["toggle report"] = "** You won't be informed about starting and ending matches.\r\n"
		p.answer["set redoubles none"] = "Value of 'redoubles' set to 'none'.\r\n"
		p.answer["back"] = "Welcome back.\r\n"
		p.answer["address a@b.example"] = "Your email address is 'a@b.example'.\r\n"
		// The first answer is lost; the list shows that the command was not.
		p.lose["toggle moreboards"] = 1
		p.answer["toggle"] = "The current settings are:\r\nmoreboards      YES\r\nwrap            NO\r\n"
		opts := p.options()
		opts.Email = "a@b.example"
		c := mustDial(t, opts)
		if u := c.Welcome().Refused; u != nil {
			t.Errorf("refused: %v", u)
		}
		c.Close()
		want := []string{
			"login fibsbot 1008 alice sesame", "set boardstyle 3",
			"toggle autoboard", "toggle automove", "toggle moreboards", "toggle", "toggle report",
			"set redoubles none", "address a@b.example", "show saved", "board", "back", "toggle ready", "bye",
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
	t.Run("a server without an answer refuses nothing", func(t *testing.T) {
		for _, lost := range []string{"set boardstyle 3", "toggle autoboard"} {
			bubble(t, func(t *testing.T, p *player) {
				p.answer["login fibsbot 1008 alice sesame"] = strings.Replace(greeting, "2 alice 1 1", "2 alice 1 0", 1)
				delete(p.answer, lost)
				if _, err := Dial(context.Background(), p.options()); !errors.Is(err, ErrSilent) || errors.Is(err, ErrSettings) {
					t.Errorf("%s: error %v, want ErrSilent", lost, err)
				}
			})
		}
	})
	t.Run("other switches are only noted", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *player) {
			opts := p.options()
			opts.Switches = map[string]bool{"ratings": true, "bell": true}
			p.answer["toggle ratings"] = "** Don't know how to toggle ratings\r\n"
			p.answer["toggle bell"] = "** Your terminal won't ring the bell if someone talks to you or invites you\r\n"
			c := mustDial(t, opts)
			if diff := cmp.Diff([]string{"bell", "ratings"}, c.Welcome().Refused); diff != "" {
				t.Errorf("refused (-want +got)\n%s", diff)
			}
			c.Close()
		})
	})
}

func TestDial_lostCommandsAreRepeated(t *testing.T) {
	bubble(t, func(t *testing.T, p *player) {
		p.lose = map[string]int{"set boardstyle 3": 2, "show saved": 1, "board": 1}
		mustDial(t, p.options()).Close()
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
		want, _, err := clip.ParseBoard(startLine)
		if err != nil {
			t.Fatal(err)
		}
		if !w.Replaced || w.Running == nil || *w.Running != want {
			t.Errorf("replaced %v, running %v", w.Replaced, w.Running)
		}
		c.Close()
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
