// Package verify looks whether an archive is sound: every match file can be read and
// holds legal play, says what its journal says and what the files beside it say, and has
// its row in the index; nothing is in the index that is not in the folder. gnubg, where it
// is there, reads the files too.
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
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/protocol"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/ctxread"
)

// Options of Run.
type Options struct {
	// Protocols finds the protocol of a journal by its name, nil where there is none. It
	// must be set.
	Protocols func(name string) protocol.Protocol
	// Gnubg is the program, empty to do without.
	Gnubg string
	// Told, when set, is called after each match of n.
	Told func(i, n int)
	// Settle is how long a match that is just being filed is waited for; 3 s by default.
	Settle time.Duration
}

// Finding is something that is wrong, or worth a word.
type Finding struct {
	File    string `json:"file"`
	Problem string `json:"problem"`
}

// Report is what was found.
type Report struct {
	Matches  int       `json:"matches"`  // match files
	Replayed int       `json:"replayed"` // compared with their journal
	Unlogged int       `json:"without_journal"`
	Running  int       `json:"running"` // journals of matches that go on or are saved
	Rows     int       `json:"index_rows"`
	Pruned   int       `json:"pruned"` // rows whose files are gone, on purpose
	Gnubg    int       `json:"gnubg"`  // read by gnubg
	Wrong    []Finding `json:"wrong"`
	// Notes are no faults: a match that is in the archive twice, a game whose end was
	// not seen.
	Notes []Finding `json:"notes"`
}

// checker looks at one archive.
type checker struct {
	dir    string
	db     *index.DB
	opt    *Options
	report *Report
	rows   map[string]row    // by file
	byID   map[string]string // ID -> file of the row
	copies map[string]string // ID that a copy from elsewhere would have -> file of the row
	pruned map[string]bool   // stems of pruned matches
	stems  map[string]bool   // of the match files there are
	seen   map[string]string // ID -> match file
	again  []string          // match files to be looked at a second time
	// replayed are the match files that say what their journal says.
	replayed map[string]bool
	second   bool
}

// young is how old a file is that may be in the middle of being filed.
const young = 10 * time.Second

// Run verifies the archive of db, which like Protocols must be there. What is wrong is in
// the report; an error tells that the archive could not be looked at.
func Run(ctx context.Context, db *index.DB, opt Options) (*Report, error) {
	if opt.Settle == 0 {
		opt.Settle = 3 * time.Second
	}
	if db == nil || opt.Protocols == nil {
		return &Report{Wrong: []Finding{}, Notes: []Finding{}}, errors.New("verify: no archive, or no protocols to read its journals by")
	}
	c := &checker{dir: db.Dir(), db: db, opt: &opt, report: &Report{Wrong: []Finding{}, Notes: []Finding{}},
		stems: map[string]bool{}, replayed: map[string]bool{}, seen: map[string]string{}}
	files, journals, err := c.list()
	if err == nil {
		err = c.readIndex(ctx)
	}
	if err != nil {
		return c.report, fmt.Errorf("verify: %w", err)
	}
	var gnubg []string
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return c.report, fmt.Errorf("verify: %w", err)
		}
		if c.match(f) && opt.Gnubg != "" {
			gnubg = append(gnubg, f)
		}
		if opt.Told != nil {
			opt.Told(i+1, len(files))
		}
	}
	late := c.journals(journals)
	if err := c.settle(ctx, late); err != nil {
		return c.report, fmt.Errorf("verify: %w", err)
	}
	c.strangers()
	if opt.Gnubg != "" {
		if err := c.gnubg(ctx, gnubg); err != nil {
			return c.report, fmt.Errorf("verify: %w", err)
		}
	}
	return c.report, nil
}

func (c *checker) wrong(file, problem string, args ...any) {
	c.report.Wrong = append(c.report.Wrong, Finding{file, fmt.Sprintf(problem, args...)})
}

func (c *checker) note(file, problem string, args ...any) {
	c.report.Notes = append(c.report.Notes, Finding{file, fmt.Sprintf(problem, args...)})
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
			c.wrong(c.rel(path), "cannot be read: %v", err)
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
		case strings.HasSuffix(name, ".damaged"):
			c.wrong(c.rel(path), "a damaged journal, set aside: the match in it is not filed")
		}
		return nil
	})
	return files, journals, err
}

func stem(file string) string {
	base := filepath.Base(filepath.FromSlash(file))
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// match looks at one match file with all that belongs to it, and reports whether it can
// be read.
func (c *checker) match(path string) bool {
	name := c.rel(path)
	if !c.second {
		c.report.Matches++
	}
	m, warns, err := sgf.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		c.later(path, name, "is gone")
		return false
	}
	if err != nil {
		c.wrong(name, "cannot be read: %v", err)
		return false
	}
	foreign := strings.HasPrefix(name, index.ImportDir+"/")
	tell := c.wrong
	if foreign {
		tell = c.note // it came like that
	}
	if len(warns) > 0 {
		if slices.ContainsFunc(m.Games, func(g record.Game) bool { return torn(&g) }) {
			c.note(name, "%v", warns[0]) // a hole looks odd to a reader, and the journal tells the rest
		} else {
			tell(name, "%v", warns[0])
		}
	}
	if what := illegal(m); what != "" {
		tell(name, "%s", what)
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for _, beside := range []struct {
		ext  string
		read func(io.Reader) (*record.Match, []record.Warning, error)
	}{{".fibs", oldmoves.Read}, {".mat", mat.Read}} {
		ext := beside.ext
		if other, err := readFile(stem+ext, beside.read); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.wrong(c.rel(stem+ext), "cannot be read: %v", err)
		} else if err == nil {
			if diff := samePlays(m, other, ext == ".mat"); diff != "" {
				c.wrong(c.rel(stem+ext), "differs from the .sgf: %s", diff)
			}
		}
	}
	if !foreign {
		c.journal(path, name, m)
	}
	c.row(path, name, m)
	return true
}

// readFile reads a file beside a match file; one that is a pipe is not waited for.
func readFile(path string, read func(io.Reader) (*record.Match, []record.Warning, error)) (*record.Match, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, _, err := read(f)
	return m, err
}

// later keeps a problem that may be a match just being filed for a second look, and
// tells it where the file is older, or this is that look.
func (c *checker) later(path, name, problem string) {
	if !c.second && c.young(path) {
		c.again = append(c.again, path)
		return
	}
	c.wrong(name, "%s", problem)
}

// young reports whether a file may be in the middle of being filed.
func (c *checker) young(path string) bool {
	st, err := os.Stat(path)
	return err != nil || time.Since(st.ModTime()) < young
}

// settle looks again at what may have been in the middle of being filed, and at the
// journals of late.
func (c *checker) settle(ctx context.Context, late []string) error {
	if len(c.again) == 0 && len(late) == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(c.opt.Settle):
	}
	c.second = true
	if err := c.readIndex(ctx); err != nil {
		return err
	}
	for _, path := range c.again {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue // moved, to a folder of its day or opponent
		}
		c.match(path)
	}
	for _, j := range late {
		if !c.filed(stem(j)) {
			c.wrong(c.rel(j), "its match file is missing")
		}
	}
	return nil
}
