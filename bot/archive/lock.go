package archive

import (
	"errors"
	"fmt"
	"path/filepath"

	"fibsbot/internal/lockfile"
)

// ErrLocked is returned by Open while another process, or another account of this
// one, has the journals of that account on that server.
var ErrLocked = errors.New("the journals of this account are in use")

// lockName is the file that is locked while a Journal is open. It stands for all
// open journals of an account on a server, those of interrupted matches too, which
// a lock on each would pay for with a descriptor each.
func lockName(dir, account, server, protocol string) string {
	return filepath.Join(dir, openDir, identity(account, server, protocol)+".lock")
}

// take locks the journals of an account. The operating system gives the lock back
// when the process ends, however it ends.
func take(dir, account, server, protocol string) (release func() error, err error) {
	name := lockName(dir, account, server, protocol)
	release, err = lockfile.Take(name, 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w (%s)", ErrLocked, name)
	}
	return release, err
}

// ErrCare is returned by Care while another command looks after the archive.
var ErrCare = errors.New("another command is looking after this archive")

// Care keeps two commands from looking after the archive in dir at a time: a backup
// while another one prunes. Bots are not held up.
func Care(dir string) (release func() error, err error) {
	release, err = lockfile.Take(filepath.Join(dir, ".care.lock"), 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, ErrCare
	}
	return release, err
}
