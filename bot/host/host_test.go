package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

func TestMatch_greetedOnceThenResumed(t *testing.T) {
	_, addr := startServer(t, server.Options{NoAutoResume: true})
	c := testConfig(t, addr, "robbie")
	c.Saved.WaitAfterLeave = config.Duration(time.Hour)
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "human", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	p.told("robbie", "I am a program")
	p.send(clip.Leave{})
	p.expect("the end", kind(clip.GameSaved))
	// A new match would destroy the saved one, so the bot resumes that.
	p.send(clip.Invite{Name: "robbie", Length: 3})
	p.expect("an invitation to resume", kind(clip.InvitesResume))
	p.send(clip.Join{Name: "robbie"})
	p.expect("the old match", kind(clip.MatchResumes))
	board := p.expect("its board", kind(clip.BoardLine)).Board
	said := p.told("robbie", "")
	if !strings.Contains(said, "Welcome back, human") {
		t.Errorf("first word after the resume is %q", said)
	}
	if board.Length != 5 {
		t.Errorf("the match has %d points, not the 5 of the saved one", board.Length)
	}
	// A restart does not repeat the greeting of the day.
	h.stop()
	if err := h.wait(); err != nil {
		t.Error(err)
	}
	m, err := openMemory(fileOf(c.Archive.Dir, "robbie", addr, ".json"))
	if err != nil {
		t.Fatal(err)
	}
	got := m.get("human")
	if got.Greeted != time.Now().Format("2006-01-02") || got.Preset != "beginner" {
		t.Errorf("remembered %+v", got)
	}
}

