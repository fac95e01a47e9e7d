//go:build !unix

package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// lock takes the lock file of an account, so that no two processes on this
// machine run it. A file that a killed process left behind must be removed by
// hand; the error names it.
func lock(file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w (%s)", ErrRunning, file)
	}
	if err != nil {
		return nil, err
	}
	return func() { f.Close(); os.Remove(file) }, nil
}
