//go:build !js

package lockfile

import (
	"io/fs"

	"github.com/gofrs/flock"
)

// lock is a lock of the operating system on a file, which it opens.
type lock = flock.Flock

func newLock(path string, flag int, perm fs.FileMode) *lock {
	return flock.New(path, flock.SetFlag(flag), flock.SetPermissions(perm))
}
