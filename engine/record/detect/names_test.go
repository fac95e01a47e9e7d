package detect

import (
	"slices"
	"strings"
	"testing"
)

// TestFormats: the list has what files are told by, each once.
func TestFormats(t *testing.T) {
	list := Formats()
	want := []Format{Mat, Oldmoves, PositionID} // sniff names them itself
	for _, k := range kinds {
		want = append(want, k.format)
	}
	for _, s := range signs {
		want = append(want, s.format)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	got := slices.Sorted(slices.Values(list))
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, told apart %v", got, want)
	}
}

func TestNames(t *testing.T) {
	text := Names("  ", 40)
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > 40 || !strings.HasPrefix(line, "  ") {
			t.Errorf("%q", line)
		}
	}
	for _, f := range Formats() {
		if !strings.Contains(text, string(f)) {
			t.Errorf("no %s in\n%s", f, text)
		}
	}
}
