//go:build race

package israce

// Enabled reports whether the program was built with -race.
const Enabled = true
