package lockfile

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"
)

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
