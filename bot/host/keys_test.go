package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	logtest "github.com/sirupsen/logrus/hooks/test"

	"fibsbot/bot/fibs"
	"fibsbot/bot/internal/names"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestChoose_keysForEveryPreset: strength.within and the keys under resign reach the
// preset of a match.
func TestChoose_keysForEveryPreset(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	h, err := New(Options{Config: func() *config.Config { return c }, Engine: testEngine(t), NoSync: true, Protocols: onFIBS(fibs.Protocol{})})
	if err != nil {
		t.Fatal(err)
	}
	s := h.seats[0]
	c.Strength.Within, c.Resign.Offer, c.Resign.Certainty, c.Resign.Accept = config.Duration(3*time.Second), true, 0.9, "equity"
	s.choose("bob", 5, false, time.Now())
	if got := s.chosen.Load().preset; got.Checker.Budget != 3*time.Second || got.Resign.Never {
		t.Errorf("the preset of the match is %+v", got)
	}
	if s.chosen.Load().acceptAll {
		t.Error("resign.accept: equity takes everything")
	}
	c.Resign.Accept = "always"
	s.choose("bob", 5, false, time.Now())
	if !s.chosen.Load().acceptAll {
		t.Error("resign.accept: always is not heard")
	}
}

// TestMatchmaking_timeout: an unanswered invitation delays others by matchmaking.timeout only.
func TestMatchmaking_timeout(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Matchmaking.Enabled, c.Matchmaking.AfterIdle, c.Matchmaking.Gap = true, 0, 0
	c.Matchmaking.Timeout = config.Duration(100 * time.Millisecond)
	h := startHost(t, c, func(o *Options) { o.Table = table.Options{} })
	h.ready(1)
	p, q := login(t, addr, "ann", "secret"), login(t, addr, "bob", "secret")
	p.expect("an invitation", kind(clip.Invites))
	// Without the key the first invitation would stay open for 64 s, longer than this test
	// waits.
	q.expect("an invitation", kind(clip.Invites))
}

// A reload names the key whose change takes effect only at the next start.
func TestNeedsRestart(t *testing.T) {
	old := config.Default()
	for want, change := range map[string]func(*config.Config){
		"":                    func(c *config.Config) { c.Strength.Preset = "beginner" },
		"matchmaking.timeout": func(c *config.Config) { c.Matchmaking.Timeout++ },
		"server.address":      func(c *config.Config) { c.Server.Address = "elsewhere:4321" },
	} {
		changed := config.Default()
		change(changed)
		if keys := strings.Join(needsRestart(old, changed), " "); keys != want {
			t.Errorf("got %q, want %q", keys, want)
		}
	}
}

// TestBlockFile_failureIsSaidOnce: the names of a missing file stay in force, and the log says
// so once.
func TestBlockFile_failureIsSaidOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("bob\n")
	log, said := logtest.NewNullLogger()
	b := blockFile{log: log}
	now := time.Now()
	look := func(want string, lines int) {
		t.Helper()
		now = now.Add(names.Every)
		set := b.list(file, now)
		whole := set.Len() == len(strings.Fields(want))
		for _, name := range strings.Fields(want) {
			whole = whole && set.Has(name)
		}
		if !whole || len(said.AllEntries()) != lines {
			t.Errorf("%d names in force and %d lines in the log, want %q and %d", set.Len(), len(said.AllEntries()), want, lines)
		}
	}
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	look("bob", 0)
	move(file, file+".gone")
	look("bob", 1)
	look("bob", 1)
	move(file+".gone", file) // unchanged, as on a disk that is mounted again
	look("bob", 1)
	move(file, file+".gone")
	look("bob", 2)
	write("two words\n")
	look("bob", 3)
	write("eve\nann\n")
	look("eve ann", 3)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	look("eve ann", 4)
}
