package server

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestFindCommand_abbreviations are those of FIBS's help: one that leaves a doubt is no
// command, but for the shortcuts.
func TestFindCommand_abbreviations(t *testing.T) {
	for word, want := range map[string]string{
		"b": "board", "i": "invite", "k": "kibitz", "m": "move", "r": "roll", "s": "say", "t": "tell", "w": "who", "wh": "whisper",
		"res": "resign", "rej": "reject", "ac": "accept", "le": "leave", "j": "join", "d": "", "do": "double", "dice": "dicetest", "pi": "pip",
		"re": "", "a": "", "l": "", "o": "", "old": "", "p": "", "by": "", "bye": "bye", "board": "board", "whi": "whisper", "who": "who", "name": "name",
		"of": "off", "off": "off", "tell": "tell", "!!": "!!", "!": "!!", "nothing": "",
	} {
		got := ""
		if c := findCommand(word); c != nil {
			got = c.name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// TestCommands_doubtGivesNothingUp: "re", which may be reject or resign, ends no game.
func TestCommands_doubtGivesNothingUp(t *testing.T) {
	s := start(t, Options{})
	alice, bob := begin(t, s, "5")
	for _, word := range []string{"re", "a", "l", "o"} {
		alice.ask(word, "^\\*\\* Unknown command: '"+word+"'")
	}
	for _, c := range []*client{alice, bob} {
		if f := strings.Split(c.ask("b", "^board:"), ":"); f[4] != "0" || f[5] != "0" {
			t.Errorf("the score is %s-%s", f[4], f[5])
		}
	}
}

// TestCommands_ofHelp: every command that FIBS's help names is known, and has its help.
func TestCommands_ofHelp(t *testing.T) {
	at := &clock{at: time.Unix(1700000000, 0)}
	s := start(t, Options{Seed: 1, Now: at.now})
	c := login(t, s, "alice")
	for _, topic := range strings.Fields(`about accept address average away back beaver board bye cls clear complaints crawford date dicetest
		double erase formula gag help hostnames invite join kibitz last leave look man message motd move names off oldboard oldmoves otter panic
		password pip raccoon ratings rawwho redouble reject resign roll rules save say set shout show stat tell time timezones toggle unwatch
		version watch wave where whisper who whois !!`) {
		c.ask("help "+topic, "^  "+regexp.QuoteMeta(topic)+" - .")
		c.expect("^SYNOPSIS$")
		c.expect("^  " + regexp.QuoteMeta(topic) + "( |$)")
		c.expect("^DESCRIPTION$")
		c.expect("^  [A-Z'0-9!A].*")
	}
	for _, topic := range []string{"autologin", "boardstyle", "commands", "sortwho"} {
		c.ask("help "+topic, "^  "+topic+"$")
		c.expect("^DESCRIPTION")
	}
	c.ask("help re", "No help available on re")
	for command, want := range map[string]string{
		"cls": "^\x1b\\[H\x1b\\[2J", "clear": "^\x1b\\[H\x1b\\[2J", "hostnames": "Lists show where", "rules": "fifteen checkers",
		"formula": "sqrt\\(N\\)", "crawford": "no one may double", "names": "letters or underscores", "complaints": "gag NAME", "erase": "saved match",
		"panic": "'board' shows", "man roll": "roll - roll the dice", "timezones": "^UTC +Africa/Abidjan", "set timezone Foo": "Europe/Berlin",
		"dicetest": "^Rolls since .*: 0$", "last nobody_here": "There is no user called 'nobody_here'", "!!": "There is no command to repeat",
	} {
		c.ask("tell alice hi", "say to yourself") // what is repeated is not what the map's order made it
		c.ask(command, want)
	}
}

func TestCommand_lastOfAUser(t *testing.T) {
	at := &clock{at: time.Unix(1700000000, 0)}
	s := start(t, Options{Now: at.now})
	alice, bob := login(t, s, "alice"), login(t, s, "bob")
	alice.ask("last bob", "^Last login of bob:  Tuesday, November 14 22:13 UTC from 127.0.0.1")
	alice.expect("^Still logged in")
	at.add(time.Hour)
	bob.send("bye")
	bob.closed()
	alice.expect("^8 bob")
	alice.ask("last BOB", "^Last login of bob:")
	alice.expect("^Last logout of bob: Tuesday, November 14 23:13 UTC")
}

// TestCommand_repeat: "!!" is the last command again, and neither talk nor a password.
func TestCommand_repeat(t *testing.T) {
	s := start(t, Options{})
	c := login(t, s, "alice")
	c.ask("time", "UTC")
	c.ask("!!", "UTC")
	c.ask("!!", "UTC")
	for _, line := range []string{"tell bob hello", "say hello", "password a:b:b", "message bob hello"} {
		c.ask("time", "UTC")
		c.ask(line, "^\\*\\*|Don't know user")
		c.ask("!!", "There is no command to repeat")
	}
}

// TestDicetest_countsEveryRoll of a match.
func TestDicetest_countsEveryRoll(t *testing.T) {
	s, users := offline(t)
	openings := 0
	for _, row := range s.thrown {
		for _, n := range row {
			openings += n
		}
	}
	if openings == 0 {
		t.Error("the opening rolls are not counted")
	}
	s.mu.Lock()
	m := users[0].match
	for range 3600 {
		s.throw(m)
	}
	s.cmdDicetest(users[0], "")
	text := string(users[0].conn.pending)
	s.release()
	for _, want := range []string{"Rolls since", "Doubles: ", "Die 6: ", "Chi-square of the rolls"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestZones_areThere: every zone that is offered can be set.
func TestZones_areThere(t *testing.T) {
	names := strings.Fields(zoneNames)
	if len(names) < 300 {
		t.Fatalf("%d zones", len(names))
	}
	for _, name := range names {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
	}
}

// TestLogin_autologin: "connect NAME PASSWORD" is answered without prompts and without the
// telnet commands that hide a password.
func TestLogin_autologin(t *testing.T) {
	s := start(t, Options{Accounts: map[string]string{"alice": "secret"}})
	c := dial(t, s)
	c.send("connect alice wrong")
	c.send("connect alice secret")
	c.send("time")
	c.send("bye")
	c.closed()
	text := strings.Join(c.log, "\n")
	for _, bad := range []string{"\xff", "> "} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in %q", bad, text)
		}
	}
	for _, want := range []string{"** User alice authenticated.", "UTC   (", "Goodbye."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}
