package testsize

import (
	"flag"
	"os"
	"testing"
)

// Medium skips a test that takes or waits more than half a second, with -short.
func Medium(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("more than half a second: not with -short")
	}
}

// Large skips a test that takes more than a few seconds of a processor, unless all are asked for.
func Large(t testing.TB) {
	t.Helper()
	if Brief() {
		t.Skip("large: name it with -run, or set FIBSBOT_TESTS=all")
	}
}

// Brief reports whether a test that repeats itself should take a sample.
func Brief() bool {
	switch {
	case testing.Short():
		return true
	case os.Getenv("FIBSBOT_TESTS") == "all":
		return false
	case Race:
		return true
	}
	names := flag.Lookup("test.run")
	return names == nil || names.Value.String() == ""
}
