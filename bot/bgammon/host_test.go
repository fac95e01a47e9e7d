package bgammon_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bgammon/server"
	"fibsbot/bgammon/wire"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/host"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/internal/testsize"
)

// patience is how long a test waits for what must come.
const patience = 3 * time.Minute

var theEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 4, Seed: 1})
})

// house is a server and one host under test.
type house struct {
	*host.Host
	t    *testing.T
	srv  *server.Server
	addr string
	conf *config.Config
	done chan error
	log  *lockedBuffer
	// restart ends the server and starts another one at its address, that knows nothing.
	restart func()
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// hosted runs BOT_house on a server until the test ends.
func hosted(t *testing.T, edit func(*config.Config, *host.Options)) *house {
	return hostedOn(t, server.Options{}, edit)
}

func hostedOn(t *testing.T, so server.Options, edit func(*config.Config, *host.Options)) *house {
	t.Helper()
	so.Seed, so.Accounts = 11, map[string]string{"BOT_house": "secret"}
	e, err := theEngine()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, addr: l.Addr().String(), srv: server.New(so),
		done: make(chan error, 1), log: &lockedBuffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	serve := func() (stop func()) {
		serving, end := context.WithCancel(ctx)
		ended := make(chan struct{})
		wg.Go(func() { defer close(ended); _ = h.srv.Serve(serving, l) })
		return func() { end(); <-ended }
	}
	stopServer := serve()
	h.restart = func() {
		t.Helper()
		stopServer()
		if l, err = net.Listen("tcp", h.addr); err != nil {
			t.Fatal(err)
		}
		h.srv = server.New(so)
		stopServer = serve()
	}
	c := config.Default()
	c.Server.Address, c.Server.Protocol = h.addr, "bgammon"
	c.Server.Rate = config.Rate{Every: config.Duration(time.Millisecond), Burst: 20}
	c.Server.Reconnect = config.Reconnect{Min: config.Duration(20 * time.Millisecond), Max: config.Duration(100 * time.Millisecond)}
	c.Accounts = []config.Account{{Name: "BOT_house", Password: "secret"}}
	c.Pacing.By, c.Strength.Preset, c.Archive.Analyse = "none", "beginner", "off"
	c.Archive.Dir, c.Logs.Dir = filepath.Join(t.TempDir(), "archive"), ""
	c.Matchmaking.Enabled, c.Matchmaking.Gap, c.Matchmaking.MaxPerHour, c.Matchmaking.Lengths = true, 0, 100, []int{1, 3}
	log := logrus.New()
	log.SetOutput(h.log)
	log.SetLevel(logrus.DebugLevel)
	h.conf = c
	opt := host.Options{Config: func() *config.Config { return h.conf }, Engine: e, Log: log, Version: "test",
		Metrics: ops.NewMetrics(), NoSync: true, Seed: 1, Protocols: []protocol.Protocol{bgammon.Protocol{}}}
	if edit != nil {
		edit(c, &opt)
	}
	if h.Host, err = host.New(opt); err != nil {
		t.Fatal(err)
	}
	bots, stop := context.WithCancel(ctx)
	wg.Go(func() { h.done <- h.Run(bots) })
	t.Cleanup(func() {
		stop()
		cancel()
		wg.Wait()
		if t.Failed() {
			t.Log(h.log.String())
		}
	})
	return h
}

// person is a player at another client, who plays the first legal hop.
type person struct {
	t     *testing.T
	conn  net.Conn
	lines chan wire.Event
	plays bool
	heard []string
	last  wire.Board
}

func (h *house) person(name string) *person {
	h.t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	p := &person{t: h.t, conn: conn, lines: make(chan wire.Event, 10000), plays: true}
	h.t.Cleanup(func() { _ = conn.Close() })
	go func() {
		defer close(p.lines)
		for sc := bufio.NewScanner(conn); sc.Scan(); {
			p.lines <- wire.Parse(sc.Text())
		}
	}()
	p.send("lj person/en " + name)
	return p
}

func (p *person) send(line string) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.conn, line); err != nil {
		p.t.Fatal(err)
	}
}

