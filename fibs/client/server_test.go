package client_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// limit is how long a test waits for the server; on an idle machine nothing here takes a
// hundredth of it.
const limit = 3 * time.Minute

// house is a running server of our own on loopback.
func house(t *testing.T, opts server.Options) string {
	t.Helper()
	s, err := server.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return listener.Addr().String()
}

// guest is a client with its events read in the background.
type guest struct {
	t *testing.T
	*client.Client
	ended chan error
}

func options(address, name string) client.Options {
	return client.Options{
		Address: address, Name: name, Password: clip.NewSecret("sesame"), Ready: true,
		Answer: limit,
		Pace:   client.Pace{Gap: -1, ChatGap: -1, Burst: -1},
	}
}

func enter(t *testing.T, opts client.Options) *guest {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c, err := client.Dial(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{t: t, Client: c, ended: make(chan error, 1)}
	go func() { g.ended <- c.Run(context.Background()) }()
	t.Cleanup(func() {
		c.Close()
		for range c.Events() {
		}
	})
	return g
}

// until reads events up to the first of a kind.
func (g *guest) until(kind clip.Kind) client.Event {
	g.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var last client.Event
	for {
		select {
		case e, ok := <-g.Events():
			if !ok {
				g.t.Fatalf("no %s, the connection ended: %v", kind, <-g.ended)
			}
			if e.Kind == clip.Unknown || e.Kind == clip.BadBoard {
				g.t.Errorf("%s: %q %s", e.Kind, e.Raw, e.Text)
			}
			if e.Kind == kind {
				return e
			}
			last = e
		case <-timer.C:
			g.t.Fatalf("no %s; the last event was %s %q", kind, last.Kind, last.Raw)
		}
	}
}

func (g *guest) send(commands ...clip.Command) {
	g.t.Helper()
	for _, c := range commands {
		if err := g.Send(c); err != nil {
			g.t.Fatal(err)
		}
	}
}

func TestServer_registerAndLogIn(t *testing.T) {
	address := house(t, server.Options{})
	opts := options(address, "alice")
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if _, err := client.Dial(ctx, opts); !errors.Is(err, client.ErrBadLogin) {
		t.Fatalf("before registration: %v, want ErrBadLogin", err)
	}
	if err := client.Register(ctx, opts); err != nil {
		t.Fatalf("Register: %v", err)
	}
	if err := client.Register(ctx, opts); !errors.Is(err, client.ErrNameTaken) {
		t.Fatalf("second Register: %v, want ErrNameTaken", err)
	}
	opts.Email = "alice@example.com"
	g := enter(t, opts)
	w := g.Welcome()
	if w.Name != "alice" || w.Settings == nil || len(w.Unsettled) > 0 || w.Running != nil || len(w.Saved) > 0 {
		t.Errorf("welcome %+v", w)
	}
	g.send(clip.Toggle{})
	got := map[string]bool{}
	for len(got) < len(clip.Switches()) {
		e := g.until(clip.ToggleRow)
		got[e.Name] = e.On
	}
	for name, want := range client.DefaultSwitches() {
		if got[name] != want && name != "silent" {
			t.Errorf("switch %s is %v", name, got[name])
		}
	}
	if !got["ready"] {
		t.Error("not ready")
	}
	g.send(clip.RawWho{Name: "alice"})
	for {
		e := g.until(clip.PlayerLine)
		if e.Player.Email == "alice@example.com" && e.Player.Ready && e.Player.Client == "fibsbot" {
			break
		}
	}
	bad := opts
	bad.Password = clip.NewSecret("wrong")
	if _, err := client.Dial(ctx, bad); !errors.Is(err, client.ErrBadLogin) {
		t.Errorf("wrong password: %v, want ErrBadLogin", err)
	}
}

// TestServer_newAccountRefused: where a login makes the account, the reason why it cannot
// is told.
func TestServer_newAccountRefused(t *testing.T) {
	address := house(t, server.Options{AutoAccounts: true, Accounts: map[string]string{"carol": "sesame"}})
	for _, tt := range []struct{ name, password, want string }{
		{"alice", "x", "Minimal password length is 4 characters."},
		{"alice7", "sesame", "may only contain letters"},
		{"nobody", "sesame", "already used"},
		{"carol", "x", "wrong name or password"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		opts := options(address, tt.name)
		opts.Password = clip.NewSecret(tt.password)
		_, err := client.Dial(ctx, opts)
		cancel()
		if !errors.Is(err, client.ErrBadLogin) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v, want %q", tt.name, tt.password, err, tt.want)
		}
	}
}

func TestServer_secondLogin(t *testing.T) {
	address := house(t, server.Options{AutoAccounts: true})
	first := enter(t, options(address, "alice"))
	second := enter(t, options(address, "alice"))
	if !second.Welcome().Replaced {
		t.Error("the second login was not told about the first")
	}
	for range first.Events() {
	}
	if err := <-first.ended; !errors.Is(err, client.ErrKicked) {
		t.Errorf("first session: %v, want ErrKicked", err)
	}
}

// TestServer_matchWithoutMoves walks through a match by the commands that
// need no position: invitation, interruption, resume, resignations.
func TestServer_matchWithoutMoves(t *testing.T) {
	address := house(t, server.Options{AutoAccounts: true, NoAutoResume: true})
	alice, bob := enter(t, options(address, "alice")), enter(t, options(address, "bob"))
	alice.send(clip.Invite{Name: "bob", Length: 3})
	if e := bob.until(clip.Invites); e.Name != "alice" || e.Length != 3 {
		t.Fatalf("invitation %+v", e)
	}
	bob.send(clip.Join{Name: "alice"})
	if e := alice.until(clip.MatchBegins); e.Name != "bob" || e.On {
		t.Errorf("alice: %+v", e)
	}
	if e := bob.until(clip.MatchBegins); e.Name != "alice" || !e.On {
		t.Errorf("bob: %+v", e)
	}
	for _, g := range []*guest{alice, bob} {
		if b := g.until(clip.BoardLine).Board; !b.Own() || b.Length != 3 {
			t.Errorf("board %v", b)
		}
	}
	bob.Close()
	for range bob.Events() {
	}
	if err := <-bob.ended; err != nil {
		t.Errorf("bob: %v", err)
	}
	if e := alice.until(clip.GameSaved); e.Name != "bob" || e.Cause != clip.CauseLogout {
		t.Errorf("saved: %+v", e)
	}
	bob = enter(t, options(address, "bob"))
	if s := bob.Welcome().Saved; len(s) != 1 || s[0].Opponent != "alice" || s[0].Length != 3 {
		t.Fatalf("saved matches %+v", s)
	}
	bob.send(clip.Invite{Name: "alice"})
	alice.until(clip.InvitesResume)
	alice.send(clip.Join{Name: "bob"})
	alice.until(clip.MatchResumes)
	bob.until(clip.MatchResumes)
	alice.send(clip.AskBoard{})
	if b := alice.until(clip.BoardLine).Board; b.Opponent != "bob" || b.Length != 3 {
		t.Errorf("resumed %v", b)
	}
	bob.send(clip.Resign{Worth: 1})
	if e := alice.until(clip.OffersResign); e.Points != 1 || !e.Asks {
		t.Errorf("offer %+v", e)
	}
	alice.send(clip.Reject{})
	bob.until(clip.RejectsResign)
	bob.send(clip.Resign{Worth: 3})
	alice.until(clip.OffersResign)
	alice.send(clip.Kibitz{Text: "thanks"}, clip.Accept{})
	if e := alice.until(clip.GameOver); e.Name != clip.You || e.Points != 3 || e.Result != clip.ByResignation {
		t.Errorf("game over %+v", e)
	}
	if e := bob.until(clip.MatchOver); e.Name != "alice" || e.Score != [2]int{3, 0} {
		t.Errorf("match over %+v", e)
	}
}

// TestServer_everyAnswerIsKnown asks the server for everything it can say to
// somebody who plays nobody.
func TestServer_everyAnswerIsKnown(t *testing.T) {
	address := house(t, server.Options{AutoAccounts: true})
	alice, bob := enter(t, options(address, "alice")), enter(t, options(address, "bob"))
	alice.send(
		clip.Who{}, clip.Who{Filter: "ready"}, clip.Who{Filter: "count"}, clip.RawWho{}, clip.RawWho{Name: "nobody"},
		clip.Whois{Name: "bob"}, clip.Whois{Name: "nobody"}, clip.RatingOf{Name: "bob"}, clip.ShowSaved{},
		clip.ShowSavedCount{Name: "bob"}, clip.Oldmoves{Name: "bob"}, clip.Oldboard{Name: "bob"},
		clip.Waitfor{Name: "bob"}, clip.Waitfor{Name: "alice"}, clip.Watch{Name: "bob"}, clip.Unwatch{}, clip.Unwatch{},
		clip.Look{Name: "bob"}, clip.Look{Name: "alice"}, clip.Watch{Name: "alice"}, clip.Address{Email: "a@b.example"}, clip.Address{Email: "ab"},
		clip.Away{Note: "back soon"}, clip.Back{}, clip.Gag{Name: "bob"}, clip.Gag{Name: "bob"}, clip.Blind{Name: "bob"}, clip.Blind{Name: "bob"},
		clip.Motd{}, clip.Save{}, clip.Tell{Name: "bob", Text: "hi"}, clip.TellPrefix{Name: "bob", Text: "hi"}, clip.Tell{Name: "alice", Text: "hi"},
		clip.Say{Text: "hi"}, clip.Kibitz{Text: "hi"}, clip.Whisper{Text: "hi"}, clip.Shout{Text: "hi"}, clip.Message{Name: "bob", Text: "hi"},
		clip.Message{Name: "nobody", Text: "hi"}, clip.Roll{}, clip.Double{}, clip.Accept{}, clip.Reject{}, clip.Resign{Worth: 1}, clip.Leave{}, clip.Join{},
		clip.Join{Name: "bob"}, clip.Invite{Name: "alice", Length: 1}, clip.Invite{Name: "nobody", Length: 1}, clip.Invite{Name: "bob"},
		clip.Invite{Name: "bob", Length: 99}, clip.Set{Name: "boardstyle", Value: "9"}, clip.Set{Name: "redoubles", Value: "x"},
		clip.Set{Name: "nonsense", Value: "x"}, clip.Toggle{Names: []string{"nonsense"}}, clip.Toggle{Names: []string{"silent", "wrap", "telnet", "moves", "greedy"}},
		clip.Redouble{}, clip.AskBoard{}, clip.Tell{Name: "bob", Text: "that was all"},
	)
	// Chat goes last: when bob hears it, the server has had all the rest.
	for bob.until(clip.Says).Text != "that was all" {
	}
	alice.send(clip.Time{})
	alice.until(clip.ServerTime)
	bob.send(clip.Tell{Name: "alice", Text: strings.Repeat("x", 400)})
	if e := alice.until(clip.Says); len(e.Text) < 300 {
		t.Errorf("a long tell came as %q", e.Text)
	}
}
