package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/sanitize"
)

// progressEvery is the number of matches between two calls of progress.
const progressEvery = 500

// Rebuilt counts what Rebuild did.
type Rebuilt struct {
	Added, Duplicates int
	// Pruned counts pruned matches, which are not in Added.
	Pruned int
	// Bad are the errors of unreadable files, at most maxBad.
	Bad []error
	// More counts further unreadable files.
	More int
}

const maxBad = 50

// Complain lists the unreadable files, one per line.
func (r *Rebuilt) Complain(w io.Writer) {
	for _, err := range r.Bad {
		fmt.Fprintf(w, "fibsbot: %s\n", sanitize.Text(fileerr.Text(err)))
	}
	if r.More > 0 {
		fmt.Fprintf(w, "fibsbot: and %d more unreadable files\n", r.More)
	}
}

func (r *Rebuilt) bad(err error) {
	if len(r.Bad) < maxBad {
		r.Bad = append(r.Bad, err)
		return
	}
	r.More++
}

// Rebuild replaces the index by what it reads from the .sgf files of the archive's folder and
// from PrunedName, in one transaction. It skips and reports unreadable files. If the folder
// itself is unreadable, the old index stays. progress, which may be nil, is called with the
// number of files read.
func (d *DB) Rebuild(ctx context.Context, progress func(done int)) (*Rebuilt, error) {
	r := &Rebuilt{}
	err := d.rows.update(ctx, func(tx edits) error {
		if err := tx.clear(); err != nil {
			return err
		}
		b := rebuilding{d, tx, r, progress, map[string]bool{}, map[string]bool{}, map[string]*Match{}}
		// Files of bots come first, as they count for a match that is there twice.
		if err := b.walk(ctx, true); err != nil {
			return err
		}
		if err := b.walk(ctx, false); err != nil {
			return err
		}
		return b.pruned(ctx)
	})
	if err != nil {
		return r, fmt.Errorf("rebuild index: %w", err)
	}
	return r, nil
}

// rebuilding is a Rebuild in progress.
type rebuilding struct {
	d        *DB
	tx       edits
	r        *Rebuilt
	progress func(done int)
	seen     map[string]bool   // IDs, and the IDs of copies of bots' matches
	copies   map[string]bool   // IDs of imported matches
	bare     map[string]*Match // matches whose analysis may be in PrunedName
}

// walk reads the match files of bots (own), or the others.
func (b *rebuilding) walk(ctx context.Context, own bool) error {
	r, keeps := b.r, b.d.hasPruned()
	return filepath.WalkDir(b.d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if path == b.d.dir {
				return err // or the index would lose every match
			}
			if own { // reported once, in the first walk
				r.bad(err)
			}
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.IsDir() || !strings.EqualFold(filepath.Ext(path), ".sgf") || strings.HasPrefix(e.Name(), ".") || ownName(path) != own {
			return nil
		}
		m, err := Read(b.d.dir, path)
		if err != nil {
			r.bad(err)
			return nil
		}
		if b.seen[m.ID] {
			r.Duplicates++
			return nil
		}
		b.seen[m.ID] = true
		if own {
			b.seen[sameOf(m.ID)] = true
		} else {
			b.copies[m.ID] = true
		}
		if err := inFile(m, add(ctx, b.tx, m)); err != nil {
			return err
		}
		if keeps && !m.Plies.Known() {
			b.bare[m.ID] = m
		}
		r.Added++
		if b.progress != nil && r.Added%progressEvery == 0 {
			b.progress(r.Added)
		}
		return nil
	})
}

// pruned adds the rows of pruned matches.
func (b *rebuilding) pruned(ctx context.Context) error {
	bad, err := ReadPruned(b.d.dir, func(m *Match) error {
		if back := b.bare[m.ID]; back != nil {
			back.Keep(m)
			return inFile(back, add(ctx, b.tx, back))
		}
		if ctx.Err() != nil || b.seen[m.ID] {
			return ctx.Err()
		}
		if same := sameOf(m.ID); ownName(m.File) && b.copies[same] {
			b.r.Added-- // an imported copy, whose row is replaced
			b.r.Duplicates++
			delete(b.copies, same)
		}
		b.seen[m.ID] = true
		b.r.Pruned++
		return inFile(m, add(ctx, b.tx, m))
	})
	for _, e := range bad {
		b.r.bad(e)
	}
	return err
}

// ErrUnreadable means that a match file is unreadable; the index may be fine.
var ErrUnreadable = errors.New("unreadable match file")

// Read returns the row of a match file of the archive in dir.
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

// Known returns the row of a match whose file and Meta the caller has read or written. If
// meta lacks the end of the match, its journal is read.
func Known(dir, path string, rec *record.Match, meta Meta) (*Match, error) {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if meta.Finished.IsZero() {
		meta.Finished = endOf(dir, path)
	}
	m := Describe(rec, meta, rel)
	return &m, nil
}

