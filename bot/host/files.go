package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/internal/changes"
	"fibsbot/config"
	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/filename"
)

// file moves and converts the files as configured and writes meta and index.
func (f *filing) file(ctx context.Context, j *job) error {
	if len(j.files) == 0 {
		return nil // a match without a move
	}
	c := f.h.opt.Config()
	at := slices.IndexFunc(j.files, func(p string) bool { return filepath.Ext(p) == ".sgf" })
	if at < 0 {
		return nil
	}
	var path string
	err := f.change(ctx, func(log *changes.Change) error {
		to := f.place(c, j)
		path = to[at]
		now := j.files[at]
		if _, err := os.Lstat(now); errors.Is(err, fs.ErrNotExist) {
			now = path // moved before a failure
		}
		if err := j.read(now); err != nil {
			return err
		}
		for i, from := range j.files {
			if from != to[i] {
				log.Move(f.named(from), f.named(to[i]))
			}
		}
		name := f.named(path)
		log.Rows(name)
		if err := stageFormats(log, c, name, j.match); err != nil {
			return err
		}
		j.meta.Beside = ".journal"
		for _, format := range c.Archive.Formats {
			if f, err := formats.Find(formats.Written, format, ""); err == nil && f.Ext != ".sgf" {
				j.meta.Beside += " " + f.Ext
			}
		}
		return index.StageMeta(log, name, j.meta)
	})
	if err != nil {
		return err
	}
	j.files = []string{path}
	return nil
}

// named is the name of a file of the archive as in the index.
func (f *filing) named(path string) string {
	if rel, err := filepath.Rel(f.db.Dir, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

// change makes a change of the archive. Its rows may follow later: a failing index was
// reported, and catches up.
func (f *filing) change(ctx context.Context, plan func(*changes.Change) error) error {
	c, err := (&changes.Log{Dir: f.db.Dir, Before: f.h.before}).Begin(ctx)
	if err != nil {
		return err
	}
	if err = plan(c); err == nil {
		_, err = c.Commit()
	}
	if err = errors.Join(err, c.Close()); err != nil {
		return err
	}
	_ = f.db.Use(ctx, func(d *index.DB) error { return d.Finish(ctx) })
	return nil
}

// read reads the match of a job from its file, unless the job has it.
func (j *job) read(path string) (err error) {
	if j.match == nil {
		j.match, _, err = sgf.ReadFile(path)
	}
	return err
}

// group returns the subfolder of a match.
func group(c *config.Config, j *job) string {
	switch c.Archive.Group {
	case "day":
		return j.meta.Finished.UTC().Format("2006-01-02")
	case "opponent":
		return filename.Part(j.them, "", '-')
	}
	return ""
}

// place returns where the files of a job belong: where they are, if another match has such a
// name there, from before the clock was set back.
func (f *filing) place(c *config.Config, j *job) []string {
	dir := group(c, j)
	if dir == "" {
		return j.files
	}
	var to []string
	for _, p := range j.files {
		there := filepath.Join(f.db.Dir, dir, filepath.Base(p))
		_, here := os.Lstat(p)
		if _, err := os.Lstat(there); err == nil && here == nil {
			return j.files
		}
		to = append(to, there)
	}
	return to
}

// stageFormats makes a change write and remove the files beside the .sgf as archive.formats
// says. The .sgf always stays: the index is made from it. The oldmoves were written with it.
func stageFormats(log *changes.Change, c *config.Config, name string, m *record.Match) error {
	stem := strings.TrimSuffix(name, ".sgf")
	for _, format := range c.Archive.Formats {
		if format == "sgf" || format == "oldmoves" {
			continue
		}
		f, err := formats.Find(formats.Written, format, "")
		if err != nil {
			return fmt.Errorf("archive.formats: %w", err)
		}
		if err := log.Write(stem+f.Ext, 0o600, func(w io.Writer) error { return f.Write(w, m) }); err != nil {
			return err
		}
	}
	if !slices.Contains(c.Archive.Formats, "oldmoves") {
		log.Remove(stem + ".fibs")
	}
	return nil
}

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
