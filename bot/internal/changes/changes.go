// Package changes makes a change of several files of an archive whole: a program that is
// killed leaves the old state or the new one, and the next change of any program finishes or
// undoes what is left.
//
// A change is a folder below Dir. New contents are written there first and synced, then a
// record of the steps. From then on the change counts: the files move to their places, others
// are removed, and the rows of the matches are made again. The folder is removed last. A
// folder without a record is an undone change. Changes hold the lock of the archive from
// their beginning to their end, so what a program finds there is of one that has ended.
package changes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// Dir is the folder of the log in the archive's folder.
const Dir = "changes"

const (
	lockName   = ".lock"
	recordName = "change.json"
	// patience is how long a change waits for those of other programs.
	patience = 20 * time.Second
	// maxRecord bounds a record in bytes.
	maxRecord = 256 << 20
)

// ErrBusy means that another program has been changing the archive for too long.
var ErrBusy = errors.New("another program is changing the archive (try again)")

// Log is the log of the archive in Dir.
type Log struct {
	Dir string
	// NoSync skips syncing: kill -9 loses nothing, a power failure may. For tests.
	NoSync bool
	// Before, if set, is called before each operation on a file and may refuse it, as the end
	// of the process would. For tests.
	Before func(step string) error
}

// Steps are what a change does, in their order. Names are relative to the archive's folder,
// with slashes.
type Steps struct {
	Format int         `json:"format"`
	Moves  [][2]string `json:"moves,omitempty"` // from, to
	Remove []string    `json:"remove,omitempty"`
	// Rows are match files whose rows of the index follow the files; Gone are IDs of rows
	// without a file.
	Rows []string `json:"rows,omitempty"`
	Gone []string `json:"gone,omitempty"`
}

const format = 1

// Change is a change that is being made. It is not safe for concurrent use.
type Change struct {
	log     *Log
	release func() error
	folder  string // empty before the first file
	counts  bool   // the record is written
	steps   Steps
}

// Begin waits for the lock of the archive, finishes the files of changes that were left, and
// begins a change. The caller closes it.
func (l *Log) Begin(ctx context.Context) (*Change, error) {
	if err := atomicfile.MkdirPrivate(filepath.Join(l.Dir, Dir)); err != nil {
		return nil, fmt.Errorf("change the archive: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	release, err := lockfile.Wait(ctx, func() (func() error, error) {
		return lockfile.Take(filepath.Join(l.Dir, Dir, lockName), 0o600)
	})
	if errors.Is(err, lockfile.ErrLocked) {
		err = ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("change the archive: %w", err)
	}
	c := &Change{log: l, release: release, steps: Steps{Format: format}}
	names, err := l.folders()
	for _, name := range names {
		err = errors.Join(err, l.finish(name))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("finish an earlier change: %w", err), release())
	}
	return c, nil
}

// Of returns the log of the archive that a file is in, in its folder or the one above, and the
// file's name there, or nil: the file is not in an archive that was changed before.
func Of(path string) (l *Log, name string) {
	dir, base := filepath.Split(filepath.Clean(path))
	for range 2 {
		dir = filepath.Clean(dir)
		if _, err := os.Stat(filepath.Join(dir, Dir, lockName)); err == nil {
			return &Log{Dir: dir}, filepath.ToSlash(base)
		}
		dir, base = filepath.Dir(dir), filepath.Join(filepath.Base(dir), base)
	}
	return nil, ""
}

