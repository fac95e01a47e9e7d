package main

import (
	"os"
	"strconv"
	"syscall"
)

// beNice lets other programs go first. Linux keeps a priority for each thread; those made
// later take it over.
func beNice() {
	const low = 10
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, low) // it is a courtesy, no more
		return
	}
	for _, t := range tasks {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, low)
		}
	}
}
