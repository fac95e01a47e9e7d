package bearoff

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve makes f exactly size bytes long with all of them on disk: writing to
// a mapped hole on a full disk would kill the process instead of failing.
func reserve(f *os.File, size uint64) error {
	if err := f.Truncate(int64(size)); err != nil {
		return err
	}
	err := unix.Fallocate(int(f.Fd()), 0, 0, int64(size))
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}
