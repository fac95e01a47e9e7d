package backup

import (
	"fmt"
	"syscall"
)

// mount mounts a disk of so many bytes.
func mount(dir string, size int) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
}

func unmount(dir string) { _ = syscall.Unmount(dir, 0) }
