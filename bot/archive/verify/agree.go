package verify

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/engine/record"
)

// journal compares a match file with its journal.
func (c *checker) journal(path, name string, m *record.Match, meta *index.Meta) {
	journal := archive.JournalOf(c.dir, path)
	r, err := archive.Replay(journal, c.opt.Protocols)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if c.exists("open/" + filepath.Base(journal)) {
			c.note(name, "its journal is still in open/ (the next start of the bot moves it)")
		} else if !c.second {
			c.found.Unlogged++
		}
	case err != nil:
		c.wrong(c.rel(journal), "%v", err)
	default:
		if diff := difference(r.Match, m, meta); diff != "" {
			if other := c.copies[index.Identity(m)]; other != "" && other != name {
				diff = "it has the match of " + other
			}
			c.wrong(name, "differs from its journal: %s", diff)
			return
		}
		c.replayed[name] = true
		c.found.Replayed = len(c.replayed)
	}
}

// beside reports missing files of those that a bot filed with a match.
func (c *checker) beside(name string, meta *index.Meta) {
	for _, ext := range strings.Fields(meta.Beside) {
		file := strings.TrimSuffix(name, path.Ext(name)) + ext
		if ext == ".journal" {
			if file = "journal/" + path.Base(file); c.exists("open/" + path.Base(file)) {
				continue
			}
		}
		if !c.exists(file) {
			c.wrong(file, "missing: it was filed with the match")
		}
	}
}

// difference describes the first difference between a match file and the match of its
// journal, or returns "". The file has the names that its Meta says it was given.
func difference(journal, file *record.Match, meta *index.Meta) string {
	if journal == nil {
		return "the journal is of a watched match"
	}
	journal.Settle() // as reading a file does
	if diff := samePlays(journal, file, false); diff != "" {
		return diff
	}
	if meta.Renamed != [2]string{} {
		if meta.Identity != index.Identity(journal) {
			return "it was renamed, and was another match before"
		}
		for i, name := range meta.Renamed {
			journal.Players[i].Name = name
		}
	}
	diff := sameHead(journal, file)
	if diff == "" && index.Identity(journal) != index.Identity(file) {
		return "another play in a game with a hole"
	}
	return diff
}

// filed reports whether the archive now has a match file with that stem.
func (c *checker) filed(stem string) bool {
	found := c.stems[stem] || c.pruned[stem]
	if !found {
		_ = filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == stem+".sgf" {
				found = true
				return fs.SkipAll
			}
			return nil
		})
	}
	return found
}

// journals checks the journals of matches without a file and of matches in progress. It
// returns those whose matches may be in the middle of filing.
func (c *checker) journals(paths []string) (late []string) {
	for _, path := range paths {
		open := filepath.Base(filepath.Dir(path)) == "open"
		if !open && (c.stems[stem(path)] || c.pruned[stem(path)]) {
			continue // compared with its file already, or pruned
		}
		r, err := archive.Replay(path, c.opt.Protocols)
		st, serr := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case open && serr == nil && st.Size() == 0: // a match that is just beginning
		case err != nil:
			c.wrong(c.rel(path), "%v", err)
		case open:
			c.found.Running++
		case r.Played:
			late = append(late, path)
		}
	}
	return late
}

// readIndex reads the index and the rows of pruned matches.
func (c *checker) readIndex(ctx context.Context) error {
	c.rows, c.byID, c.copies, c.pruned = map[string]index.Match{}, map[string]string{}, map[string]string{}, map[string]bool{}
	c.found.Rows, c.found.Pruned = 0, 0
	err := c.db.List(ctx, index.Filter{}, func(m *index.Match) error {
		c.found.Rows++
		c.byID[m.ID] = m.File
		if id := index.CopiesOf(m); id != "" {
			c.copies[id] = m.File
		}
		if m.Pruned {
			c.found.Pruned++
			c.pruned[stem(m.File)] = true
			return nil
		}
		c.rows[m.File] = *m
		return nil
	})
	if err != nil {
		return err
	}
	bad, err := index.ReadPruned(c.dir, func(m *index.Match) error {
		c.pruned[stem(m.File)] = true
		if _, ok := c.byID[m.ID]; !ok && !c.second {
			c.wrong(m.File, "pruned, and missing in the index (run fibsbot archive rebuild)")
		}
		return nil
	})
	if !c.second {
		for _, e := range bad {
			c.wrong(index.PrunedName, "%v", e)
		}
	}
	return err
}

// row compares a match file with its row of the index.
func (c *checker) row(path, name string, m *record.Match, meta index.Meta) {
	want, err := index.Known(c.dir, path, m, meta)
	if err != nil {
		c.wrong(name, "%v", err)
		return
	}
	if first, twice := c.seen[want.ID]; twice && first != name {
		c.note(name, "same match as %s, counted once", first)
		return
	}
	c.seen[want.ID] = name
	have, ok := c.rows[name]
	switch {
	case ok:
		if diff := have.Differs(want); diff != "" {
			c.wrong(name, "the index differs: %s (run fibsbot archive rebuild)", diff)
		}
	case c.byID[want.ID] != "" && c.byID[want.ID] != name && c.exists(c.byID[want.ID]):
		c.note(name, "same match as %s, counted once", c.byID[want.ID])
	case c.copies[want.ID] != "":
		c.note(name, "same match as %s, counted once", c.copies[want.ID])
	default:
		c.wrong(name, "missing in the index (run fibsbot archive rebuild)")
	}
}

func (c *checker) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(c.dir, filepath.FromSlash(name)))
	return err == nil
}

// orphans are the rows without a file.
func (c *checker) orphans() (names []string) {
	for name := range c.rows {
		if !c.exists(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
