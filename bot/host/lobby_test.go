package host

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/fibs/server"
)

// offlineSeat is the seat of robbie with a table; the test supplies lines and time.
type offlineSeat struct {
	*seat
	t      *testing.T
	tbl    *table.Table
	reader protocol.Reader
	now    time.Time
	sent   []string
}

func newOfflineSeat(t *testing.T, c *config.Config) *offlineSeat {
	t.Helper()
	s := resting(t, c).seats[0]
	return &offlineSeat{seat: s, t: t, now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), reader: fibs.Protocol{}.Reader(),
		tbl: table.New(table.Options{Protocol: fibs.Protocol{}, Name: s.name, Lobby: s.lobby})}
}

// login logs in with a who line of the account itself; nothing is saved.
func (o *offlineSeat) login() {
	o.step(o.tbl.Ready(o.now), nil)
	o.said("no saved games.", "** You're not playing.", "5 robbie - - 1 0 1500.00 100 0 1700000000 host client -")
	o.sent = nil
}

// step lets the seat act and collects the FIBS commands that it sends.
func (o *offlineSeat) step(due table.Due, ev *protocol.Event) {
	o.t.Helper()
	o.Step(o.tbl, &due, ev, o.now)
	for _, c := range due.Send {
		lines, err := fibs.Protocol{}.Encode(c)
		if err != nil {
			o.t.Fatal(err)
		}
		o.sent = append(o.sent, lines...)
	}
}

// said passes lines of the server.
func (o *offlineSeat) said(lines ...string) {
	o.t.Helper()
	for _, l := range lines {
		for _, ev := range o.reader.FromServer(l) {
			o.step(o.tbl.Event(ev, o.now), &ev)
		}
	}
}

// after advances the clock.
func (o *offlineSeat) after(d time.Duration) {
	o.t.Helper()
	o.now = o.now.Add(d)
	o.step(o.tbl.Tick(o.now), nil)
}

// want removes the sent commands and compares them.
func (o *offlineSeat) want(lines ...string) {
	o.t.Helper()
	if !slices.Equal(o.sent, lines) {
		o.t.Fatalf("sent %q, want %q", o.sent, lines)
	}
	o.sent = nil
}

// TestInvitation_ofTheOpponentAtTheBoard: the line about the saved match was lost. The bot does
// not refuse its opponent as busy, but does refuse another player.
func TestInvitation_ofTheOpponentAtTheBoard(t *testing.T) {
	o := newOfflineSeat(t, testConfig(t, "127.0.0.1:1", "robbie"))
	o.login()
	o.said("** Player bob has joined you for a 5 point match.", "Starting a new game with bob.")
	o.sent = nil
	for range 8 {
		o.after(5 * time.Second)
		o.said("bob wants to resume a saved match with you.")
	}
	o.said("carol wants to play a 3 point match with you.")
	if n := slices.Index(o.sent, "board"); n < 0 || slices.ContainsFunc(o.sent, func(l string) bool { return strings.HasPrefix(l, "tellx bob") }) {
		t.Fatalf("sent %q", o.sent)
	}
	if !slices.ContainsFunc(o.sent, func(l string) bool { return strings.HasPrefix(l, "tellx carol") }) {
		t.Fatalf("carol is not told that robbie plays: %q", o.sent)
	}
	o.sent = nil
	o.said("** You're not playing.")
	o.want("show saved", "invite bob")
}

// TestLevel_namesWhatWillPlay: 'level' names the preset that the rules select for a match with
// the asking player, for each length, even during a match with another player.
func TestLevel_namesWhatWillPlay(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Invitations.Length = config.Lengths{Min: 1, Max: 9, Deny: []int{4}}
	c.Strength.Rules = []config.Rule{
		{When: config.When{Name: "weak*"}, Preset: "casual"},
		{When: config.When{Length: config.IntRange{Min: 1, Max: 3}}, Preset: "intermediate"},
		{When: config.When{Length: config.IntRange{Min: 9}}, Preset: "advanced"},
	}
	c.Manners.PerMinute = 100
	o := newOfflineSeat(t, c)
	o.login()
	ask := func(name, want string) {
		t.Helper()
		o.sent = nil
		o.said("12 " + name + " level")
		o.want("tellx " + name + " " + want)
	}
	const strangers = "I play as intermediate in matches of 1 to 3 points, as beginner in matches of 5 to 8 points, as advanced in matches of 9 points against you."
	ask("weakling", "I play as casual against you.")
	ask("carol", strangers)
	o.said("** Player weakling has joined you for a 5 point match.", "Starting a new game with weakling.")
	ask("weakling", "I play as casual in this match.")
	ask("carol", strangers)
	o.sent = nil
	o.said("12 carol about")
	if len(o.sent) != 1 || !strings.Contains(o.sent[0], "playing as intermediate") {
		t.Errorf("'about' while another player's match is on: %q", o.sent)
	}
	o.said("weakling drops connection. The game was saved.")
	c.Strength.Rules = nil
	ask("weakling", "I play as casual in our saved match.")
	ask("carol", "I play as beginner against you.")
	c.Invitations.Unlimited = true
	c.Strength.Rules = []config.Rule{{When: config.When{Length: config.IntRange{Min: 2}}, Preset: "casual"}}
	ask("carol", "I play as beginner in matches of 1 point, as casual in matches of 2 to 9 points, as beginner in unlimited matches against you.")
	c.Strength.Rules[0].When.Length.Max = 5
	ask("carol", "I play as beginner in matches of 1 point, as casual in matches of 2 to 5 points, as beginner in matches of 6 to 9 points and in unlimited ones against you.")
	c.Manners.LevelOnRequest = []string{"expert"}
	ask("carol", "I play as beginner in matches of 1 point, as casual in matches of 2 to 5 points, as beginner in matches of 6 to 9 points and in unlimited ones against you. To choose another level for our next match, tell me 'level' and one of: expert.")
	o.said("12 carol level expert")
	o.sent = nil
	ask("carol", "I play as expert against you. To choose another level for our next match, tell me 'level' and one of: expert.")
}

