package online

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	bgammonclient "fibsbot/bgammon/client"
	bgammonserver "fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
	"fibsbot/config"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// venue is an embedded server with a bot on it, and how a person plays there.
type venue struct {
	person   string
	protocol protocol.Protocol // of the person
	bot      *bot.Account
	begin    string // the command that begins a match
	serve    func(context.Context, net.Listener) error
	played   func() []archivetest.Match // by the server's record
	same     func(want, got archivetest.Match) (short int, same bool)
}

var soon = bot.Backoff{Min: 10 * time.Millisecond, Max: 50 * time.Millisecond}

func venues(t *testing.T) map[string]*venue {
	t.Helper()
	f, err := server.New(server.Options{Seed: 5, AutoAccounts: true, CheapPasswords: true})
	if err != nil {
		t.Fatal(err)
	}
	quick := fibs.Protocol{Client: func(o *client.Options) { o.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1} }}
	b := bgammonserver.New(bgammonserver.Options{Seed: 5})
	fast := func(o *bgammonclient.Options) { o.Gap, o.ChatGap = -1, -1 }
	return map[string]*venue{
		"fibs": {
			"anna", quick, &bot.Account{Name: "bert", Protocol: quick, Conduct: &bot.Plain{Min: 1, Max: 5, Backoff: soon}},
			"invite bert 1", f.Serve, func() []archivetest.Match { return fibsPlayed(f, "anna") }, archivetest.Same,
		},
		"bgammon": {
			"Guest_anna", bgammon.Protocol{Client: fast, Person: true},
			&bot.Account{Name: "BOT_bert", Protocol: bgammon.Protocol{Client: fast}, Conduct: &bot.Plain{Open: true, Length: 1, Backoff: soon}},
			"join BOT_bert", b.Serve, func() []archivetest.Match { return bgammonPlayed(b, "Guest_anna") }, withoutPositions,
		},
	}
}

// listen serves until the test ends and returns the address.
func listen(t *testing.T, serve func(context.Context, net.Listener) error) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = serve(ctx, ln) }()
	t.Cleanup(func() { stop(); <-done })
	return ln.Addr().String()
}

var patient = table.Options{Patience: 400 * time.Millisecond, AutoRoll: 100 * time.Millisecond, Parting: 50 * time.Millisecond}

// open starts the venue's bot and returns the person's room, connected over a line that breaks
// after every so many lines of the server, 0 for never.
func (v *venue) open(t *testing.T, breaks int, analyse func(context.Context, string) ([]string, error)) (r *Room, acc *person.Account) {
	t.Helper()
	addr := listen(t, v.serve)
	b := v.bot
	b.Table = patient
	b.Dial = bot.Dialer(b.Protocol, func() (protocol.Login, error) {
		l := protocol.Login{Address: addr, Name: b.Name, Program: "bot"}
		if !b.Protocol.Rules().Opens {
			l.Password = config.Secret("secret")
		}
		return l, nil
	})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = b.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	proxy, err := chaos.New(chaos.Options{Target: addr, Seed: 3, SparedLines: 30, ToClient: chaos.Faults{CutEveryN: breaks}})
	if err != nil {
		t.Fatal(err)
	}
	db, err := index.OpenComplete(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	acc = &person.Account{Name: v.person, Server: listen(t, proxy.Serve), Protocol: v.protocol, DB: db, Table: patient, Waits: soon, NoSync: true}
	if !v.protocol.Rules().Opens {
		acc.Password = config.Secret("secret")
	}
	return New(acc, analyse), acc
}

// typist is a Console whose person answers what is asked.
type typist struct {
	r     *Room
	rng   *rand.Rand
	typed chan string
	react func(line string) // called with each line

	mu   sync.Mutex
	text strings.Builder
	line string
}

func newTypist(r *Room) *typist {
	return &typist{r: r, rng: rand.New(rand.NewPCG(1, 2)), typed: make(chan string, 1000), react: func(string) {}}
}

func (p *typist) ReadLine() (string, error) {
	line, ok := <-p.typed
	if !ok {
		return "", io.EOF
	}
	return line, nil
}

func (p *typist) Write(b []byte) (int, error) {
	p.mu.Lock()
	p.text.Write(b)
	p.mu.Unlock()
	p.line += string(b)
	for {
		line, rest, whole := strings.Cut(p.line, "\n")
		if !whole {
			return len(b), nil
		}
		p.line = rest
		if ask, asked := strings.CutPrefix(line, "You are to act: "); asked {
			p.typed <- p.answer(ask)
		}
		p.react(line)
	}
}

// answer is what the person types.
func (p *typist) answer(ask string) string {
	switch {
	case strings.HasPrefix(ask, "play"):
		st := p.r.Now()
		if st.View == nil {
			return ""
		}
		if plays := terminal.LegalPlays(&terminal.Faced{View: *st.View}); len(plays) > 0 {
			return plays[p.rng.IntN(len(plays))]
		}
		return ""
	case strings.Contains(ask, "take"):
		return "take"
	case strings.Contains(ask, "accept"):
		return "accept"
	}
	return "roll"
}

func (p *typist) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// TestLines_playsAMatch: a match is played to its end over a line that breaks, archived and
// analysed, on each kind of server.
func TestLines_playsAMatch(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for name, v := range venues(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			analysed := make(chan string, 1)
			r, acc := v.open(t, 120, func(_ context.Context, id string) ([]string, error) {
				analysed <- id
				return []string{"PR: you 99.9."}, nil
			})
			p := newTypist(r)
			begun := false
			p.react = func(line string) {
				switch {
				case strings.HasPrefix(line, "A 1-point match"):
					begun = true
				case strings.HasPrefix(line, "PR: you"):
					p.typed <- "quit"
				}
			}
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			var work sync.WaitGroup
			var ended error
			work.Go(func() { ended = acc.Run(ctx) })
			work.Go(func() { r.Analyse(ctx) })
			work.Go(func() { // until the bot is there
				again := time.NewTicker(50 * time.Millisecond)
				defer again.Stop()
				for {
					select {
					case <-ctx.Done():
						return
					case <-again.C:
						r.mu.Lock()
						idle := r.view == nil && r.last == nil
						r.mu.Unlock()
						if idle {
							p.typed <- v.begin
						}
					}
				}
			})
			err := Lines(ctx, r, p, terminal.Auto{Bearoff: true, Forced: true})
			timely := ctx.Err() == nil
			stop()
			work.Wait()
			if err != nil || ended != nil || !timely || !begun {
				t.Fatalf("Lines: %v, Run: %v\n%s", err, ended, p)
			}
			id := <-analysed
			row, err := acc.DB.Show(t.Context(), id)
			if err != nil || row.Account != v.person {
				t.Errorf("archived %+v, %v", row, err)
			}
			for _, want := range []string{"Connected to", "Archived as " + id, "The match is over", "Connection lost"} {
				if !strings.Contains(p.String(), want) {
					t.Errorf("the person was not told %q:\n%s", want, p)
				}
			}
		})
	}
}

