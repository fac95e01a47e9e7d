package clip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

func TestCommand_encode(t *testing.T) {
	tests := []struct {
		command Command
		want    string
	}{
		{Login{Client: "fibsbot", Name: "alice", Password: NewSecret("hunter2")}, "login fibsbot 1008 alice hunter2"},
		{Roll{}, "roll"}, {Double{}, "double"}, {Redouble{}, "redouble"}, {Accept{}, "accept"}, {Reject{}, "reject"},
		{Move{[]Step{{24, 18}, {13, 11}}}, "move 24-18 13-11"},
		{Move{[]Step{{Bar, 21}, {6, Off}}}, "move bar-21 6-off"},
		{Resign{1}, "resign n"}, {Resign{2}, "resign g"}, {Resign{3}, "resign b"},
		{Join{}, "join"}, {Join{"bob"}, "join bob"}, {Leave{}, "leave"}, {AskBoard{}, "board"},
		{Invite{"bob", 0}, "invite bob"}, {Invite{"bob", 5}, "invite bob 5"}, {Invite{"bob", Unlimited}, "invite bob unlimited"},
		{Toggle{[]string{"ready"}}, "toggle ready"}, {Toggle{}, "toggle"}, {Toggle{[]string{"bell", "moves"}}, "toggle bell moves"},
		{Set{"boardstyle", "3"}, "set boardstyle 3"}, {AskVariable{"boardstyle"}, "set boardstyle"}, {Set{"timezone", "Europe/Berlin"}, "set timezone Europe/Berlin"},
		{Back{}, "back"}, {ShowSaved{}, "show saved"}, {ShowSavedCount{"bob"}, "show savedcount bob"},
		{RawWho{}, "rawwho"}, {RawWho{"bob"}, "rawwho bob"},
		{Oldmoves{"bob"}, "oldmoves bob"},
		{Watch{"bob"}, "watch bob"},
		{Unwatch{}, "unwatch"}, {Address{"a@b.example"}, "address a@b.example"},
		{Time{}, "time"},
		{Bye{}, "bye"},
		{Tell{"bob", "good luck"}, "tellx bob good luck"},
		{Kibitz{"hi all"}, "kibitz hi all"}, {Whisper{"hi"}, "whisper hi"},
	}
	for _, tt := range tests {
		got, err := tt.command.Encode()
		if err != nil || got != tt.want {
			t.Errorf("%#v encodes as %q, %v, want %q", tt.command, got, err, tt.want)
		}
	}
}

