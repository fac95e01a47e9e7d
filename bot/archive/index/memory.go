package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// memory holds rows in memory. A change replaces the snapshot, so readers need no lock while
// they read.
type memory struct {
	change sync.Mutex // held by update
	now    atomic.Pointer[snapshot]
}

// snapshot is one state of the rows. It changes only before it is that of memory, and its matches
// never do.
type snapshot struct {
	byID   map[string]*Match
	full   bool            // the match files were read
	newest func() []*Match // in the order of list
}

func newMemory() *memory {
	d := &memory{}
	d.now.Store((&snapshot{byID: map[string]*Match{}}).sorted())
	return d
}

// sorted makes list sort the rows, once.
func (s *snapshot) sorted() *snapshot {
	s.newest = sync.OnceValue(func() []*Match {
		return slices.SortedFunc(maps.Values(s.byID), func(a, b *Match) int {
			return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.Clock, a.Clock), b.Finished.Compare(a.Finished), cmp.Compare(b.File, a.File), cmp.Compare(a.ID, b.ID))
		})
	})
	return s
}

// Close implements rows.
func (d *memory) Close() error { return nil }

// check implements rows.
func (d *memory) check(context.Context) error { return nil }

// incomplete implements rows.
func (d *memory) incomplete(context.Context) (bool, error) { return !d.now.Load().full, nil }

// like reports whether a text matches a pattern, in which * is any text. Both ignore case.
func like(pattern, text string) bool {
	parts := strings.Split(strings.ToLower(pattern), "*")
	rest, ok := strings.CutPrefix(strings.ToLower(text), parts[0])
	if len(parts) == 1 {
		return ok && rest == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		if !ok {
			return false
		}
		_, rest, ok = strings.Cut(rest, part)
	}
	return ok && strings.HasSuffix(rest, parts[last])
}

// fits reports whether a match has one of each list of conditions.
func fits(m *Match, all [][]condition) bool {
	for _, list := range all {
		if !slices.ContainsFunc(list, func(c condition) bool { return c.holds(columnOf(c.column).stored(m)) }) {
			return false
		}
	}
	return true
}

func (c *condition) holds(v any) bool {
	switch c.compare {
	case "like":
		return like(c.value.(string), v.(string))
	case ">=":
		return v.(int64) >= c.value.(int64)
	case "<":
		return v.(int64) < c.value.(int64)
	}
	return v == c.value
}

// list implements rows.
func (d *memory) list(ctx context.Context, f *Filter, names []string, yield func(*Match) error) error {
	return d.now.Load().list(ctx, f, names, yield)
}

// list implements edits.
func (s *snapshot) list(ctx context.Context, f *Filter, names []string, yield func(*Match) error) error {
	all, n := f.conditions(), 0
	for _, m := range s.newest() {
		if !fits(m, all) {
			continue
		}
		if n++; f.Limit > 0 && n > f.Limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// The caller may change its copy.
		own := *m
		own.Tags, own.Splits, own.Rows = slices.Clone(m.Tags), slices.Clone(m.Splits), nil
		if slices.Contains(names, "game_list") {
			own.Rows = slices.Clone(m.Rows)
		}
		if err := yield(&own); err != nil {
			return err
		}
	}
	return nil
}

// update implements rows.
func (d *memory) update(_ context.Context, do func(edits) error) error {
	d.change.Lock()
	defer d.change.Unlock()
	was := d.now.Load()
	next := (&snapshot{byID: maps.Clone(was.byID), full: was.full}).sorted()
	if err := do(next); err != nil {
		return err
	}
	d.now.Store(next)
	return nil
}

// clear implements edits.
func (s *snapshot) clear() error {
	s.byID, s.full = map[string]*Match{}, true
	s.sorted()
	return nil
}

// insert implements edits.
func (s *snapshot) insert(m *Match) error {
	row := *m
	row.Started, row.Finished = moment(storedTime(m.Started)), moment(storedTime(m.Finished))
	row.Tags, row.Splits, row.Rows = slices.Clone(m.Tags), slices.Clone(m.Splits), slices.Clone(m.Rows)
	s.byID[m.ID] = &row
	s.sorted()
	return nil
}

// remove implements edits.
func (s *snapshot) remove(id string) error {
	delete(s.byID, id)
	s.sorted()
	return nil
}

// storedTime returns a time in whole Unix seconds, 0 for the zero time.
func storedTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
