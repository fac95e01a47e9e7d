//go:build unix && !linux

package nice

import "syscall"

func lower() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, low) }
