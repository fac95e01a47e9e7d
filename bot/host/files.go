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
