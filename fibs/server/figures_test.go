package server

import (
	"strings"
	"testing"
	"time"

	"fibsbot/fibs/clip"
)

// TestFigures_clientUnderstands: about, stat, average and last answer in lines that
// the client's parser knows.
func TestFigures_clientUnderstands(t *testing.T) {
	at := &clock{at: time.Date(2026, 11, 21, 10, 59, 0, 0, time.UTC)}
	s := start(t, Options{Now: at.now})
	alice := login(t, s, "alice")
	for range 30 {
		c := login(t, s, "bob")
		c.send("bye")
		c.closed()
	}
	login(t, s, "carol")
	s.Sweep()
	for range 5 {
		at.add(time.Minute)
		s.Sweep()
	}
	answer := func(command string) (kinds map[clip.Kind]int, lines []string) {
		alice.send("%s", command)
		alice.send("time")
		kinds = map[clip.Kind]int{}
		p := clip.RunningParser()
		for {
			line, err := alice.next()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, "UTC   (") {
				return kinds, lines
			}
			lines = append(lines, line)
			for _, ev := range p.Append(nil, line) {
				kinds[ev.Kind]++
				if command != "about" && ev.Kind == clip.Unknown {
					t.Errorf("%s: unknown line %q", command, line)
				}
			}
		}
	}
	if kinds, lines := answer("stat"); kinds[clip.Known] != 5 {
		t.Errorf("stat: %v\n%s", kinds, strings.Join(lines, "\n"))
	}
	if kinds, lines := answer("average"); kinds[clip.Known] != 25 || !strings.Contains(strings.Join(lines, "\n"), "11:00-12:00:   2.0") {
		t.Errorf("average: %v\n%s", kinds, strings.Join(lines, "\n"))
	}
	if kinds, lines := answer("last"); kinds[clip.Known] != 1+maxLast {
		t.Errorf("last: %v\n%s", kinds, strings.Join(lines, "\n"))
	}
	if _, lines := answer("about"); len(lines) != 3 {
		t.Errorf("about:\n%s", strings.Join(lines, "\n"))
	}
	alice.ask("help stat", "NAME")
}
