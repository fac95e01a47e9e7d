package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestTalk_keptWithTheMatch plays against an opponent who talks. The match file must contain
// the chat that archive.chat selects, and no password.
func TestTalk_keptWithTheMatch(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for _, tt := range []struct {
		chat       string
		want, lack []string
	}{
		{"none", nil, []string{"human kibitzes", "nice"}},
		{"kibitz", []string{"human kibitzes: nice roll [double six\\]"}, []string{"says", "secret"}},
		{"all", []string{"human kibitzes: nice roll [double six\\]", "human says: is ******** your word?", "robbie says: "}, []string{"secret", "stranger"}},
	} {
		t.Run(tt.chat, func(t *testing.T) {
			_, addr := startServer(t, server.Options{Seed: 3})
			c := testConfig(t, addr, "robbie")
			c.Archive.Chat = tt.chat
			h := startHost(t, c, func(o *Options) { o.MaxMatches = 1 })
			h.ready(1)
			stranger, p := login(t, addr, "stranger", "secret"), login(t, addr, "human", "secret")
			p.send(clip.Invite{Name: "robbie", Length: 1})
			p.expect("a match", kind(clip.MatchBegins))
			p.expect("the first roll", kind(clip.BoardLine))
			p.send(clip.Kibitz{Text: "nice roll [double six]"})
			p.expect("the echo", kind(clip.YouKibitz))
			stranger.send(clip.Tell{Name: "robbie", Text: "a stranger's words"})
			stranger.expect("the echo", kind(clip.YouSay))
			p.send(clip.Tell{Name: "robbie", Text: "is secret your word?"})
			p.expect("the echo", kind(clip.YouSay))
			p.send(clip.Resign{Worth: 1})
			p.expect("the end", kind(clip.MatchOver))
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(c.Archive.Dir, "*.sgf"))
			if err != nil || len(files) != 1 {
				t.Fatalf("filed %q, %v", files, err)
			}
			journals, _ := filepath.Glob(filepath.Join(c.Archive.Dir, "journal", "*"))
			for _, file := range append(files, journals...) {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range tt.want {
					if strings.HasSuffix(file, ".sgf") && !strings.Contains(string(text), w) {
						t.Errorf("%s lacks %q:\n%s", filepath.Base(file), w, text)
					}
				}
				for _, w := range tt.lack {
					if strings.Contains(string(text), w) {
						t.Errorf("%s has %q:\n%s", filepath.Base(file), w, text)
					}
				}
			}
		})
	}
}
