//go:build race

package testsize

// Race reports whether the race detector watches this program.
const Race = true
