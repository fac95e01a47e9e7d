package nice

import (
	"os"
	"strconv"
	"syscall"
)

// lower sets every thread: Linux keeps a priority for each; those made later take over
// that of the thread which makes them.
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

// lowerThread leaves alone what is lower already: root could raise it.
func lowerThread(id int) {
	// The system call gives 20 less the value that people write.
	if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil && 20-now >= low {
		return
	}
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, low)
}
