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
