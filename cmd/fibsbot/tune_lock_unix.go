//go:build unix

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lockResults keeps a second program from writing to the same results; the
// system drops the lock when the file is closed, however that comes about.
func lockResults(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("%s: another fibsbot writes to it", f.Name())
	}
	return nil
}
