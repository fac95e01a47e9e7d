package host

import (
	"context"
	"strings"
	"sync"
	"testing"

	"fibsbot/bot/ops"
	"fibsbot/config"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

func TestSpectate_untilAMatchOfOurOwn(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	_, addr := startServer(t, server.Options{OnLine: func(_ context.Context, user, line string, n int) server.Fate {
		mu.Lock()
		defer mu.Unlock()
		if user == "robbie" && (strings.HasPrefix(line, "watch") || line == "unwatch") {
			lines = append(lines, line)
		}
		return server.Carry
	}})
	heard := func(want string) func(ops.Status) bool {
		return func(ops.Status) bool {
			mu.Lock()
			defer mu.Unlock()
			return len(lines) > 0 && strings.HasPrefix(lines[len(lines)-1], want)
		}
	}
	p, q := login(t, addr, "anna", "secret"), login(t, addr, "bert", "secret")
	p.send(clip.Invite{Name: "bert", Length: 5})
	q.expect("an invitation", kind(clip.Invites))
	q.send(clip.Join{Name: "anna"})
	p.expect("a match", kind(clip.MatchBegins))
	c := testConfig(t, addr, "robbie")
	c.Watch = config.Default().Watch
	c.Watch.Enabled, c.Watch.Players, c.Watch.Preset = true, []string{"any"}, "expert"
	h := startHost(t, c, nil)
	h.until("not watching", heard("watch "))
	r := login(t, addr, "human", "secret")
	r.send(clip.Invite{Name: "robbie", Length: 1})
	r.expect("a match", kind(clip.MatchBegins))
	h.until("still watching", heard("unwatch"))
}
