package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"fibsbot/engine/record/formats"
)

var testKnown = Known{Protocols: []Protocol{{Name: "fibs", Watches: true}, {Name: "opens", Opens: true}, {Name: "both", Opens: true, Watches: true}},
	Presets: []string{"beginner", "casual", "intermediate", "advanced", "expert", "worldclass", "supremo", "champion", "grandmaster", "legend"},
	Filters: []string{"tiny", "lean", "narrow", "normal", "broad", "large", "huge"},
}

func walkTypes(t *testing.T, root any) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(ty reflect.Type) {
		for ty.Kind() == reflect.Pointer || ty.Kind() == reflect.Slice || ty.Kind() == reflect.Map {
			ty = ty.Elem()
		}
		if ty.Kind() != reflect.Struct || seen[ty] {
			return
		}
		seen[ty] = true
		for i := range ty.NumField() {
			f := ty.Field(i)
			if f.Tag.Get("yaml") == "" || len(f.Tag.Get("doc")) < 10 {
				t.Errorf("%s.%s has no key or no meaning", ty.Name(), f.Name)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeOf(root))
}

const account = "accounts: [{name: Robo, password: geheim}]\n"

func TestParse_badInput(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"unknown key", "serverr: {}\n", "bot.yaml:1:1: serverr: unknown key (did you mean server?)"},
		{"unknown nested key", "server:\n  adress: x\n", "bot.yaml:2:3: server.adress: unknown key (did you mean address?)"},
		{"unknown reason", "invitations: {say: {lenght: x}}\n", "bot.yaml:1:21: invitations.say.lenght: unknown key (did you mean length?)"},
		{"renamed key", "watch: {from: 0.1}\n", "bot.yaml:1:9: watch.from: unknown key (renamed to watch.min_loss)"},
		{"true for words", "archive: {analyse: true}\n", `bot.yaml:1:20: archive.analyse: unknown value "true" (use off, fast, full)`},
		{"key given twice", "server: {}\nserver: {}\n", "bot.yaml:2:1: server: given twice"},
		{"wrong type", "engine:\n  threads: many\n", `bot.yaml:2:12: engine.threads: "many" is not a whole number`},
		{"octal", "engine: {threads: 010}\n", `bot.yaml:1:19: engine.threads: "010" is not a whole number`},
		{"bare duration", "pacing: {min: 3}\n", `bot.yaml:1:15: pacing.min: "3" is not a time (use 90s, 5m or 1h30m)`},
		{"negative duration", "pacing: {min: -3s}\n", `bot.yaml:1:15: pacing.min: "-3s" is not a time (use 90s, 5m or 1h30m)`},
		{"yes for a boolean", "saved: {auto: yes}\n", `bot.yaml:1:15: saved.auto: "yes" is not true or false`},
		{"enum", "archive: {group: week}\n", `bot.yaml:1:18: archive.group: unknown value "week" (use none, day, opponent)`},
		{"enum in list", "archive: {formats: [sgf, pgn]}\n", `bot.yaml:1:26: archive.formats[1]: unknown value "pgn" (use sgf, oldmoves, mat)`},
		{"scalar for section", "server: fibs.com\n", `bot.yaml:1:9: server: "fibs.com" instead of keys`},
		{"scalar for list", "accounts: me\n", `bot.yaml:1:11: accounts: "me" instead of a list (use [a, b], or lines that begin with '- ')`},
		{"not a number", "resign: {certainty: .nan}\n", `bot.yaml:1:21: resign.certainty: ".nan" is not a number`},
		{"syntax", "server: [\n", "bot.yaml:1:1: not valid YAML: did not find expected node content"},
		{"second document", "server: {}\n---\nserver: {}\n", "bot.yaml:2:1: a second YAML document (only one is read)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Parse("bot.yaml", []byte(tt.in))
			if err == nil {
				t.Fatal("accepted")
			}
			var errs Errors
			if !errors.As(err, &errs) {
				t.Fatalf("error is a %T", err)
			}
			if errs[0].Error() != tt.want {
				t.Errorf("got  %s\nwant %s", errs[0].Error(), tt.want)
			}
		})
	}
}

