package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
	"fibsbot/internal/lockfile"
)

// Errors of Restore.
var (
	// ErrNotEmpty means that the target folder has files.
	ErrNotEmpty = errors.New("the folder is not empty")
	// ErrRunning means that a bot runs on the archive to be replaced.
	ErrRunning = errors.New("a fibsbot is running on this archive (stop it first)")
	// ErrTarget means that the folder cannot be created or replaced.
	ErrTarget = errors.New("cannot restore there")
)

// Target says where and how to restore.
type Target struct {
	// Dir is the folder to create. An empty folder may exist.
	Dir string
	// Force renames a folder that has files instead of refusing it.
	Force bool
	// DSN is an index in PostgreSQL to rebuild as well, or empty.
	DSN string
	// Progress, if set, is called with the number of bytes restored.
	Progress func(done int64)

	restored func() // after each member, for tests
}

// Restored says what Restore did.
type Restored struct {
	Index *index.Rebuilt
	// Aside is the new name of the old folder, empty if it had no files.
	Aside string
	// IndexError is why the index at DSN was not rebuilt; the folder is restored anyway.
	IndexError error
}

// Restore writes the archive's folder, with its index, from a backup. It writes to
// DIR.restoring and renames it when everything is checked and on disk. An interrupted or
// killed restore leaves the target unchanged, and the next one removes its remains.
func (b *Backup) Restore(ctx context.Context, t Target) (*Restored, error) {
	dir := filepath.Clean(t.Dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTarget, err)
	}
	full, err := occupied(dir)
	if err != nil {
		return nil, err
	}
	if full && !t.Force {
		return nil, fmt.Errorf("%s: %w (--force renames it first)", dir, ErrNotEmpty)
	}
	if full {
		if err := idle(dir); err != nil {
			return nil, err
		}
	}
	work := dir + ".restoring"
	release, err := claim(work)
	if err != nil {
		return nil, err
	}
	out := &Restored{}
	if err = b.fill(ctx, work, &t, out); err == nil {
		out.Aside, err = replace(dir, work, full)
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(work))
	}
	if err == nil && t.DSN != "" {
		_, out.IndexError = reindex(ctx, dir, t.DSN)
	}
	return out, errors.Join(err, unclaim(work, release))
}

// reindex rebuilds the index at dsn from the archive in dir.
func reindex(ctx context.Context, dir, dsn string) (*index.Rebuilt, error) {
	db, err := index.Open(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	r, err := db.Rebuild(ctx, nil)
	return r, errors.Join(err, db.Close())
}

// unclaim releases and removes the lock of the working folder.
func unclaim(work string, release func() error) error {
	gone := os.Remove(work + ".lock")
	err := release()
	if gone != nil { // Windows removes no file that is open
		err = errors.Join(err, os.Remove(work+".lock"))
	}
	return err
}

// occupied reports whether a folder has files.
func occupied(dir string) (bool, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrTarget, err)
	}
	return len(list) > 0, nil
}

// idle returns ErrRunning if a process holds a lock of the archive.
func idle(dir string) error {
	for _, pattern := range []string{"open/*.lock", "state/*.lock", ".*.lock"} {
		locks, err := filename.Match(dir, pattern)
		if err != nil {
			return err
		}
		for _, l := range locks {
			release, err := lockfile.Take(l, 0o600)
			if errors.Is(err, lockfile.ErrLocked) {
				return fmt.Errorf("%s: %w (%s)", dir, ErrRunning, l)
			}
			if err != nil {
				return fmt.Errorf("%w: %w", ErrTarget, err)
			}
			if err := release(); err != nil {
				return err
			}
		}
	}
	return nil
}

// claim creates the working folder. It replaces the remains of an earlier restore, but no
// other folder.
func claim(work string) (release func() error, err error) {
	_, err = os.Lstat(work)
	there := err == nil
	if _, err := os.Lstat(work + ".lock"); there && err != nil {
		return nil, fmt.Errorf("%w: %s exists and is not from a restore (move it away)", ErrTarget, work)
	}
	release, err = lockfile.Take(work+".lock", 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w: another restore is writing to %s", ErrTarget, work)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTarget, err)
	}
	if err = os.RemoveAll(work); err == nil {
		err = os.Mkdir(work, 0o700)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrTarget, err), unclaim(work, release))
	}
	return release, nil
}

// fill writes the members and the index into the folder work.
func (b *Backup) fill(ctx context.Context, work string, t *Target, out *Restored) (err error) {
	folders := map[string]bool{work: true}
	done := int64(0)
	for i := range b.Members {
		if err := ctx.Err(); err != nil {
			return err
		}
		m := &b.Members[i]
		path := filepath.Join(work, filepath.FromSlash(m.Name))
		if err := atomicfile.MkdirPrivate(filepath.Dir(path)); err != nil {
			return err
		}
		folders[filepath.Dir(path)] = true
		if err := b.one(m, path); err != nil {
			return err
		}
		if done += m.Size; t.Progress != nil {
			t.Progress(done)
		}
		if t.restored != nil {
			t.restored()
		}
	}
	// Files are synced after all are written, which is faster.
	for i := range b.Members {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := syncFile(filepath.Join(work, filepath.FromSlash(b.Members[i].Name)), b.Members[i].Modified); err != nil {
			return err
		}
	}
	for dir := range folders {
		if err := atomicfile.SyncDir(dir); err != nil {
			return err
		}
	}
	out.Index, err = reindex(ctx, work, "")
	return err
}

func (b *Backup) one(m *Member, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, m.Mode.Perm()|0o600)
	if err != nil {
		return err
	}
	return errors.Join(b.copy(m, f), f.Close())
}

func syncFile(path string, modified time.Time) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Chtimes(path, time.Time{}, modified)
}

// replace renames work to dir.
func replace(dir, work string, full bool) (aside string, err error) {
	if full {
		aside = fmt.Sprintf("%s.before-restore-%s", dir, time.Now().UTC().Format("20060102-150405.000"))
		if err := os.Rename(dir, aside); err != nil {
			return "", fmt.Errorf("%w: %w", ErrTarget, err)
		}
	} else if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s cannot be replaced: %s (if it is a mount point, restore to a folder below it)", ErrTarget, dir, strings.TrimPrefix(err.Error(), "remove "+dir+": "))
	}
	if err := os.Rename(work, dir); err != nil {
		if aside != "" {
			err = errors.Join(err, os.Rename(aside, dir))
			aside = ""
		}
		return aside, err
	}
	return aside, atomicfile.SyncDir(filepath.Dir(dir))
}
