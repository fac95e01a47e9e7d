package nice

import (
	"os"
	"strconv"
	"syscall"
)

// lower sets the priority of every thread, since Linux has one for each. New threads inherit it.
func lower() {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		lowerThread(0)
		return
	}
	for _, t := range tasks {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			lowerThread(id)
		}
	}
}

// lowerThread keeps a priority that is already lower, which root could raise.
func lowerThread(id int) {
	// The system call returns 20 minus the nice value.
	if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil && 20-now >= low {
		return
	}
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, low)
}