// until reads and plays until ok returns true for an event.
func (p *person) until(what string, ok func(wire.Event) bool) {
	p.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e, open := <-p.lines:
			if !open {
				p.t.Fatalf("%s: the line has ended", what)
			}
			switch e := e.(type) {
			case wire.Say:
				p.heard = append(p.heard, e.Text)
			case wire.Notice:
				p.heard = append(p.heard, e.Text)
			case wire.Ping:
				p.send("pong " + e.Text)
			case wire.Board:
				p.last = e
				if p.plays && !e.MatchOver() {
					if c := (&person{}).answer(e); c != "" {
						p.send(c)
					}
				}
			}
			if ok(e) {
				return
			}
		case <-limit:
			p.t.Fatalf("%s: nothing; heard %q", what, p.heard)
		}
	}
}

func (*person) answer(b wire.Board) string {
	switch {
	case !b.Full() || b.Winner != 0:
		return ""
	case b.Turn == wire.TurnNobody && b.Die1 == 0:
		return "roll"
	case b.Offered && b.Turn == wire.TurnTheirs:
		return "ok"
	case b.Turn != wire.TurnOwn || b.Offered:
		return ""
	case b.Die1 == 0:
		return "roll"
	case len(b.Available) > 0:
		line, err := wire.Move{b.Available[0]}.Line()
		if err != nil {
			return ""
		}
		return line
	}
	return "ok"
}

// hears reads until a chat line or a notice contains part.
func (p *person) hears(part string) {
	p.t.Helper()
	for _, s := range p.heard {
		if strings.Contains(s, part) {
			return
		}
	}
	p.until("hears "+part, func(e wire.Event) bool {
		return len(p.heard) > 0 && strings.Contains(p.heard[len(p.heard)-1], part)
	})
}

// finds waits until the house has a match open, opened after another, and returns it.
func (p *person) finds(after int) (found wire.Listing) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		p.send("ls")
		p.until("list", func(e wire.Event) bool {
			l, ok := e.(wire.List)
			for _, g := range l.Games {
				if g.Name == "BOT_house's match" && g.Players == 1 && g.ID > after {
					found = g
				}
			}
			return ok
		})
		if found.ID != 0 {
			return found
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.t.Fatal("no match of the house is open")
	return found
}

func over(e wire.Event) bool {
	b, ok := e.(wire.Board)
	return ok && b.MatchOver()
}

func left(name string) func(wire.Event) bool {
	return func(e wire.Event) bool {
		l, ok := e.(wire.Left)
		return ok && l.Player == name
	}
}

// TestHost_aPersonComes: greeting, answers, farewell, rematch, and the next match that
// is opened has the next length.
func TestHost_aPersonComes(t *testing.T) {
	testsize.Medium(t)
	h := hosted(t, func(c *config.Config, _ *host.Options) { c.Manners.PerMinute = 10 })
	p := h.person("mira")
	first := p.finds(0)
	if first.Points != 1 || first.Password {
		t.Errorf("opened %+v, want 1 point without a password", first)
	}
	p.send(fmt.Sprintf("join %d", first.ID))
	p.hears("Hello Guest_mira, I am a program")
	p.send("say about")
	p.hears("fibsbot test")
	if !over(p.last) { // the match may be shorter than the answer takes
		p.until("the end", over)
	}
	p.hears("Thank you for the match, Guest_mira.")
	p.hears("play again") // a rematch is offered
	p.send("rematch")
	p.until("a rematch", func(e wire.Event) bool {
		b, ok := e.(wire.Board)
		return ok && b.Full() && !b.MatchOver() && b.Points == 1
	})
	p.until("the end", over)
	p.send("leave")
	p.until("left", left("Guest_mira"))
	if next := p.finds(first.ID); next.Points != 3 {
		t.Errorf("opened %+v next, want 3 points", next)
	}
	if st := h.Status().Accounts[0]; st.Finished != 2 || !st.Connected {
		t.Errorf("status: %+v", st)
	}
	if m := h.srv.Matches(); len(m) != 2 || !m[0].Over || !m[1].Over {
		t.Errorf("the server's matches: %+v", m)
	}
}

