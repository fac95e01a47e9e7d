package host

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/policy"
	"fibsbot/fibs/clip"
)

// TestTalker_count: answers are counted for a minute, by name and in all.
func TestTalker_count(t *testing.T) {
	l := newTalker()
	for i := range 3 {
		l.add("bob", noon.Add(time.Duration(i)*20*time.Second))
	}
	for after, want := range map[time.Duration]int{40 * time.Second: 3} {
		if n := l.count("bob", noon.Add(after)); n != want {
			t.Errorf("after %v: %d, want %d", after, n, want)
		}
	}
	if n, other := l.count("bob", noon.Add(time.Minute)), l.count("dora", noon.Add(time.Minute)); n != 2 || other != 0 {
		t.Errorf("after a minute: bob %d, dora %d", n, other)
	}
	if n := l.count("bob", noon.Add(time.Hour)); n != 0 || len(l.said) != 0 {
		t.Errorf("after an hour: %d, %d names remembered", n, len(l.said))
	}
	for i := range maxAnswers {
		l.add(fmt.Sprint(i), noon.Add(2*time.Hour))
	}
	if n := l.count("bob", noon.Add(2*time.Hour)); n != math.MaxInt {
		t.Errorf("a crowd was answered, and bob may have an answer: %d", n)
	}
	for i := range 100 * maxAnswers {
		l.add(fmt.Sprint("x", i), noon.Add(3*time.Hour))
	}
	if len(l.said) > 10*maxAnswers+1 {
		t.Errorf("%d names remembered", len(l.said))
	}
}

// TestTalker_nudge: repeated 'move' makes the bot check the board once.
func TestTalker_nudge(t *testing.T) {
	l := newTalker()
	for i, want := range []bool{true, false, false, true} {
		if got := l.nudge(noon.Add(time.Duration(i) * nudgeQuiet / 3)); got != want {
			t.Errorf("nudge %d: %v", i, got)
		}
	}
}

// TestIsBot_byClient: the client that who lists show marks a program whatever its name, in all
// that depends on it.
func TestIsBot_byClient(t *testing.T) {
	c := testConfig(t, "127.0.0.1:1", "robbie")
	s := resting(t, c).seats[0]
	p, ok := clip.ParsePlayer("5 patti - - 1 0 1550.00 900 10 1700000000 h BaldLies_v0.1.0 -")
	if !ok {
		t.Fatal("not a player")
	}
	ev := fibs.Event(&clip.Event{Kind: clip.PlayerLine, Name: p.Name, Player: p})
	s.lobby.Event(&ev)
	if !s.isBot("patti") || s.isBot("bob") {
		t.Errorf("patti %v, bob %v", s.isBot("patti"), s.isBot("bob"))
	}
	told := policy.Told{Channel: policy.Tell, From: "patti", Text: "help"}
	if policy.Answer(c, told).Say == "" {
		t.Error("a person is not answered")
	}
	if told.Client = s.client("patti"); policy.Answer(c, told).Say != "" {
		t.Error("a program is answered")
	}
}
