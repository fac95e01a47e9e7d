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
	"fibsbot/bot/internal/changes"
)

// catchUp gives the index the matches that it lacks after a crash or an outage, and files
// matches whose filing was interrupted. It resumes interrupted analyses.
func (f *filing) catchUp(ctx context.Context) error {
	var waiting []string
	var half []*index.Match
	since := time.Now().Add(-oldest)
	err := f.db.Use(ctx, func(d *index.DB) error {
		_, err := d.Complete(ctx)
		if err == nil {
			err = d.Finish(ctx)
		}
		if err != nil {
			return err
		}
		return d.List(ctx, index.Filter{}, func(m *index.Match) error {
			switch {
			case m.Pruned:
			case f.interrupted(m):
				half = append(half, m)
			case (!m.Plies.Known() || m.LacksLuck()) && m.Started.After(since) && len(waiting) < analysisQueue/2:
				waiting = append(waiting, m.File)
			}
			return nil
		})
	})
	if err != nil {
		return err // logged by the keeper
	}
	for _, m := range half {
		file, err := f.filedAgain(ctx, m)
		if err != nil {
			f.log(err).WithField("file", m.File).Warn("match file not completely filed")
		} else if m.Started.After(since) {
			waiting = append(waiting, file)
		}
	}
	for _, file := range waiting {
		f.queue(job{files: []string{filepath.Join(f.db.Dir, filepath.FromSlash(file))}})
	}
	return nil
}

// interrupted reports whether a process was killed between writing a match file and
// completing it.
func (f *filing) interrupted(m *index.Match) bool {
	if !index.Played(m) || m.Finished.IsZero() {
		return false
	}
	path := filepath.Join(f.db.Dir, filepath.FromSlash(m.File))
	if _, err := os.Stat(index.MetaFile(path)); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	st, err := os.Stat(path)
	return err == nil && !st.ModTime().After(f.h.started) // otherwise a match of this process that waits for its ratings
}

// filedAgain completes such a match and returns its file.
func (f *filing) filedAgain(ctx context.Context, m *index.Match) (file string, err error) {
	path := filepath.Join(f.db.Dir, filepath.FromSlash(m.File))
	j := job{files: []string{path}, them: m.Opponent,
		meta: index.Meta{Account: m.Account, Server: m.Server, Started: m.Started, Finished: m.Finished}}
	if other := strings.TrimSuffix(path, ".sgf") + ".fibs"; filepath.Dir(path) == filepath.Clean(f.db.Dir) {
		if _, err := os.Stat(other); err == nil {
			j.files = append(j.files, other)
		}
	}
	err = guarded(func() error { return f.file(ctx, &j) })
	return f.named(j.files[0]), err
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
		if last == nil || last.Pruned || last.RatingAfter[0].Known() || !last.Rating[0].Known() || last.Finished.IsZero() || last.Finished.After(f.h.started) {
			return nil
		}
		path := filepath.Join(f.db.Dir, filepath.FromSlash(last.File))
		meta, err := index.ReadMeta(path)
		if err != nil {
			return err
		}
		meta.RatingAfter[last.Me] = *rating
		_, err = d.Do(ctx, func(log *changes.Change) error {
			log.Rows(last.File)
			return index.StageMeta(log, last.File, meta)
		})
		return err
	})
}
