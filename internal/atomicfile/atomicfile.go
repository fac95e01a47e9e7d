// Package atomicfile replaces files so that a reader, also after a crash, finds the old
// content or all of the new one, never a part of it.
//
// The content goes to a temporary file in the same folder, which is flushed to
// the disk and then renamed over the old name. The folder is flushed last, since a
// rename is not on the disk before its folder is.
package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"

	"fibsbot/internal/lockfile"
)

// ErrTarget means that a path is not a regular file, but a folder, a device or a pipe, which a
// rename would replace by a file.
var ErrTarget = errors.New("cannot be replaced by a file")

// Check returns the error that Write would return for path now, for a caller that works long
// before it writes.
func Check(path string) error {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil // whether it can be made Write tells
	case st.IsDir():
		return fmt.Errorf("write %s: %w: it is a folder", path, ErrTarget)
	case !st.Mode().IsRegular() || filepath.Dir(path) == "/dev": // links there lead to files, too
		return fmt.Errorf("write %s: %w: it is a device or a pipe", path, ErrTarget)
	}
	return nil
}

// Write replaces the file at path by what write writes into the given file, with the
// permissions perm. After an error, also of write, the old file is unchanged and no temporary
// file is left. The error names path; it wraps [ErrTarget] if path is not a regular file.
func Write(path string, perm fs.FileMode, write func(*os.File) error) error {
	return replace(path, perm, write, true)
}

// WriteBytes is Write for content in memory.
func WriteBytes(path string, perm fs.FileMode, data []byte) error {
	return Write(path, perm, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// WriteBytesUnsynced is WriteBytes without the flushes: readers still see one
// content or the other, but a crash of the machine may lose both. It is for
// files that can be made again.
func WriteBytesUnsynced(path string, perm fs.FileMode, data []byte) error {
	return replace(path, perm, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	}, false)
}

func replace(path string, perm fs.FileMode, write func(*os.File) error, flush bool) (err error) {
	if err := Check(path); err != nil {
		return err
	}
	dir, base := filepath.Split(path)
	dir = cmp.Or(dir, ".")
	sweepOnce(dir)
	f, release, err := temporary(dir, ".tmp-"+base+"-*")
	if err != nil {
		return Named(err, "", path)
	}
	defer release() //nolint:errcheck // closing it releases the lock
	defer func() {
		if err != nil {
			_ = f.Close() // closed twice is harmless; the first error is the one to tell
			_ = os.Remove(f.Name())
			err = Named(err, f.Name(), path)
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if err = f.Chmod(perm); err != nil {
		return err
	}
	if flush {
		if err = f.Sync(); err != nil {
			return err
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	if flush {
		return SyncDir(dir)
	}
	return nil
}

// Named returns the error of writing a temporary file, or any file if temporary is empty, with
// the path that the user knows.
func Named(err error, temporary, path string) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) && (temporary == "" || p.Path == temporary) {
		if err = p.Err; !errors.Is(err, fs.ErrNotExist) { // the file is to be made: its folder is missing
			return &fs.PathError{Op: "write", Path: path, Err: err}
		}
	}
	return fmt.Errorf("write %s: %w", path, err)
}

// SyncDir flushes a folder, so that new, renamed and removed files in it survive a crash. It
// does nothing on Windows, which has no such call.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}

// MkdirPrivate makes a folder that only its owner can access. Missing folders above it get the
// usual rights; existing ones keep theirs.
func MkdirPrivate(dir string) error {
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return os.MkdirAll(dir, 0o700) // an error unless it is a folder
	}
	return err
}

// ours are the names of temporary files.
var ours = regexp.MustCompile(`^\.tmp-.+-[0-9]+$`)

// abandoned is the age at which a temporary file is that of a killed program where locks do
// not tell.
const abandoned = 24 * time.Hour

// locks reports whether a temporary file can be locked while it is written and renamed.
const locks = runtime.GOOS != "windows" && runtime.GOOS != "js"

// temporary creates a temporary file and locks it while its program lives.
func temporary(dir, pattern string) (f *os.File, release func() error, err error) {
	for {
		if f, err = os.CreateTemp(dir, pattern); err != nil || !locks {
			return f, func() error { return nil }, err
		}
		mine, err := f.Stat()
		if err == nil {
			if release, err = lockfile.Take(f.Name(), 0o600); err != nil {
				// A file system without locks, or another program sweeps the folder.
				release = func() error { return nil }
			}
			var now os.FileInfo
			if now, err = os.Stat(f.Name()); err == nil && os.SameFile(mine, now) {
				return f, release, nil
			}
			_ = release() // it was swept before it was locked
		}
		_ = f.Close()
		_ = os.Remove(f.Name())
		if err != nil && !os.IsNotExist(err) {
			return nil, nil, err
		}
	}
}

// swept are the folders that this program has swept.
var swept sync.Map

// sweepOnce removes the temporary files that killed programs left in a folder, before this
// program first writes there.
func sweepOnce(dir string) {
	if full, err := filepath.Abs(dir); err == nil {
		if _, done := swept.LoadOrStore(full, true); !done {
			sweep(dir)
		}
	}
}

func sweep(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return // writing reports it
	}
	for _, e := range list {
		if !e.Type().IsRegular() || !ours.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if !locks {
			if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > abandoned {
				_ = os.Remove(path) // the next program tries again
			}
			continue
		}
		if release, err := lockfile.Take(path, 0o600); err == nil {
			_ = os.Remove(path)
			_ = release()
		}
	}
}
