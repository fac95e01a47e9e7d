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

// guest is a client of a test.
type guest struct {
	t *testing.T
	*client.Client
}

// line is a command as a person types it.
type line string

func (l line) Encode() (string, error) { return string(l), nil }

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
	t.Cleanup(c.Close)
	return &guest{t: t, Client: c}
}

// until reads events up to the first of a kind.
func (g *guest) until(kind clip.Kind) clip.Event {
	g.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var last clip.Event
	for {
		select {
		case e, ok := <-g.Events():
			if !ok {
				g.t.Fatalf("no %s, the connection ended: %v", kind, g.Err())
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

func TestServer_logIn(t *testing.T) {
	address := house(t, server.Options{Accounts: map[string]string{"alice": "sesame"}})
	opts := options(address, "alice")
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if _, err := client.Dial(ctx, options(address, "bob")); !errors.Is(err, client.ErrBadLogin) {
		t.Fatalf("an unknown name: %v, want ErrBadLogin", err)
	}
	opts.Email = "alice@example.com"
	g := enter(t, opts)
	w := g.Welcome()
	if w.Name != "alice" || w.Settings == nil || len(w.Refused) > 0 || w.Running != nil || len(w.Saved) > 0 {
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
	if err := first.Err(); !errors.Is(err, client.ErrKicked) {
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
	if err := bob.Err(); err != nil {
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

// TestServer_everyAnswerIsKnown: the parser knows everything that the server says to a user
// who is not playing.
func TestServer_everyAnswerIsKnown(t *testing.T) {
	address := house(t, server.Options{AutoAccounts: true})
	alice, bob := enter(t, options(address, "alice")), enter(t, options(address, "bob"))
	for _, command := range []line{
		"who", "who ready", "who count", "rawwho", "rawwho nobody", "whois bob", "whois nobody", "ratings bob", "show saved",
		"show savedcount bob", "oldmoves bob", "oldboard bob", "waitfor bob", "waitfor alice", "watch bob", "unwatch", "unwatch",
		"look bob", "look alice", "watch alice", "address a@b.example", "address ab", "away back soon", "back", "gag bob", "gag bob",
		"blind bob", "blind bob", "motd", "save", "tellx bob hi", "tell bob hi", "tellx alice hi", "say hi", "kibitz hi", "whisper hi",
		"shout hi", "message bob hi", "message nobody hi", "roll", "double", "accept", "reject", "resign n", "leave", "join", "join bob",
		"invite alice 1", "invite nobody 1", "invite bob", "invite bob 99", "set boardstyle 9", "set redoubles x", "set nonsense x",
		"toggle nonsense", "toggle silent wrap telnet moves greedy", "redouble", "board",
	} {
		alice.send(command)
	}
	alice.send(clip.Tell{Name: "bob", Text: "that was all"})
	// Chat goes last: when bob hears it, the server has had all the rest.
	for bob.until(clip.Says).Text != "that was all" {
	}
	alice.send(clip.Time{})
	for e := alice.until(clip.Known); !strings.Contains(e.Raw, " UTC )"); e = alice.until(clip.Known) {
	}
	bob.send(clip.Tell{Name: "alice", Text: strings.Repeat("x", 400)})
	if e := alice.until(clip.Says); len(e.Text) < 300 {
		t.Errorf("a long tell came as %q", e.Text)
	}
}
