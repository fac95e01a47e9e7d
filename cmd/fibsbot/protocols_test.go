package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bot/fibs"
	"fibsbot/internal/testsize"
)

// Names and addresses are checked by the rules of the server they are for.
func TestConfigCheck_namesOnBgammon(t *testing.T) {
	testsize.Medium(t)
	for _, tt := range []struct {
		name, address, protocol, account string
		says                             string
	}{
		{"BOT_fibs1", "bgammon.org:1337", "bgammon", "", ""},
		{"BOT_fibs1", "wss://ws.bgammon.org/x", "bgammon", "", ""},
		{"fibsbot", "bgammon.org:1337", "bgammon", "", "must begin with BOT_"},
		{"BOT_far_too_long_name", "bgammon.org:1337", "bgammon", "", "at most 18"},
		{"BOT_fibs", "http://bgammon.org", "bgammon", "", "server.address: \"http://bgammon.org\" is not an address"},
		{"BOT_fibs", "bgammon.org", "bgammon", "", "server.address: \"bgammon.org\" is not an address"},
		{"BOT_fibs", "tls://bgammon.org:0", "bgammon", "", "is not an address"},
		{"BOT_fibs", "tls://bgammon.org:443", "bgammon", "", ""},
		{"BOT_fibs1", "fibs.com:4321", "fibs", "protocol: bgammon, address: nowhere, ", "accounts[0].address: \"nowhere\" is not an address"},
		{"BOT_fibs1", "fibs.com:4321", "fibs", "", "not a FIBS name"},
		{"BOT_fibs", "fibs.com:4321", "irc", "", `unknown protocol "irc" (use fibs, bgammon)`},
		{"BOT_fibs1", "fibs.com:4321", "fibs", "protocol: bgammon, address: \"bgammon.org:1337\", ", ""},
		{"BOT_fibs1", "fibs.com:4321", "fibs", "protocol: bgammon, ", "no address (server.address"},
	} {
		file := filepath.Join(t.TempDir(), "bot.yaml")
		text := "server: {address: \"" + tt.address + "\", protocol: " + tt.protocol + "}\n" +
			"accounts: [{name: " + tt.name + ", " + tt.account + "password: x}]\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errOut strings.Builder
		code := run(t.Context(), []string{"config", "check", file}, strings.NewReader(""), &out, &errOut)
		said := out.String() + errOut.String()
		if code != 0 && (code != 2 || strings.Count(errOut.String(), "\n") > 1+strings.Count(errOut.String(), "warning:")) {
			t.Errorf("%s at %s: exit status %d, %q: not one line", tt.name, tt.address, code, errOut.String())
		}
		if (code == 0) != (tt.says == "") || !strings.Contains(said, tt.says) {
			t.Errorf("%s at %s (%s): exit status %d: %s", tt.name, tt.address, tt.protocol, code, said)
		}
	}
}

// The bot's packages above the seam bot/protocol serve every server alike: none of their
// files names one that is not FIBS.
func TestSeam_noOtherServerIsNamed(t *testing.T) {
	if len(protocols) < 2 {
		t.Fatal("no server but FIBS")
	}
	for _, dir := range []string{"table", "archive", "policy", "host", "sheet"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "bot", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("bot/%s: %d files, %v", dir, len(files), err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range protocols {
				if p.Name() != fibs.Name && !strings.HasSuffix(f, "_test.go") && strings.Contains(strings.ToLower(string(text)), p.Name()) {
					t.Errorf("%s names the server %s", f, p.Name())
				}
			}
		}
	}
}
