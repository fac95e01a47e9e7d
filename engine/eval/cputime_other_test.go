//go:build !linux

package eval_test

// cpuSeconds is only known on Linux.
func cpuSeconds() float64 { return 0 }
