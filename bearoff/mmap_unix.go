//go:build unix

package bearoff

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps the first size bytes of f for reading. Databases are replaced by
// renaming, never written in place, so the mapped bytes stay what they are.
func mapFile(f *os.File, size int64) ([]byte, func() error, error) {
	if int64(int(size)) != size {
		return nil, nil, errors.New("too big for this machine's addresses")
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return b, func() error { return unix.Munmap(b) }, nil
}

// mapScratch maps a file of the builder for reading and writing.
func mapScratch(f *os.File, size uint64) (b []byte, sync, release func() error, err error) {
	b, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, nil, err
	}
	return b, func() error { return unix.Msync(b, unix.MS_SYNC) }, func() error { return unix.Munmap(b) }, nil
}

// dropPages takes the mapped pages out of this process; their contents stay in
// the file.
func dropPages(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }
