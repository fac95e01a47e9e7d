package online

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/person"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/config"
	"fibsbot/fibs/client"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// fibsDesk is a desk whose accounts log in to servers like FIBS.
func fibsDesk(t *testing.T) *Desk {
	t.Helper()
	db, err := index.OpenComplete(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	quick := fibs.Protocol{Person: true, Client: func(o *client.Options) { o.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1} }}
	d := &Desk{Open: func(l lobby.Login) (*person.Account, error) {
		return &person.Account{Name: l.Account, Server: l.Server, Protocol: quick, Password: config.Secret(l.Password), Register: l.Register, DB: db, Table: patient, Waits: soon, NoSync: true}, nil
	}}
	t.Cleanup(d.Logout)
	return d
}

// until waits for a state of the desk.
func until(t *testing.T, d *Desk, what string, ok func(lobby.State) bool) lobby.State {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		st := d.State()
		if ok(st) {
			return st
		}
		if time.Now().After(end) {
			t.Fatalf("never %s: %+v", what, st)
		}
	}
}

func online(st lobby.State) bool { return st.Online == "online" }

// TestDesk_refused: why an account is offline is one sentence, which does not hold the password.
func TestDesk_refused(t *testing.T) {
	t.Parallel()
	s, err := server.New(server.Options{Seed: 1, CheapPasswords: true, MaxConns: 3, Limits: server.Limits{FailedPause: time.Millisecond}, Accounts: map[string]string{"anna": "secret", "bert": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	addr := listen(t, s.Serve)
	d := fibsDesk(t)
	refused := func(l lobby.Login, want string) {
		t.Helper()
		l.Server = addr
		if err := d.Login(l); err != nil {
			t.Fatal(err)
		}
		st := until(t, d, "offline", func(st lobby.State) bool { return st.Online == "offline" })
		if !strings.Contains(st.Error, want) || strings.Contains(st.Error, "\n") || strings.Contains(st.Error, "wrongword") {
			t.Errorf("%+v: %q, want %q", l, st.Error, want)
		}
	}
	refused(lobby.Login{Account: "anna", Password: "wrongword"}, "wrong name or password for anna")
	refused(lobby.Login{Account: "anna", Password: "wrongword", Register: true}, "already used")
	refused(lobby.Login{Account: "new", Password: "a", Register: true}, "password")

	anna := lobby.Login{Server: addr, Account: "anna", Password: "secret"}
	if err := d.Login(anna); err != nil {
		t.Fatal(err)
	}
	until(t, d, "online", online)
	if err := d.Act(play.Act{Kind: play.Roll}); !errors.As(err, &lobby.Late{}) {
		t.Errorf("a roll without a match: %v", err)
	}
	if err := d.Login(anna); err != lobby.ErrBusy {
		t.Errorf("a second account: %v", err)
	}
	other := fibsDesk(t) // another machine: the same name, another archive
	if err := other.Login(anna); err != nil {
		t.Fatal(err)
	}
	st := until(t, d, "kicked", func(st lobby.State) bool { return st.Online == "offline" })
	if !strings.Contains(st.Error, person.ErrKicked.Error()) || strings.Contains(st.Error, "\n") {
		t.Errorf("kicked: %q", st.Error)
	}
	until(t, other, "online", online)

	for range 2 { // with the other login these are all places
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	refused(lobby.Login{Account: "bert", Password: "secret"}, "Too many connections")
}

// injector passes a connection on, and puts lines between those of the server.
type injector struct {
	target string
	mu     sync.Mutex
	client net.Conn
}

// Serve is that of a server.
func (i *injector) Serve(ctx context.Context, ln net.Listener) error {
	defer ln.Close()
	defer context.AfterFunc(ctx, func() { ln.Close() })()
	for {
		c, err := ln.Accept()
		if err != nil {
			return nil
		}
		s, err := net.Dial("tcp", i.target)
		if err != nil {
			c.Close()
			continue
		}
		i.mu.Lock()
		i.client = c
		i.mu.Unlock()
		go func() { _, _ = io.Copy(s, c); s.Close() }()
		go func() {
			defer c.Close()
			r := bufio.NewReader(s)
			for {
				line, err := r.ReadBytes('\n')
				if p, _ := r.Peek(r.Buffered()); strings.HasSuffix(string(p), ": ") { // a prompt
					line = append(line, p...)
					_, _ = r.Discard(len(p))
				}
				i.mu.Lock()
				_, _ = c.Write(line)
				i.mu.Unlock()
				if err != nil {
					return
				}
			}
		}()
	}
}

func (i *injector) put(text string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	_, err := io.WriteString(i.client, text)
	return err
}

// TestDesk_flood: 10,000 lines of each kind leave the account on line, in bounded memory. Control
// characters and markup in names and texts are text.
func TestDesk_flood(t *testing.T) { // alone, for it measures memory
	s, err := server.New(server.Options{Seed: 1, MOTD: slices.Repeat([]string{"<b>Welcome</b>"}, 500), CheapPasswords: true, Accounts: map[string]string{"anna": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	in := &injector{target: listen(t, s.Serve)}
	addr := listen(t, in.Serve)
	d := fibsDesk(t)
	if err := d.Login(lobby.Login{Server: addr, Account: "anna", Password: "secret"}); err != nil {
		t.Fatal(err)
	}
	until(t, d, "online", online)
	lines := 10_000
	if testsize.Brief() {
		lines = 2_000
	}
	text := strings.Repeat("<img src=x onerror=alert(1)>\x1b[2J\a\u0085", 12)
	before := held()
	for _, format := range []string{"13 bob %s", "12 bob %s", "15 bob %s", "14 bob %s", "** %s", "%s"} {
		for n := 0; n < lines; n += 100 {
			var b strings.Builder
			for range 100 {
				fmt.Fprintf(&b, format+"\r\n", text)
			}
			if err := in.put(b.String()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := range lines { // players, invitations, saved matches
		if err := in.put(fmt.Sprintf("5 p%d - - 1 0 1500.00 10 0 1100000000 h - -\r\np%d wants to play a 5 point match with you.\r\n", n, n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.put("12 bob the end\r\n"); err != nil {
		t.Fatal(err)
	}
	st := until(t, d, "at the end", func(st lobby.State) bool {
		return len(st.News) > 0 && strings.Contains(st.News[len(st.News)-1].Text, "the end")
	})
	if !online(st) || len(st.News) != maxRecent || len(st.Invitations) > maxInvitations || len(d.Players()) > lines+1 {
		t.Errorf("%s, %d lines, %d invitations, %d players", st.Online, len(st.News), len(st.Invitations), len(d.Players()))
	}
	for _, l := range st.News {
		if strings.ContainsFunc(l.Text+l.From, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) || len(l.Text) > 1000 {
			t.Errorf("line %+q", l.Text)
		}
	}
	if more := held() - before; more > 32<<20 {
		t.Errorf("%d MB are held after the flood", more>>20)
	} else {
		t.Logf("%d kB held", more>>10)
	}
	if err := d.Command("who"); err != nil {
		t.Errorf("after the flood: %v", err)
	}
}

// held is the memory in use.
func held() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
