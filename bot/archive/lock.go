package archive

import (
	"errors"
	"fmt"
	"path/filepath"

	"fibsbot/internal/lockfile"
)

// ErrLocked means that another process, or another account of this one, has opened the same
// journals.
var ErrLocked = errors.New("the journals of this account are in use")

// lockName is the file that is locked while a Journal is open: one lock for all journals of
// an account on a server, as a lock on each would need a descriptor each.
func lockName(dir, account, server, protocol string) string {
	return filepath.Join(dir, openDir, identity(account, server, protocol)+".lock")
}

// take locks the journals of an account. The operating system releases the lock when the
// process ends.
func take(dir, account, server, protocol string) (release func() error, err error) {
	name := lockName(dir, account, server, protocol)
	release, err = lockfile.Take(name, 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w (%s)", ErrLocked, name)
	}
	return release, err
}

// ErrCare means that another command maintains the archive.
var ErrCare = errors.New("another command is maintaining this archive (wait for it)")

// Care locks the archive in dir against other maintenance commands, such as a prune during
// a backup. Bots do not need the lock.
func Care(dir string) (release func() error, err error) {
	release, err = lockfile.Take(filepath.Join(dir, ".care.lock"), 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, ErrCare
	}
	return release, err
}
