package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/internal/atomicfile"
)

// Errors of File about the target of a backup.
var (
	// ErrInside means that the backup would be written into the archive itself.
	ErrInside = errors.New("is inside the archive (choose another folder)")
	// ErrOther means that the file exists and is not a backup.
	ErrOther = errors.New("exists and is not a backup")
)

// File writes a backup of the archive in dir to the file at path, whole or not at all. An
// earlier backup stays until the new one is written and read back. Any other file is
// replaced only with force.
func File(ctx context.Context, dir, path string, force bool, opt Options) (m *Manifest, err error) {
	if err := where(dir, path, force); err != nil {
		return nil, err
	}
	err = atomicfile.Write(path, 0o600, func(f *os.File) error {
		if m, err = Write(ctx, dir, f, opt); err != nil {
			return err
		}
		b, err := open(ctx, f, nil)
		if err != nil {
			return fmt.Errorf("read back: %w", err)
		}
		b.name = path
		return b.Check(ctx, nil)
	})
	return m, err
}

// where returns an error if a backup must not be written to path.
func where(dir, path string, force bool) error {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	folder := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(folder)
	if rel, err := filepath.Rel(from, to); err == nil && err1 == nil && err2 == nil && (rel == "." || filepath.IsLocal(rel) && !strings.HasPrefix(rel, "..")) {
		return fmt.Errorf("%s %w", path, ErrInside)
	}
	st, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || force && err == nil && !st.IsDir():
		return nil
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return fmt.Errorf("%s %w", path, ErrOther)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := read(f, st.Size()); errors.Is(err, ErrNoBackup) && st.Size() > 0 {
		return fmt.Errorf("%s %w (--force replaces it)", path, ErrOther)
	}
	return nil
}
