package browser

import (
	"bytes"
	"testing"

	"fibsbot/internal/testsize"
	"fibsbot/weights"
)

// TestArrange: the second layers of the wide nets are stored as whole numbers, and most units of all wide
// nets but the first are like one of another. That unpack.js puts a program back in order, TestNode_answersAsNative
// shows.
func TestArrange(t *testing.T) {
	testsize.Large(t)
	nets := bytes.Clone(weights.File())
	layers, err := arrange(nets, 0)
	if err != nil {
		t.Fatal(err)
	}
	wide := 0
	for i, l := range layers {
		if l.Units < 512 {
			continue
		}
		if wide++; l.Second == 0 || l.Grid > 14 {
			t.Errorf("net %d: %d whole numbers in steps of 2^-%d", i, l.Second, l.Grid)
		}
		like := 0
		for _, k := range l.Like {
			if k >= 0 {
				like++
			}
		}
		if wide > 1 && like < l.Units/2 {
			t.Errorf("net %d: %d units like others", i, like)
		}
	}
	if wide < 10 {
		t.Errorf("%d wide nets", wide)
	}
}
