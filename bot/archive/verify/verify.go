// Package verify checks that an archive is sound. Every match file must be readable and
// legal, agree with its journal and its copies in other formats, and have its row in the
// index. Every row of the index must have its files. Optionally gnubg reads the files too.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package verify

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
	"syscall"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/protocol"
	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// Options of Run.
type Options struct {
	// Protocols returns the protocol of a journal by its name, or nil. It must be set.
	Protocols func(name string) protocol.Protocol
	// Evidence compares every statement of a match file and its name with what is read.
	Evidence bool
	// Gnubg is the path of gnubg, or empty.
	Gnubg string
	// Progress, if set, is called after match i of n.
	Progress func(i, n int)
}

// Finding is a fault, or a note.
type Finding struct {
	File    string `json:"file"`
	Problem string `json:"problem"`
}

// Findings are the result of Run.
type Findings struct {
	Matches  int       `json:"matches"`  // match files
	Replayed int       `json:"replayed"` // compared with their journal
	Unlogged int       `json:"without_journal"`
	Running  int       `json:"running"` // journals of matches in progress or saved
	Rows     int       `json:"index_rows"`
	Pruned   int       `json:"pruned"` // rows of pruned matches
	Gnubg    int       `json:"gnubg"`  // read by gnubg
	Wrong    []Finding `json:"wrong"`
	// Notes are not faults: such as a match that is in the archive twice.
	Notes []Finding `json:"notes"`
}

// checker verifies one archive.
type checker struct {
	dir    string
	db     *index.DB
	opt    *Options
	found  *Findings
	rows   map[string]index.Match // by file
	byID   map[string]string      // ID -> file of the row
	copies map[string]string      // ID that a copy from elsewhere would have -> file of the row
	pruned map[string]bool        // stems of pruned matches
	stems  map[string]bool        // of match files
	seen   map[string]string      // ID -> match file
	// replayed are the match files that agree with their journals.
	replayed map[string]bool
	second   bool // the faults found are looked at again, while nothing changes
}

// Run verifies the archive of db. Faults are in the Findings; an error means that the archive
// could not be verified.
func Run(ctx context.Context, db *index.DB, opt Options) (*Findings, error) {
	if db == nil || opt.Protocols == nil {
		return &Findings{Wrong: []Finding{}, Notes: []Finding{}}, errors.New("verify: needs an archive and protocols")
	}
	c := &checker{dir: db.Dir(), db: db, opt: &opt, found: &Findings{Wrong: []Finding{}, Notes: []Finding{}},
		stems: map[string]bool{}, replayed: map[string]bool{}, seen: map[string]string{}}
	files, journals, err := c.list()
	if err == nil {
		err = c.readIndex(ctx)
	}
	if err != nil {
		return c.found, fmt.Errorf("verify: %w", err)
	}
	var gnubg, again []string
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return c.found, fmt.Errorf("verify: %w", err)
		}
		wrong, notes := len(c.found.Wrong), len(c.found.Notes)
		if c.match(f) && opt.Gnubg != "" {
			gnubg = append(gnubg, f)
		}
		if len(c.found.Wrong) > wrong {
			c.found.Wrong, c.found.Notes = c.found.Wrong[:wrong], c.found.Notes[:notes]
			again = append(again, f)
		}
		if opt.Progress != nil {
			opt.Progress(i+1, len(files))
		}
	}
	if err := db.Apart(ctx, func(a, b *index.Match) {
		c.note(a.File, "same match as %s by its rolls (fibsbot archive merge %.8s %.8s joins them)", b.File, a.ID, b.ID)
	}); err != nil {
		return c.found, fmt.Errorf("verify: %w", err)
	}
	late := c.journals(journals)
	if err := c.checkAgain(ctx, again, late); err != nil {
		return c.found, fmt.Errorf("verify: %w", err)
	}
	if opt.Gnubg != "" {
		if err := c.gnubg(ctx, gnubg); err != nil {
			return c.found, fmt.Errorf("verify: %w", err)
		}
	}
	return c.found, nil
}

func (c *checker) wrong(file, problem string, args ...any) {
	c.found.Wrong = append(c.found.Wrong, Finding{file, fmt.Sprintf(problem, args...)})
}

func (c *checker) note(file, problem string, args ...any) {
	c.found.Notes = append(c.found.Notes, Finding{file, fmt.Sprintf(problem, args...)})
}

// rel is a path below the archive's folder, as the index writes it.
func (c *checker) rel(path string) string {
	if r, err := filepath.Rel(c.dir, path); err == nil {
		return filepath.ToSlash(r)
	}
	return path
}

