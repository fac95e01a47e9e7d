//go:build unix

package farm

import "syscall"

// Nice lowers the priority of the process: a worker takes what others leave.
func Nice() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) // not allowed is no harm
}