// hasPruned reports whether any match was ever pruned.
func (d *DB) hasPruned() bool {
	_, err := os.Stat(filepath.Join(d.dir, PrunedName))
	return err == nil
}

// AddFile adds a match file of the archive to the index. A pruned match that was imported
// again without an analysis keeps the figures of its row.
func (d *DB) AddFile(ctx context.Context, path string) (*Match, error) {
	m, err := Read(d.dir, path)
	if err != nil {
		return nil, err
	}
	if !m.Plies.Known() && d.hasPruned() {
		old, err := d.Show(ctx, m.ID)
		switch {
		case err == nil:
			m.Keep(old)
		case !errors.Is(err, ErrNotFound):
			return nil, err
		}
	}
	return m, d.Add(ctx, m)
}

// ImportDir is the folder of imported matches in the archive's folder.
const ImportDir = "imported"

// Outcome is the result of Import.
type Outcome uint8

// A match was known, known and completed by the imported file's analysis or comments, joined
// with a part of it that was known, or added.
const (
	WasKnown Outcome = iota
	WasMerged
	WasJoined
	WasAdded
)

// Import adds a match to the archive as an .sgf of its own. To a match that is already
// there it adds what its file lacks: deeper analysis, comments, properties of other programs.
// A match whose meta has a start was played here and equals only a match with that start,
// see PlayedID.
func (d *DB) Import(ctx context.Context, rec *record.Match, meta Meta) (became Outcome, err error) {
	_, err = d.Do(ctx, func(c *changes.Change) error {
		became, err = d.take(ctx, c, rec, meta)
		return err
	})
	if err != nil {
		return WasKnown, fmt.Errorf("import: %w", err)
	}
	return became, nil
}

// take adds the steps of Import to a change.
func (d *DB) take(ctx context.Context, c *changes.Change, rec *record.Match, meta Meta) (Outcome, error) {
	id := PlayedID(rec, meta)
	have, turned := path.Join(ImportDir, id+".sgf"), false
	known, err := id, error(nil)
	if meta.Started.IsZero() {
		if known, have, turned, err = d.copyOf(ctx, rec); err == nil && known == "" {
			parts, _, err := d.meeting(ctx, rec, "")
			switch {
			case err != nil:
				return WasKnown, err
			case len(parts) > 0:
				return d.join(c, parts, rec)
			}
			if _, err = d.Show(ctx, id); err == nil {
				id = anotherID(id, rec)
			} else if errors.Is(err, ErrNotFound) {
				err = nil
			}
		}
	} else if _, err = d.Show(ctx, id); errors.Is(err, ErrNotFound) {
		known, err = "", nil
	}
	switch {
	case err != nil:
		return WasKnown, err
	case known != "":
		if turned {
			rec = rec.Swapped()
		}
		return d.merge(ctx, c, known, have, rec)
	}
	name := path.Join(ImportDir, id+".sgf")
	c.Rows(name)
	if meta != (Meta{}) {
		if err := StageMeta(c, name, meta); err != nil {
			return WasKnown, err
		}
	}
	return WasAdded, stageMatch(c, name, rec)
}

// merge adds to a file of the archive what it lacks of rec, the same match.
func (d *DB) merge(ctx context.Context, c *changes.Change, id, file string, rec *record.Match) (Outcome, error) {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return WasKnown, nil
	}
	e, err := d.Edit(&Match{File: file})
	if err != nil {
		// The archive's file is damaged, pruned or missing: replace it.
		return WasMerged, d.putBack(ctx, c, id, file, rec)
	}
	if meta, err := ReadMeta(e.path); err == nil && meta.Swapped {
		rec = rec.Swapped() // as the archive has it
	}
	if _, changed := analyse.Merge(e.Match, rec, nil, analyse.DefaultLimits); !changed {
		return WasKnown, nil
	}
	return WasMerged, e.stage(c)
}

// putBack writes the file of a match that the index has, and a missing Meta from its row.
func (d *DB) putBack(ctx context.Context, c *changes.Change, id, file string, rec *record.Match) error {
	if _, err := os.Stat(MetaFile(d.path(file))); errors.Is(err, fs.ErrNotExist) {
		row, err := d.Show(ctx, id)
		if err != nil {
			return err
		}
		meta := Meta{Account: row.Account, Server: row.Server, Started: row.Started, Finished: row.Finished, Preset: row.Preset, Tags: strings.Join(row.Tags, ",")}
		for k, p := range [2]int{row.Me, 1 - row.Me} {
			meta.RatingAfter[p] = row.RatingAfter[k].Or(0)
		}
		if err := StageMeta(c, file, meta); err != nil {
			return err
		}
	}
	c.Rows(file)
	return stageMatch(c, file, rec)
}

func stageMatch(c *changes.Change, name string, rec *record.Match) error {
	var b bytes.Buffer
	if err := sgf.Write(&b, rec); err != nil {
		return err
	}
	return c.WriteBytes(name, 0o600, b.Bytes())
}