// folders returns the changes that were left, in their order.
func (l *Log) folders() ([]string, error) {
	list, err := os.ReadDir(filepath.Join(l.Dir, Dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range list {
		if e.IsDir() {
			names = append(names, filepath.Join(l.Dir, Dir, e.Name()))
		}
	}
	return names, nil
}

// Open reports whether changes were left, or are being made.
func (l *Log) Open() bool {
	names, err := l.folders()
	return err == nil && len(names) > 0
}

// Left are the rows of earlier changes that the index lacks.
func (c *Change) Left() (left []Steps, err error) {
	names, err := c.log.folders()
	for _, name := range names {
		if name == c.folder {
			continue
		}
		if s, bad := read(name); bad == nil {
			left = append(left, s)
		}
	}
	return left, err
}

// Followed forgets what Left returned: the index has the rows.
func (c *Change) Followed() error {
	names, err := c.log.folders()
	for _, name := range names {
		if name != c.folder {
			err = errors.Join(err, c.log.forget(name))
		}
	}
	return err
}

// read returns the record in a folder. Without a whole one the change does not count.
func read(folder string) (s Steps, err error) {
	if err = atomicfile.ReadJSON(filepath.Join(folder, recordName), maxRecord, &s); err == nil && s.Format != format {
		err = fmt.Errorf("%s: format %d, this fibsbot reads %d (update fibsbot)", folder, s.Format, format)
	}
	if err == nil {
		err = s.check()
	}
	return s, err
}

// finish does the steps on files of a change that was left, or undoes it.
func (l *Log) finish(folder string) error {
	s, err := read(folder)
	switch {
	case err == nil:
		return l.settle(folder, &s)
	case s.Format > format:
		return err
	}
	return l.forget(folder)
}

// settle does the steps on files. The record keeps only the rows, so that it never undoes a
// later change.
func (l *Log) settle(folder string, s *Steps) error {
	err := l.carryOut(s)
	if err != nil || len(s.Moves)+len(s.Remove) == 0 {
		return err
	}
	if s.Moves, s.Remove = nil, nil; len(s.Rows)+len(s.Gone) == 0 {
		return l.forget(folder)
	}
	return l.record(folder, s)
}

// do is an operation that Before may refuse.
func (l *Log) do(step string, operation func() error) error {
	if l.Before != nil {
		if err := l.Before(step); err != nil {
			return err
		}
	}
	return operation()
}

// forget removes a change, its record first.
func (l *Log) forget(folder string) error {
	err := l.do("forget", func() error { return os.Remove(filepath.Join(folder, recordName)) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return l.do("clear", func() error { return os.RemoveAll(folder) })
}

// record writes the record of a change.
func (l *Log) record(folder string, s *Steps) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	write := atomicfile.WriteBytes
	if l.NoSync {
		write = atomicfile.WriteBytesUnsynced
	}
	return l.do("record", func() error { return write(filepath.Join(folder, recordName), 0o600, data) })
}

// carryOut does the steps on files that are not done yet.
func (l *Log) carryOut(s *Steps) error {
	dirs := map[string]bool{}
	for _, m := range s.Moves {
		from, to := l.place(m[0]), l.place(m[1])
		if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := atomicfile.MkdirPrivate(filepath.Dir(to)); err != nil {
			return err
		}
		if err := l.do("move "+m[1], func() error { return move(from, to) }); err != nil {
			return err
		}
		dirs[filepath.Dir(from)], dirs[filepath.Dir(to)] = true, true
	}
	for _, name := range s.Remove {
		path := l.place(name)
		if err := l.do("remove "+name, func() error { return os.Remove(path) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		dirs[filepath.Dir(path)] = true
	}
	for dir := range dirs {
		if l.NoSync {
			break
		}
		if err := atomicfile.SyncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// move renames a file, also to another file system.
func move(from, to string) error {
	err := os.Rename(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err == nil {
		err = atomicfile.Write(to, st.Mode().Perm(), func(out *os.File) error {
			_, err := io.Copy(out, in)
			return err
		})
	}
	if err != nil {
		return err
	}
	return os.Remove(from)
}

// place is the path of a name.
func (l *Log) place(name string) string { return filepath.Join(l.Dir, filepath.FromSlash(name)) }

// Write makes the change replace a file by what write writes.
func (c *Change) Write(name string, perm fs.FileMode, write func(io.Writer) error) error {
	if err := c.open(); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	path := filepath.Join(c.folder, strconv.Itoa(len(c.steps.Moves)))
	if err := c.log.do("write "+name, func() error { return c.log.put(path, perm, write) }); err != nil {
		return atomicfile.Named(err, path, c.log.place(name))
	}
	c.Move(Dir+"/"+filepath.Base(c.folder)+"/"+filepath.Base(path), name)
	return nil
}

// open makes the change's folder.
func (c *Change) open() error {
	if c.folder != "" {
		return nil
	}
	return c.log.do("begin", func() (err error) {
		c.folder, err = os.MkdirTemp(filepath.Join(c.log.Dir, Dir), time.Now().UTC().Format("20060102-150405.000000-"))
		return err
	})
}

// put writes a new file and syncs it.
func (l *Log) put(path string, perm fs.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err == nil {
		if err = write(f); err == nil && !l.NoSync {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err != nil { // the next file of the change may be written
			_ = os.Remove(path)
		}
	}
	return err
}

// WriteBytes is Write for content in memory.
func (c *Change) WriteBytes(name string, perm fs.FileMode, data []byte) error {
	return c.Write(name, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Move makes the change rename a file. A missing one is no error.
func (c *Change) Move(from, to string) { c.steps.Moves = append(c.steps.Moves, [2]string{from, to}) }

// Remove makes the change delete files. Missing ones are no error.
func (c *Change) Remove(names ...string) { c.steps.Remove = append(c.steps.Remove, names...) }

// Rows makes the rows of match files follow the files.
func (c *Change) Rows(files ...string) { c.steps.Rows = append(c.steps.Rows, files...) }

// Gone makes the change remove the row with an ID.
func (c *Change) Gone(id string) { c.steps.Gone = append(c.steps.Gone, id) }

// Commit carries the steps on files out. The caller then updates the index, and calls Done.
// After an error, and without Done, the next Begin finishes or undoes the change.
func (c *Change) Commit() (Steps, error) {
	s := c.steps
	if len(s.Moves)+len(s.Remove)+len(s.Rows)+len(s.Gone) == 0 {
		return s, nil
	}
	err := s.check()
	if err == nil {
		err = c.open()
	}
	if err == nil {
		err = c.log.record(c.folder, &s)
	}
	if err != nil {
		return s, fmt.Errorf("change the archive: %w", err)
	}
	c.counts = true
	if err := c.log.carryOut(&s); err != nil {
		return s, fmt.Errorf("change the archive (the next command finishes this): %w", err)
	}
	return s, nil
}

// check returns an error if a name is outside the archive.
func (s *Steps) check() error {
	names := slices.Concat(s.Remove, s.Rows)
	for _, m := range s.Moves {
		names = append(names, m[:]...)
	}
	for _, name := range names {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the file %s is outside the archive", name)
		}
	}
	return nil
}

// Done forgets the change: the index has its rows.
func (c *Change) Done() error {
	if c.folder == "" {
		return nil
	}
	folder := c.folder
	c.folder = ""
	return c.log.forget(folder)
}

// Close undoes a change that was not committed and releases the lock.
func (c *Change) Close() error {
	var err error
	switch {
	case c.folder == "":
	case c.counts:
		err = c.log.settle(c.folder, &c.steps)
	default:
		err = c.log.forget(c.folder)
	}
	return errors.Join(err, c.release())
}
