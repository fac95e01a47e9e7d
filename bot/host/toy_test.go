package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bot/archive"
	"fibsbot/bot/internal/toy"
	"fibsbot/bot/protocol"
	"fibsbot/engine/match"
	"fibsbot/engine/record/sgf"
)

// TestHost_anotherServer: a server with a protocol of its own is added by a package
// and one line of wiring; table, journal, recovery, archive and host are the same.
func TestHost_anotherServer(t *testing.T) {
	c := testConfig(t, "nowhere:1", "robbie")
	c.Server.Protocol = "toy"
	c.Matchmaking.Enabled, c.Matchmaking.Lengths = true, []int{1}
	h := startHost(t, c, func(o *Options) {
		o.Protocols = []protocol.Protocol{toy.Protocol{Seed: 3}} // the line of wiring
		o.MaxMatches = 1
	})
	<-h.done
	if h.err != nil {
		t.Fatal(h.err)
	}
	files, _ := filepath.Glob(filepath.Join(c.Archive.Dir, "*.sgf"))
	if len(files) != 1 {
		t.Fatalf("files of matches: %q", files)
	}
	m, _, err := sgf.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if m.Players[0].Name != toy.Opponent || len(m.Games) != 1 || !m.Games[0].Result.Finished() || len(m.Games[0].Actions) < 20 || m.Games[0].Comment != "" {
		t.Errorf("archived: %+v", m)
	}
	if n := indexRows(t, c.Archive.Dir); n != 1 {
		t.Errorf("%d matches in the index", n)
	}
	// The journal names the protocol that reads it again, with the same result.
	journals, _ := filepath.Glob(filepath.Join(c.Archive.Dir, "journal", "*.journal"))
	if len(journals) != 1 {
		t.Fatalf("journals: %q", journals)
	}
	text, err := os.ReadFile(journals[0])
	if err != nil || !strings.Contains(string(text), `"protocol":"toy"`) {
		t.Fatalf("%v: the head names no protocol:\n%.300s", err, text)
	}
	again := t.TempDir()
	if err := os.MkdirAll(filepath.Join(again, "open"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(again, "open", filepath.Base(journals[0])), text, 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := archive.Open(archive.Options{Dir: again, Account: "robbie", Server: "nowhere:1", Protocol: toy.Protocol{}, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	found, err := j.Recover()
	if err != nil || len(found) != 1 || found[0].Filed.Match == nil {
		t.Fatalf("recovered %+v, %v", found, err)
	}
	if got := found[0].Filed.Match; len(got.Games[0].Actions) != len(m.Games[0].Actions) || got.Games[0].Result != m.Games[0].Result || got.Rules.Drops != match.DropByPosition {
		t.Errorf("read again: %+v", got)
	}
}