// list finds match files and journals.
func (c *checker) list() (files, journals []string, err error) {
	err = filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if path == c.dir {
				return err
			}
			c.wrong(c.rel(path), "unreadable: %v", err)
			return nil
		}
		name := e.Name()
		switch {
		case e.IsDir() || strings.HasPrefix(name, "."):
		case strings.EqualFold(filepath.Ext(name), ".sgf"):
			files = append(files, path)
			c.stems[strings.TrimSuffix(name, filepath.Ext(name))] = true
		case strings.HasSuffix(name, ".journal"):
			journals = append(journals, path)
		case filepath.Ext(name) == ".zip" && filepath.Base(filepath.Dir(path)) == index.TrashDir:
			if _, err := index.ReadDeleted(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				c.wrong(c.rel(path), "unreadable: %v", err)
			}
		case strings.HasSuffix(name, ".damaged"):
			c.wrong(c.rel(path), "damaged journal: its match is not filed")
		}
		return nil
	})
	return files, journals, err
}

func stem(file string) string {
	base := filepath.Base(filepath.FromSlash(file))
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// match checks a match file with its journal, copies and row. It reports whether the file
// is readable.
func (c *checker) match(path string) bool {
	name := c.rel(path)
	if !c.second {
		c.found.Matches++
	}
	m, warns, err := sgf.ReadFile(path)
	if err != nil {
		if c.second && errors.Is(err, fs.ErrNotExist) {
			return false // moved, or deleted
		}
		c.wrong(name, "unreadable: %v", err)
		return false
	}
	foreign := strings.HasPrefix(name, index.ImportDir+"/")
	report := c.wrong
	if foreign {
		report = c.note // it was imported like that
	}
	if len(warns) > 0 {
		if slices.ContainsFunc(m.Games, func(g record.Game) bool { return torn(&g) }) {
			c.note(name, "%v", warns[0]) // a hole causes warnings
		} else {
			report(name, "%v", warns[0])
		}
	}
	if what := illegal(m); what != "" {
		report(name, "%s", what)
	}
	if m.Length > 1 && !m.Rules.Crawford {
		c.note(name, "played without the Crawford rule")
	}
	for i := range m.Games {
		if text := m.Games[i].Disputed; text != "" {
			c.note(name, "%s", text)
		}
	}
	if c.opt.Evidence {
		said, err := Evidence(path)
		for _, text := range said {
			c.note(name, "%s", text)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.wrong(name, "unreadable: %v", err)
		}
	}
	meta, err := index.ReadMeta(path)
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for _, f := range formats.Beside {
		beside := stem + f.Ext
		if other, err := readFile(beside, f.Read); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.wrong(c.rel(beside), "unreadable: %v", err)
		} else if err == nil {
			diff := samePlays(m, other, f.Name == "mat")
			if diff == "" && meta.Renamed == [2]string{} {
				diff = sameHead(m, other)
			}
			if diff != "" {
				c.wrong(c.rel(beside), "differs from the .sgf: %s", diff)
			}
		}
	}
	if err != nil {
		c.wrong(c.rel(index.MetaFile(path)), "unreadable: %v", err)
		return true
	}
	if !foreign {
		c.journal(path, name, m, &meta)
		c.beside(name, &meta)
	}
	c.row(path, name, m, meta)
	return true
}

// readFile reads the first match of a file beside a match file; it does not wait for a pipe.
func readFile(path string, read func(io.Reader) ([]*record.Match, []record.Warning, error)) (*record.Match, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, _, err := read(f)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// checkAgain looks again at match files with faults, journals without a match file and rows
// without one, while no program changes the archive.
func (c *checker) checkAgain(ctx context.Context, files, late []string) error {
	if len(files)+len(late)+len(c.orphans()) == 0 {
		return nil
	}
	look := func() error {
		c.second = true
		if err := c.readIndex(ctx); err != nil {
			return err
		}
		for _, path := range files {
			c.match(path)
		}
		for _, j := range late {
			if _, err := os.Lstat(j); err == nil && !c.filed(stem(j)) {
				c.wrong(c.rel(j), "match file missing")
			}
		}
		for _, name := range c.orphans() {
			c.wrong(name, "in the index, but the file is missing (run fibsbot archive rebuild)")
		}
		return nil
	}
	err := c.db.Still(ctx, look)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return look() // a program that can change it has other rights
	}
	return err
}

// Print writes the findings as text, faults first.
func (r *Findings) Print(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Wrong {
		fmt.Fprintf(&b, "wrong  %s: %s\n", sanitize.Text(f.File), sanitize.Text(f.Problem))
	}
	for _, f := range r.Notes {
		fmt.Fprintf(&b, "note   %s: %s\n", sanitize.Text(f.File), sanitize.Text(f.Problem))
	}
	fmt.Fprintf(&b, "%s, %d compared with their journals, %d without a journal, %d in progress; %s in the index, %d of them pruned",
		figure.Count(r.Matches, "match file"), r.Replayed, r.Unlogged, r.Running, figure.Count(r.Rows, "row"), r.Pruned)
	if r.Gnubg > 0 {
		fmt.Fprintf(&b, "; %d read by gnubg", r.Gnubg)
	}
	if len(r.Wrong) == 0 {
		b.WriteString(": sound")
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}
