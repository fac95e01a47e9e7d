package bot

import (
	"slices"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// lobbyOf returns a table that has logged in. say gives it lines of the server and returns
// the commands that the account sends and when it wants to be called.
func lobbyOf(t *testing.T, p *Plain, now *time.Time, login ...string) (say func(lines ...string) ([]string, time.Time)) {
	t.Helper()
	tbl := table.New(table.Options{Protocol: fibs.Protocol{}, Name: "me"})
	reader := fibs.Protocol{}.Reader()
	say = func(lines ...string) (sent []string, wake time.Time) {
		take := func(due table.Due, ev *protocol.Event) {
			wake = p.Step(tbl, &due, ev, *now)
			for _, c := range due.Send {
				text, err := encode(c)
				if err != nil {
					t.Fatal(err)
				}
				sent = append(sent, text)
			}
		}
		if len(lines) == 0 {
			take(tbl.Tick(*now), nil)
		}
		for _, l := range lines {
			for _, ev := range reader.FromServer(l) {
				take(tbl.Event(ev, *now), &ev)
			}
		}
		return sent, wake
	}
	tbl.Ready(*now)
	say(append(login, "** You're not playing.")...)
	return say
}

const bobIsFree = "5 bob - - 1 0 1500.00 0 0 1700000000 host client -"

// TestPlain_invites: one player is invited while online and free, not too often, and only
// until the matches are played.
func TestPlain_invites(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	p := &Plain{Invite: "bob", Length: 5, Every: time.Second, Matches: 1}
	say := lobbyOf(t, p, &now)
	if sent, wake := say(); sent != nil || !wake.IsZero() {
		t.Errorf("no player is online: sent %q, wakes at %v", sent, wake)
	}
	if sent, _ := say("5 bob carl - 1 0 1500.00 0 0 1700000000 host client -"); sent != nil {
		t.Errorf("bob plays: sent %q", sent)
	}
	if sent, _ := say(bobIsFree); !slices.Equal(sent, []string{"invite bob 5"}) {
		t.Errorf("bob is free: sent %q", sent)
	}
	sent, wake := say("** bob is refusing games.")
	if sent != nil || !wake.Equal(now.Add(time.Second)) {
		t.Errorf("refused: sent %q, wakes at %v", sent, wake)
	}
	now = wake
	if sent, _ := say(); !slices.Equal(sent, []string{"invite bob 5"}) {
		t.Errorf("a second later: sent %q", sent)
	}
	say("** Player bob has joined you for a 5 point match.", "Starting a new game with bob.")
	now = now.Add(time.Minute)
	if sent, _ := say("bob wins the 5 point match 5-0 .", "** You're not playing.", bobIsFree); !slices.Equal(sent, []string{"board"}) {
		t.Errorf("the matches are played: sent %q", sent)
	}
}

// TestPlain_resumes: players with a saved match come first, by name.
func TestPlain_resumes(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	p := &Plain{Invite: "bob", Length: 5}
	say := lobbyOf(t, p, &now, "  opponent          matchlength   score (your points first)",
		"  carl                    3                1 -  1", "  dora                    3                1 -  1", bobIsFree,
		"5 dora - - 1 0 1500.00 0 0 1700000000 host client -", "5 carl - - 1 0 1500.00 0 0 1700000000 host client -")
	if p.next.IsZero() {
		t.Fatal("no player was invited after the login")
	}
	if sent, _ := say("** carl is refusing games.", "8 carl carl logs out."); sent != nil {
		t.Errorf("at once sent %q", sent)
	}
	now = now.Add(time.Second)
	if sent, _ := say(); !slices.Equal(sent, []string{"invite dora"}) {
		t.Errorf("sent %q, want the other saved match", sent)
	}
}

// TestPlain_refusal: a refusal has a reason.
func TestPlain_refusal(t *testing.T) {
	for _, tt := range []struct {
		p    Plain
		inv  table.Invitation
		want string
	}{
		{Plain{Min: 1, Max: 5}, table.Invitation{Length: 5}, ""},
		{Plain{Min: 3, Max: 5}, table.Invitation{Length: 1}, "Sorry, I do not play 1-point matches. Please invite me to 3 to 5 points."},
		{Plain{Min: 1, Max: 5}, table.Invitation{Length: 7}, "Sorry, I do not play 7-point matches. Please invite me to 1 to 5 points."},
		{Plain{Min: 1, Max: 5}, table.Invitation{Unlimited: true}, "Sorry, I do not play unlimited matches. Please invite me to 1 to 5 points."},
		{Plain{Max: 5, Unlimited: true}, table.Invitation{Unlimited: true}, ""},
		{Plain{}, table.Invitation{Length: 1}, "Sorry, I do not play 1-point matches. I accept no new matches now."},
		{Plain{}, table.Invitation{Length: -1, Resume: true}, ""},
		{Plain{}, table.Invitation{Length: 9, Saved: true}, ""},
	} {
		if got := tt.p.refusal(tt.inv); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.inv, got, tt.want)
		}
	}
}
