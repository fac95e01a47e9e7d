package watch

import (
	"fmt"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// tellAll enters lines of the server into a chooser.
func tellAll(t *testing.T, c *chooser, now time.Time, lines ...string) {
	t.Helper()
	p := fibs.Protocol{}.Reader()
	for _, l := range lines {
		for _, ev := range p.FromServer(l) {
			if ev.Kind == protocol.Unknown {
				t.Fatalf("line of no known shape: %q", l)
			}
			c.lobby.Event(&ev)
			c.Event(ev, now)
		}
	}
}

// who is a who line.
func who(name, opponent string, rating float64) string {
	return fmt.Sprintf("5 %s %s - 1 0 %.2f 100 3 1041253132 host client -", name, opponent, rating)
}

func TestChooser_next(t *testing.T) {
	crowd := []string{
		who("alice", "bob", 1500), who("bob", "alice", 1600), who("carl", "dora", 1900), who("dora", "carl", 1700),
		who("eve", "fred", 2100), who("fred", "eve", 1200), who("gina", "-", 2300), who("spectator", "-", 1500),
	}
	for _, tt := range []struct {
		name   string
		wanted []string
		never  []string
		lines  []string
		at     time.Duration // later
		want   string
	}{
		{"best: the highest mean, its higher rated player", []string{Best}, nil, crowd, 0, "carl"},
		{"any: the first by name", []string{Any}, nil, crowd, 0, "alice"},
		{"a player", []string{"fred"}, nil, crowd, 0, "fred"},
		{"a list: the first who plays", []string{"gina", "dora", "alice"}, nil, crowd, 0, "dora"},
		{"a list, then best", []string{"gina", Best}, nil, crowd, 0, "carl"},
		{"a pattern", []string{"f*"}, nil, crowd, 0, "fred"},
		{"a player who is there and plays nothing", []string{"gina"}, nil, crowd, 0, "gina"},
		{"a player who is not there", []string{"zoe"}, nil, crowd, 0, ""},
		{"never: the player", []string{Best}, []string{"carl"}, crowd, 0, "eve"},
		{"never: the opponent too", []string{"dora", "eve"}, []string{"carl"}, crowd, 0, "eve"},
		{"never: a pattern", []string{Any}, []string{"?????*"}, crowd, 0, "carl"},
		{"ourselves never", []string{"spectator"}, nil, crowd, 0, ""},
		{"logged out", []string{"alice", Any}, nil, append(crowd, "8 alice alice logs out."), 0, "bob"},
		{"does not want us", []string{"carl", Any}, nil, append(crowd, "** carl doesn't want you to watch."), 0, "alice"},
		{"does not want us, a day later", []string{"carl", Any}, nil, append(crowd, "** carl doesn't want you to watch."), 25 * time.Hour, "carl"},
		{"bans us", []string{"carl", Any}, nil, append(crowd, "carl bans you from watching."), 0, "alice"},
		{"a match closed to us", []string{"alice", "bob", "eve"}, nil, append(crowd, "** You can't watch the match between alice and bob."), 0, "eve"},
		{"one of them in another match", []string{"alice"}, nil,
			append(crowd, "** You can't watch the match between alice and bob.", who("alice", "gina", 1500)), 0, "alice"},
		{"no player of that name", []string{"alice", "eve"}, nil, append(crowd, "** There is no one called alice."), 0, "eve"},
		{"stopped playing", []string{"alice", "eve"}, nil, append(crowd, "alice is not doing anything interesting."), 0, "eve"},
		{"left while watched", []string{"alice", Any}, nil, append(crowd, "alice logs out.. You're not watching anymore."), 0, "bob"},
		{"a refusal without a name", []string{Any}, nil, append(crowd, "** Use a mirror to do that."), 0, "alice"},
		{"an opponent without a line counts as average", []string{Best}, nil, []string{who("ann", "unknown", 1900), who("ben", "cid", 1650), who("cid", "ben", 1660)}, 0, "ann"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newChooser(tt.wanted, tt.never, "spectator", protocol.NewLobby("spectator"))
			tellAll(t, c, noon, tt.lines...)
			got, ok := c.Next(noon.Add(tt.at))
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Next = %q, %v; want %q", got, ok, tt.want)
			}
		})
	}
}

func TestChooser_neverMeansBothPlayers(t *testing.T) {
	c := newChooser([]string{"dora", Any}, []string{"carl"}, "me", protocol.NewLobby("me"))
	tellAll(t, c, noon, who("carl", "dora", 1900), who("dora", "carl", 1700), who("eve", "fred", 1500))
	if got, _ := c.Next(noon); got != "eve" {
		t.Errorf("Next = %q; dora plays with carl, who must not be watched", got)
	}
	if c.May("dora", "carl", noon) || !c.May("dora", "eve", noon) {
		t.Error("May: dora may be watched, but not against carl")
	}
}
