//go:build linux || darwin || freebsd

package fileerr

import (
	"path/filepath"
	"syscall"
)

// Free returns the bytes that can still be written to the disk of dir, which may not exist yet, or
// -1 if unknown.
func Free(dir string) int64 {
	var st syscall.Statfs_t
	for syscall.Statfs(dir, &st) != nil {
		up := filepath.Dir(dir)
		if up == dir {
			return -1
		}
		dir = up
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:unconvert // other types on other systems
}
