package bot

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// TestAccount_survivesPanic: a line that causes a panic ends the connection and nothing
// else. The log has the line, and the match continues from the journal.
func TestAccount_survivesPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		parser := fibs.Protocol{}.Reader()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var log bytes.Buffer
		l := logrus.New()
		l.SetOutput(&log)
		logins, over := 0, 0
		a := &Account{Protocol: fibs.Protocol{}, Name: "me", Archive: archive.Options{Dir: dir, NoSync: true}, Log: l}
		plain := &Plain{Min: 1, Max: 13, Backoff: Backoff{Min: time.Second}}
		a.Conduct = plain
		a.Dial = func(context.Context) (Link, error) {
			logins++
			link := &lastLink{events: make(chan protocol.Event, 9), onBye: func() {}}
			lines := []string{"** Player bob has joined you for a 1 point match.", "Starting a new game with bob.", "bob rolls 6 and 6."}
			if logins > 1 {
				lines = []string{"bob has joined you. Your running match was loaded.", "bob wins the 1 point match 1-0 ."}
			}
			for _, line := range lines {
				for _, ev := range parser.FromServer(line) {
					link.events <- ev
				}
			}
			return link, nil
		}
		plain.Seen = func(m Observation) {
			if m.Event != nil && m.Event.Kind == protocol.Rolls {
				panic("tripped")
			}
			if m.Over != nil {
				over++
				cancel()
			}
		}
		if err := a.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if logins != 2 || over != 1 {
			t.Errorf("%d logins, %d matches; want 2 and 1", logins, over)
		}
		if text := log.String(); !strings.Contains(text, "tripped") || !strings.Contains(text, "bob rolls 6 and 6.") || !strings.Contains(text, "crash_test.go") {
			t.Errorf("the log does not show what happened:\n%s", text)
		}
		if done, _ := filepath.Glob(filepath.Join(dir, "journal", "*.journal")); len(done) != 1 {
			t.Errorf("%d journals, want one of the whole match", len(done))
		}
	})
}

// TestAccount_survivesPanicOutsideLoop: a panic at the login or after the end of a
// connection also costs one connection only.
func TestAccount_survivesPanicOutsideLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		tries, steps, causes := 0, 0, []protocol.Cause{}
		a := &Account{Protocol: fibs.Protocol{}, Name: "me"}
		conduct := &scripted{Plain: Plain{Backoff: Backoff{Min: time.Second}}}
		a.Conduct = conduct
		a.Dial = func(context.Context) (Link, error) {
			switch tries++; tries {
			case 1:
				panic("tripped")
			case 2:
				link := &lastLink{events: make(chan protocol.Event), onBye: func() {}}
				close(link.events)
				return link, nil
			}
			cancel()
			return nil, ctx.Err()
		}
		conduct.step = func() {
			if steps++; steps == 2 { // the first is Ready's, this one Lost's
				panic("tripped again")
			}
		}
		conduct.rest = func(end Ending) { causes = append(causes, end.Cause) }
		if err := a.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if tries != 3 || len(causes) != 2 || causes[0] != protocol.CauseCrash || causes[1] != protocol.CauseCrash {
			t.Errorf("%d tries, ended by %v", tries, causes)
		}
	})
}
