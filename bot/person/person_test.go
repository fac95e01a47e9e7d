package person_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/host"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// serve serves until the test ends and returns the address.
func serve(t *testing.T, s interface {
	Serve(context.Context, net.Listener) error
},
) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(ctx, ln) }()
	t.Cleanup(func() { stop(); <-done })
	return ln.Addr().String()
}

func embedded(t *testing.T) (*server.Server, string) {
	t.Helper()
	s, err := server.New(server.Options{Seed: 7, AutoAccounts: true, CheapPasswords: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, serve(t, s)
}

// quick waits for nothing between lines.
var quick = fibs.Protocol{Client: func(o *client.Options) { o.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1} }}

var (
	patient = table.Options{Patience: 400 * time.Millisecond, AutoRoll: 100 * time.Millisecond}
	soon    = bot.Backoff{Min: 10 * time.Millisecond, Max: 50 * time.Millisecond, Kicked: time.Millisecond}
)

// newAccount returns an account with its own archive.
func newAccount(t *testing.T, name, addr string) *person.Account {
	t.Helper()
	db, err := index.OpenComplete(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &person.Account{
		Name: name, Server: addr, Protocol: quick, Password: clip.NewSecret("secret"), DB: db,
		Table: patient, Waits: soon, NoSync: true, Seen: func(person.Step) {}, Filed: func(person.Match) {},
	}
}

// opponent runs a bot that accepts matches until the test ends.
func opponent(t *testing.T, name, addr string) {
	t.Helper()
	b := &bot.Account{
		Protocol: quick, Name: name, Table: patient, Conduct: &bot.Plain{Min: 1, Max: 5, Backoff: soon},
		Dial: bot.Dialer(quick, func() (protocol.Login, error) {
			return protocol.Login{Address: addr, Name: name, Password: clip.NewSecret("secret"), Program: "bot"}, nil
		}),
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = b.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
}

// simply answers questions by rules of thumb, from its own goroutine.
func simply(t *testing.T, a *person.Account, questions <-chan table.Situation) {
	for s := range questions {
		ans, err := table.Simple{}.Decide(t.Context(), s)
		if err != nil {
			t.Error(err)
		}
		if err := a.Answer(ans); err != nil && !errors.Is(err, person.ErrNotAsked) {
			t.Error(err)
		}
	}
}

// TestAccount_playsOverABrokenLine: the match goes on where it was at each break, and the
// archive holds what the server played.
func TestAccount_playsOverABrokenLine(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	srv, addr := embedded(t)
	opponent(t, "bert", addr)
	proxy, err := chaos.New(chaos.Options{Target: addr, Seed: 3, SparedLines: 30, ToClient: chaos.Faults{CutEveryN: 60}})
	if err != nil {
		t.Fatal(err)
	}
	a := newAccount(t, "anna", serve(t, proxy))
	ctx, leave := context.WithTimeout(t.Context(), time.Minute)
	defer leave()
	questions := make(chan table.Situation, 100)
	breaks := 0
	var asked uint64
	a.Seen = func(st person.Step) {
		switch {
		case st.Ending != nil:
			breaks++
		case st.Table == nil:
		case st.Asked != nil && st.Asked.Generation != asked:
			asked = st.Asked.Generation
			questions <- *st.Asked
		case st.Table.Free():
			if u, _ := st.Table.Lobby().User("bert"); u.Available() {
				_ = a.Do(func(tbl *table.Table, now time.Time) table.Due { return tbl.Invite("bert", 3, now) })
			}
		}
	}
	var filed []person.Match
	a.Filed = func(m person.Match) { filed = append(filed, m); leave() }
	var playing sync.WaitGroup
	playing.Go(func() { simply(t, a, questions) })
	err = a.Run(ctx)
	close(questions)
	playing.Wait()
	if err != nil || len(filed) != 1 || filed[0].Err != nil || filed[0].ID == "" || breaks == 0 {
		t.Fatalf("Run: %v, filed %+v, %d breaks", err, filed, breaks)
	}
	t.Logf("%d breaks", breaks)
	m, err := archivetest.FromArchive(filed[0].File)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := archivetest.Same(archivetest.FromServer(srv.Matches()[0], "anna"), m); !ok {
		t.Errorf("archived %+v, played %+v", m, srv.Matches()[0])
	}
	row, err := a.DB.Show(t.Context(), filed[0].ID)
	if err != nil || row.Account != "anna" || !row.RatingAfter[0].Known() || !row.RatingAfter[1].Known() {
		t.Errorf("row %+v, %v", row, err)
	}
}

// TestAccount_refused: each failure is one line, and ends the account.
func TestAccount_refused(t *testing.T) {
	t.Parallel()
	_, addr := embedded(t)
	closed := func() string {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		return ln.Addr().String()
	}()
	first := newAccount(t, "carl", addr)
	in, stop := context.WithCancel(t.Context())
	first.Seen = func(person.Step) { stop() }
	if err := first.Run(in); err != nil {
		t.Fatal(err)
	}
	wrong := newAccount(t, "carl", addr)
	wrong.Password = clip.NewSecret("other")
	taken := newAccount(t, "dora", addr)
	unlock, err := host.Lock(taken.DB.Dir(), "dora", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	for _, c := range []struct {
		a    *person.Account
		want error
		text string
	}{
		{wrong, bot.ErrBadLogin, "wrong name or password for carl"},
		{taken, host.ErrRunning, "account dora on " + addr},
		{newAccount(t, "emil", closed), nil, "account emil on " + closed + ": "},
	} {
		err := c.a.Run(t.Context())
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.a.Name, err)
		}
		if err := c.a.Send(protocol.Tell{Name: "carl", Text: "hi"}); !errors.Is(err, person.ErrOffline) {
			t.Errorf("%s: said something offline: %v", c.a.Name, err)
		}
	}
}

// TestAccount_kicked: the account does not log its other login out.
func TestAccount_kicked(t *testing.T) {
	t.Parallel()
	_, addr := embedded(t)
	a := newAccount(t, "fred", addr)
	var once sync.Once
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	other := make(chan bot.Link, 1)
	a.Seen = func(person.Step) {
		once.Do(func() {
			go func() {
				l, err := quick.Dial(ctx, protocol.Login{Address: addr, Name: "fred", Password: clip.NewSecret("secret"), Program: "other"})
				if err != nil {
					t.Error(err)
				}
				other <- l
			}()
		})
	}
	if err := a.Run(ctx); !errors.Is(err, person.ErrKicked) {
		t.Errorf("Run: %v, want ErrKicked", err)
	}
	if l := <-other; l != nil {
		l.Close()
	}
}

// TestAccount_registers: a new name can be registered, a used one is refused in the server's words.
func TestAccount_registers(t *testing.T) {
	t.Parallel()
	s, err := server.New(server.Options{Seed: 1, CheapPasswords: true})
	if err != nil {
		t.Fatal(err)
	}
	addr := serve(t, s)
	login := protocol.Login{Address: addr, Name: "gina", Password: clip.NewSecret("secret"), Program: "fibsbot"}
	if err := quick.Register(t.Context(), login); err != nil {
		t.Fatal(err)
	}
	a := newAccount(t, "gina", addr)
	ctx, stop := context.WithCancel(t.Context())
	a.Seen = func(person.Step) { stop() }
	if err := a.Run(ctx); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(a.DB.Dir(), "state", "*.settings.json")); len(left) > 0 {
		t.Errorf("the settings of the account were not put back: %v", left)
	}
	for _, c := range []struct{ name, password, want string }{
		{"gina", "secret", "already used"}, {"hans", "abc", "Minimal password length"},
	} {
		login.Name, login.Password = c.name, clip.NewSecret(c.password)
		if err := quick.Register(t.Context(), login); !errors.Is(err, protocol.ErrBadLogin) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestAccount_raw: a line of the server's own language cannot touch a match.
func TestAccount_raw(t *testing.T) {
	for _, line := range []string{"leave", "toggle ready", "set boardstyle 1", "", "shoutx", "who\nleave", "join bob"} {
		if lines, err := quick.Encode(protocol.Raw{Line: line}); err == nil {
			t.Errorf("%q was sent as %q", line, lines)
		}
	}
	if lines, err := quick.Encode(protocol.Raw{Line: " whois bob "}); err != nil || !slices.Equal(lines, []string{"whois bob"}) {
		t.Errorf("whois: %q, %v", lines, err)
	}
}