func TestParse_reportsEveryProblem(t *testing.T) {
	_, _, err := Parse("b", []byte("a: 1\nserver: {x: 2}\nengine: {threads: z}\n"))
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != 3 {
		t.Fatalf("want 3 problems, got %v", err)
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	tests := []struct{ name, in, want string }{
		{"sound", account, ""},
		{"no account", "server: {}\n", "b: accounts: no account (name at least one)"},
		{"bad name", "accounts:\n  - {name: R2D2, password: x}\n", `b:2:12: accounts[0].name: "R2D2" is not a FIBS name (3 to 20 letters and underscores)`},
		{"name twice", "accounts:\n  - {name: Robo, password: x}\n  - {name: robo, password: x}\n", "b:3:12: accounts[1].name: robo is account 1 already (the server allows one login a name)"},
		{"no password", "accounts: [{name: Robo}]\n", "b:1:12: accounts[0]: no password (give password_env, password_file or password_command)"},
		{"two passwords", "accounts: [{name: Robo, password: x, password_env: Y}]\n", "b:1:12: accounts[0]: more than one of password, password_env, password_file, password_command"},
		{"unreadable secret", "accounts: [{name: Robo, password_file: " + dir + "/none}]\n", "b:1:12: accounts[0]: password_file: " + dir + "/none: no such file or folder"},
		{"failing command", "accounts: [{name: Robo, password_command: exit 3}]\n", "b:1:12: accounts[0]: password_command: exit status 3"},
		{"missing environment", "accounts: [{name: Robo, password_env: NOT_SET_HERE}]\n", "b:1:12: accounts[0]: environment variable NOT_SET_HERE is not set"},
		{"impossible window", account + "invitations: {hours: 08:00-08:00}\n", `b:2:22: invitations.hours: "08:00-08:00" has no length (start and end are equal)`},
		{"malformed window", account + "invitations: {hours: evening}\n", `b:2:22: invitations.hours: "evening" is not a time of day (use 08:00-23:30)`},
		{"nothing left to accept", account + "invitations: {length: {min: 2, max: 2}}\n", "b:2:23: invitations.length.deny: denies every length"},
		{"impossible rating range", account + "invitations: {rating: {min: 1800, max: 1500}}\n", "b:2:23: invitations.rating: max 1500 is below min 1800"},
		{"allowed and blocked", account + "opponents: {allow: [bob], block: [bob]}\n", "b:2:35: opponents.block[0]: bob is allowed and blocked"},
		{"bad pattern", account + "opponents: {block: ['[']}\n", `b:2:21: opponents.block[0]: "[" is not a name or pattern with * and ?`},
		{"block file missing", account + "opponents: {block_file: " + dir + "/no}\n", "b:2:25: opponents.block_file: " + dir + "/no: no such file or folder"},
		{"block list by another scheme", account + "opponents: {block_url: 'file:///etc/passwd'}\n", "b:2:24: opponents.block_url: not a web address (as https://example.org/block.txt)"},
		{"block list without a host", account + "opponents: {block_url: 'https:names'}\n", "b:2:24: opponents.block_url: not a web address (as https://example.org/block.txt)"},
		{"block list with a password", account + "opponents: {block_url: 'https://me:pw@example.org/'}\n", "b:2:24: opponents.block_url: must not contain a name or password: logs show it"},
		{"block list every second", account + "opponents: {block_every: 1s}\n", "b:2:26: opponents.block_every: 1s is too short (minimum 1m)"},
		{"unknown preset", account + "strength: {preset: exprt}\n", `b:2:20: strength.preset: unknown preset "exprt" (did you mean expert?)`},
		{"unknown base", account + "presets: {mine: {base: x}}\n", `b:2:24: presets.mine.base: unknown preset "x" (use beginner, casual, intermediate, advanced, expert, worldclass, supremo, champion, grandmaster, legend)`},
		{"livelier than live", account + "presets: {mine: {cube: {efficiency: 2}}}\n", "b:2:37: presets.mine.cube.efficiency: must be 0 (dead) to 1 (live)"},
		{"eight rolls", account + "presets: {mine: {checker: {reduced: 8}}}\n", "b:2:37: presets.mine.checker.reduced: must be 0, 7 or 14 rolls"},
		{"pruned and reduced", account + "presets: {mine: {checker: {reduced: 7, prune: true}}}\n", "b:2:47: presets.mine.checker.prune: must be false with reduced rolls"},
		{"rollouts that look far", account + "presets: {mine: {rollout: {plies: 3}}}\n", "b:2:35: presets.mine.rollout.plies: must be 0 to 2"},
		{"negative cube trials", account + "presets: {mine: {rollout: {cube_trials: -1}}}\n", "b:2:41: presets.mine.rollout.cube_trials: must be 0 to 100000"},
		{"circle of bases", account + "presets: {a: {base: b}, b: {base: a}}\n", "b:2:21: presets.a.base: refers back to itself"},
		{"shadows a built-in", account + "presets: {expert: {}}\n", "b:2:19: presets.expert: is a built-in preset (choose another name)"},
		{"missing filter", account + "presets: {a: {checker: {filter: wide}}}\n", `b:2:33: presets.a.checker.filter: unknown filter "wide" (use tiny, lean, narrow, normal, broad, large, huge)`},
		{"plies", account + "presets: {a: {checker: {plies: 9}}}\n", "b:2:32: presets.a.checker.plies: must be 0 to 4"},
		{"share", account + "presets: {a: {checker: {share: 1.5}}}\n", "b:2:32: presets.a.checker.share: must be 0 to 1"},
		{"rollout of one play", account + "presets: {a: {rollout: {plays: 1}}}\n", "b:2:32: presets.a.rollout.plays: must be at least 2"},
		{"endless rollout", account + "presets: {a: {rollout: {trials: 1000000}}}\n", "b:2:33: presets.a.rollout.trials: must be 0 to 100000"},
		{"missing weights", account + "engine: {weights: " + dir + "/w}\n", "b:2:19: engine.weights: " + dir + "/w: no such file or folder"},
		{"rule never reached", account + "strength:\n  rules:\n    - {when: {rating: {max: 1600}}, preset: casual}\n    - {when: {rating: {max: 1500}}, preset: beginner}\n", "b:5:7: strength.rules[1]: never applies: rule 1 above covers it"},
		{"two deciders", account + "strength: {target_rating: 1700, match_opponent: {enabled: true}}\n", "b:2:27: strength.target_rating: does not go with match_opponent (use only one)"},
		{"unknown placeholder", account + "manners: {thanks: 'hi {oponent}'}\n", "b:2:19: manners.thanks: unknown placeholder {oponent} (use {me}, {opponent}, {length}, {preset}, {version}, {reason})"},
		{"text of two lines", account + "manners: {thanks: \"a\\nroll\"}\n", "b:2:19: manners.thanks: must be one line"},
		{"watch placeholder", account + "watch: {texts: {error: '{opponent}'}}\n", "b:2:24: watch.texts.error: unknown placeholder {opponent} (use {player}, {move}, {best}, {loss}, {luck}, {why})"},
		{"placeholder where none is", account + "watch: {texts: {stop: '{player}'}}\n", "b:2:23: watch.texts.stop: unknown placeholder {player} (this text has no placeholders)"},
		{"text outside ASCII", account + "manners: {busy: 'Später'}\n", "b:2:17: manners.busy: holds 'ä': FIBS carries printable ASCII only"},
		{"blocked, but a pattern lets him in", account + "opponents: {allow: [b*], block: [bob]}\n", "b:2:34: opponents.block[0]: bob has no effect: opponents.allow has b*"},
		{"a friend of a blocked family", account + "opponents: {allow: [bob], block: [b*]}\n", ""},
		{"only programs and none known", account + "opponents: {bots: only, bot_names: [], bot_clients: []}\n", `b:2:19: opponents.bots: "only" needs bot_names or bot_clients (both are empty)`},
		{"rule for a length never played", account + "strength: {rules: [{preset: casual, when: {length: {min: 15}}}]}\n", "b:2:52: strength.rules[0].when.length: never applies: invitations.length refuses such matches"},
		{"rule for a length we offer", account + "matchmaking: {enabled: true, lengths: [15]}\nstrength: {rules: [{preset: casual, when: {length: {min: 15}}}]}\n", ""},
		{"the same rule twice", account + "strength: {rules: [{preset: casual, when: {name: bob}}, {preset: expert, when: {name: bob}}]}\n", "b:2:57: strength.rules[1]: never applies: rule 1 above covers it"},
		{"placeholder in capitals", account + "manners: {thanks: 'hi {Opponent}'}\n", "b:2:19: manners.thanks: unknown placeholder {Opponent} (use {me}, {opponent}, {length}, {preset}, {version}, {reason})"},
		{"empty placeholder", account + "manners: {thanks: 'hi {}'}\n", "b:2:19: manners.thanks: unknown placeholder {} (use {me}, {opponent}, {length}, {preset}, {version}, {reason})"},
		{"open brace", account + "manners: {thanks: 'hi {opponent'}\n", "b:2:19: manners.thanks: unbalanced brace (placeholders are written {me})"},
		{"refusal without a word", account + "manners: {refuse: ''}\n", "b:2:19: manners.refuse: must not be empty: it tells players why they are refused"},
		{"refusal without a reason", account + "manners: {refuse: 'No.'}\n", "b:2:19: manners.refuse: lacks {reason}"},
		{"reason in silence", account + "invitations: {say: {length: ' '}}\n", "b:2:29: invitations.say.length: must not be empty: it tells players why they are refused"},
		{"reason outside ASCII", account + "invitations: {say: {per_day: 'schon {limit} für heute'}}\n", "b:2:30: invitations.say.per_day: holds 'ü': FIBS carries printable ASCII only"},
		{"reason with another's placeholder", account + "invitations: {say: {hours: '{value}'}}\n", "b:2:28: invitations.say.hours: unknown placeholder {value} (use {hours}, {me}, {opponent}, {length})"},
		{"reason within itself", account + "invitations: {say: {paused: '{reason}'}}\n", "b:2:29: invitations.say.paused: unknown placeholder {reason} (use {me}, {opponent}, {length})"},
		{"reason with a loose brace", account + "invitations: {say: {blocked: 'no }'}}\n", "b:2:30: invitations.say.blocked: unbalanced brace (placeholders are written {me})"},
		{"rule without an answer", account + "invitations: {rules: [{when: {name: bob}}]}\n", "b:2:23: invitations.rules[0].answer: no answer (use accept or decline)"},
		{"rule with a reason for accepting", account + "invitations: {rules: [{answer: accept, say: welcome}]}\n", "b:2:45: invitations.rules[0].say: has no effect: an accepted invitation gets no reason"},
		{"rule with a foreign placeholder", account + "invitations: {rules: [{answer: decline, say: '{limit}'}]}\n", "b:2:46: invitations.rules[0].say: unknown placeholder {limit} (use {me}, {opponent}, {length})"},
		{"rule below one that fits everyone", account + "invitations: {rules: [{answer: decline}, {when: {rating: {min: 1800}}, answer: accept}]}\n", "b:2:42: invitations.rules[1]: never applies: rule 1 above covers it"},
		{"hours of a rule for invitations", account + "invitations: {rules: [{answer: decline, when: {hours: late}}]}\n", `b:2:55: invitations.rules[0].when.hours: "late" is not a time of day (use 08:00-23:30)`},
		{"rules for invitations", account + "invitations: {rules: [{when: {rating: {max: 1599}, hours: '22:00-06:00'}, answer: decline, say: 'not {opponent}'}, {when: {name: 'b*'}, answer: accept}]}\n", ""},
		{"impossible hour", account + "invitations: {hours: 08:00-24:30}\n", `b:2:22: invitations.hours: "08:00-24:30" is not a time of day (use 08:00-23:30)`},
		{"hours of a rule", account + "strength: {rules: [{preset: casual, when: {hours: 5-6}}]}\n", `b:2:51: strength.rules[0].when.hours: "5-6" is not a time of day (use 08:00-23:30)`},
		{"archive that is a file", account + "archive: {dir: config_test.go}\n", "b:2:16: archive.dir: config_test.go is a file, not a folder"},
		{"dsn", account + "archive: {dsn: here}\n", "b:2:16: archive.dsn: not a PostgreSQL DSN (as postgres://user@host/database)"},
		{"empty account list", "accounts: []\n", "b:1:11: accounts: no account (name at least one)"},
		{"every account disabled", "accounts: [{name: Robo, password: x, disabled: true}]\n", "b:1:11: accounts: all accounts are disabled (enable one)"},
		{"unknown word", account + "watch: {texts: {words: {dubble: Doppel}}}\n", "b:2:33: watch.texts.words.dubble: unknown word (did you mean double?)"},
		{"flood", account + "server: {rate: {every: 1ms}}\n", "b:2:24: server.rate.every: 1ms is too short (minimum 50ms)"},
		{"public metrics", account + "operations: {listen: 0.0.0.0:9}\n", `b:2:22: operations.listen: "0.0.0.0:9" is not a loopback HOST:PORT (as 127.0.0.1:9321)`},
		{"pacing", account + "pacing: {min: 5s, max: 2s}\n", "b:2:24: pacing.max: is shorter than min (5s)"},
		{"filter keeps nothing", account + "filters: {f: {stages: [{accept: 0, extra: 0}]}}\n", "b:2:24: filters.f.stages[0]: keeps no play"},
		{"matchmaking against saved.only", account + "saved: {only: true}\nmatchmaking: {enabled: true}\n", "b:3:24: matchmaking.enabled: does not go with saved.only, which starts no new matches"},
		{"tabulator", account + "manners: {busy: \"Later,\\tplease\"}\n", `b:2:17: manners.busy: holds '\t': FIBS carries printable ASCII only`},
		{"port", account + "server: {address: 'fibs.com:432l'}\n", `b:2:19: server.address: "432l" is not a port (1 to 65535)`},
		{"port too high", account + "dashboard: {listen: '127.0.0.1:93210'}\n", `b:2:21: dashboard.listen: "93210" is not a port (0 to 65535)`},
		{"port of metrics", account + "operations: {listen: '127.0.0.1:http'}\n", `b:2:22: operations.listen: "http" is not a port (0 to 65535)`},
		{"address", account + "server: {address: fibs.com}\n", `b:2:19: server.address: "fibs.com" is not HOST:PORT (as fibs.com:4321)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, src, err := Parse("b", []byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if errs := Check(c, src, testKnown); len(errs) > 0 {
				got = errs[0].Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestArchiveFormats_areThoseFiled: the tag of archive.formats must be a constant, and this
// package imports nothing of the engine, so it repeats names of engine/record/formats.
func TestArchiveFormats_areThoseFiled(t *testing.T) {
	want := "sgf," + strings.Join(formats.Names(formats.Beside), ",")
	f, _ := reflect.TypeFor[Archive]().FieldByName("Formats")
	if got := f.Tag.Get("enum"); got != want {
		t.Errorf("archive.formats allows %s, but the archive keeps %s", got, want)
	}
	if doc := f.Tag.Get("doc"); !strings.Contains(doc, strings.ReplaceAll(want, ",", ", ")) {
		t.Errorf("archive.formats is described as %q, want %s", doc, want)
	}
}

// TestSay_documentsItsPlaceholders: the line of each reason names every
// placeholder of its own, and its default holds only those.
func TestSay_documentsItsPlaceholders(t *testing.T) {
	v := reflect.ValueOf(Default().Invitations.Say)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		own := strings.FieldsFunc(f.Tag.Get("fill"), func(r rune) bool { return r == ',' })
		for _, p := range own {
			if !strings.Contains(f.Tag.Get("doc"), "{"+p+"}") {
				t.Errorf("%s: {%s} is not in its description", f.Name, p)
			}
		}
		if p, bad := unknownPlaceholder(v.Field(i).String(), append(own, sayPlaceholders...)); bad {
			t.Errorf("%s: its default holds {%s}", f.Name, p)
		}
		for _, m := range placeholder.FindAllStringSubmatch(f.Tag.Get("doc"), -1) {
			if !slices.Contains(own, m[1]) {
				t.Errorf("%s: {%s} is described and not filled", f.Name, m[1])
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pw")
	if err := os.WriteFile(file, []byte("geheim\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, in, want string }{
		{"sound", "accounts: [{name: Robo, password_env: X}]\n", ""},
		{"password in the file", account, "b:1:35: accounts[0].password: the password is readable in this file (use password_file, password_env or password_command)"},
		{"password file for all", "accounts: [{name: Robo, password_file: " + file + "}]\n", "b:1:40: accounts[0].password_file: other users can read " + file + ", mode 0644 (chmod 600 prevents it)"},
		{"DSN for all", "archive: {dsn_file: " + file + "}\n", "b:1:21: archive.dsn_file: other users can read " + file + ", mode 0644 (chmod 600 prevents it)"},
		{"webhook secret for all", "notify: {webhook_secret_file: " + file + "}\n", "b:1:31: notify.webhook_secret_file: other users can read " + file + ", mode 0644 (chmod 600 prevents it)"},
		{"example left as it is", "accounts: [{name: YourBotName, password_env: X}]\n", "b:1:19: accounts[0].name: YourBotName is the example name (write the name of your account)"},
		{"no matchmaking where no one invites", "server: {protocol: opens}\naccounts: [{name: Robo, password_env: X}]\n", "b:2:12: accounts[0].protocol: on opens no one can invite a bot: it plays only with matchmaking.enabled: true"},
		{"watching where that is impossible", "server: {protocol: opens}\nmatchmaking: {enabled: true}\nwatch: {enabled: true}\naccounts: [{name: Robo, password_env: X}]\n", "b:3:18: watch.enabled: matches on opens cannot be watched (Robo)"},
		{"watching on another server", "server: {protocol: both}\nmatchmaking: {enabled: true}\nwatch: {enabled: true}\naccounts: [{name: Robo, password_env: X}]\n", ""},
		{"watching for nothing", "watch: {enabled: true, channel: none, archive: false}\n", "b:1:18: watch.enabled: no effect: it neither comments nor archives (set channel or archive)"},
		{"offers what it refuses", "matchmaking: {enabled: true, lengths: [3, 2]}\n", "b:1:43: matchmaking.lengths[1]: 2 points are offered, but invitations.length refuses them"},
		{"reputation bot as a person", "opponents: {repbot: {name: Judge}}\n", "b:1:28: opponents.repbot.name: Judge is not in bot_names: it would be invited and answered like a person"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, src, err := Parse("b", []byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if list := Warnings(c, src, testKnown); len(list) > 0 {
				got = list[0].Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestResolve_waysToAPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pw")
	if err := os.WriteFile(file, []byte("fromfile\nrest\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PW_TEST", "fromenv")
	for _, tt := range []struct {
		a    Account
		want string
	}{
		{Account{PasswordEnv: "PW_TEST"}, "fromenv"},
		{Account{PasswordFile: file}, "fromfile"},
		{Account{PasswordCommand: "echo fromcommand"}, "fromcommand"},
		{Account{Password: "literal"}, "literal"},
	} {
		got, err := tt.a.Resolve()
		if err != nil || got.Reveal() != tt.want {
			t.Errorf("%+v: got %q, %v", tt.a, got.Reveal(), err)
		}
	}
	if _, err := (&Account{Password: "two words"}).Resolve(); err == nil || strings.Contains(err.Error(), "two words") {
		t.Errorf("a password with a blank: %v", err)
	}
}

func TestSecret_neverShows(t *testing.T) {
	const word = "correcthorse"
	c := Default()
	c.Accounts = []Account{{Name: "Robo", Password: word}}
	show, err := Show(c)
	if err != nil {
		t.Fatal(err)
	}
	js, _ := json.Marshal(c)
	ya, _ := yaml.Marshal(c.Accounts)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "p", c.Accounts[0].Password)
	for name, text := range map[string]string{
		"show": string(show), "json": string(js), "yaml": string(ya), "slog": log.String(),
		"%v": fmt.Sprintf("%v", *c), "%+v": fmt.Sprintf("%+v", c.Accounts), "%#v": fmt.Sprintf("%#v", c.Accounts),
		"String": c.Accounts[0].Password.String(), "%s": fmt.Sprintf("login %s", c.Accounts[0].Password), "%q": fmt.Sprintf("%q", c.Accounts[0].Password),
		"error": fmt.Errorf("login %v", c.Accounts[0].Password).Error(),
	} {
		if strings.Contains(text, word) {
			t.Errorf("%s shows the password: %s", name, text)
		}
	}
}

func TestHours_overMidnight(t *testing.T) {
	h, err := ParseHours("22:00-06:00")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, at := range []string{"21:59", "22:00", "03:00", "05:59", "06:00", "12:00"} {
		c, _ := time.Parse("15:04", at)
		got[at] = h.Open(c)
	}
	want := map[string]bool{"21:59": false, "22:00": true, "03:00": true, "05:59": true, "06:00": false, "12:00": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFill(t *testing.T) {
	got := Fill("Hi {opponent}, {length} points {odd}", map[string]string{"opponent": "bob", "length": "5"})
	if want := "Hi bob, 5 points {odd}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWatcher_keepsTheOldConfigurationWhenTheNewIsBad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(account + "engine: {threads: 1}\n")
	w, err := NewWatcher(file, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	w.Subscribe(func(old, new *Config) { calls++ })
	write(account + "engine: {threads: x}\n")
	if err := w.Reload(); err == nil || w.Current().Engine.Threads != 1 || calls != 0 {
		t.Errorf("bad file: err %v, threads %d, calls %d", err, w.Current().Engine.Threads, calls)
	}
	if w.Err() == nil {
		t.Error("the failed reload is not remembered")
	}
	write(account + "engine: {threads: 2}\n")
	if err := w.Reload(); err != nil || w.Current().Engine.Threads != 2 || calls != 1 {
		t.Errorf("good file: err %v, threads %d, calls %d", err, w.Current().Engine.Threads, calls)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := w.Reload(); err == nil || w.Current().Engine.Threads != 2 {
		t.Error("a missing file must be an error and change nothing")
	}
}

func TestWatcher_subscribersAreCalledOneAtATime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.yaml")
	if err := os.WriteFile(file, []byte(account), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := NewWatcher(file, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	last := w.Current()
	var inside atomic.Int32
	w.Subscribe(func(old, new *Config) {
		if inside.Add(1) > 1 {
			t.Error("two calls at the same time")
		}
		runtime.Gosched()
		if old != last {
			t.Error("old is not the configuration of the previous call")
		}
		last = new
		inside.Add(-1)
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if err := w.Reload(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestWatcher_seesAFileReplacedByRename(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bot.yaml")
	if err := os.WriteFile(file, []byte(account), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := NewWatcher(file, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	w.settle = 20 * time.Millisecond
	changed := make(chan int, 16)
	w.Subscribe(func(_, new *Config) { changed <- new.Engine.Threads })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.Watch(ctx, nil) }()
	// The watch begins at some moment after the goroutine starts; replacing the
	// file until it is noticed needs no guess about when.
	tick := time.NewTicker(3 * w.settle)
	defer tick.Stop()
	deadline := time.After(2 * time.Minute)
	for {
		tmp := filepath.Join(dir, "new")
		if err := os.WriteFile(tmp, []byte(account+"engine: {threads: 3}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, file); err != nil {
			t.Fatal(err)
		}
		select {
		case n := <-changed:
			if n != 3 {
				t.Errorf("threads %d", n)
			}
			cancel()
			<-done
			return
		case <-tick.C:
		case <-deadline:
			t.Fatal("the change was never noticed")
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Render())
	f.Add([]byte(account))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("presets: {x: {checker: {plies: 1}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, _, err := Parse("f", data)
		if (c == nil) == (err == nil) {
			t.Errorf("config %v, error %v", c, err)
		}
	})
}

// TestWarnings_webhookToken: a token in an address is read by whoever may read the file.
func TestWarnings_webhookToken(t *testing.T) {
	for _, tt := range []struct {
		mode    os.FileMode
		address string
		want    bool
	}{
		{0o644, "https://example.org/hook/t0ken", true},
		{0o604, "https://example.org/?key=t0ken", true},
		{0o640, "https://me:t0ken@example.org", true},
		{0o644, "https://hb.example.org/t0ken", true},
		{0o600, "https://example.org/hook/t0ken", false},
		{0o644, "http://127.0.0.1:8080/", false},
	} {
		file := filepath.Join(t.TempDir(), "bot.yaml")
		key := "webhook"
		if strings.HasPrefix(tt.address, "https://hb") {
			key = "heartbeat_url"
		}
		text := "accounts: [{name: Robo, password_env: X}]\nnotify: {heartbeat: 1m, " + key + ": '" + tt.address + "', command: cat}\n"
		if err := errors.Join(os.WriteFile(file, []byte(text), tt.mode), os.Chmod(file, tt.mode)); err != nil {
			t.Fatal(err)
		}
		c, src, err := Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []*Source{src, {File: file}} { // as config check and as run have it
			list := Warnings(c, at, testKnown)
			if got := len(list) == 1 && list[0].Field == "notify."+key && strings.Contains(list[0].Problem, "other users can read "+file); got != tt.want || strings.Contains(list.Error(), "t0ken") {
				t.Errorf("%s, mode %o: %v", tt.address, tt.mode, list)
			}
		}
	}
}

// TestSecretVariables: no key of an environment variable is left out, and what is read hides
// them from the command of the password.
func TestSecretVariables(t *testing.T) {
	const text = "accounts: [{name: A, password_env: CONFIG_TEST_A}, {name: B, password_command: env | grep CONFIG_TEST_ || echo none}]\n" +
		"notify: {webhook_secret_env: CONFIG_TEST_HOOK}\narchive: {dsn_env: CONFIG_TEST_DSN}\n"
	for _, name := range []string{"CONFIG_TEST_A", "CONFIG_TEST_HOOK", "CONFIG_TEST_DSN"} {
		t.Setenv(name, "s3cret")
	}
	c, _, err := Parse("b", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.secretVariables(); !slices.Contains(got, "CONFIG_TEST_A") || !slices.Contains(got, "CONFIG_TEST_HOOK") || !slices.Contains(got, "CONFIG_TEST_DSN") {
		t.Errorf("secrets are in %q", got)
	}
	if got, err := c.Accounts[1].Resolve(); err != nil || got.Reveal() != "none" {
		t.Errorf("the command sees %q, %v", got.Reveal(), err)
	}
}
