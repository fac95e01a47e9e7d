package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/scrub"
)

// progressEvery is how many matches lie between two calls of Rebuild's progress.
const progressEvery = 500

// Report says what Rebuild did.
type Report struct {
	Added, Duplicates int
	// Bad are files that could not be read, at most maxBad of them.
	Bad []error
	// More counts the bad files beyond those.
	More int
}

const maxBad = 50

// Complain names the files that could not be read, one a line.
func (r *Report) Complain(w io.Writer) {
	for _, err := range r.Bad {
		fmt.Fprintf(w, "fibsbot: %s\n", scrub.Text(err.Error()))
	}
	if r.More > 0 {
		fmt.Fprintf(w, "fibsbot: and %d more files that cannot be read\n", r.More)
	}
}

func (r *Report) bad(err error) {
	if len(r.Bad) < maxBad {
		r.Bad = append(r.Bad, err)
		return
	}
	r.More++
}

// Rebuild empties the index and reads every .sgf below the archive's folder
// again, in one transaction: until the end the old index stays in force. A file
// that cannot be read is reported and left out; the rest goes in.
func (d *DB) Rebuild(ctx context.Context, progress func(done int)) (*Report, error) {
	r := &Report{}
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return r, fmt.Errorf("rebuild index: %w", err)
	}
	defer tx.Rollback()
	for _, t := range []string{"games", "matches"} {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+t); err != nil {
			return r, fmt.Errorf("rebuild index: %w", err)
		}
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			r.bad(err)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.IsDir() || !strings.EqualFold(filepath.Ext(path), ".sgf") || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		m, err := Read(d.dir, path)
		if err != nil {
			r.bad(err)
			return nil
		}
		if seen[m.ID] {
			r.Duplicates++
			return nil
		}
		seen[m.ID] = true
		if err := d.add(ctx, tx, m); err != nil {
			return err
		}
		r.Added++
		if progress != nil && r.Added%progressEvery == 0 {
			progress(r.Added)
		}
		return nil
	})
	if err != nil {
		return r, fmt.Errorf("rebuild index: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return r, fmt.Errorf("rebuild index: %w", err)
	}
	return r, nil
}

// ErrUnreadable marks a match file of the archive that cannot be read. It says
// nothing about the index.
var ErrUnreadable = errors.New("match file not read")

// Read describes one match file of the archive in dir.
func Read(dir, path string) (*Match, error) {
	rec, _, err := sgf.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	meta, err := ReadMeta(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return Known(dir, path, rec, meta)
}

// Known is Read for a match of which is known what stands in its file and beside
// it, because both were just written.
func Known(dir, path string, rec *record.Match, meta Meta) (*Match, error) {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	m := Describe(rec, meta, rel)
	return &m, nil
}

// AddFile puts one match file of the archive into the index.
func (d *DB) AddFile(ctx context.Context, path string) (*Match, error) {
	m, err := Read(d.dir, path)
	if err != nil {
		return nil, err
	}
	return m, d.Add(ctx, m)
}

// ImportDir is where imported matches go, below the archive's folder.
const ImportDir = "imported"

// Import takes a match from elsewhere into the archive, as an .sgf of its own,
// unless the archive has it. It reports whether it was new.
func (d *DB) Import(ctx context.Context, rec *record.Match, meta Meta) (added bool, err error) {
	id := Identity(rec)
	have, err := d.has(ctx, id)
	if err != nil || have {
		return false, err
	}
	dir := filepath.Join(d.dir, ImportDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, fmt.Errorf("import: %w", err)
	}
	file := filepath.Join(dir, id+".sgf")
	var b strings.Builder
	if err := sgf.Write(&b, rec); err != nil {
		return false, fmt.Errorf("import: %w", err)
	}
	if err := atomicfile.WriteBytes(file, 0o644, []byte(b.String())); err != nil {
		return false, fmt.Errorf("import: %w", err)
	}
	if meta != (Meta{}) {
		if err := WriteMeta(file, meta); err != nil {
			return false, errors.Join(err, os.Remove(file))
		}
	}
	m := Describe(rec, meta, filepath.Join(ImportDir, id+".sgf"))
	return true, d.Add(ctx, &m)
}
