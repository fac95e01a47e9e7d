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
	// ErrNotEmpty is returned for a folder that has something in it.
	ErrNotEmpty = errors.New("the folder is not empty")
	// ErrRunning is returned for the archive of a bot that runs.
	ErrRunning = errors.New("a fibsbot is running on this archive")
	// ErrTarget is returned for a folder that cannot be made or replaced.
	ErrTarget = errors.New("cannot restore there")
)

// Target says where and how to restore.
type Target struct {
	// Dir is the folder to be made. It may be there when it is empty.
	Dir string
	// Force takes a folder that is not empty: what is there is set aside under another
	// name and not lost.
	Force bool
	// DSN is the index in PostgreSQL of that archive, which is made anew as well; empty
	// for none.
	DSN string
	// Progress, when set, is told how many bytes are restored.
	Progress func(done int64)

	restored func() // after each member, for tests
}

// Restored says what Restore did.
type Restored struct {
	Index *index.Report
	// Aside is the new name of what was in the folder, empty where there was nothing.
	Aside string
	// IndexError says why the index at DSN is not made: the folder is restored all the same.
	IndexError error
}

// Restore makes the archive's folder of a backup, index included. It works in a folder
// beside it, DIR.restoring, which becomes the archive when all of it is there, checked
// and on the disk: a restore that is interrupted, killed too, leaves the target as it
// was, and the next one clears up behind it.
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
		return nil, fmt.Errorf("%s: %w (--force sets what is there aside)", dir, ErrNotEmpty)
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
		out.IndexError = reindex(ctx, dir, t.DSN)
	}
	return out, errors.Join(err, unclaim(work, release))
}

// reindex makes the index at dsn from the archive in dir.
func reindex(ctx context.Context, dir, dsn string) error {
	db, err := index.Open(ctx, dir, dsn)
	if err != nil {
		return err
	}
	_, err = db.Rebuild(ctx, nil)
	return errors.Join(err, db.Close())
}

// unclaim gives the lock of the working folder back and removes it.
func unclaim(work string, release func() error) error {
	gone := os.Remove(work + ".lock")
	err := release()
	if gone != nil { // Windows removes no file that is open
		err = errors.Join(err, os.Remove(work+".lock"))
	}
	return err
}

// occupied tells whether a folder has something in it.
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

// idle returns ErrRunning when somebody holds a lock in the archive.
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

// claim makes the folder that the archive is restored in. What an earlier restore left
// there goes; what nobody's restore made stays.
func claim(work string) (release func() error, err error) {
	_, err = os.Lstat(work)
	there := err == nil
	if _, err := os.Lstat(work + ".lock"); there && err != nil {
		return nil, fmt.Errorf("%w: %s is in the way, and no restore has left it there", ErrTarget, work)
	}
	release, err = lockfile.Take(work+".lock", 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w: another restore is at work in %s", ErrTarget, work)
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
func (b *Backup) fill(ctx context.Context, work string, t *Target, out *Restored) error {
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
	// All is written before the first is waited for: the disk takes it in one go.
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
	db, err := index.Open(ctx, work, "")
	if err != nil {
		return err
	}
	out.Index, err = db.Rebuild(ctx, nil)
	return errors.Join(err, db.Close())
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

// replace puts the folder work in the place of dir.
func replace(dir, work string, full bool) (aside string, err error) {
	if full {
		aside = fmt.Sprintf("%s.before-restore-%s", dir, time.Now().UTC().Format("20060102-150405.000"))
		if err := os.Rename(dir, aside); err != nil {
			return "", fmt.Errorf("%w: %w", ErrTarget, err)
		}
	} else if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s cannot be replaced: %s (a mounted folder? restore into one below it)", ErrTarget, dir, strings.TrimPrefix(err.Error(), "remove "+dir+": "))
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
