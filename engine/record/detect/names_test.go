package detect

import (
	"strings"
	"testing"

	"fibsbot/engine/record/formats"
)

func TestNames(t *testing.T) {
	text := Names("  ", 40)
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > 40 || !strings.HasPrefix(line, "  ") {
			t.Errorf("%q", line)
		}
	}
	for _, f := range formats.Names(formats.Read) {
		if !strings.Contains(text, f) {
			t.Errorf("no %s in\n%s", f, text)
		}
	}
}
