package host

import (
	"errors"
	"fmt"
	"path/filepath"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// lock takes the lock file of an account, so that no two processes on this machine run the
// account and disconnect each other again and again.
func lock(file string) (unlock func(), err error) {
	if err := atomicfile.MkdirPrivate(filepath.Dir(file)); err != nil {
		return nil, err
	}
	release, err := lockfile.Take(file, 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w (%s)", ErrRunning, file)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = release() }, nil
}
