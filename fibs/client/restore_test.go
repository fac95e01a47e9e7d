package client_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// note is a Store in memory.
type note struct {
	mu   sync.Mutex
	data []byte
}

func (n *note) Load() []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.data
}

func (n *note) Save(data []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.data = data
}

// settings asks the server for the switches and variables of an account, without changing any.
func settings(t *testing.T, address string) map[string]string {
	t.Helper()
	opts := options(address, "alice")
	opts.Passive = true
	g := enter(t, opts)
	g.send(clip.Toggle{}, clip.AskVariable{Name: "boardstyle"}, clip.AskVariable{Name: "redoubles"})
	got := map[string]string{}
	for len(got) < len(clip.Switches())+2 {
		e := <-g.Events()
		switch e.Kind {
		case clip.ToggleRow:
			got[e.Name] = map[bool]string{true: "YES", false: "NO"}[e.On]
		case clip.VariableIs:
			got[e.Name] = e.Text
		}
	}
	g.Close()
	return got
}

// TestServer_settingsArePutBack: what Dial changes is as it was after Bye, whatever the account
// had, and also when the process was killed before; what another client has changed meanwhile
// stays.
func TestServer_settingsArePutBack(t *testing.T) {
	address := house(t, server.Options{Accounts: map[string]string{"alice": "sesame"}})
	opts := options(address, "alice")
	opts.Passive = true
	g := enter(t, opts)
	g.send(line("set boardstyle 1"), line("set redoubles 3"), line("toggle bell greedy notify automove report silent crawford"))
	g.send(clip.AskBoard{})
	g.until(clip.NotPlayingYou)
	g.Close()
	found := settings(t, address)

	var kept note
	opts.Passive, opts.Store = false, &kept
	bot := func(opts client.Options, bye bool) {
		t.Helper()
		g := enter(t, opts)
		if kept.Load() == nil {
			t.Error("nothing is kept while the bot is there")
		}
		if bye {
			g.send(clip.Bye{})
			for range g.Events() {
			}
		}
		g.Close()
	}
	check := func(what string, want map[string]string) {
		t.Helper()
		if diff := cmp.Diff(want, settings(t, address)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	bot(opts, true)
	check("after one visit", found)
	if data := kept.Load(); data != nil {
		t.Errorf("kept although all is put back: %s", data)
	}

	var conn net.Conn
	killed := opts
	killed.Telnet.Dial = func(ctx context.Context, network, address string) (c net.Conn, err error) {
		c, err = (&net.Dialer{}).DialContext(ctx, network, address)
		conn = c
		return c, err
	}
	g = enter(t, killed)
	_ = conn.Close()
	g.Close()
	watcher := opts
	watcher.Ready = false // as a spectator after a player that was killed
	bot(watcher, true)
	check("after a killed one", found)

	g = enter(t, killed)
	_ = conn.Close()
	g.Close()
	person := options(address, "alice")
	person.Passive = true
	g = enter(t, person)
	g.send(line("set boardstyle 2"), line("toggle bell"), clip.AskBoard{})
	g.until(clip.NotPlayingYou)
	g.Close()
	bot(opts, true)
	found["boardstyle"] = "2"
	found["bell"] = "YES"
	check("after a person's changes", found)

	bot(opts, false)
	if data := string(kept.Load()); !strings.Contains(data, `"boardstyle"`) {
		t.Errorf("after the connection alone has ended, %s is kept", data)
	}
	kept.Save([]byte("damaged"))
	enter(t, opts).Close()
}
