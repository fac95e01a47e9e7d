package testsize

import (
	"flag"
	"os"
	"slices"
	"testing"
)

// Medium skips a test that takes or waits more than half a second: with -short, and where only what a
// plain go test leaves out is wanted.
func Medium(t testing.TB) {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("more than half a second: not with -short")
	case os.Getenv("FIBSBOT_TESTS") == "large":
		t.Skip("a plain go test runs it whole")
	}
}

// Sample is Medium for a test of which a plain go test takes a sample. It reports whether to take one.
func Sample(t testing.TB) bool {
	t.Helper()
	if testing.Short() {
		t.Skip("more than half a second: not with -short")
	}
	return Brief()
}

// Alone skips, with the race detector, a test that computes for long on one goroutine.
func Alone(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine computes: not with -race")
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
	case slices.Contains([]string{"all", "large"}, os.Getenv("FIBSBOT_TESTS")):
		return false
	case Race:
		return true
	}
	names := flag.Lookup("test.run")
	return names == nil || names.Value.String() == ""
}
