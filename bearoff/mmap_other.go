//go:build !unix

package bearoff

import (
	"errors"
	"io"
	"os"
)

// mapFile maps nothing: on this system databases are read block by block.
func mapFile(*os.File, int64) ([]byte, func() error, error) {
	return nil, nil, errors.New("no memory mapping on this system")
}

// mapScratch keeps the builder's array in memory and writes it out at each
// checkpoint.
func mapScratch(f *os.File, size uint64) (b []byte, sync, release func() error, err error) {
	b, err = heap{}.alloc("", size)
	if err != nil {
		return nil, nil, nil, err
	}
	if _, err := f.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, nil, err
	}
	return b, func() error {
		if _, err := f.WriteAt(b, 0); err != nil {
			return err
		}
		return f.Sync()
	}, func() error { return nil }, nil
}

func dropPages([]byte) {}
