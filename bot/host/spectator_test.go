package host

import (
	"slices"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/watch"
	"fibsbot/config"
)

// TestSpectator: the spectator watches while the account is idle, pauses during its own matches,
// and applies a new configuration.
func TestSpectator(t *testing.T) {
	on, off := config.Default(), config.Default()
	on.Watch.Enabled, on.Watch.Players = true, []string{watch.Any}
	lobby := protocol.NewLobby("me")
	opened, judged := 0, 0
	var w spectator
	now := noon
	step := func(c *config.Config, free bool) []protocol.Command {
		t.Helper()
		send, wake, err := w.step(c, free, nil, now, func(c *config.Config) *watch.Watcher {
			opened++
			return watch.New(watch.Options{Me: "me", Protocol: fibs.Protocol{}, Lobby: lobby, Config: c.Watch})
		}, func(*config.Config) *watch.Judge { judged++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if (w.watcher != nil) == wake.IsZero() {
			t.Errorf("watching %v, wakes at %v", w.watcher != nil, wake)
		}
		return send
	}
	lobby.Event(&protocol.Event{Kind: protocol.UserInfo, User: &protocol.User{Name: "anna", Opponent: "bert", Rating: 1700}})
	if send := append(step(off, true), step(on, false)...); send != nil || opened != 0 {
		t.Fatalf("watching is off, or we play: sent %v", send)
	}
	if send := step(on, true); opened != 1 || !slices.Contains(send, protocol.Command(protocol.Watch{Name: "anna"})) {
		t.Fatalf("opened %d times, sent %v", opened, send)
	}
	now = now.Add(time.Second)
	if send := step(on, false); !w.paused || !slices.Contains(send, protocol.Command(protocol.Unwatch{})) {
		t.Errorf("a match of our own: paused %v, sent %v", w.paused, send)
	}
	now = now.Add(time.Minute)
	if send := step(on, true); w.paused || !slices.Contains(send, protocol.Command(protocol.Watch{Name: "anna"})) {
		t.Errorf("free again: paused %v, sent %v", w.paused, send)
	}
	again := *on
	if step(&again, true); judged != 1 || w.config != &again {
		t.Errorf("a new configuration: %d judges", judged)
	}
	if send := step(off, true); w.watcher != nil || !slices.Contains(send, protocol.Command(protocol.Unwatch{})) {
		t.Errorf("switched off: sent %v", send)
	}
	if step(on, true); opened != 2 {
		t.Errorf("switched on again: opened %d times", opened)
	}
	if err := w.close(now); err != nil || w.watcher != nil {
		t.Errorf("closed: %v", err)
	}
}
