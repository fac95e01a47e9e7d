package protocol

import (
	"fmt"
	"testing"
)

// TestLobby: who comes, changes and goes.
func TestLobby(t *testing.T) {
	l := NewLobby("me")
	user := func(name, opponent string) *Event {
		return &Event{Kind: UserInfo, Name: name, User: &User{Name: name, Opponent: opponent, Ready: true, Rating: 1600}}
	}
	l.Event(user("bob", "carl"))
	l.Event(user("carl", "bob"))
	l.Event(&Event{Kind: UserInfo, Name: "nobody"})
	if u, ok := l.User("bob"); !ok || u.Available() {
		t.Errorf("bob plays: %+v, %v", u, ok)
	}
	l.Event(&Event{Kind: PlaysNothing, Name: "bob"})
	if u, _ := l.User("bob"); !u.Available() {
		t.Errorf("bob plays nothing any more: %+v", u)
	}
	if l.Me() != (User{}) {
		t.Errorf("of me nothing was told: %+v", l.Me())
	}
	l.Event(&Event{Kind: YouUnwatch, Name: "bob"})
	if _, ok := l.User("bob"); !ok {
		t.Error("bob is gone because we watch him no more")
	}
	for _, gone := range []*Event{{Kind: LogsOut, Name: "bob"}, {Kind: NoSuchPlayer, Name: "bob"}, {Kind: YouUnwatch, Name: "bob", Left: LeftServer}} {
		l.Event(user("bob", ""))
		l.Event(gone)
		if _, ok := l.User("bob"); ok {
			t.Errorf("bob is still there after %v", gone.Kind)
		}
	}
	n := 0
	for name, u := range l.All() {
		if n++; name != u.Name || name != "carl" {
			t.Errorf("there is %s, %+v", name, u)
		}
	}
	if l.Clear(); n != 1 {
		t.Errorf("%d on line, want 1", n)
	}
	if _, ok := l.User("carl"); ok {
		t.Error("carl is there after another login")
	}
}

// TestLobby_bounded: a server that invents players does not fill the memory; the
// account itself and known players are still updated.
func TestLobby_bounded(t *testing.T) {
	l := NewLobby("me")
	say := func(name string, rating float64) {
		l.Event(&Event{Kind: UserInfo, User: &User{Name: name, Rating: rating}})
	}
	for i := range maxLobby + 10 {
		say(fmt.Sprintf("p%d", i), 1500)
	}
	say("me", 1700)
	say("p0", 1800)
	say("late", 1500)
	if u, _ := l.User("p0"); l.Me().Rating != 1700 || u.Rating != 1800 || len(l.users) > maxLobby+1 {
		t.Errorf("%d players, me %+v, p0 %+v", len(l.users), l.Me(), u)
	}
	if _, ok := l.User("late"); ok {
		t.Error("there is room beyond the bound")
	}
}
