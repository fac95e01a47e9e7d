// Package lockfile lets only one program at a time work on a file or folder. The operating system
// drops a lock when its process ends, however it ends; no file has to be removed by hand.
package lockfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"
)

// ErrLocked means that another program holds the lock.
var ErrLocked = errors.New("locked by another program")

// Take locks the file at path, which it makes with permissions perm if it does not exist, and
// returns a function that releases the lock. The file stays. The error is [ErrLocked] if another
// program, or another call in this one, holds the lock.
func Take(path string, perm fs.FileMode) (release func() error, err error) {
	l, err := try(path, perm)
	if err != nil {
		return nil, err
	}
	return l.Close, nil
}

// try locks the file at path once, as Take does.
func try(path string, perm fs.FileMode) (*lock, error) {
	l := newLock(path, os.O_CREATE|os.O_RDWR, perm)
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", path, err)
	case !ok:
		return nil, ErrLocked
	}
	return l, nil
}

// TakeBeside is [Take] for a file that represents another one, which cannot be locked itself. The
// release removes it.
func TakeBeside(path string, perm fs.FileMode) (release func() error, err error) {
	for {
		l, err := try(path, perm)
		if err != nil {
			return nil, err
		}
		if runtime.GOOS == "windows" { // where an open file cannot be removed, so that there is one alone
			return func() error {
				err := l.Close()
				_ = os.Remove(path) // unless another holds it by now
				return err
			}, nil
		}
		// The last holder may have removed it since we opened it.
		mine, err := l.Stat()
		if err == nil {
			var now os.FileInfo
			if now, err = os.Stat(path); err == nil && os.SameFile(mine, now) {
				return func() error {
					err := os.Remove(path)
					if errors.Is(err, fs.ErrNotExist) {
						err = nil // already removed
					}
					return errors.Join(err, l.Close())
				}, nil
			}
		}
		if closed := l.Close(); closed != nil || !errors.Is(err, fs.ErrNotExist) && err != nil {
			return nil, errors.Join(err, closed)
		}
	}
}

// File is an open file that no other program opens in this way until it is closed.
type File struct {
	*os.File
	release func() error
}

// Open opens the file at path for reading and writing, from its beginning, and locks it. It makes
// a missing file. The error names the file and wraps [ErrLocked] if another program has it open.
func Open(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	release, err := Take(lockName(path), 0o644)
	if err != nil {
		_ = f.Close()
		if errors.Is(err, ErrLocked) {
			err = inUse{path}
		}
		return nil, err
	}
	return &File{f, release}, nil
}

// Close closes the file and releases the lock.
func (f *File) Close() error { return errors.Join(f.File.Close(), f.release()) }

// inUse is the error of a file that another program writes to.
type inUse struct{ path string }

func (e inUse) Error() string        { return e.path + ": another fibsbot writes to it" }
func (e inUse) Is(target error) bool { return target == ErrLocked }

// lockName is the file that is locked for the file at path: itself, except on
// Windows, where a lock would keep its own program from reading the file as well.
func lockName(path string) string {
	if runtime.GOOS == "windows" {
		return path + ".lock"
	}
	return path
}

// between is the time between two tries of [TakeReplaced].
const between = 20 * time.Millisecond

// TakeReplaced locks the file at path for a program that reads it and then replaces it, as package
// atomicfile does: a program that waited gets a lock on the new file. It waits until ctx ends;
// then the error wraps [ErrLocked] and names the file. It makes no file, except on Windows, where
// it locks one beside it.
func TakeReplaced(ctx context.Context, path string) (release func() error, err error) {
	if runtime.GOOS == "windows" {
		l := newLock(lockName(path), os.O_CREATE|os.O_RDWR, 0o644)
		if err := wait(ctx, l, path); err != nil {
			return nil, err
		}
		return l.Close, nil
	}
	for {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		l := newLock(path, os.O_RDONLY, 0)
		if err := wait(ctx, l, path); err != nil {
			return nil, errors.Join(err, l.Close())
		}
		mine, err := l.Stat()
		if err == nil {
			var now os.FileInfo
			if now, err = os.Stat(path); err == nil && os.SameFile(mine, now) {
				return l.Close, nil
			}
		}
		if err := errors.Join(err, l.Close()); err != nil {
			return nil, err
		}
	}
}

func wait(ctx context.Context, l *lock, path string) error {
	ok, err := l.TryLockContext(ctx, between)
	switch {
	case ok:
		return nil
	case ctx.Err() != nil:
		return inUse{path}
	}
	return err
}

// Wait repeats take while its error is [ErrLocked], until ctx ends; then it returns that error.
func Wait(ctx context.Context, take func() (func() error, error)) (release func() error, err error) {
	for {
		if release, err = take(); !errors.Is(err, ErrLocked) {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(between):
		}
	}
}
