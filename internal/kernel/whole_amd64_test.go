//go:build !purego

package kernel

import (
	"slices"
	"testing"
)

// A processor with AVX-512 and no VNNI works on narrow blocks with AVX2.
func TestHidden_withoutVNNI(t *testing.T) {
	if best() != levelAVX512 {
		t.Skip("no AVX-512 here: skipped")
	}
	had := hasVNNI
	hasVNNI = false
	t.Cleanup(func() { hasVNNI = had })
	l, base, changes := randomLayer(1, 512, 330, 37, 16)
	if l.BlockUnits != 64 {
		t.Fatalf("blocks of %d", l.BlockUnits)
	}
	want := slowHidden(l, base, changes, 512)
	l.Finish()
	h := make([]int16, len(changes)*512)
	Hidden(l, base, changes, h)
	for k := range want {
		if !slices.Equal(h[512*k:][:512], want[k]) {
			t.Fatalf("position %d differs", k)
		}
	}
	out, plain, w := make([]int32, 80), make([]int32, 80), make([]int16, 5*512)
	for i := range w {
		w[i] = int16(i%1000 - 500)
	}
	Dots5(out, h, w, 512)
	if dots5Go(plain, h, w, 512); !slices.Equal(out, plain) {
		t.Error("outputs differ")
	}
}
