package verify

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/record"
)

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
