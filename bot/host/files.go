package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/config"
	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
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
	path := j.files[at]
	if dir := group(c, j); dir != "" {
		moved, err := moveAll(j.files, filepath.Join(c.Archive.Dir, dir))
		if err != nil {
			return err
		}
		j.files, path = moved, moved[at]
	}
	if err := j.read(path); err != nil {
		return err
	}
	if err := writeFormats(c, path, j.match); err != nil {
		return err
	}
	j.files = []string{path}
	if err := index.WriteMeta(path, j.meta); err != nil {
		return fmt.Errorf("write meta: %w", err)
	}
	if err := f.addMatch(ctx, path, j.match, j.meta); errors.Is(err, index.ErrUnreadable) {
		return err
	}
	return nil // a failing index has been reported, and catches up later
}

// addMatch adds the match of a file to the index.
func (f *filing) addMatch(ctx context.Context, path string, rec *record.Match, meta index.Meta) error {
	m, err := index.Known(f.db.Dir, path, rec, meta)
	if err != nil {
		return err
	}
	return f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
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

func moveAll(files []string, dir string) ([]string, error) {
	if err := atomicfile.MkdirPrivate(dir); err != nil {
		return nil, err
	}
	var moved []string
	for _, p := range files {
		to := filepath.Join(dir, filepath.Base(p))
		if _, err := os.Lstat(p); err == nil {
			if _, err := os.Lstat(to); err == nil {
				return files, nil // another match has that name, from before the clock was set back
			}
		}
	}
	for _, p := range files {
		to := filepath.Join(dir, filepath.Base(p))
		if err := os.Rename(p, to); err != nil {
			if _, there := os.Stat(to); !errors.Is(err, fs.ErrNotExist) || there != nil {
				return nil, err
			}
			// An earlier attempt has moved it.
		}
		moved = append(moved, to)
	}
	return moved, nil
}

// writeFormats writes and removes the files beside the .sgf as archive.formats says. The .sgf
// always stays: the index is made from it. The oldmoves were written with it.
func writeFormats(c *config.Config, path string, m *record.Match) error {
	stem := strings.TrimSuffix(path, ".sgf")
	for _, name := range c.Archive.Formats {
		if name == "sgf" || name == "oldmoves" {
			continue
		}
		f, err := formats.Find(formats.Written, name, "")
		if err != nil {
			return fmt.Errorf("archive.formats: %w", err)
		}
		var b bytes.Buffer
		if err := f.Write(&b, m); err != nil {
			return fmt.Errorf("write %s%s: %w", stem, f.Ext, err)
		}
		if err := atomicfile.WriteBytes(stem+f.Ext, 0o600, b.Bytes()); err != nil {
			return err
		}
	}
	if !slices.Contains(c.Archive.Formats, "oldmoves") {
		if err := os.Remove(stem + ".fibs"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
