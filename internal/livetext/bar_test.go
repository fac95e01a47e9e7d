package livetext

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestBar_partsTakeEachOthersPlace(t *testing.T) {
	var out bytes.Buffer
	b := NewBar(&out)
	b.Show("games", 1, 4)
	b.Show("positions", 2, 4)
	if s := out.String(); !strings.Contains(s, "games") || !strings.Contains(s, "positions") || strings.Contains(s, "\n") {
		t.Errorf("drawn: %q", s)
	}
	out.Reset()
	if _, err := b.Above(&out).Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.HasPrefix(s, "\r") || !strings.HasSuffix(s, "\ra line\n") {
		t.Errorf("a line above the bar: %q, want the bar removed before it", s)
	}
}

func TestBar_nilDrawsNothing(t *testing.T) {
	var b *Bar
	var out bytes.Buffer
	b.Show("games", 1, 4)
	b.Clear()
	if w := b.Above(&out); w != &out {
		t.Errorf("Above: %v, want the writer as it is", w)
	}
}

func TestLog_rateAndTimeLeftOfEachPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		show := Log(&out)
		time.Sleep(10 * time.Second)
		show("natural", 100, 200)
		time.Sleep(5 * time.Second)
		show("race", 10, 30)
		time.Sleep(15 * time.Second)
		show("slow", 6, 12)
		want := "natural 100 of 200, 10 a second, 10s left\nrace 10 of 30, 2 a second, 10s left\nslow 6 of 12, 0.4 a second, 15s left\n"
		if out.String() != want {
			t.Errorf("got:\n%swant:\n%s", out.String(), want)
		}
	})
}
