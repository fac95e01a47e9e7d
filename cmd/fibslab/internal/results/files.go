package results

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/engine"
	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// EngineOf returns the part of an engine that simulated matches need.
func EngineOf(e *engine.Engine) *ratings.Engine {
	return &ratings.Engine{NewEvaluator: e.Model().Evaluator, Exact: e.Exact(), Search: e.Search(), Rank: e.RankPlays, Decide: e.CubeDecision, Nets: e.Manifest().Name}
}

// DefaultBlock is how many pairs the blocks of a new results file have.
const DefaultBlock = 100

// File is a locked results file that blocks are added to.
type File struct {
	*lockfile.File
	Store *ratings.Store // its contents
}

// Keep adds a block to the file; the caller adds it to the store.
func (f *File) Keep(b ratings.Block) error {
	line, err := ratings.Line(b)
	if err == nil {
		_, err = f.Write(line)
	}
	if err != nil {
		return fmt.Errorf("keep results: %w", err)
	}
	return nil
}

// Read reads a results file; an incomplete last line is dropped. size is that of the whole lines.
// The error names the file and wraps [ratings.ErrResults], [ratings.ErrOtherVersion],
// [ratings.ErrDuplicate] or the system's error.
func Read(path string) (store *ratings.Store, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open results: %w", err)
	}
	defer f.Close()
	store, torn, err := ratings.ReadStore(bufio.NewReader(f))
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
// another seed, dice generator or block size than h, with [ratings.ErrOtherVersion], and one that
// another program writes to with [lockfile.ErrLocked].
func Open(ctx context.Context, eng *ratings.Engine, path string, h ratings.Header) (*File, error) {
	sig, err := ratings.Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	h.Signature, h.Nets = sig, eng.Nets
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		store, err := ratings.NewStore(h)
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
func (f *File) resume(h *ratings.Header) error {
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
func Write(path string, store *ratings.Store) error {
	return atomicfile.Write(path, 0o644, func(f *os.File) error {
		w := bufio.NewWriter(f)
		if err := store.Write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// Fitted is the fit of a results file.
type Fitted struct {
	Surface *tune.Surface
	Fit     *ratings.Fitted
	Totals  []ratings.Total
	// Redefined names the presets with other settings now than when they played.
	Redefined []string
}

// FitFile fits ratings to a results file; anchor is expert's. known is a table of earlier results
// to add to, or nil.
func FitFile(path string, anchor float64, known *tune.Table) (*Fitted, error) {
	store, _, err := Read(path)
	if err != nil {
		return nil, err
	}
	f := &Fitted{Totals: store.Totals(), Redefined: store.Redefined()}
	if known != nil && known.Signature != store.Header.Signature {
		known = known.Without(tune.Human) // its model of errors may be another one
	}
	if f.Fit, err = ratings.FitWith(f.Totals, anchor, known); err == nil {
		t := f.Fit.Table(store.Header)
		if known != nil {
			ratings.Complete(t, known)
		}
		f.Surface, err = tune.NewSurface(t)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// SaveTable writes a table of strength in the program's form.
func SaveTable(path string, t *tune.Table) error {
	data, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, 0o644, append(data, '\n'))
}