// TestInvitation_anotherReason: if a corrected invitation is refused for another reason, the bot
// states that reason at once.
func TestInvitation_anotherReason(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Invitations.Length = config.Lengths{Min: 1, Max: 9}
	o := newOfflineSeat(t, c)
	o.login()
	for range 2 {
		o.said("bob wants to play an unlimited match with you.", "bob wants to play a 25 point match with you.")
		o.after(10 * time.Second)
	}
	if len(o.sent) != 2 || !strings.Contains(o.sent[0], "unlimited") || !strings.Contains(o.sent[1], "1 to 9 points") {
		t.Errorf("sent %q", o.sent)
	}
}

// TestInvitation_noRepBot: the bot does not wait for a reputation bot that is offline or leaves
// before it answers.
func TestInvitation_noRepBot(t *testing.T) {
	for _, gone := range []string{"** There is no one called RepBotNG", "8 RepBotNG RepBotNG logs out.", "** There is no one called repbotng"} {
		c := testConfig(t, "127.0.0.1:1", "robbie")
		c.Opponents.RepBot.Name, c.Opponents.RepBot.Wait = "RepBotNG", config.Duration(time.Minute)
		c.Opponents.MaxSaved = 3
		o := newOfflineSeat(t, c)
		o.login()
		o.said("bob wants to play a 5 point match with you.")
		o.want("show savedcount bob", "tellx RepBotNG ask bob")
		o.said("** There is no one called carol")
		o.want()
		o.said(gone)
		o.want()
		o.said("bob has no saved games.")
		o.want("invite bob")
	}
}

// TestInvitation_whomTheServerDoesNotFind: the server may not find a player who invited us; the
// bot joins anyway.
func TestInvitation_whomTheServerDoesNotFind(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Opponents.MaxSaved = 3
	o := newOfflineSeat(t, c)
	o.login()
	o.said("bob wants to play a 5 point match with you.")
	o.want("show savedcount bob")
	o.said("** There is no one called bob")
	o.want("invite bob")
	o.said("** There is no one called bob")
	o.want("join bob")
	o.said("** There is no one called bob")
	o.want()
}

// TestMatchmaking_saysWhyNoOne: the status names the key that keeps matchmaking from inviting,
// and no reason once a player is invited or when matchmaking is off.
func TestMatchmaking_saysWhyNoOne(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	c.Matchmaking.Enabled, c.Matchmaking.AfterIdle = true, config.Duration(time.Minute)
	c.Manners.Owners = []string{"boss"}
	o := newOfflineSeat(t, c)
	o.presence.connected(true)
	o.login()
	expect := func(want string) {
		t.Helper()
		if got := o.status().NotInviting; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("invites no one: %q, want %q", got, want)
		}
	}
	expect("matchmaking.after_idle")
	o.after(2 * time.Minute)
	expect("no other player is online")
	o.said("5 GammonBot - - 1 0 1500.00 0 0 1700000000 host client -", "5 carol - - 0 0 1500.00 0 0 1700000000 host client -")
	o.after(seekEvery)
	expect("no suitable player: 1 not ready, 1 ruled out by opponents.bots")
	o.sent = nil
	o.said("12 boss status")
	if len(o.sent) != 1 || !strings.Contains(o.sent[0], "inviting no one: no suitable player") {
		t.Errorf("status by tell: %q", o.sent)
	}
	o.said("12 boss pause")
	o.after(seekEvery)
	expect("paused")
	o.said("12 boss resume", "5 carol - - 1 0 1500.00 0 0 1700000000 host client -")
	o.sent = nil
	o.after(seekEvery)
	o.want("invite carol 5")
	expect("")
	o.said("** carol is refusing games.")
	o.after(seekEvery)
	expect("matchmaking.gap")
	c.Matchmaking.Enabled = false
	o.after(seekEvery)
	expect("")
}

// TestMatchmaking_twoOfOneConfiguration: two accounts of one bot.yaml play each other in the
// first round, although their names are those of bots and both invite at once.
func TestMatchmaking_twoOfOneConfiguration(t *testing.T) {
	_, addr := startServer(t, server.Options{AutoAccounts: true})
	c := testConfig(t, addr, "anna_bot", "bert_bot")
	c.Opponents.Bots = "allow"
	c.Matchmaking.Enabled, c.Matchmaking.AfterIdle, c.Matchmaking.Gap = true, config.Duration(time.Millisecond), config.Duration(time.Hour)
	h := startHost(t, c, nil)
	h.until("a match between the two", func(st ops.Status) bool {
		return st.Accounts[0].Opponent == "bert_bot" && st.Accounts[1].Opponent == "anna_bot"
	})
}
