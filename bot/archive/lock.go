package archive

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
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
func take(dir, account, server, protocol string) (*flock.Flock, error) {
	l := flock.New(lockName(dir, account, server, protocol))
	ok, err := l.TryLock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%w (%s)", ErrLocked, l.Path())
	}
	return l, nil
}

// InUse tells whether a running process has the journals of an account.
func InUse(dir, account, server, protocol string) (bool, error) {
	l, err := take(dir, account, server, protocol)
	if errors.Is(err, ErrLocked) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, l.Unlock()
}
