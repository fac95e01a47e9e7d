package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// memory holds rows in memory. A change replaces the snapshot, so readers need no lock while
// they read.
type memory struct {
	change sync.Mutex // held by update
	mu     sync.Mutex // guards now and full
	now    *snapshot
	full   bool // the match files were read
}

// snapshot is one state of the rows. Neither it nor its matches change.
type snapshot struct {
	byID   map[string]*Match
	newest func() []*Match // in the order of list
}

func newSnapshot(byID map[string]*Match) *snapshot {
	return &snapshot{byID, sync.OnceValue(func() []*Match {
		return slices.SortedFunc(maps.Values(byID), func(a, b *Match) int {
			return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.Clock, a.Clock), b.Finished.Compare(a.Finished), cmp.Compare(b.File, a.File), cmp.Compare(a.ID, b.ID))
		})
	})}
}

func newMemory() *memory { return &memory{now: newSnapshot(map[string]*Match{})} }

func (d *memory) snapshot() *snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// Close implements rows.
func (d *memory) Close() error { return nil }

// check implements rows.
func (d *memory) check(context.Context) error { return nil }

// incomplete implements rows.
func (d *memory) incomplete(context.Context) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.full, nil
}

// own returns a copy of a row for a caller, without its games.
func (m *Match) own() *Match {
	out := *m
	out.Rows, out.Tags, out.Splits = nil, slices.Clone(m.Tags), slices.Clone(m.Splits)
	return &out
}

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

// fits reports whether a filter chooses the match.
func (f *Filter) fits(m *Match) bool {
	for _, p := range [...]struct{ pattern, text string }{{f.Account, m.Account}, {f.Opponent, m.Opponent}, {f.Preset, m.Preset}, {f.Event, m.Event}} {
		if p.pattern != "" && !like(p.pattern, p.text) {
			return false
		}
	}
	result, chosen := map[string]int{"won": 1, "lost": -1, "unfinished": 0}[f.Result]
	switch {
	case f.pair != "" && f.pair != pairOf(m.Account, m.Opponent),
		len(f.Accounts) > 0 && !slices.Contains(f.Accounts, m.Account),
		f.Tag != "" && !slices.ContainsFunc(m.Tags, func(t string) bool { return like(f.Tag, t) }),
		f.Text != "" && !slices.ContainsFunc(append([]string{m.Account, m.Opponent, m.Event}, m.Tags...), func(t string) bool { return like("*"+f.Text+"*", t) }),
		f.Server != "" && m.Server != "" && !strings.EqualFold(f.Server, m.Server),
		f.Unlimited && m.Length != 0,
		!f.Unlimited && f.Length > 0 && m.Length != f.Length,
		!f.From.IsZero() && storedTime(m.Started) < f.From.Unix(),
		!f.To.IsZero() && storedTime(m.Started) >= f.To.Unix(),
		chosen && m.Result != result:
		return false
	}
	return true
}

// list implements rows.
func (d *memory) list(ctx context.Context, f *Filter, yield func(*Match) error) error {
	n := 0
	for _, m := range d.snapshot().newest() {
		if !f.fits(m) {
			continue
		}
		if n++; f.Limit > 0 && n > f.Limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(m.own()); err != nil {
			return err
		}
	}
	return nil
}

// named implements rows.
func (d *memory) named(_ context.Context, id string) (found []*Match, _ error) {
	now, lower := d.snapshot(), strings.ToLower(id)
	if m := now.byID[id]; m != nil {
		found = append(found, m.own())
	}
	for _, m := range now.newest() {
		if len(found) < 2 && m.ID != id && (strings.HasPrefix(strings.ToLower(m.ID), lower) || strings.Contains(strings.ToLower(m.File), lower)) {
			found = append(found, m.own())
		}
	}
	return found, nil
}

// games implements rows.
func (d *memory) games(_ context.Context, id string) ([]Game, error) {
	if m := d.snapshot().byID[id]; m != nil {
		return slices.Clone(m.Rows), nil
	}
	return nil, nil
}

// same implements rows.
func (d *memory) same(_ context.Context, identity string) (out []copyRow, _ error) {
	for id, m := range d.snapshot().byID {
		if sameOf(id) == identity {
			out = append(out, copyRow{id, m.File, m.Started})
		}
	}
	slices.SortFunc(out, func(a, b copyRow) int { return cmp.Or(a.started.Compare(b.started), cmp.Compare(a.id, b.id)) })
	return out, nil
}

