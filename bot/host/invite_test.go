package host

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/internal/names"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestBlockURL_refreshed: a list on the web is fetched at the start and regularly, and the
// newest one is in force.
func TestBlockURL_refreshed(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	var asked atomic.Int32
	third := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch asked.Add(1) {
		case 1:
			fmt.Fprintln(w, "nobody")
			return
		case 3: // so the second answer is in force
			close(third)
		}
		fmt.Fprintln(w, "villain")
	}))
	defer web.Close()
	c := testConfig(t, addr, "robbie")
	c.Opponents.BlockURL = web.URL
	c.Opponents.BlockEvery = config.Duration(time.Millisecond)
	startHost(t, c, nil).ready(1)
	select {
	case <-third:
	case <-time.After(patience):
		t.Fatalf("the list was asked for %d times", asked.Load())
	}
	p := login(t, addr, "villain", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.told("robbie", "I do not play with you")
}

func TestReputation_answers(t *testing.T) {
	c := config.Default()
	c.Opponents.RepBot.Name = "RepBotNG"
	for _, tc := range []struct {
		from, text string
		ours       bool // it came from the reputation bot
		who        string
		known      bool
		number     int
	}{
		{"RepBotNG", "bob's reputation is 120 (GOOD)", true, "bob", true, 120},
		{"repbotng", "bobby's reputation is -10000 (BAD)", true, "bobby", true, -10000},
		{"RepBotNG", "bobby's reputation is -10000(BAD) (no saved games)", true, "bobby", true, -10000}, // an old format
		{"RepBotNG", "badger's reputation is 7 (GOOD)", true, "badger", true, 7},
		{"RepBotNG", "User bob has no complainers or vouchers", true, "bob", false, 0},
		{"RepBotNG", "bob's reputation is 99999999999999999999 (GOOD)", true, "", false, 0},
		{"RepBotNG", "Internal error, my apologies", true, "", false, 0},
		{"RepBotNG", "alice's reputation is -5 (BAD)", true, "", false, 0},
		{"villain", "bob's reputation is -5 (BAD)", false, "", false, 0},
	} {
		s := &seat{h: &Host{opt: Options{Config: func() *config.Config { return c }}}, received: received{asking: map[string]*asking{}}}
		for _, name := range []string{"bob", "bobby", "badger"} {
			s.received.asking[name] = &asking{needRep: true}
		}
		if ours := s.reputation(&protocol.Event{Name: tc.from, Text: tc.text}); ours != tc.ours {
			t.Errorf("%s: %q taken for an answer: %v", tc.from, tc.text, ours)
		}
		for name, a := range s.received.asking {
			if a.needRep == (name == tc.who) {
				t.Errorf("%q: still waited for about %s: %v", tc.text, name, a.needRep)
			}
			if known := name == tc.who && tc.known; (a.standing != nil) != known || known && *a.standing != tc.number {
				t.Errorf("%q: of %s is known %v", tc.text, name, a.standing)
			}
		}
	}
}

// TestInvitation_replacedWhileItIsLookedInto: a newer invitation of a player replaces the older
// one, which must not be accepted: join takes the newest.
func TestInvitation_replacedWhileItIsLookedInto(t *testing.T) {
	h := resting(t, testConfig(t, "127.0.0.1:1", "robbie"))
	s, tbl, now := h.seats[0], table.New(table.Options{Protocol: fibs.Protocol{}, Name: "robbie"}), time.Now()
	var due table.Due
	s.invited(tbl, &due, table.Invitation{From: "human", Length: 5}, now)
	if len(s.received.asking) != 1 {
		t.Fatalf("nothing is looked into: sent %v", due.Send)
	}
	s.invited(tbl, &due, table.Invitation{From: "human", Length: 99}, now)
	if len(s.received.asking) != 0 {
		t.Error("the invitation to 5 points may still be accepted, and 99 points joined")
	}
}

// TestSeek_leavesAloneWhatWasNeverAgreed: the bot left a match because its length was not the
// agreed one. It resumes the match only if the rules allow its length.
func TestSeek_leavesAloneWhatWasNeverAgreed(t *testing.T) {
	for length, want := range map[string]int{"99": 0, "9": 1} {
		h := resting(t, testConfig(t, "127.0.0.1:1", "robbie"))
		s, tbl, now := h.seats[0], table.New(table.Options{Protocol: fibs.Protocol{}, Name: "robbie", Lobby: h.seats[0].lobby}), time.Now()
		p := fibs.Protocol{}.Reader()
		say := func(lines ...string) {
			for _, l := range lines {
				for _, ev := range p.FromServer(l) {
					tbl.Event(ev, now)
				}
			}
		}
		tbl.Ready(now)
		say("no saved games.", "** You're not playing.")
		tbl.Accept(table.Invitation{From: "human", Length: 1}, now)
		say("** There's no saved match with human. Please give a match length.", "** You are now playing a "+length+" point match with human",
			"You terminated the game. The game was saved.", "5 human - - 1 0 1500.00 0 0 1700000000 host client -")
		if !tbl.Free() || !tbl.SavedWith("human") {
			t.Fatal("the match was not left")
		}
		var due table.Due
		s.seekOpponent(tbl, &due, now)
		s.seekOpponent(tbl, &due, now.Add(time.Hour))
		if len(due.Send) != want {
			t.Errorf("%s points: sent %v, want %d invitations", length, due.Send, want)
		}
	}
}

