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
	"strings"
	"time"

	"fibsbot/engine/record/formats"
	"fibsbot/internal/atomicfile"
)

// TrashDir is the folder of deleted matches in the archive's folder: one zip file per match,
// named by its ID.
const TrashDir = "trash"

// TrashFor is how long a deleted match is kept.
const TrashFor = 30 * 24 * time.Hour

// maxDeleted bounds a file in the trash; a journal has at most a gigabyte.
const maxDeleted = 1 << 30

// Deleted is a match in the trash.
type Deleted struct {
	ID       string    `json:"id"`
	Account  string    `json:"account"`
	Opponent string    `json:"opponent"`
	Length   int       `json:"length"`
	Started  time.Time `json:"started"`
	Deleted  time.Time `json:"deleted"`
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
		if st, err := os.Lstat(filepath.Join(d.dir, filepath.FromSlash(name))); err == nil && st.Mode().IsRegular() {
			out = append(out, name)
		}
	}
	return out
}

// Delete moves a match to the trash, and removes what has been there for TrashFor.
func (d *DB) Delete(ctx context.Context, row *Match) error {
	if row.Pruned {
		return fmt.Errorf("%s: %w", row.File, ErrPruned)
	}
	if !filepath.IsLocal(filepath.FromSlash(row.File)) {
		return fmt.Errorf("match %s: the file %s is outside the archive", row.ID, row.File)
	}
	files := d.filesOf(row)
	if err := os.MkdirAll(filepath.Join(d.dir, TrashDir), 0o755); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	if err := atomicfile.Write(d.trashed(row.ID), 0o644, func(f *os.File) error { return d.pack(f, row, files) }); err != nil {
		return fmt.Errorf("delete %s: %w", row.File, err)
	}
	for _, name := range files {
		if err := os.Remove(filepath.Join(d.dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete: %w", err)
		}
	}
	if err := d.rows.update(ctx, func(tx changes) error { return tx.remove(row.ID) }); err != nil {
		return fmt.Errorf("delete %s: %w", row.ID, err)
	}
	return d.emptyTrash(time.Now())
}

func (d *DB) pack(f *os.File, row *Match, files []string) error {
	about, err := json.Marshal(Deleted{row.ID, row.Account, row.Opponent, row.Length, row.Started, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	if err := z.SetComment(string(about)); err != nil {
		return err
	}
	for _, name := range files {
		in, err := os.Open(filepath.Join(d.dir, filepath.FromSlash(name)))
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
		z, err := zip.OpenReader(d.trashed(id))
		if err != nil {
			continue
		}
		var about Deleted
		if json.Unmarshal([]byte(z.Comment), &about) == nil && about.ID == id {
			out = append(out, about)
		}
		z.Close() // it was read
	}
	return out, nil
}

func (d *DB) emptyTrash(now time.Time) error {
	list, err := d.Trash()
	for _, x := range list {
		if now.Sub(x.Deleted) > TrashFor {
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
	found := ""
	for _, x := range list {
		if id == "" || !strings.HasPrefix(x.ID, id) {
			continue
		}
		if found != "" && x.ID != id {
			return nil, fmt.Errorf("%w: several deleted matches begin with %s", ErrNotFound, id)
		}
		found = x.ID
	}
	if found == "" {
		return nil, fmt.Errorf("%w: %s is not in the trash", ErrNotFound, id)
	}
	z, err := zip.OpenReader(d.trashed(found))
	if err != nil {
		return nil, fmt.Errorf("undelete %s: %w", found, err)
	}
	defer z.Close()
	file := ""
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".sgf") {
			file = f.Name
		}
		if err := d.unpack(f); err != nil {
			return nil, fmt.Errorf("undelete %s: %w", found, err)
		}
	}
	if file == "" {
		return nil, fmt.Errorf("undelete %s: no match file", found)
	}
	m, err := d.AddFile(ctx, filepath.Join(d.dir, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	return m, os.Remove(d.trashed(found))
}

// unpack restores a file unless it exists.
func (d *DB) unpack(f *zip.File) error {
	local := filepath.FromSlash(f.Name)
	if !filepath.IsLocal(local) || f.UncompressedSize64 > maxDeleted {
		return fmt.Errorf("%q is not a file of an archive", f.Name)
	}
	to := filepath.Join(d.dir, local)
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	return atomicfile.Write(to, 0o644, func(out *os.File) error {
		_, err := io.Copy(out, io.LimitReader(in, maxDeleted))
		return err
	})
}