// TestHost_whoIsNotWelcome: a blocked player gets the reason, and the bot leaves before the
// first roll.
func TestHost_whoIsNotWelcome(t *testing.T) {
	testsize.Large(t)
	h := hosted(t, func(c *config.Config, _ *host.Options) { c.Opponents.Block = []string{"Guest_rude"} })
	rude := h.person("rude")
	first := rude.finds(0)
	rude.plays = false
	rude.send(fmt.Sprintf("join %d", first.ID))
	rude.hears("Sorry Guest_rude, I do not play with you.")
	rude.until("the bot leaves", left("BOT_house"))
	rude.send("leave")
	rude.until("left", left("Guest_rude"))
	mira := h.person("mira")
	mira.send(fmt.Sprintf("join %d", mira.finds(first.ID).ID))
	mira.until("the end", over)
	if m := h.srv.Matches(); len(m) != 2 || len(m[0].Games) != 1 || len(m[0].Games[0].Acts) != 0 {
		t.Errorf("matches: %+v", m)
	}
}

// TestHost_privateMatch: a player needs the password to join, and it is not in log,
// transcript or archive.
func TestHost_privateMatch(t *testing.T) {
	var dir string
	h := hosted(t, func(c *config.Config, _ *host.Options) {
		c.Matchmaking.Password = "sesame"
		c.Matchmaking.Lengths = []int{1}
		c.Logs.Dir, c.Logs.Transcript = t.TempDir(), true
		dir = c.Logs.Dir
	})
	p := h.person("mira")
	g := p.finds(0)
	if !g.Password {
		t.Errorf("opened %+v", g)
	}
	p.send(fmt.Sprintf("join %d", g.ID))
	p.until("a refusal", func(e wire.Event) bool { _, ok := e.(wire.Refusal); return ok })
	p.send(fmt.Sprintf("join %d sesame", g.ID))
	p.until("the end", over)
	p.send("leave")
	p.until("left", left("Guest_mira"))
	if strings.Contains(h.log.String(), "sesame") {
		t.Error("the password is in the log")
	}
	created := false
	for _, d := range []string{dir, h.conf.Archive.Dir} {
		err := filepath.WalkDir(d, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			created = created || strings.Contains(string(text), "create private ********")
			if strings.Contains(string(text), "sesame") {
				t.Errorf("the password is in %s", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !created {
		t.Error("the transcript does not show that a private match was opened")
	}
}

// TestHost_noRematch: the bot stays for a last word, offers nothing, and leaves.
func TestHost_noRematch(t *testing.T) {
	testsize.Medium(t)
	h := hosted(t, func(c *config.Config, o *host.Options) {
		o.Table.Parting = 300 * time.Millisecond
		c.Invitations.Rematch = false
		c.Matchmaking.Lengths = []int{1}
	})
	p := h.person("mira")
	p.send(fmt.Sprintf("join %d", p.finds(0).ID))
	p.until("the end", over)
	p.until("the bot leaves", func(e wire.Event) bool {
		if n, ok := e.(wire.Notice); ok && strings.Contains(n.Text, "play again") {
			t.Error("a rematch was offered")
		}
		return left("BOT_house")(e)
	})
}

// TestHost_drain: after Drain the running match is finished and filed, and the host ends
// without opening another one. The journal names the protocol that reads it again.
func TestHost_drain(t *testing.T) {
	h := hosted(t, func(c *config.Config, _ *host.Options) { c.Matchmaking.Lengths = []int{1} })
	p := h.person("mira")
	p.send(fmt.Sprintf("join %d", p.finds(0).ID))
	p.until("play", func(e wire.Event) bool { _, ok := e.(wire.Moved); return ok })
	h.Drain()
	p.until("the end", over)
	select {
	case err := <-h.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("the host does not end")
	}
	h.done <- nil
	files, err := filepath.Glob(filepath.Join(h.conf.Archive.Dir, "*.sgf"))
	if err != nil || len(files) != 1 {
		t.Errorf("archived: %q, %v", files, err)
	}
	journals, err := filepath.Glob(filepath.Join(h.conf.Archive.Dir, "journal", "*.journal"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("journals: %q, %v", journals, err)
	}
	if text, err := os.ReadFile(journals[0]); err != nil || !strings.Contains(string(text), `"protocol":"bgammon"`) {
		t.Errorf("%v: the journal's head does not name the protocol:\n%.300s", err, text)
	}
	archivetest.Sound(t, h.conf.Archive.Dir, bgammon.Protocol{})
}
