package israce

import (
	"os"
	"testing"
)

// watched reports whether the race detector slows tests down and no one asked for all of them
// with FIBSBOT_RACE=1.
func watched() bool { return Enabled && os.Getenv("FIBSBOT_RACE") == "" }

// Slow skips a test that takes minutes with the race detector. .ci/run runs it without;
// FIBSBOT_RACE=1 runs it with the detector all the same.
func Slow(t testing.TB) {
	t.Helper()
	if watched() {
		t.Skip("slow with the race detector: run it without, or set FIBSBOT_RACE=1")
	}
}

// Brief reports whether a test that repeats itself should take a sample: with -short, and with
// the race detector unless FIBSBOT_RACE=1 asks for everything.
func Brief() bool { return testing.Short() || watched() }
