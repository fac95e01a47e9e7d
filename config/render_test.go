package config

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is out of date; run go test ./config -update\n%s", file, diff)
	}
}

func TestReference_isWhatTheCodeSays(t *testing.T) {
	golden(t, filepath.Join("..", "docs", "configuration.md"), reference())
}

func TestBotYAML_isTheRenderedDefault(t *testing.T) {
	golden(t, filepath.Join("..", "bot.yaml"), Render())
}

func TestRender_readsBackAsTheDefault(t *testing.T) {
	c, src, err := Parse("bot.yaml", Render())
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Accounts = []Account{{Name: "YourBotName", PasswordEnv: "FIBSBOT_PASSWORD"}}
	want.Presets, want.Filters = map[string]Preset{}, map[string]Filter{}
	want.Opponents.Allow, want.Opponents.Block = []string{}, []string{}
	want.Manners.Owners, want.Manners.LevelOnRequest, want.Matchmaking.WaitFor = []string{}, []string{}, []string{}
	want.Invitations.Rules, want.Strength.Rules, want.Watch.Never = []InvitationRule{}, []Rule{}, []string{}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	t.Setenv("FIBSBOT_PASSWORD", "geheim")
	if errs := Check(c, src, testKnown); len(errs) > 0 {
		t.Error(errs)
	}
}

// TestEveryKey_hasAMeaning fails for a key that the documentation would show
// without a word.
func TestEveryKey_hasAMeaning(t *testing.T) {
	walkTypes(t, Config{})
}
