package livetext

import (
	"strings"
	"testing"
	"time"
)

func TestBlock_drawsOverItself(t *testing.T) {
	var out strings.Builder
	b := New(&out, func() (int, int) { return 8, 3 })
	b.Draw(func() string { return "one\nanother line\nthird\n" })
	b.Draw(func() string { t.Error("drawn twice in a tenth of a second"); return "" })
	b.last = time.Time{}
	b.Draw(func() string { return "two\n" })
	b.Clear()
	b.Clear()
	if want := "one\nanother\n\x1b[2A\r\x1b[Jtwo\n\x1b[1A\r\x1b[J"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestBlock_linesAbove: what is said meanwhile stays, and the block is drawn below it.
func TestBlock_linesAbove(t *testing.T) {
	var out strings.Builder
	b := New(&out, func() (int, int) { return 80, 24 })
	above := b.Above(&out)
	b.Draw(func() string { return "one\ntwo\n" })
	for range 2 {
		if _, err := above.Write([]byte("said\n")); err != nil {
			t.Fatal(err)
		}
	}
	b.last = time.Time{}
	b.Draw(func() string { return "three\n" })
	b.Clear()
	if want := "one\ntwo\n\x1b[2A\r\x1b[Jsaid\nsaid\nthree\n\x1b[1A\r\x1b[J"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
