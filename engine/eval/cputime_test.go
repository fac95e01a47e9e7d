//go:build linux

package eval_test

import "syscall"

// cpuSeconds is the processor time this process has used, which a loaded machine
// does not blur as it does the time on the wall.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
