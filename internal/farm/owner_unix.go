//go:build linux || darwin || freebsd

package farm

import (
	"os"
	"path/filepath"
	"syscall"
)

// give makes f, a new file in the folder dir, the property of the folder's owner where root
// made it: a service with a user of its own could not read it otherwise.
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

// giveLock is give for a lock that may be an older one. What the folder's owner has put in
// its place, a link to a file of root's say, is left alone.
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
