package review

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"fibsbot/bot/archive/index"
)

// A table that cannot be written is an error.
func TestDiceTable_fullDisk(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var b strings.Builder
		if err := DiceTable(&b, index.DiceSum{}, asJSON); err != nil || !strings.Contains(b.String(), "opponents") {
			t.Errorf("%v: %q", err, b.String())
		}
		if err := DiceTable(full{}, index.DiceSum{}, asJSON); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("error %v", err)
		}
	}
}

// full is a full disk.
type full struct{ io.Writer }

func (full) Write([]byte) (int, error) { return 0, iotest.ErrTimeout }
