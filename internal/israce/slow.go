package israce

import (
	"os"
	"testing"
)

// Slow skips a test that takes minutes with the race detector. .ci/run runs it without;
// FIBSBOT_RACE=1 runs it with the detector all the same.
func Slow(t testing.TB) {
	t.Helper()
	if Enabled && os.Getenv("FIBSBOT_RACE") == "" {
		t.Skip("slow with the race detector: run it without, or set FIBSBOT_RACE=1")
	}
}