// TestSeek_whoWasNotThere: an opponent whose connection dropped may be listed as free for a
// while. If an invitation did not arrive, the bot invites again when the opponent is back; if it
// arrived, it does not.
func TestSeek_whoWasNotThere(t *testing.T) {
	const free = "5 human - - 1 0 1500.00 0 0 1700000000 host client -"
	tests := []struct {
		name   string
		answer []string
		again  bool
	}{
		{"gone before", []string{"** There is no one called human"}, true},
		{"gone after", []string{"** You invited human to resume a saved match.", "** There is no one called human"}, false},
		{"another player has gone", []string{"** There is no one called carol"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := resting(t, testConfig(t, "127.0.0.1:1", "robbie"))
			s, tbl, now := h.seats[0], table.New(table.Options{Protocol: fibs.Protocol{}, Name: "robbie", Lobby: h.seats[0].lobby}), time.Now()
			p := fibs.Protocol{}.Reader()
			say := func(lines ...string) {
				for _, l := range lines {
					for _, ev := range p.FromServer(l) {
						due := tbl.Event(ev, now)
						s.heard(tbl, &due, &ev, now)
					}
				}
			}
			invited := func() bool {
				due := tbl.Tick(now)
				s.seekOpponent(tbl, &due, now)
				return slices.Contains(due.Send, protocol.Command(protocol.Resume{Name: "human"}))
			}
			tbl.Ready(now)
			say("  human                   3                1 -  1", "** You're not playing.", free)
			if !invited() {
				t.Fatal("the saved match is not asked for")
			}
			say(tt.answer...)
			now = now.Add(time.Minute)
			if invited() {
				t.Error("a player who is absent or does not answer is invited again")
			}
			say(free)
			if again := invited(); again != tt.again {
				t.Errorf("asked again when he is back: %v, want %v", again, tt.again)
			}
		})
	}
}

// TestSeek_whoLeftAndCameBack: our connection broke. An opponent who had left and returned is
// invited at once; one who had left and not returned is not.
func TestSeek_whoLeftAndCameBack(t *testing.T) {
	for _, back := range []bool{true, false} {
		h := resting(t, testConfig(t, "127.0.0.1:1", "robbie"))
		s, tbl, now := h.seats[0], table.New(table.Options{Protocol: fibs.Protocol{}, Name: "robbie", Lobby: h.seats[0].lobby}), time.Now()
		s.memory.change("human", now, func(p *person) { p.LeftAt = now })
		p := fibs.Protocol{}.Reader()
		var sent []protocol.Command
		say := func(lines ...string) {
			for _, l := range lines {
				for _, ev := range p.FromServer(l) {
					due := tbl.Event(ev, now)
					s.heard(tbl, &due, &ev, now)
					for _, n := range due.Notes {
						if n.Kind == table.NoteOpen {
							s.opened(nil, &due, n, &ev, now)
						}
					}
					if tbl.Free() {
						s.seekOpponent(tbl, &due, now)
					}
					sent = append(sent, due.Send...)
				}
			}
		}
		login := func() {
			tbl.Ready(now)
			say("  human                   3                1 -  1", "** You're not playing.")
		}
		login()
		if back {
			say("human has joined you. Your running match was loaded.")
		}
		tbl.Lost()
		now, sent = now.Add(10*time.Second), nil
		login()
		say("5 human - - 1 0 1500.00 0 0 1700000000 host client -")
		if asked := slices.Contains(sent, protocol.Command(protocol.Resume{Name: "human"})); asked != back {
			t.Errorf("came back: %v, asked to resume: %v", back, asked)
		}
	}
}

func TestInvitation_refusedWithTheReason(t *testing.T) {
	_, addr := startServer(t, server.Options{})
	c := testConfig(t, addr, "robbie")
	c.Invitations.Length = config.Lengths{Min: 1, Max: 5, Deny: []int{2}}
	c.Opponents.Block = []string{"villain"}
	block := filepath.Join(t.TempDir(), "block")
	if err := os.WriteFile(block, []byte("# empty\n"), 0o600); err != nil {
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
	h.blocks.list(block, time.Now().Add(names.Every)) // it is checked once a second
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
