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
	"fibsbot/bot/ops"
	"fibsbot/config"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

func TestInvitation_refusedWithTheReason(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Invitations.Length = config.Lengths{Min: 1, Max: 5, Deny: []int{2}}
	c.Opponents.Block = []string{"villain"}
	block := filepath.Join(t.TempDir(), "block")
	if err := os.WriteFile(block, []byte("# nobody yet\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Opponents.BlockFile = block
	h := startHost(t, c, nil)
	h.ready(1)
	for _, tc := range []struct {
		name   string
		length int
		want   string
	}{
		{"longer", 7, "I play matches of 1 to 5 points"},
		{"twoer", 2, "I do not play 2-point matches; other lengths from 1 to 5 are fine"},
		{"endless", clip.Unlimited, "I do not play unlimited matches"},
		{"villain", 5, "I do not play with you"},
	} {
		p := login(t, addr, tc.name, "secret")
		p.send(clip.Invite{Name: "robbie", Length: tc.length})
		p.told("robbie", tc.want)
		p.c.Close()
	}
	if err := os.WriteFile(block, []byte("rascal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The list is looked at once a second.
	h.blocks.mu.Lock()
	h.blocks.checked = time.Time{}
	h.blocks.mu.Unlock()
	p := login(t, addr, "rascal", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.told("robbie", "I do not play with you")
}

func TestInvitation_unfinishedMatches(t *testing.T) {
	_, addr := startServer(t, server.Options{NoAutoResume: true})
	c := testConfig(t, addr, "robbie")
	c.Opponents.MaxSaved = 1
	h := startHost(t, c, nil)
	h.ready(1)
	p, q := login(t, addr, "dropper", "secret"), login(t, addr, "victim", "secret")
	p.send(clip.Invite{Name: "victim", Length: 3})
	q.expect("an invitation", kind(clip.Invites))
	q.send(clip.Join{Name: "dropper"})
	p.expect("a match", kind(clip.MatchBegins))
	p.send(clip.Leave{})
	p.expect("the end", kind(clip.GameSaved))
	p.send(clip.Invite{Name: "robbie", Length: 1})
	p.told("robbie", "you have 1 unfinished matches")
}

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
	// A new match would destroy the saved one: the bot wants to go on with that.
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
	// The day's greeting is remembered over a restart.
	h.stop()
	if err := h.wait(); err != nil {
		t.Error(err)
	}
	m, err := openMemory(fileOf(c, "robbie", addr, ".json"))
	if err != nil {
		t.Fatal(err)
	}
	got := m.get("human")
	if got.Greeted != time.Now().Format("2006-01-02") || got.Preset != "beginner" {
		t.Errorf("remembered %+v", got)
	}
}

func TestChat_answersWithinLimits(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Manners.PerMinute = 3
	c.Manners.Owners = []string{"boss"}
	reloads := 0
	h := startHost(t, c, func(o *Options) { o.Reload = func() error { reloads++; return errors.New("no") } })
	h.ready(1)
	p := login(t, addr, "human", "secret")
	for _, text := range []string{"help", "rating", "stats", "about", "help", "rules"} {
		p.send(clip.Tell{Name: "robbie", Text: text})
	}
	p.send(clip.Tell{Name: "human", Text: "mark"}) // an answer that comes in any case
	b := login(t, addr, "OtherBot", "secret")
	b.send(clip.Tell{Name: "robbie", Text: "help"})
	boss := login(t, addr, "boss", "secret")
	for _, order := range []struct{ text, want string }{
		{"status", "I am waiting for an invitation"},
		{"say hello", "I am not playing"},
		{"reload", "the old one stays"},
		{"pause", "Paused"},
		{"resume", "I accept matches again"},
		{"status", "waiting"},
	} {
		boss.send(clip.Tell{Name: "robbie", Text: order.text})
		boss.told("robbie", order.want)
	}
	if reloads != 1 {
		t.Errorf("%d reloads", reloads)
	}
	// What the bot had to say to the others was said before its last answer.
	p.c.Close()
	var said []string
	for ev := range p.events {
		if ev.Kind == clip.Says && ev.Name == "robbie" {
			said = append(said, ev.Text)
		}
	}
	if len(said) != 3 || !strings.Contains(said[0], "I understand: help") || !strings.Contains(said[1], "My rating is 1500.00") {
		t.Errorf("six questions, three answers a minute: %q", said)
	}
	b.c.Close()
	for ev := range b.events {
		if ev.Kind == clip.Says {
			t.Errorf("a bot was answered: %q", ev.Text)
		}
	}
}

// TestChat_levelForTheNextMatch asks for presets before and in a match: what is
// asked for in it waits for the next one, and a resumed match keeps its own.
func TestChat_levelForTheNextMatch(t *testing.T) {
	_, addr := startServer(t, server.Options{NoAutoResume: true})
	c := testConfig(t, addr, "robbie")
	c.Manners.LevelOnRequest = []string{"intermediate", "casual"}
	c.Manners.PerMinute = 10
	c.Saved.WaitAfterLeave = config.Duration(time.Hour)
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "human", "secret")
	ask := func(text, want string) {
		t.Helper()
		p.send(clip.Tell{Name: "robbie", Text: text})
		p.told("robbie", want)
	}
	playing := func() string {
		t.Helper()
		var got string
		h.until("a board", func(st ops.Status) bool { got = st.Accounts[0].Preset; return got != "" })
		return got
	}
	ask("dice", "no archived match")
	ask("level", "I play as beginner")
	ask("level intermediate", "next new match as intermediate")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	if got := playing(); got != "intermediate" {
		t.Errorf("asked for intermediate, plays %s", got)
	}
	ask("level casual", "This match stays as it is")
	if got := playing(); got != "intermediate" {
		t.Errorf("changed to %s inside the match", got)
	}
	p.send(clip.Leave{})
	p.expect("the end", kind(clip.GameSaved))
	h.until("a saved match on the dashboard", func(ops.Status) bool { m := h.Matches(); return len(m.Saved) == 1 && m.Saved[0].Opponent == "human" })
	p.send(clip.Invite{Name: "robbie"})
	p.expect("the old match", kind(clip.MatchResumes))
	if got := playing(); got != "intermediate" {
		t.Errorf("resumed as %s", got)
	}
	if m := h.Matches(); len(m.Saved) != 0 {
		t.Errorf("saved although it goes on: %+v", m.Saved)
	}
	if got := h.seats[0].memory.get("human"); got.Wants != "casual" || got.Preset != "intermediate" {
		t.Errorf("remembered %+v", got)
	}
}

func TestChat_quietAndNudge(t *testing.T) {
	var mu sync.Mutex
	boards := 0
	_, addr := startServer(t, server.Options{OnLine: func(_ context.Context, user, line string, n int) server.Fate {
		mu.Lock()
		defer mu.Unlock()
		if user == "robbie" && line == "board" {
			boards++
		}
		return server.Carry
	}})
	c := testConfig(t, addr, "robbie")
	h := startHost(t, c, func(o *Options) { o.Table.Patience, o.Table.Idle = time.Minute, time.Minute })
	h.ready(1)
	p := login(t, addr, "human", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	p.told("robbie", "I am a program")
	mu.Lock()
	before := boards
	mu.Unlock()
	p.send(clip.Say{Text: "move!"})
	p.send(clip.Say{Text: "stop kibitzing"})
	p.told("robbie", "I will not kibitz to you again")
	p.send(clip.Tell{Name: "robbie", Text: "pip"})
	p.told("robbie", "Pip count: you ")
	mu.Lock()
	after := boards
	mu.Unlock()
	if after <= before {
		t.Errorf("the board was not asked for: %d times before, %d after", before, after)
	}
	if list := h.seats[0].quiet; !list.Has("human") || list.Has("other") {
		t.Error("the wish for quiet was not noted")
	}
}

func TestIdleOpponent_askedThenLeft(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Idle = config.Idle{Ask: config.Duration(50 * time.Millisecond), Leave: config.Duration(300 * time.Millisecond), Say: "Are you there, {opponent}?"}
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "human", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	p.told("robbie", "Are you there, human?")
	ev := p.expect("the bot to leave", kind(clip.GameSaved))
	if ev.Name != "robbie" || ev.Cause != clip.CauseLeft {
		t.Errorf("saved by %q, %v", ev.Name, ev.Cause)
	}
	// Whom the bot has left is not called back at once.
	p.send(clip.Tell{Name: "robbie", Text: "about"})
	p.told("robbie", "I am fibsbot")
	if m := h.seats[0].memory.get("human"); m.LeftAt.IsZero() || m.Dropped != 0 {
		t.Errorf("remembered %+v, want when the match was left and no blame for it", m)
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
	var mu sync.Mutex
	var said []string
	done := spar(t, addr, "human", "robbie", 1, 2, func(m bot.Moment) {
		if m.Table != nil && h.Status().Accounts[0].Preset == "beginner" {
			once.Do(func() {
				next := *c
				next.Strength.Preset = "intermediate"
				h.conf.Store(&next)
			})
		}
		if m.Event != nil && m.Event.Kind == clip.Says {
			mu.Lock()
			said = append(said, m.Event.Text)
			mu.Unlock()
		}
	})
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	<-done
	if m := h.Matches(); len(m.Ended) != 2 || len(m.Saved) != 0 || m.Ended[0].Account != "robbie" || m.Ended[0].Opponent != "human" ||
		m.Ended[0].Rating == 0 || m.Ended[0].Result == "unfinished" {
		t.Errorf("for the dashboard: %+v", m)
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
	// The rows have the resolution of a second, so their order may be either.
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
	_, addr := startServer(t, server.Options{Seed: 4})
	c := testConfig(t, addr, "robbie")
	c.Archive.Analyse = "fast"
	c.Manners.AfterMatch = true
	h := startHost(t, c, nil)
	h.ready(1)
	told := make(chan string, 10)
	spar(t, addr, "human", "robbie", 1, 0, func(m bot.Moment) {
		if m.Event != nil && m.Event.Kind == clip.Says && strings.Contains(m.Event.Text, "Average error") {
			select {
			case told <- m.Event.Text:
			default:
			}
		}
	})
	select {
	case s := <-told:
		if !strings.HasPrefix(s, "Our match: Average error per decision: you ") {
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

func TestDrain(t *testing.T) {
	for _, mode := range []string{"match", "game", "now"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, addr := startServer(t, server.Options{Seed: 5})
			c := testConfig(t, addr, "robbie")
			c.Operations.Drain = mode
			h := startHost(t, c, nil)
			h.ready(1)
			var once sync.Once
			var mu sync.Mutex
			games, over := 0, false
			spar(t, addr, "human", "robbie", 5, 0, func(m bot.Moment) {
				mu.Lock()
				defer mu.Unlock()
				if m.Table != nil {
					once.Do(h.Drain)
				}
				if m.Event != nil {
					switch m.Event.Kind {
					case clip.GameOver:
						games++
					}
				}
				over = over || m.Over != nil
			})
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			switch mode {
			case "match":
				if len(rows(t, c)) != 1 {
					t.Errorf("%d matches finished, want the running one", len(rows(t, c)))
				}
			case "game":
				// One game may win the whole match: the cube is in play.
				if games != 1 {
					t.Errorf("%d games finished, want one", games)
				}
			case "now":
				if over || games != 0 {
					t.Errorf("match over %v, %d games finished, want none", over, games)
				}
			}
			if st := h.Status(); !st.Draining || st.Accounts[0].State != "stopped" {
				t.Errorf("status %+v", st)
			}
		})
	}
}

func TestDrain_refusesAndHasALimit(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Operations.DrainLimit = config.Duration(500 * time.Millisecond)
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "human", "secret") // never moves
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	h.until("not playing", func(st ops.Status) bool { return st.Accounts[0].State == "playing" })
	h.Drain()
	p.expect("the bot to go", kind(clip.GameSaved))
	if err := h.wait(); err != nil {
		t.Error(err)
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
	if err := other.Run(t.Context()); !errors.Is(err, ErrRunning) || !errors.Is(err, bot.ErrBadLogin) {
		t.Errorf("second process: %v", err)
	}
	h.stop()
	if err := h.wait(); err != nil {
		t.Errorf("told to stop: %v", err)
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
		o.Client = func(c *client.Options) { c.Keepalive = 20 * time.Millisecond }
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

func TestMatchmaking_invitesReadyPlayers(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Matchmaking.Enabled, c.Matchmaking.AfterIdle, c.Matchmaking.Lengths = true, 0, []int{3}
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "human", "secret")
	if ev := p.expect("an invitation", kind(clip.Invites)); ev.Name != "robbie" || ev.Length != 3 {
		t.Errorf("invited by %s to %d points", ev.Name, ev.Length)
	}
}