// names implements rows.
func (d *memory) names(_ context.Context, opponents bool) (map[string]int, error) {
	out := map[string]int{}
	for _, m := range d.snapshot().byID {
		out[m.Account]++
		if opponents {
			out[m.Opponent]++
		}
	}
	return out, nil
}

// dice implements rows.
func (d *memory) dice(_ context.Context, f *Filter, add func(games int, one *Dice)) error {
	return d.list(context.Background(), f, func(m *Match) error {
		add(m.Games, &m.Dice)
		return nil
	})
}

// mirrored returns the row in the view of the opponent.
func (m *Match) mirrored() *Match {
	out := *m
	out.Account, out.Opponent, out.Me, out.Result, out.Adjusted = m.Opponent, m.Account, 1-m.Me, -m.Result, -m.Adjusted
	out.Shallow[0], out.Shallow[1] = m.Shallow[1], m.Shallow[0]
	out.Score[0], out.Score[1] = m.Score[1], m.Score[0]
	for _, p := range []*[2]Figure{&out.Rating, &out.RatingAfter, &out.Error, &out.Checker, &out.Cube, &out.Unforced, &out.Close, &out.Counted, &out.PR, &out.Luck} {
		p[0], p[1] = p[1], p[0]
	}
	return &out
}

// sum implements rows.
func (d *memory) sum(_ context.Context, both *pair, f *Filter, g group) ([]Stats, error) {
	type row struct {
		key   string
		n     int
		found map[string]Figure // by the SQL of the sum
	}
	list, byKey, n := sums(), map[string]*row{}, 0
	add := func(m *Match) {
		if !f.fits(m) || f.Limit > 0 && n == f.Limit {
			return
		}
		n++
		key := g.key(m)
		r := byKey[key]
		if r == nil {
			r = &row{key: key, found: map[string]Figure{}}
			byKey[key] = r
		}
		r.n++
		for _, s := range list {
			v, known := r.found[s.sql]
			switch one := s.one(m); {
			case !known:
				r.found[s.sql] = one
			case s.most:
				r.found[s.sql] = max(v, one)
			default:
				r.found[s.sql] = v.Plus(one)
			}
		}
	}
	for _, m := range d.snapshot().newest() {
		add(m)
		if both != nil && !(like(both.name, m.Account) && like(both.other, m.Opponent)) {
			add(m.mirrored())
		}
	}
	out := []Stats{}
	for _, r := range slices.SortedFunc(maps.Values(byKey), func(a, b *row) int {
		if g.period {
			return cmp.Or(cmp.Compare(oneIf(a.key == ""), oneIf(b.key == "")), cmp.Compare(a.key, b.key))
		}
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key, b.key))
	}) {
		out = append(out, summed(r.key, func(s Sum) Figure { return r.found[s.sql] }))
	}
	return out, nil
}

// update implements rows.
func (d *memory) update(_ context.Context, do func(edits) error) error {
	d.change.Lock()
	defer d.change.Unlock()
	next := &memoryChanges{byID: maps.Clone(d.snapshot().byID)}
	if err := do(next); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now, d.full = newSnapshot(next.byID), d.full || next.cleared
	return nil
}

// memoryChanges are changes of the next snapshot.
type memoryChanges struct {
	byID    map[string]*Match
	cleared bool
}

// clear implements edits.
func (c *memoryChanges) clear() error {
	clear(c.byID)
	c.cleared = true
	return nil
}

// insert implements edits.
func (c *memoryChanges) insert(m *Match) error {
	row := *m
	row.Started, row.Finished = moment(storedTime(m.Started)), moment(storedTime(m.Finished))
	row.Tags, row.Splits, row.Rows = slices.Clone(m.Tags), slices.Clone(m.Splits), slices.Clone(m.Rows)
	c.byID[m.ID] = &row
	return nil
}

// remove implements edits.
func (c *memoryChanges) remove(id string) error {
	delete(c.byID, id)
	return nil
}

// files implements edits.
func (c *memoryChanges) files(identity string) (out []string, _ error) {
	for id, m := range c.byID {
		if sameOf(id) == identity {
			out = append(out, m.File)
		}
	}
	return out, nil
}

// storedTime returns a time in whole Unix seconds, 0 for the zero time.
func storedTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
