//go:build linux || darwin || freebsd

package farm

import "syscall"

// diskFree returns the bytes that can still be written to the disk of dir, or -1 if unknown.
func diskFree(dir string) int64 {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:unconvert // other types on other systems
}