func TestCommand_refuses(t *testing.T) {
	long := strings.Repeat("x", MaxCommand)
	tests := []Command{
		Login{Client: "a name with blanks", Name: "alice", Password: NewSecret("x")},
		Login{Client: strings.Repeat("x", 21), Name: "alice", Password: NewSecret("x")},
		Login{Client: "fibsbot", Name: "al ice", Password: NewSecret("x")},
		Login{Client: "fibsbot", Name: "alice"},
		Login{Client: "fibsbot", Name: "alice", Password: NewSecret("a b")},
		Login{Client: "fibsbot", Name: "alice", Password: NewSecret("a:b")},
		Login{Client: "fibsbot", Name: "alice", Password: NewSecret("a\nbye")},
		Move{}, Move{make([]Step, 5)}, Move{[]Step{{0, 5}}}, Move{[]Step{{26, 5}}}, Move{[]Step{{6, Bar}}}, Move{[]Step{{6, 6}}},
		Resign{0}, Resign{4}, Join{"bob\r\nbye"}, Join{"bob carol"},
		Invite{"bob", -1}, Invite{"bob", 100}, Invite{"", 5}, Invite{"bob:", 5},
		Toggle{[]string{"ready\nbye"}}, Set{"boardstyle", ""}, Set{"boardstyle", "3 4"}, Set{"x\n", "3"}, Set{"x", "3\n"},
		Address{"a b"}, Address{""},
		Tell{"bob", "a\r\nresign b"}, Tell{"bob", "caf\u00e9"}, Tell{"bob", " "}, Tell{"bo b", "x"}, Tell{"bob", long},
		Kibitz{"\x07"}, Kibitz{""}, Whisper{"\xff\xf4"}, Tell{"", "x"}, RawWho{"bob\nbye"},
	}
	for _, c := range tests {
		got, err := c.Encode()
		if !errors.Is(err, ErrCommand) || got != "" {
			t.Errorf("%#v encodes as %q, %v, want ErrCommand", c, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "a:b") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

func TestPlainText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"hello", "hello"}, {"a\r\nresign b", "a  resign b"}, {"café ♥", "caf? ?"}, {"\x1b[2Jx\x7f", "[2Jx"}, {"\ta ", "a"},
	}
	for _, tt := range tests {
		if got := PlainText(tt.in); got != tt.want {
			t.Errorf("PlainText(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestSecret formats a password in all ways that could happen by mistake.
func TestSecret(t *testing.T) {
	const word = "hunter2hunter2"
	s := NewSecret(word)
	type holder struct {
		Public  Secret
		private Secret
		Pointer *Secret
	}
	h := holder{s, s, &s}
	login := Login{Client: "fibsbot", Name: "alice", Password: s}
	var all bytes.Buffer
	for _, v := range []any{s, &s, h, &h, []Secret{s}, map[string]Secret{"x": s}, login, &login, h.private} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p"} {
			fmt.Fprintf(&all, verb+"\n", v)
		}
		fmt.Fprintln(&all, fmt.Errorf("login of %v: %w", v, errors.New("x")))
		j, err := json.Marshal(v)
		if err != nil {
			t.Errorf("json of %T: %v", v, err)
		}
		all.Write(j)
		y, err := yaml.Marshal(v)
		if err != nil {
			t.Errorf("yaml of %T: %v", v, err)
		}
		all.Write(y)
	}
	for _, leak := range []string{word, fmt.Sprintf("%x", word), fmt.Sprintf("%X", word), "104 117 110"} {
		if strings.Contains(all.String(), leak) {
			t.Errorf("the password shows as %q in\n%s", leak, all.String())
		}
	}
	if !strings.Contains(all.String(), Mask) {
		t.Error("the mask shows nowhere")
	}
	if s.Reveal() != word || s.Empty() || !NewSecret("").Empty() || fmt.Sprint(NewSecret("")) != "" {
		t.Error("a secret does not keep its word")
	}
	if !s.Equal(NewSecret(word)) || s.Equal(NewSecret("other")) {
		t.Error("Equal")
	}
	var read Secret
	if err := json.Unmarshal([]byte(`"hunter2hunter2"`), &read); err != nil || !read.Equal(s) {
		t.Errorf("read from JSON: %v, %v", read, err)
	}
}

func TestPlayerAndSettings_readBack(t *testing.T) {
	for _, line := range []string{
		"5 bob carol - 1 0 2026.77 1229928 4 1593778125 host.example ParlorBot bots@example.com",
		"5 bob - dave 0 1 -12.50 0 0 0 127.0.0.1 - -",
	} {
		p, ok := ParsePlayer(line)
		if !ok || p.String() != line {
			t.Errorf("%q reads back as %q, %v", line, p, ok)
		}
	}
	for _, line := range []string{
		"2 alice 1 1 0 0 0 0 1 1 2396 0 1 0 1 3457.85 0 0 0 0 0 Australia/Melbourne",
		"2 alice 0 0 1 1 1 1 0 0 0 1 0 1 0 1500.00 1 1 unlimited 1 1 UTC",
	} {
		s, ok := ParseSettings(line)
		if !ok || s.String() != line {
			t.Errorf("%q reads back as %q, %v", line, s, ok)
		}
	}
	for _, line := range []string{"5 bob", "5 bob - - 2 0 1500.00 0 0 0 h - -", "5 bob - - 1 0 NaN 0 0 0 h - -", "5 b:b - - 1 0 1.0 0 0 0 h - -", "5 bob - - 1 0 1.0 0 0 0 h - - x"} {
		if p, ok := ParsePlayer(line); ok {
			t.Errorf("%q reads as %v", line, p)
		}
	}
	if _, ok := ParseSettings("2 alice 1 1 0 0 0 0 1 1 x 0 1 0 1 1500.00 0 0 0 0 0 UTC"); ok {
		t.Error("settings with a word for the experience")
	}
	if p, _ := ParsePlayer("5 bob - - 1 0 1500.00 0 0 0 h - -"); !p.Available() {
		t.Error("bob is ready and not playing, yet is not available")
	}
}

func TestSettings_switches(t *testing.T) {
	s, _ := ParseSettings("2 alice 1 0 1 0 0 1 0 1 0 1 0 1 0 1500.00 1 0 0 1 0 UTC")
	got := map[string]bool{}
	for _, name := range Switches() {
		if on, ok := s.Switch(name); ok {
			got[name] = on
		}
	}
	want := map[string]bool{
		"allowpip": true, "autoboard": false, "autodouble": true, "automove": false, "bell": true, "crawford": false,
		"double": true, "greedy": true, "moreboards": false, "moves": true, "notify": false, "ratings": true,
		"ready": false, "report": true, "silent": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("switches (-want +got)\n%s", diff)
	}
}

func TestToggled_everySwitchAndState(t *testing.T) {
	read := map[string]bool{}
	for _, g := range readGolden(t) {
		for _, e := range g.parse() {
			if e.Kind == Toggled {
				read[fmt.Sprint(e.Name, e.On)] = true
			}
		}
	}
	for _, name := range Switches() {
		for _, on := range []bool{true, false} {
			if !read[fmt.Sprint(name, on)] {
				t.Errorf("no text for %s %v", name, on)
			}
		}
	}
}

// TestKind_names reads the kinds in the source: each has words of its own, and those under
// "Refusals" are refusals.
func TestKind_names(t *testing.T) {
	source, err := os.ReadFile("event.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "// The kinds, roughly")
	list, _, _ = strings.Cut(list, "\n)\n")
	_, refused, _ := strings.Cut(list, "// Refusals: ")
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +Kind = "(.*)"$`).FindAllStringSubmatch(list, -1) {
		k := Kind(m[1])
		if seen[k.String()] {
			t.Errorf("two kinds are %q", k)
		}
		seen[k.String()] = true
		if want := strings.Contains(refused, `"`+m[1]+`"`) || k == WaitForMove; m[1] != "" && k.Refusal() != want {
			t.Errorf("Refusal of %q is %v", k, !want)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d kinds in the source", len(seen))
	}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][^;\n]*)(;.*)?$`).FindAllStringSubmatch(sentenceFile, -1) {
		if !seen[m[1]] {
			t.Errorf("sentences.txt: there is no kind %q", m[1])
		}
	}
}
