package host

import (
	"os"
	"testing"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// TestSettings_putBack: an account that leaves in the middle of a match has the settings that it
// had before, and no file keeps them any more. While it plays they are in a file.
func TestSettings_putBack(t *testing.T) {
	t.Parallel()
	_, addr := startServer(t, server.Options{})
	look := func() (clip.Settings, string) {
		t.Helper()
		c, err := client.Dial(t.Context(), client.Options{Address: addr, Name: "robbie", Password: clip.NewSecret("secret"), Passive: true, Pace: client.Pace{Gap: -1}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Send(clip.AskVariable{Name: "boardstyle"}); err != nil {
			t.Fatal(err)
		}
		for ev := range c.Events() {
			if ev.Kind == clip.VariableIs {
				return *c.Welcome().Settings, ev.Text
			}
		}
		t.Fatal("logged out")
		return clip.Settings{}, ""
	}
	found, style := look()
	c := testConfig(t, addr, "robbie")
	h := startHost(t, c, nil)
	h.ready(1)
	if _, err := os.Stat(fileOf(c.Archive.Dir, "robbie", addr, ".settings.json")); err != nil {
		t.Error(err)
	}
	p := login(t, addr, "human", "secret")
	p.send(clip.Invite{Name: "robbie", Length: 5})
	p.expect("a match", kind(clip.MatchBegins))
	h.stop()
	if err := h.wait(); err != nil {
		t.Error(err)
	}
	p.expect("the end", kind(clip.GameSaved))
	after, styleAfter := look()
	if after != found || styleAfter != style {
		t.Errorf("left with\n%v, style %s\nfound\n%v, style %s", after, styleAfter, found, style)
	}
	if _, err := os.Stat(fileOf(c.Archive.Dir, "robbie", addr, ".settings.json")); !os.IsNotExist(err) {
		t.Errorf("the file stays: %v", err)
	}
}