// rows are the matches of the index, by end.
func rows(t *testing.T, c *config.Config) []index.Match {
	t.Helper()
	db, err := index.Open(t.Context(), c.Archive.Dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var list []index.Match
	if err := db.List(t.Context(), index.Filter{}, func(m *index.Match) error {
		list = append([]index.Match{*m}, list...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestReload_countsFromTheNextMatch(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 3})
	c := testConfig(t, addr, "robbie")
	c.Archive.Analyse = "fast"
	c.Archive.Formats = []string{"sgf", "mat"}
	c.Archive.Group = "opponent"
	c.Manners.AfterMatch = true
	c.Dashboard.Listen = "127.0.0.1:1"
	h := startHost(t, c, func(o *Options) { o.MaxMatches = 2 })
	h.ready(1)
	var once sync.Once
	var live struct { // what the pages showed during the match
		sync.Mutex
		boards, chances, moves int
	}
	var mu sync.Mutex
	var said []string
	done := spar(t, addr, "human", "robbie", 1, 2, func(m bot.Observation) {
		if m.Table != nil && h.Status().Accounts[0].Preset == "beginner" {
			once.Do(func() {
				next := *c
				next.Strength.Preset = "intermediate"
				h.conf.Store(&next)
			})
		}
		if v := h.View(t.Context()).Accounts[0].Live.Table; v != nil {
			live.Lock()
			live.boards++
			if v.Chances != nil && v.Chances[0] > 0 && v.Chances[0] < 1 {
				live.chances++
			}
			if len(v.Moves) > 0 {
				live.moves++
			}
			live.Unlock()
		}
		if m.Event != nil && m.Event.Kind == protocol.Says {
			mu.Lock()
			said = append(said, m.Event.Text)
			mu.Unlock()
		}
	})
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	<-done
	if m := h.View(t.Context()); len(m.Ended) != 2 || len(m.Saved) != 0 || m.Ended[0].Account != "robbie" || m.Ended[0].Opponent != "human" ||
		m.Ended[0].Rating == 0 || m.Ended[0].Result == "unfinished" {
		t.Errorf("for the dashboard: %+v", m)
	}
	live.Lock()
	defer live.Unlock()
	if live.boards == 0 || live.chances == 0 || live.moves == 0 {
		t.Errorf("pages were shown %d boards, %d with chances, %d with moves", live.boards, live.chances, live.moves)
	}
	v := h.View(t.Context()).Accounts[0].Live
	if len(v.Invitations) < 2 || !v.Invitations[0].Accepted || v.Invitations[0].From != "human" || v.Invitations[0].Rule == "" || len(v.Ratings) != 2 || len(v.Said) == 0 {
		t.Errorf("the view at the end: %+v", v)
	}
	var presets []string
	for _, m := range rows(t, c) {
		presets = append(presets, m.Preset)
		if m.RatingAfter[0] == 0 || m.RatingAfter[1] == 0 || m.Account != "robbie" || m.Opponent != "human" {
			t.Errorf("row %+v", m)
		}
		stem := filepath.Join(c.Archive.Dir, strings.TrimSuffix(filepath.FromSlash(m.File), ".sgf"))
		if filepath.Base(filepath.Dir(stem)) != "human" {
			t.Errorf("filed as %s, not by opponent", m.File)
		}
		for ext, want := range map[string]bool{".sgf": true, ".mat": true, ".json": true, ".fibs": false} {
			if _, err := os.Stat(stem + ext); (err == nil) != want {
				t.Errorf("%s%s: %v", stem, ext, err)
			}
		}
	}
	// Rows have whole seconds, so either order is possible.
	if len(presets) == 2 && presets[0] > presets[1] {
		presets[0], presets[1] = presets[1], presets[0]
	}
	if diff := cmp.Diff([]string{"beginner", "intermediate"}, presets); diff != "" {
		t.Error(diff)
	}
	mu.Lock()
	defer mu.Unlock()
	greetings, thanks := 0, 0
	for _, s := range said {
		if strings.Contains(s, "I am a program") {
			greetings++
		}
		if strings.Contains(s, "Thank you for the match") {
			thanks++
		}
	}
	if greetings != 1 || thanks < 1 {
		t.Errorf("%d greetings and %d thanks in %q", greetings, thanks, said)
	}
}

func TestAnalysis_inTheBackground(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 4})
	c := testConfig(t, addr, "robbie")
	c.Archive.Analyse = "fast"
	c.Manners.AfterMatch = true
	h := startHost(t, c, nil)
	h.ready(1)
	told := make(chan string, 10)
	spar(t, addr, "human", "robbie", 1, 0, func(m bot.Observation) {
		if m.Event != nil && m.Event.Kind == protocol.Says && strings.Contains(m.Event.Text, "PR: ") {
			select {
			case told <- m.Event.Text:
			default:
			}
		}
	})
	select {
	case s := <-told:
		if !strings.HasPrefix(s, "Our match: PR: you ") {
			t.Errorf("told %q", s)
		}
	case <-time.After(patience):
		t.Fatal("no analysis was told")
	}
	analysed := 0
	for _, m := range rows(t, c) {
		if m.Plies == 0 {
			analysed++
		}
	}
	if analysed == 0 {
		t.Error("no match of the index is analysed")
	}
}

func TestAccounts_failAlone(t *testing.T) {
	_, addr := startServer(t, server.Options{Accounts: map[string]string{"taken": "other"}})
	c := testConfig(t, addr, "robbie", "taken")
	h := startHost(t, c, nil)
	h.until("no failure", func(st ops.Status) bool {
		return st.Accounts[0].Connected && st.Accounts[1].State == "stopped" && st.Accounts[1].Error != ""
	})
	p := login(t, addr, "human", "secret")
	p.send(clip.Tell{Name: "robbie", Text: "help"})
	p.told("robbie", "I understand")
	// A second process cannot run the account that is running here.
	other, err := New(h.opt)
	if err != nil {
		t.Fatal(err)
	}
	other.loginGrace = 0
	if err := other.Run(t.Context()); !errors.Is(err, ErrRunning) || !errors.Is(err, bot.ErrBadLogin) {
		t.Errorf("second process: %v", err)
	}
	h.stop()
	if err := h.wait(); err != nil {
		t.Errorf("after stop: %v", err)
	}
}

func TestAccounts_allFailed(t *testing.T) {
	_, addr := startServer(t, server.Options{Accounts: map[string]string{"taken": "other"}})
	h := startHost(t, testConfig(t, addr, "taken"), nil)
	if err := h.wait(); !errors.Is(err, bot.ErrBadLogin) {
		t.Errorf("got %v", err)
	}
	if _, err := New(Options{Config: func() *config.Config { return config.Default() }}); !errors.Is(err, ErrNoAccount) {
		t.Errorf("no account: %v", err)
	}
	if _, err := New(Options{}); !errors.Is(err, ErrNoAccount) {
		t.Errorf("zero Options: %v", err)
	}
	c := testConfig(t, addr, "robbie")
	if h, err := New(Options{Config: func() *config.Config { return c }, Protocols: onFIBS(fibs.Protocol{})}); err == nil {
		t.Errorf("%v without an engine", h)
	}
}

func TestSecondLogin_waitsLong(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	h := startHost(t, testConfig(t, addr, "robbie"), nil)
	h.ready(1)
	login(t, addr, "robbie", "secret")
	h.until("not waiting", func(st ops.Status) bool {
		return st.Accounts[0].State == "waiting" && !st.Accounts[0].Connected
	})
	if w := h.Status().Accounts[0].Waiting; !strings.Contains(w, "logged in elsewhere") {
		t.Errorf("waits because %q", w)
	}
}

func TestDryRun_sendsNothing(t *testing.T) {
	var mu sync.Mutex
	lines := map[string]int{}
	_, addr := startServer(t, server.Options{OnLine: func(_ context.Context, user, line string, n int) server.Fate {
		mu.Lock()
		defer mu.Unlock()
		if user == "robbie" {
			lines[line]++
		}
		return server.Carry
	}})
	c := testConfig(t, addr, "robbie")
	c.Matchmaking.Enabled, c.Matchmaking.AfterIdle = true, 0
	h := startHost(t, c, func(o *Options) {
		o.DryRun = true
		o.Protocols = onFIBS(fibs.Protocol{Client: func(c *client.Options) { c.Keepalive = 20 * time.Millisecond }})
	})
	h.ready(1)
	p := login(t, addr, "human", "secret")
	p.send(clip.Tell{Name: "robbie", Text: "help"})
	p.send(clip.Invite{Name: "robbie", Length: 5})
	h.until("no keepalive", func(ops.Status) bool {
		mu.Lock()
		defer mu.Unlock()
		return lines["time"] > 5
	})
	h.stop()
	if err := h.wait(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	delete(lines, "time")
	delete(lines, "bye")
	if len(lines) > 0 {
		t.Errorf("a dry run sent %v", lines)
	}
}

// TestMatch_leftForItsLengthIsNotGreeted: an opponent replaces the invitation before our join
// arrives. The bot leaves and states why; it sends the greeting only in a match that it plays.
func TestMatch_leftForItsLengthIsNotGreeted(t *testing.T) {
	joins, replaced := make(chan struct{}, 9), make(chan struct{})
	_, addr := startServer(t, server.Options{OnLine: func(ctx context.Context, user, line string, _ int) server.Fate {
		if user == "robbie" && strings.HasPrefix(line, "join") {
			joins <- struct{}{}
			select {
			case <-replaced:
			case <-ctx.Done():
			}
		}
		return server.Carry
	}})
	c := testConfig(t, addr, "robbie")
	c.Manners.Greeting = []string{"A good match to you."}
	startHost(t, c, nil).ready(1)
	p := login(t, addr, "human", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	select {
	case <-joins:
	case <-time.After(patience):
		t.Fatal("the bot does not join")
	}
	p.send(clip.Invite{Name: "robbie", Length: 7})
	p.expect("the other invitation", func(ev clip.Event) bool { return ev.Kind == clip.YouInvite && ev.Length == 7 })
	close(replaced)
	p.expect("the bot to leave", kind(clip.GameSaved))
	p.send(clip.Tell{Name: "robbie", Text: "level"})
	var said []string
	p.expect("the answer, behind what was said before", func(ev clip.Event) bool {
		if ev.Kind == clip.Says && ev.Name == "robbie" {
			said = append(said, ev.Text)
		}
		return ev.Kind == clip.Says && strings.Contains(ev.Text, "I play as")
	})
	for _, text := range said {
		if strings.Contains(text, "A good match") {
			t.Errorf("a match that is left at once is greeted: %q", said)
		}
	}
}
