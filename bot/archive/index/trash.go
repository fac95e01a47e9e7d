package index

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/sgf"
)

// TrashDir is the folder of deleted matches in the archive's folder: one zip file per match,
// named by its ID.
const TrashDir = "trash"

// trashFor is how long a deleted match is kept.
const trashFor = 30 * 24 * time.Hour

// maxDeleted bounds a file in the trash; a journal has at most a gigabyte.
const maxDeleted = 1 << 30

// Deleted is a match in the trash.
type Deleted struct {
	ID       string    `json:"id"`
	Account  string    `json:"account"`
	Opponent string    `json:"opponent"`
	Length   int       `json:"length"`
	Started  time.Time `json:"started,omitzero"`
	Deleted  time.Time `json:"deleted"`
	// Joined is the file of the match that this one was joined with by hand. The zip file has the
	// former state of both, and restoring it separates them.
	Joined string `json:"joined,omitempty"`
}

func (d *DB) trashed(id string) string { return filepath.Join(d.dir, TrashDir, id+".zip") }

// FilesOf returns the names of the files that a match in file can have, as they are deleted:
// the match file and its Meta come last, so an interrupted deletion leaves the match.
func FilesOf(file string) []string {
	stem := strings.TrimSuffix(file, path.Ext(file))
	out := []string{"journal/" + path.Base(stem) + ".journal"}
	for _, f := range formats.Beside {
		out = append(out, stem+f.Ext)
	}
	return append(out, file, stem+".json")
}

// filesOf returns the existing files of a match.
func (d *DB) filesOf(row *Match) (out []string) {
	for _, name := range FilesOf(row.File) {
		if st, err := os.Lstat(d.path(name)); err == nil && st.Mode().IsRegular() {
			out = append(out, name)
		}
	}
	return out
}

// Delete moves a match to the trash, and removes what has been there for TrashFor.
func (d *DB) Delete(ctx context.Context, row *Match) error {
	if _, err := d.pathOf(row); err != nil {
		return err
	}
	_, err := d.Do(ctx, func(c *changes.Change) error {
		if now, err := d.Show(ctx, row.ID); err != nil || now.File != row.File {
			return errors.Join(err, fmt.Errorf("delete %s: the match has moved (try again)", row.File))
		}
		c.Gone(row.ID)
		files := d.filesOf(row)
		if !slices.Contains(files, row.File) {
			return nil // removed by hand
		}
		if err := c.Write(TrashDir+"/"+row.ID+".zip", 0o600, func(w io.Writer) error { return d.pack(w, row, "", files) }); err != nil {
			return fmt.Errorf("delete: %w", err)
		}
		c.Remove(files...)
		return nil
	})
	return errors.Join(err, d.emptyTrash(time.Now()))
}

func (d *DB) pack(w io.Writer, row *Match, joined string, files []string) error {
	about, err := json.Marshal(Deleted{row.ID, row.Account, row.Opponent, row.Length, row.Started, time.Now().UTC().Truncate(time.Second), joined})
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	if err := z.SetComment(string(about)); err != nil {
		return err
	}
	for _, name := range files {
		in, err := os.Open(d.path(name))
		if errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(name, ".json") {
			continue
		}
		if err != nil {
			return err
		}
		out, err := z.Create(name)
		if err == nil {
			_, err = io.Copy(out, in)
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	return z.Close()
}

// Trash lists the deleted matches and skips unreadable ones.
func (d *DB) Trash() ([]Deleted, error) {
	list, err := os.ReadDir(filepath.Join(d.dir, TrashDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := []Deleted{}
	for _, e := range list {
		id, ok := strings.CutSuffix(e.Name(), ".zip")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		if about, err := ReadDeleted(d.trashed(id)); err == nil {
			out = append(out, about)
		}
	}
	return out, nil
}

// ReadDeleted reads what a file of the trash says about its match.
func ReadDeleted(path string) (about Deleted, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return about, err
	}
	defer z.Close()
	if json.Unmarshal([]byte(z.Comment), &about) != nil || about.ID+".zip" != filepath.Base(path) {
		err = errors.New("it does not say which match was deleted")
	}
	return about, err
}

func (d *DB) emptyTrash(now time.Time) error {
	list, err := d.Trash()
	for _, x := range list {
		if now.Sub(x.Deleted) > trashFor {
			err = errors.Join(err, os.Remove(d.trashed(x.ID)))
		}
	}
	return err
}

// Undelete restores the deleted match whose ID has the prefix id. The error wraps ErrNotFound
// unless exactly one has.
func (d *DB) Undelete(ctx context.Context, id string) (*Match, error) {
	list, err := d.Trash()
	if err != nil {
		return nil, err
	}
	found, joined := "", ""
	for _, x := range list {
		if id == "" || !strings.HasPrefix(x.ID, id) {
			continue
		}
		if found != "" && x.ID != id {
			return nil, fmt.Errorf("%w: several deleted matches begin with %s", ErrNotFound, id)
		}
		found, joined = x.ID, x.Joined
	}
	if found == "" {
		return nil, fmt.Errorf("%w: %s is not in the trash", ErrNotFound, id)
	}
	z, err := zip.OpenReader(d.trashed(found))
	if err != nil {
		return nil, fmt.Errorf("undelete %s: %w", found, err)
	}
	defer z.Close()
	row, err := d.one(ctx, func(c *changes.Change) error {
		for _, f := range z.File {
			if strings.HasSuffix(f.Name, ".sgf") {
				c.Rows(f.Name)
			}
			if err := d.unpack(c, f, joined); err != nil {
				return err
			}
		}
		c.Remove(TrashDir + "/" + found + ".zip")
		return nil
	})
	if err == nil && row == nil {
		err = errors.New("no match file")
	}
	if err != nil {
		return nil, fmt.Errorf("undelete %s: %w", found, err)
	}
	return row, nil
}

// unpack restores a file unless it exists. Those of the match in the file joined are replaced; its
// .sgf keeps the analysis that it got since.
func (d *DB) unpack(c *changes.Change, f *zip.File, joined string) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Name)) || f.UncompressedSize64 > maxDeleted {
		return fmt.Errorf("%q is not a file of an archive", f.Name)
	}
	replace := joined != "" && (f.Name == joined || f.Name == MetaFile(joined))
	if _, err := os.Lstat(d.path(f.Name)); err == nil && !replace {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if replace && f.Name == joined {
		if now, err := d.Edit(&Match{File: joined}); err == nil {
			m, _, err := sgf.Read(in)
			if err != nil {
				return err
			}
			analyse.MergeAnalysis(m, now.Match, nil, analyse.DefaultLimits)
			return stageMatch(c, joined, m)
		}
	}
	return c.Write(f.Name, 0o600, func(out io.Writer) error {
		_, err := io.Copy(out, io.LimitReader(in, maxDeleted))
		return err
	})
}
