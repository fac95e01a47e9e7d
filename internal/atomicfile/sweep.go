package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"

	"fibsbot/internal/lockfile"
)

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
