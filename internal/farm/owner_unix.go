//go:build linux || darwin || freebsd

package farm

import (
	"os"
	"path/filepath"
	"syscall"
)

// give changes the owner of f, a new file in dir, to the folder's owner if root made it, so that
// a service with its own user can read it.
func give(f *os.File, dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	i, err := os.Stat(dir)
	if err != nil {
		return err
	}
	st, ok := i.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 {
		return nil
	}
	return f.Chown(int(st.Uid), int(st.Gid))
}

// giveLock is give for a lock that may exist. It leaves other things in its place alone, such as
// a link to a file of root's.
func giveLock(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil {
		return err
	}
	if st, ok := i.Sys().(*syscall.Stat_t); !ok || !i.Mode().IsRegular() || st.Nlink != 1 || st.Uid != 0 {
		return nil
	}
	return give(f, filepath.Dir(path))
}
