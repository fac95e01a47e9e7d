package host

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/bot/policy"
	"fibsbot/config"
	"fibsbot/internal/testsize"
)

// Lines about human, who has a saved match with robbie.
const (
	savedRow   = "  human                   3                1 -  1"
	humanReady = "5 human - - 1 0 1500.00 100 0 1700000000 host client -"
	humanTurn  = "board:You:human:3:1:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)

// withSaved logs in with a saved match and human on line.
func withSaved(t *testing.T, c *config.Config) *offlineSeat {
	t.Helper()
	o := newOfflineSeat(t, c)
	o.step(o.tbl.Ready(o.now), nil)
	o.said(savedRow, "** You're not playing.", "5 robbie - - 1 0 1500.00 100 0 1700000000 host client -")
	o.sent = nil
	return o
}

// TestSaved_askedWithGrowingPauses: a player who does not answer is asked to resume after
// pauses that double up to a day, over a restart too, and from the beginning after a match.
func TestSaved_askedWithGrowingPauses(t *testing.T) {
	testsize.Medium(t)
	o := withSaved(t, testConfig(t, "127.0.0.1:1", "robbie"))
	var asked []time.Duration
	from := o.now
	watch := func(d time.Duration) {
		for end := o.now.Add(d); o.now.Before(end); o.after(time.Minute) {
			if slices.Contains(o.sent, "invite human") {
				asked, from = append(asked, o.now.Sub(from).Round(5*time.Minute)), o.now
			}
			o.sent = nil
			o.said("** You invited human to resume a saved match.")
		}
	}
	o.said(humanReady)
	watch(24 * time.Hour)
	if err := o.memory.save(); err != nil {
		t.Fatal(err)
	}
	again, err := openMemory(o.memory.file)
	if err != nil {
		t.Fatal(err)
	}
	o.memory = again
	watch(4 * 24 * time.Hour)
	m := time.Minute
	want := []time.Duration{0, 5 * m, 10 * m, 20 * m, 40 * m, 80 * m, 160 * m, 320 * m, 640 * m, 1280 * m, 1440 * m, 1440 * m, 1440 * m}
	if !slices.Equal(asked, want[:min(len(asked), len(want))]) || len(asked) < 12 {
		t.Errorf("asked after %v, want %v", asked, want)
	}
	o.said("human has joined you. Your running match was loaded.", humanTurn)
	if got := o.memory.get("human"); len(got.Marks) != 0 {
		t.Errorf("still on record: %+v", got.Marks)
	}
}

// TestStaller_isPaused: a player who lets the bot wait until it leaves is accepted again once,
// then after growing pauses, and told why.
func TestStaller_isPaused(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Saved.Auto = false
	o := withSaved(t, c)
	o.said(humanReady)
	stall := func() {
		t.Helper()
		o.said("human wants to resume a saved match with you.")
		o.want("invite human")
		o.said("human has joined you. Your running match was loaded.", humanTurn)
		for n := 0; !slices.Contains(o.sent, "leave"); n++ {
			if n > 20 {
				t.Fatalf("does not leave: %q", o.sent)
			}
			o.after(30 * time.Second)
			o.said(humanTurn)
		}
		o.said("** You terminated the game. The game was saved.", "** You're not playing.", humanReady)
		o.after(2 * time.Minute)
		o.sent = nil
	}
	stall()
	stall()
	o.said("human wants to resume a saved match with you.")
	if len(o.sent) != 1 || !strings.HasPrefix(o.sent[0], "tellx human Sorry human, you let me wait in vain 2 times; please invite me again in ") {
		t.Errorf("the second time: %q", o.sent)
	}
	if got := o.leftAlone(o.now); len(got) != 1 || got[0].Name != "human" || !strings.Contains(got[0].Why, "2 in all") || got[0].Until.IsZero() {
		t.Errorf("listed: %+v", got)
	}
	o.sent = nil
	o.after(5 * time.Minute)
	stall()
	o.after(5 * time.Minute)
	o.said("human wants to resume a saved match with you.")
	if len(o.sent) != 1 || !strings.Contains(o.sent[0], "3 times") {
		t.Errorf("the third time: %q", o.sent)
	}
}

// TestStop_isRespected: a player who says stop is neither invited nor spoken to until he says
// start; his own invitations are answered.
func TestStop_isRespected(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Matchmaking.Enabled, c.Matchmaking.AfterIdle = true, 0
	o := withSaved(t, c)
	o.said("12 human stop")
	o.want("tellx human I will not invite you, talk or kibitz to you until you tell me 'start'; I only answer your own invitations.")
	again, err := openMemory(o.memory.file)
	if err != nil {
		t.Fatal(err)
	}
	o.memory = again // as after a restart
	o.said(humanReady)
	for range 20 {
		o.after(5 * time.Minute)
	}
	o.said("12 human stats", "12 human help")
	o.want()
	if got := o.leftAlone(o.now); !slices.Equal(got, []ops.Person{{Name: "human", Why: "asked to be left alone"}}) {
		t.Errorf("listed: %+v", got)
	}
	if list, err := OptOuts(c.Archive.Dir, "another", o.server); err != nil || !list.Has("HUMAN") || list.Has("bob") {
		t.Errorf("another process does not know it: %v", err)
	}
	o.said("human wants to resume a saved match with you.")
	o.want("invite human")
	o.said("human has joined you. Your running match was loaded.", humanTurn)
	o.after(2 * time.Minute)
	o.said(humanTurn)
	o.said("human drops connection. The game was saved.")
	if slices.ContainsFunc(o.sent, func(l string) bool { return strings.HasPrefix(l, "tell") }) {
		t.Errorf("spoken to: %q", o.sent)
	}
	o.sent = nil
	o.said("12 human start", humanReady)
	o.after(10 * time.Minute)
	if !slices.Contains(o.sent, "tellx human I will invite you and talk to you again.") || !slices.Contains(o.sent, "invite human") {
		t.Errorf("sent %q", o.sent)
	}
}

// TestFarewell_onceInAWhile: short matches in a row end with one farewell.
func TestFarewell_onceInAWhile(t *testing.T) {
	o := newOfflineSeat(t, testConfig(t, "127.0.0.1:1", "robbie"))
	o.login()
	for range 3 {
		o.said("** Player human has joined you for a 1 point match.", "Starting a new game with human.")
		o.said("human resigns. You win 1 point.", "You win the 1 point match 1-0 .", "** You're not playing.")
		o.after(time.Minute)
	}
	n := 0
	for _, l := range o.sent {
		if strings.Contains(l, "Thank you for the match") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d farewells: %q", n, o.sent)
	}
}

// TestMemory_control: what an operator decides about a person holds for every spelling and over
// a restart, and a flood of other names does not wash it away.
func TestMemory_control(t *testing.T) {
	testsize.Medium(t)
	file := filepath.Join(t.TempDir(), "robbie.json")
	m, err := openMemory(file)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	if err := m.Block("villain", "rude", now); err != nil {
		t.Fatal(err)
	}
	if err := m.wish("dora", policy.Stop, now); err != nil {
		t.Fatal(err)
	}
	for i := range maxKnown + 50 {
		m.mark(fmt.Sprint("name", i), policy.Resigned, 1, now.Add(time.Duration(i)*time.Second))
	}
	m.change(strings.Repeat("x", maxName+1), now, func(*person) {})
	if len(m.content.People) != maxKnown || len(m.folded) != maxKnown {
		t.Errorf("%d people, %d folded", len(m.content.People), len(m.folded))
	}
	if err := m.save(); err != nil {
		t.Fatal(err)
	}
	if m, err = openMemory(file); err != nil {
		t.Fatal(err)
	}
	if m.get("Villain").Blocked != "rude" || m.get("dora").Stopped.IsZero() {
		t.Error("washed away")
	}
	m.change("Villain", now, func(p *person) { p.Preset = "expert" })
	if there, err := m.Unblock("VILLAIN", now); !there || err != nil || m.get("villain").Blocked != "" {
		t.Errorf("unblocked: %v, %v", there, err)
	}
	if there, _ := m.Unblock("villain", now); there {
		t.Error("unblocked twice")
	}
	m.mark("villain", policy.Stalls, 3, now)
	if there, err := m.Forget("Villain"); !there || err != nil {
		t.Errorf("forgotten: %v, %v", there, err)
	}
	if got := m.get("villain"); got.Preset != "expert" || len(got.Marks) != 0 {
		t.Errorf("the saved match's preset is part of the match: %+v", got)
	}
	if there, _ := m.Forget("stranger"); there {
		t.Error("a stranger was known")
	}
}

// TestLimit_countsTheMatchThatEnds: an invitation that comes before the end of a match is judged
// with it.
func TestLimit_countsTheMatchThatEnds(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Opponents.Limit.Matches = 2
	o := newOfflineSeat(t, c)
	o.login()
	for n := 1; ; n++ {
		o.said("** Player human has joined you for a 1 point match.", "Starting a new game with human.")
		o.said("human wants to play a 1 point match with you.", "human resigns. You win 1 point.", "You win the 1 point match 1-0 .")
		o.sent = nil
		o.said("** You're not playing.")
		if n < 2 {
			if slices.ContainsFunc(o.sent, func(l string) bool { return strings.Contains(l, "let us go on in") }) {
				t.Fatalf("refused after %d matches: %q", n, o.sent)
			}
			continue
		}
		if !slices.ContainsFunc(o.sent, func(l string) bool { return strings.Contains(l, "we have played 2 matches") }) {
			t.Fatalf("a third match: %q", o.sent)
		}
		return
	}
}

// TestVoid: where the server cannot load a saved match, its opponent learns that, is not asked to
// resume it, and can replace it by a new one.
func TestVoid(t *testing.T) {
	const reason = "tellx human Sorry human, our saved match is damaged on the server; please invite me to a new one, which replaces it."
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Opponents.MaxSaved = 0
	o := withSaved(t, c)
	o.said("human wants to resume a saved match with you.")
	o.want("invite human")
	o.said("** You invited human to resume a saved match.", "** ERROR: Saved match is corrupt. Please start another one.")
	o.want(reason)
	o.said(humanReady)
	for range 20 {
		o.after(5 * time.Minute)
	}
	o.said("human wants to resume a saved match with you.")
	o.want(reason)
	o.said("human wants to play a 5 point match with you.", "WARNING: Don't accept if you want to continue the saved 3 point match!")
	o.want("join human")
	o.said("** You are now playing a 5 point match with human")
	if o.tbl.Void("human") || !o.tbl.Playing() {
		t.Error("no new match")
	}
}

// TestInvitation_replaced: a match of a length that was never agreed on does not stand in the way
// of a new one.
func TestInvitation_replaced(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Opponents.MaxSaved = 0
	o := newOfflineSeat(t, c)
	o.login()
	o.said("human wants to play a 5 point match with you.")
	o.want("invite human")
	o.said("** There's no saved match with human. Please give a match length.")
	o.want("join human")
	o.said("** You are now playing a 64 point match with human")
	o.want("tellx human That is not the match length we agreed on.", "leave")
	o.said("** You terminated the game. The game was saved.")
	o.said("human wants to resume a saved match with you.")
	o.want("tellx human Sorry human, I play matches of 1 to 13 points.")
	o.said("human wants to play a 5 point match with you.", "WARNING: Don't accept if you want to continue the saved 64 point match!")
	o.want("join human")
	o.said("** human is refusing games.")
	o.want("tellx human The server did not let us play: human is refusing games.")
}

// mark changes a count of name by n.
func (m *memory) mark(name string, mark policy.Mark, n int, now time.Time) {
	m.change(name, now, func(p *person) { p.Mark(mark, n, now) })
}
