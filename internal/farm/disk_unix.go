//go:build linux || darwin || freebsd

package farm

import "syscall"

// diskFree is how many bytes may still be written to the disk of dir, -1 where nobody knows.
func diskFree(dir string) int64 {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:unconvert // other types on other systems
}
