package host

import (
	"fmt"
	"math"
	"testing"
	"time"
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
