package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/engine/analyse"
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
	// Pruned counts the matches of which only the row is left; they are not in Added.
	Pruned int
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
// that cannot be read is reported and left out; the rest goes in. Matches whose files
// were pruned keep the rows that PrunedName holds.
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
	if err == nil {
		var bad []error
		bad, err = ReadPruned(d.dir, func(m *Match) error {
			if ctx.Err() != nil || seen[m.ID] {
				return ctx.Err()
			}
			seen[m.ID] = true
			r.Pruned++
			return d.add(ctx, tx, m)
		})
		for _, e := range bad {
			r.bad(e)
		}
	}
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

// Outcome is what became of a match that was imported.
type Outcome uint8

// A match is new, known, or known and now with more: the analysis or comments of the
// imported file went into the archive's.
const (
	WasKnown Outcome = iota
	WasAdded
	WasMerged
)

// Import takes a match from elsewhere into the archive, as an .sgf of its own. Of one
// that the archive has, it takes over what the archive's file lacks: deeper analysis,
// comments, properties of other programs.
func (d *DB) Import(ctx context.Context, rec *record.Match, meta Meta) (Outcome, error) {
	id := Identity(rec)
	have, err := d.fileOf(ctx, id)
	if err != nil {
		return WasKnown, err
	}
	if have != "" {
		return d.merge(ctx, have, rec)
	}
	dir := filepath.Join(d.dir, ImportDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return WasKnown, fmt.Errorf("import: %w", err)
	}
	file := filepath.Join(dir, id+".sgf")
	if err := writeMatch(file, rec); err != nil {
		return WasKnown, err
	}
	if meta != (Meta{}) {
		if err := WriteMeta(file, meta); err != nil {
			return WasKnown, errors.Join(err, os.Remove(file))
		}
	}
	m := Describe(rec, meta, filepath.Join(ImportDir, id+".sgf"))
	return WasAdded, d.Add(ctx, &m)
}

// merge takes over into a file of the archive what rec, the same match, has more.
func (d *DB) merge(ctx context.Context, file string, rec *record.Match) (Outcome, error) {
	local := filepath.FromSlash(file)
	if !filepath.IsLocal(local) {
		return WasKnown, nil
	}
	path := filepath.Join(d.dir, local)
	m, _, err := sgf.ReadFile(path)
	if err != nil {
		// The archive's own file is damaged or gone, and here is the match: it is put back.
		m = rec
	} else if _, changed := analyse.Merge(m, rec, nil, analyse.DefaultLimits); !changed {
		return WasKnown, nil
	}
	if err := writeMatch(path, m); err != nil {
		return WasKnown, err
	}
	_, err = d.AddFile(ctx, path)
	return WasMerged, err
}

func writeMatch(file string, rec *record.Match) error {
	var b bytes.Buffer
	if err := sgf.Write(&b, rec); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if err := atomicfile.WriteBytes(file, 0o644, b.Bytes()); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return nil
}
