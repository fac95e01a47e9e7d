package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// TestConfigCheck_findsEveryMistake walks the mistakes of an operator through the
// command: status 2, one line, which file, line, column and key.
func TestConfigCheck_findsEveryMistake(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"nets.gz": "no weights\n", "pw": "\n", "names": "two words\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const ok = "accounts: [{name: robbie, password_command: echo secret}]\n"
	for _, tt := range []struct{ name, in, want string }{
		{"unknown key", ok + "manners:\n  greting: [hi]\n", "bot.yaml:3:3: manners.greting: unknown key (did you mean greeting?)"},
		{"wrong type", ok + "engine: {threads: [1]}\n", "bot.yaml:2:19: engine.threads: a list instead of one value"},
		{"time without a unit", ok + "idle: {ask: 60}\n", `bot.yaml:2:13: idle.ask: "60" is not a time (use 90s, 5m or 1h30m)`},
		{"no YAML", ok + "a: b: c\n", "bot.yaml:2:1: not valid YAML: mapping values are not allowed in this context"},
		{"empty account list", "accounts: []\n", "bot.yaml:1:11: accounts: no account (name at least one)"},
		{"no account list", "engine: {threads: 1}\n", "bot.yaml: accounts: no account (name at least one)"},
		{"secret that is not there", "accounts: [{name: robbie, password_file: nowhere}]\n", "bot.yaml:1:12: accounts[0]: password_file: nowhere: no such file or folder"},
		{"secret that is empty", "accounts: [{name: robbie, password_file: pw}]\n", "bot.yaml:1:12: accounts[0]: password_file pw: the password is empty"},
		{"secret from a failing command", "accounts: [{name: robbie, password_command: exit 7}]\n", "bot.yaml:1:12: accounts[0]: password_command: exit status 7"},
		{"template with an unknown field", ok + "manners:\n  farewell:\n    - bye\n    - see you {oponent}\n", "bot.yaml:5:7: manners.farewell[1]: unknown placeholder {oponent}"},
		{"impossible window", ok + "invitations: {hours: 22:00-22:00}\n", `bot.yaml:2:22: invitations.hours: "22:00-22:00" has no length (start and end are equal)`},
		{"overlapping rules", ok + "strength:\n  rules:\n    - {preset: casual, when: {rating: {max: 1700}}}\n    - {preset: beginner, when: {rating: {max: 1500}, length: {max: 5}}}\n", "bot.yaml:5:7: strength.rules[1]: never applies: rule 1 above covers it"},
		{"contradictory rules", ok + "opponents: {allow: [bob], block: [Bob]}\n", "bot.yaml:2:35: opponents.block[0]: Bob is allowed and blocked"},
		{"a range without content", ok + "invitations: {experience: {min: 100, max: 50}}\n", "bot.yaml:2:27: invitations.experience: max 50 is below min 100"},
		{"preset without its filter", ok + "presets: {mine: {checker: {filter: wide}}}\n", `bot.yaml:2:36: presets.mine.checker.filter: unknown filter "wide"`},
		{"preset without its base", ok + "presets: {mine: {base: exprt}}\n", `bot.yaml:2:24: presets.mine.base: unknown preset "exprt" (did you mean expert?)`},
		{"preset against its base", ok + "presets: {quick: {checker: {reduced: 7}}, mine: {base: quick, checker: {prune: true}}}\n", "bot.yaml:2:49: presets.mine: bad search settings: reduced rolls and pruning exclude each other"},
		{"missing net", ok + "engine: {weights: none.gz}\n", "bot.yaml:2:19: engine.weights: none.gz: no such file or folder"},
		{"not a net", ok + "engine: {weights: nets.gz}\n", "bot.yaml:2:19: engine.weights: "},
		{"not a block list", ok + "opponents: {block_file: names}\n", `bot.yaml:2:25: opponents.block_file: names:1: "two words" is not a name or pattern`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile("bot.yaml", []byte(tt.in), 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, errOut := cli(t, "config", "check")
			if code != cmdline.ExitUsage || out != "" || !strings.HasPrefix(errOut, "fibsbot: "+tt.want) || strings.Count(errOut, "\n") != 1 {
				t.Errorf("status %d, %q; want %q", code, errOut, tt.want)
			}
			if code, _, again := cli(t, "run"); code != cmdline.ExitUsage || again != errOut {
				t.Errorf("run ends with %d and says %q", code, again)
			}
		})
	}
	if code, _, errOut := cli(t, "config", "check", filepath.Join(dir, "none.yaml")); code != cmdline.ExitUsage || !strings.Contains(errOut, "none.yaml: no such file") {
		t.Errorf("a file that is not there: %d %q", code, errOut)
	}
}

func TestConfigInit_namesTheFileOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "none", "bot.yaml")
	code, out, errOut := cli(t, "config", "init", file)
	if want := "fibsbot: write " + file + ": no such file or folder\n"; code != cmdline.ExitUsage || out != "" || errOut != want {
		t.Errorf("status %d, %q; want %q", code, errOut, want)
	}
}
