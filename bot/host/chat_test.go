package host

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
	"fibsbot/config"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

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
	var said []string
	for range 3 {
		said = append(said, p.told("robbie", ""))
	}
	b := login(t, addr, "OtherBot", "secret")
	b.send(clip.Tell{Name: "robbie", Text: "help"})
	boss := login(t, addr, "boss", "secret")
	for _, order := range []struct{ text, want string }{
		{"status", "I am waiting for an invitation"},
		{"say hello", "not playing"},
		{"reload", "the old one stays in force."},
		{"pause", "Paused"},
		{"resume", "Matches are accepted again"},
		{"status", "waiting"},
	} {
		boss.send(clip.Tell{Name: "robbie", Text: order.text})
		boss.told("robbie", order.want)
	}
	if reloads != 1 {
		t.Errorf("%d reloads", reloads)
	}
	// The bot answered the others before its last answer.
	p.c.Close()
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

// TestChat_levelForTheNextMatch asks for presets before and during a match. A preset asked for
// during a match applies to the next one; a resumed match keeps its preset.
func TestChat_levelForTheNextMatch(t *testing.T) {
	testsize.Medium(t)
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
	// On a busy machine the bot may get the question first, and answers that it still counts.
	h.until("a count of the dice", func(ops.Status) bool { return h.seats[0].filed.dice.Load() != nil })
	ask("dice", "no archived match")
	ask("level", "I play as beginner")
	ask("level intermediate", "next new match as intermediate")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	if got := playing(); got != "intermediate" {
		t.Errorf("asked for intermediate, plays %s", got)
	}
	ask("level casual", "I will play our next new match as casual")
	if got := playing(); got != "intermediate" {
		t.Errorf("changed to %s inside the match", got)
	}
	p.send(clip.Leave{})
	p.expect("the end", kind(clip.GameSaved))
	h.until("a saved match on the dashboard", func(ops.Status) bool {
		m := h.View(t.Context())
		return len(m.Saved) == 1 && m.Saved[0].Opponent == "human"
	})
	p.send(clip.Invite{Name: "robbie"})
	p.expect("the old match", kind(clip.MatchResumes))
	if got := playing(); got != "intermediate" {
		t.Errorf("resumed as %s", got)
	}
	if m := h.View(t.Context()); len(m.Saved) != 0 {
		t.Errorf("saved although it goes on: %+v", m.Saved)
	}
	if got := h.seats[0].memory.get("human"); got.Wants != "casual" || got.Preset != "intermediate" {
		t.Errorf("remembered %+v", got)
	}
}

func TestChat_optOutAndNudge(t *testing.T) {
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
	for { // a nudge counts only while the bot waits for its opponent
		p.send(clip.AskBoard{})
		if b := p.expect("a board", kind(clip.BoardLine)).Board; b.Turn == b.Colour {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	mu.Lock()
	before := boards
	mu.Unlock()
	p.send(typed("say move!"))
	p.send(typed("say stop kibitzing"))
	p.told("robbie", "I will not kibitz to you again")
	p.send(clip.Tell{Name: "robbie", Text: "pip"})
	p.told("robbie", "Pip count: you ")
	mu.Lock()
	after := boards
	mu.Unlock()
	if after <= before {
		t.Errorf("the board was not asked for: %d times before, %d after", before, after)
	}
	if list := h.seats[0].optOuts(); !list.Has("human") || list.Has("other") {
		t.Error("the opt-out was not recorded")
	}
}

// TestIdleOpponent_programIsWoken: programs read the board again when their opponent kibitzes
// what they have to do.
func TestIdleOpponent_programIsWoken(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Opponents.Bots, c.Manners.Greeting = "allow", nil
	c.Idle = config.Idle{Ask: config.Duration(50 * time.Millisecond), Say: "Are you there, {opponent}?"}
	h := startHost(t, c, nil)
	h.ready(1)
	p := login(t, addr, "SomeBot", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	ev := p.expect("a word", func(e clip.Event) bool { return e.Kind == clip.Kibitzes || e.Kind == clip.Says })
	if ev.Kind != clip.Kibitzes || ev.Name != "robbie" || ev.Text != "move" {
		t.Errorf("heard %+v", ev)
	}
}

func TestIdleOpponent_askedThenLeft(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
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
	// The bot does not at once invite an opponent whom it left.
	p.send(clip.Tell{Name: "robbie", Text: "about"})
	p.told("robbie", "I am fibsbot")
	if m := h.seats[0].memory.get("human"); m.LeftAt.IsZero() || m.Marks[policy.Drops].N != 0 || m.Marks[policy.Stalls].N != 1 {
		t.Errorf("remembered %+v, want when the match was left and no blame for it", m)
	}
}
