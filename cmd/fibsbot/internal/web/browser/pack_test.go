package browser

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"testing"

	"fibsbot/internal/testsize"
)

// TestArrange: the second layers of the wide nets are stored as whole numbers, and most units of all wide
// nets but the first are like one of another. That unpack.js puts a program back in order, TestNode_answersAsNative
// shows.
func TestArrange(t *testing.T) {
	testsize.Large(t)
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(p.Packed))
	if err != nil {
		t.Fatal(err)
	}
	var length uint32
	if err := binary.Read(z, binary.LittleEndian, &length); err != nil {
		t.Fatal(err)
	}
	var head packing
	if err := json.NewDecoder(io.LimitReader(z, int64(length))).Decode(&head); err != nil {
		t.Fatal(err)
	}
	wide := 0
	for i, l := range head.Layers {
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
