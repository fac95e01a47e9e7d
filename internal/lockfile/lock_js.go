package lockfile

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// lock is a lock on a file, which it opens. A program in a browser shares its files with no
// other one, so the locks are those of this program.
type lock struct {
	path string
	flag int
	perm fs.FileMode
	file *os.File // nil while it is not held
}

// held are the paths of the locks that are held.
var held = struct {
	sync.Mutex
	paths map[string]bool
}{paths: map[string]bool{}}

func newLock(path string, flag int, perm fs.FileMode) *lock {
	return &lock{path: filepath.Clean(path), flag: flag, perm: perm}
}

// TryLock takes the lock and returns true, or false if it is held.
func (l *lock) TryLock() (bool, error) {
	held.Lock()
	defer held.Unlock()
	if held.paths[l.path] {
		return false, nil
	}
	f, err := os.OpenFile(l.path, l.flag, l.perm)
	if err != nil {
		return false, err
	}
	l.file, held.paths[l.path] = f, true
	return true, nil
}

// TryLockContext tries to take the lock until ctx ends, then it returns its error.
func (l *lock) TryLockContext(ctx context.Context, every time.Duration) (bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if ok, err := l.TryLock(); ok || err != nil {
			return ok, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
}

// Stat describes the file while the lock is held.
func (l *lock) Stat() (fs.FileInfo, error) { return l.file.Stat() }

// Close releases the lock if it is held.
func (l *lock) Close() error {
	if l.file == nil {
		return nil
	}
	held.Lock()
	delete(held.paths, l.path)
	held.Unlock()
	f := l.file
	l.file = nil
	return f.Close()
}