// TestLines_obeys: what a command that is impossible now says, in one line.
func TestLines_obeys(t *testing.T) {
	t.Parallel()
	for name, v := range venues(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, acc := v.open(t, 0, nil)
			ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
			defer stop()
			d := &display{r: r, c: Plain(strings.NewReader(""), io.Discard)}
			if _, err := d.obey("who"); !errors.Is(err, person.ErrOffline) && err == nil {
				t.Errorf("who while offline: %v", err)
			}
			in := make(chan struct{})
			seen := acc.Seen
			var once sync.Once
			acc.Seen = func(st person.Step) {
				seen(st)
				if st.Table != nil && st.Table.Free() {
					once.Do(func() { close(in) })
				}
			}
			done := make(chan error)
			go func() { done <- acc.Run(ctx) }()
			select {
			case <-in:
			case <-ctx.Done():
				t.Fatal("not connected")
			}
			opens := v.protocol.Rules().Opens
			for line, want := range map[string]string{
				"roll": "no match is played", "hint": "the engine does not help", "=2": "the engine does not help", "engine game": "the engine does not help",
				"tutor": "the engine does not help", "undo": "not in a match on a server", "swap": "no match is played", "invite": "invite NAME POINTS",
				"invite bert many": "invite NAME POINTS", "resume": "resume NAME", "say hi": "no match is played", "flurb": "unknown command",
				"rematch": "no match has ended", "raw leave": "", "tell": "", "who": "-", "saved": "-", "": "-", "quit": "-",
				"join":   map[bool]string{true: "join NAME", false: "no such invitation"}[opens],
				"open 5": map[bool]string{true: "-", false: "no open matches"}[opens],
			} {
				quit, err := d.obey(line)
				if want == "-" {
					want = "<nil>"
				}
				if got := fmt.Sprint(err); !strings.Contains(got, want) || want == "" && err == nil || strings.Contains(got, "\n") || quit != (line == "quit") {
					t.Errorf("%q: %v, want %q", line, err, want)
				}
			}
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRoom_bounded: a flood of talk neither fills the memory nor reaches the terminal as it is.
func TestRoom_bounded(t *testing.T) {
	r := New(&person.Account{}, nil)
	r.online = true
	for i := range 10_000 {
		r.mu.Lock()
		r.heard(&protocol.Event{Kind: protocol.Shouts, Name: "bob", Text: fmt.Sprintf("\x1b[2J<b>%d", i)})
		r.mu.Unlock()
	}
	st := r.Take()
	if len(st.News) != maxNews+1 || st.News[0] != "(9500 lines not shown)" || strings.ContainsRune(st.News[maxNews], 0x1b) || !strings.Contains(st.News[maxNews], "<b>9999") {
		t.Errorf("%d lines, %q to %q", len(st.News), st.News[0], st.News[len(st.News)-1])
	}
	for i := range 200 {
		r.mu.Lock()
		r.invited(table.Invitation{From: fmt.Sprint("p", i), Length: 5})
		r.mu.Unlock()
	}
	if len(r.invitations) != maxInvitations {
		t.Errorf("%d invitations are kept, want %d", len(r.invitations), maxInvitations)
	}
}
