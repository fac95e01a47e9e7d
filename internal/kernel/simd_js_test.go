package kernel

import (
	"os"
	"testing"
)

// testdata/run.mjs has the vector kernel, unless it is told to leave it out.
func TestSIMD_isInUse(t *testing.T) {
	want := "simd128"
	if os.Getenv("KERNEL") == "none" {
		want = "go"
	}
	if Name() != want {
		t.Errorf("%s is in use, want %s", Name(), want)
	}
}
