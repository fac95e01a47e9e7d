//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable returns why files cannot be created in a folder, or nil.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// owned reports whether a file belongs to the user of this process.
func owned(st fs.FileInfo) bool {
	s, ok := st.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}
