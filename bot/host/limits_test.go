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

// TestLastMinute_answered: answers are counted for a minute, by name and in all.
func TestLastMinute_answered(t *testing.T) {
	var l lastMinute
	for i := range 3 {
		l.add("bob", "yes", noon.Add(time.Duration(i)*20*time.Second))
	}
	if n := l.answered("bob", noon.Add(40*time.Second)); n != 3 {
		t.Errorf("after 40 s: %d, want 3", n)
	}
	if n, other := l.answered("bob", noon.Add(time.Minute)), l.answered("dora", noon.Add(time.Minute)); n != 2 || other != 0 {
		t.Errorf("after a minute: bob %d, dora %d", n, other)
	}
	if n := l.answered("bob", noon.Add(time.Hour)); n != 0 || len(l) != 0 {
		t.Errorf("after an hour: %d, %d answers remembered", n, len(l))
	}
	for i := range maxAnswers {
		l.add(fmt.Sprint(i), "yes", noon.Add(2*time.Hour))
	}
	if n := l.answered("bob", noon.Add(2*time.Hour)); n != math.MaxInt {
		t.Errorf("a crowd was answered, and bob may have an answer: %d", n)
	}
	for i := range 100 * maxAnswers {
		l.add(fmt.Sprint("x", i), "yes", noon.Add(3*time.Hour))
	}
	if len(l) > 10*maxAnswers+1 {
		t.Errorf("%d answers remembered", len(l))
	}
}

// TestLately: what is repeated is done once in a while: repeated 'move' makes the bot check the
// board once, and a player who returns every minute is not greeted every time.
func TestLately(t *testing.T) {
	l := lately{}
	for i, want := range []bool{true, false, false, true} {
		if got := l.once("nudge", nudgeQuiet, noon.Add(time.Duration(i)*nudgeQuiet/3)); got != want {
			t.Errorf("nudge %d: %v", i, got)
		}
	}
	if !l.once("welcome dora", nudgeQuiet, noon) {
		t.Error("one key keeps another from its turn")
	}
	for i := range 2 * maxRecall {
		l.once(fmt.Sprint(i), nudgeQuiet, noon)
	}
	if len(l) > maxRecall {
		t.Errorf("%d keys remembered", len(l))
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
