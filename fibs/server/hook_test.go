package server

import (
	"context"
	"strings"
	"testing"

	"github.com/sirupsen/logrus"
)

// TestHooks_mayPanic: a panic in a hook of the embedding program is logged. In OnLine it ends the
// user's connection; in OnDone and in the log it has no effect. All others play on, and earlier
// talk arrives.
func TestHooks_mayPanic(t *testing.T) {
	var text safeLog
	log := logTo(&text)
	log.(*logrus.Logger).AddHook(tripOver("match started"))
	s := start(t, Options{Log: log,
		OnLine: func(_ context.Context, _, line string, _ int) Fate {
			if line == "trip line" {
				panic("tripped in OnLine")
			}
			return Carry
		},
		OnDone: func(d Done) {
			if d.Line == "tell bob trip" {
				panic("tripped in OnDone")
			}
		},
	})
	alice, bob := begin(t, s, "3") // the log trips over its line
	alice.ask("tell bob trip", "bob")
	bob.expect("alice trip")
	alice.send("trip line")
	alice.closed()
	bob.expect("alice.*The game was saved")
	carol := login(t, s, "carol")
	carol.ask("tell bob hello", "bob hello")
	bob.expect("carol hello")
	if got := strings.Join(s.Users(), " "); got != "bob carol" {
		t.Errorf("on line: %s", got)
	}
	for _, want := range []string{"tripped in OnLine", "hook=OnLine", "tripped in OnDone", "hook=OnDone", "hook_test.go"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the log does not tell %q:\n%s", want, text.String())
		}
	}
}

// tripOver panics at a line of the log.
type tripOver string

func (tripOver) Levels() []logrus.Level { return logrus.AllLevels }

func (w tripOver) Fire(e *logrus.Entry) error {
	if e.Message == string(w) {
		panic("tripped in the log")
	}
	return nil
}

// TestDice_mayPanic: dice that cannot be rolled end the connection of who needs them, and
// the mutex is given back.
func TestDice_mayPanic(t *testing.T) {
	var text safeLog
	s := start(t, Options{Log: logTo(&text), Dice: func(_, _ string, _ int) Dice { panic("no dice") }})
	alice, bob := login(t, s, "alice"), login(t, s, "bob")
	alice.ask("toggle ready", "ready")
	bob.ask("toggle ready", "ready")
	alice.ask("invite bob 3", "You invited")
	bob.expect("Type 'join alice'")
	bob.send("join alice")
	bob.closed()
	alice.ask("time", "UTC")
	if !strings.Contains(text.String(), "no dice") {
		t.Errorf("the log tells nothing:\n%s", text.String())
	}
}
