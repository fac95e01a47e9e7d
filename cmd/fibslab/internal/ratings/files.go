package ratings

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// DefaultBlock is how many pairs the blocks of a new results file have.
const DefaultBlock = 100

// File is a locked results file that blocks are added to.
type File struct {
	*lockfile.File
	Store *Store // its contents
}

// Keep adds a block to the file; the caller adds it to the store.
func (f *File) Keep(b Block) error {
	line, err := Line(b)
	if err == nil {
		_, err = f.Write(line)
	}
	if err != nil {
		return fmt.Errorf("keep results: %w", err)
	}
	return nil
}

// Read reads a results file; an incomplete last line is dropped. size is that of the whole lines.
// The error names the file and wraps [ErrResults], [ErrOtherVersion],
// [ErrDuplicate] or the system's error.
func Read(path string) (store *Store, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open results: %w", err)
	}
	defer f.Close()
	store, torn, err := readStore(bufio.NewReader(f))
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, fmt.Errorf("open results: %w", err)
	}
	return store, info.Size() - int64(torn), nil
}

// Open opens a results file to resume it, or makes it. It refuses files of another engine, or of
// another seed, dice generator or block size than h, with [ErrOtherVersion], and one that
// another program writes to with [lockfile.ErrLocked].
func Open(ctx context.Context, eng *engine.Engine, path string, h Header) (*File, error) {
	sig, err := Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	h.Signature, h.Nets = sig, eng.Manifest().Name
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		store, err := NewStore(h)
		if err != nil {
			return nil, err
		}
		if err := Write(path, store); err != nil {
			return nil, err
		}
	}
	lock, err := lockfile.Open(path)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("open results: %w", err)
	}
	f := &File{File: lock}
	if err := f.resume(&h); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// resume reads the file and positions it for more lines.
func (f *File) resume(h *Header) error {
	store, size, err := Read(f.Name())
	if err != nil {
		return err
	}
	if err := store.Same(*h); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	if err := f.Truncate(size); err != nil {
		return fmt.Errorf("open results: %w", err)
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return fmt.Errorf("open results: %w", err)
	}
	f.Store = store
	return nil
}

// Write replaces path by the whole store.
func Write(path string, store *Store) error {
	return atomicfile.Write(path, 0o644, func(f *os.File) error {
		w := bufio.NewWriter(f)
		if err := store.Write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// FitFile fits ratings to a results file; anchor is expert's. redefined names the presets with
// other settings now than when they played.
func FitFile(path string, anchor float64) (f *Fitted, s *tune.Surface, redefined []string, err error) {
	store, _, err := Read(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if f, err = Fit(store.Totals(), anchor); err == nil {
		s, err = tune.NewSurface(f.Table(store.Header))
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, s, store.Redefined(), nil
}

// Standing is the table of ratings by what the store holds, or "" if there is too little for a fit.
func (s *Store) Standing() string {
	fit, err := Fit(s.Totals(), DefaultAnchor)
	if err != nil {
		return ""
	}
	surface, err := tune.NewSurface(fit.Table(s.Header))
	if err != nil {
		return ""
	}
	var b strings.Builder
	_ = surface.Print(&b) // a Builder takes everything
	return b.String()
}

// SaveTable writes a table of strength in the program's form.
func SaveTable(path string, t *tune.Table) error {
	data, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, 0o644, append(data, '\n'))
}
