package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fibsbot/internal/lockfile"
)

// lock takes the lock file of an account, so that no two processes on this
// machine run it and throw each other out for ever.
func lock(file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	release, err := lockfile.Take(file, 0o644)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w (%s)", ErrRunning, file)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = release() }, nil
}
