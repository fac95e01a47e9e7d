package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/panics"
)

// catchUp indexes matches that are filed but not in the index, after a crash or an outage of
// the index, and resumes interrupted analyses.
func (f *filing) catchUp(ctx context.Context) error {
	known := map[string]bool{}
	var waiting []string
	since := time.Now().Add(-oldest)
	err := f.db.Use(ctx, func(d *index.DB) error {
		return d.List(ctx, index.Filter{}, func(m *index.Match) error {
			known[m.File] = true
			if (m.Plies < 0 || m.LacksLuck()) && !m.Pruned && m.Started.After(since) && len(waiting) < analysisQueue/2 {
				waiting = append(waiting, m.File)
			}
			return nil
		})
	})
	if err != nil {
		return err // logged by the keeper
	}
	dir := f.db.Dir
	started, failed, young := f.h.started, error(nil), false
	if f.db.Behind() {
		started = time.Now().Add(-settling)
	}
	// Unreadable folders are skipped.
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil || failed != nil {
			return fs.SkipAll
		}
		if err != nil || e.IsDir() || filepath.Ext(path) != ".sgf" || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || known[filepath.ToSlash(rel)] {
			return nil
		}
		if st, err := e.Info(); err != nil || isYoung(st.ModTime(), started, time.Now()) {
			young = true
			return nil // being filed right now
		}
		m, err := f.indexed(ctx, path)
		switch {
		case err == nil && m.Plies < 0 && m.Started.After(since):
			waiting = append(waiting, m.File)
		case errors.Is(err, index.ErrUnreadable), errors.As(err, new(*panics.Fault)):
			f.log(err).WithField("file", path).Warn("match file not indexed")
		case err != nil:
			failed = err
		}
		return nil
	})
	for _, file := range waiting {
		f.queue(job{files: []string{filepath.Join(dir, filepath.FromSlash(file))}})
	}
	if failed == nil {
		failed = f.pruned(ctx, known)
	}
	if failed == nil && young && f.db.Behind() {
		return errYoung
	}
	return failed
}

// isYoung reports whether a file was written after started. A file from the future was
// written before the clock was set back.
func isYoung(file, started, now time.Time) bool {
	return file.After(started) && !file.After(now.Add(settling))
}

// pruned adds the rows of pruned matches, which have no files, to a rebuilt index.
func (f *filing) pruned(ctx context.Context, known map[string]bool) error {
	bad, err := index.ReadPruned(f.db.Dir, func(m *index.Match) error {
		if known[m.File] {
			return nil
		}
		return f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
	})
	for _, e := range bad {
		f.h.opt.Log.WithError(e).Warn("the result of a pruned match cannot be read")
	}
	return err
}

// settling is how long a match may take to reach its place in the archive.
const settling = time.Second

// errYoung means that the index has all matches except those being filed right now.
var errYoung = errors.New("matches are being filed")

// indexed adds a match file to the index and returns its row.
func (f *filing) indexed(ctx context.Context, path string) (m *index.Match, err error) {
	err = guarded(func() (err error) {
		m, err = index.Read(f.db.Dir, path)
		return err
	})
	if err != nil {
		return nil, err
	}
	if f.interrupted(path, m) {
		return f.filedAgain(ctx, path, m)
	}
	return m, f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
}

// interrupted reports whether a process was killed between writing a match file and
// completing it.
func (f *filing) interrupted(path string, m *index.Match) bool {
	if _, err := os.Stat(index.MetaFile(path)); !errors.Is(err, fs.ErrNotExist) || m.Finished.IsZero() {
		return false
	}
	st, err := os.Stat(path)
	return err == nil && !st.ModTime().After(f.h.started) // otherwise a match of this process that waits for its ratings
}

// filedAgain completes such a match and returns its row.
func (f *filing) filedAgain(ctx context.Context, path string, m *index.Match) (row *index.Match, err error) {
	j := job{files: []string{path}, them: m.Opponent,
		meta: index.Meta{Account: m.Account, Server: m.Server, Started: m.Started, Finished: m.Finished}}
	if other := strings.TrimSuffix(path, ".sgf") + ".fibs"; filepath.Dir(path) == filepath.Clean(f.db.Dir) {
		if _, err := os.Stat(other); err == nil {
			j.files = append(j.files, other)
		}
	}
	err = guarded(func() (err error) {
		if err = f.file(ctx, &j); err == nil {
			row, err = index.Read(f.db.Dir, j.files[0])
		}
		return err
	})
	return row, err
}

// lateRating completes the last match of an earlier process with the account's rating after
// it, if that process was killed before the server sent the rating: it is the first rating
// that the server sends now.
func (f *filing) lateRating(ctx context.Context, s *seat) error {
	rating := s.first.Load()
	if rating == nil || s.rated.Load() {
		return nil
	}
	return f.db.Use(ctx, func(d *index.DB) error {
		var last *index.Match
		err := d.List(ctx, index.Filter{Account: s.name, Server: s.server, Limit: 1}, func(m *index.Match) error { last = m; return nil })
		if err != nil {
			return err
		}
		s.rated.Store(true)
		if last == nil || last.Pruned || last.RatingAfter[0] != 0 || last.Rating[0] == 0 || last.Finished.IsZero() || last.Finished.After(f.h.started) {
			return nil
		}
		path := filepath.Join(f.db.Dir, filepath.FromSlash(last.File))
		meta, err := index.ReadMeta(path)
		if err != nil {
			return err
		}
		meta.RatingAfter[last.Me] = *rating
		if err := index.WriteMeta(path, meta); err != nil {
			return err
		}
		row, err := index.Read(f.db.Dir, path)
		if err != nil {
			return err
		}
		return d.Add(ctx, row)
	})
}
