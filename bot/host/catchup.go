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
	"fibsbot/internal/crash"
)

// catchUp indexes the matches that are filed and not in the index, after a crash or
// an outage of the index, and goes on with analyses that were interrupted.
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
		return err // the keeper has said so
	}
	dir := f.db.Dir
	started, failed, young := f.h.started, error(nil), false
	if f.db.Behind() {
		started = time.Now().Add(-settling)
	}
	// A folder that cannot be read is passed over: the rest still counts.
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
			return nil // being filed just now
		}
		m, err := f.indexed(ctx, path)
		switch {
		case err == nil && m.Plies < 0 && m.Started.After(since):
			waiting = append(waiting, m.File)
		case errors.Is(err, index.ErrUnreadable), errors.As(err, new(*crash.Fault)):
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

// isYoung tells whether a file is of the time since started. One that is not yet at all was
// written before the clock was set back.
func isYoung(file, started, now time.Time) bool {
	return file.After(started) && !file.After(now.Add(settling))
}

// pruned gives an index that was made anew the rows of matches without files.
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

// settling is how long a match may take to come to its place in the archive.
const settling = time.Second

// errYoung says that the index has all but what is being filed just now.
var errYoung = errors.New("matches are being filed")

// indexed puts a match file into the index and returns its row.
func (f *filing) indexed(ctx context.Context, path string) (m *index.Match, err error) {
	err = guarded(func() (err error) {
		m, err = index.Read(f.db.Dir, path)
		return err
	})
	if err != nil {
		return nil, err
	}
	f.metaOf(path, m)
	return m, f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
}

// metaOf writes what is known of a match beside its file, where a process was killed
// before it could: the journal, which tells, may be pruned before the file is.
func (f *filing) metaOf(path string, m *index.Match) {
	if _, err := os.Stat(index.MetaFile(path)); !errors.Is(err, fs.ErrNotExist) || m.Finished.IsZero() {
		return
	}
	if st, err := os.Stat(path); err != nil || st.ModTime().After(f.h.started) {
		return // one of this process, whose ratings are waited for
	}
	if err := index.WriteMeta(path, index.Meta{Account: m.Account, Server: m.Server, Started: m.Started, Finished: m.Finished}); err != nil {
		f.log(err).WithField("file", path).Warn("nothing written beside the match file")
	}
}
