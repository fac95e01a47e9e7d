package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// pairOf is what rows of the same two players share.
func pairOf(a, b string) string {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return min(a, b) + "\n" + max(a, b)
}

// rollText describes the rolls of a match for mayMeet: a game after the other, each as its score
// and a letter a roll. The player whose name comes first in the alphabet is the first.
func rollText(m *record.Match) string {
	first := 0
	if strings.ToLower(m.Players[1].Name) < strings.ToLower(m.Players[0].Name) {
		first = 1
	}
	var b strings.Builder
	score := func(s [2]int) { fmt.Fprintf(&b, "%d-%d:", s[first], s[1-first]) }
	for i := range m.Games {
		score(m.Games[i].Score)
		for k := range m.Games[i].Actions {
			if a := &m.Games[i].Actions[k]; a.Rolled() {
				b.WriteByte(byte('A' + rollNumber(a.Dice) + 21*((a.Player^first)&1)))
			}
		}
		b.WriteByte(',')
	}
	score(m.FinalScore())
	return b.String()
}

// compared is how many rolls of a game mayMeet compares.
const compared = 4

// mayMeet reports whether the files of two matches of the same players are worth comparing: a game
// of one begins with rolls of the other's at the same score, or one ends where the other begins.
func mayMeet(a, b *Match) bool {
	x, y := strings.Split(a.Rolls, ","), strings.Split(b.Rolls, ",")
	if len(x) < 2 || len(y) < 2 {
		return false // nothing in it, or pruned long ago
	}
	if begin := head(y[0]); begin != "0-0:" && begin == x[len(x)-1] {
		return true
	}
	if begin := head(x[0]); begin != "0-0:" && begin == y[len(y)-1] {
		return true
	}
	for _, g := range x[:len(x)-1] {
		for _, h := range y[:len(y)-1] {
			if at := head(g); at == head(h) {
				g, h := g[len(at):], h[len(at):]
				if g != "" && h != "" && (strings.Contains(h, g[:min(compared, len(g))]) || strings.Contains(g, h[:min(compared, len(h))])) {
					return true
				}
			}
		}
	}
	return false
}

// head is the score that a game of rollText begins with.
func head(game string) string { return game[:strings.IndexByte(game, ':')+1] }

// part is a match of the archive that meets another record.
type part struct {
	*Edition
	row *Match
	record.Meeting
}

// meeting returns the matches of the archive, but for the row with the ID not, that are one match
// with rec, and those that may be. What a bot filed stays as its journal has it.
func (d *DB) meeting(ctx context.Context, rec *record.Match, not string) (one, perhaps []*part, err error) {
	like := &Match{Rolls: rollText(rec)}
	err = d.rows.list(ctx, &Filter{pair: pairOf(rec.Players[0].Name, rec.Players[1].Name)}, listed, func(row *Match) error {
		if row.ID == not || row.Pruned || !mayMeet(row, like) {
			return nil
		}
		e, err := d.Edit(row)
		if err != nil {
			return nil // verify reports it
		}
		p := &part{e, row, record.Meet(e.Match, rec)}
		short := p.Rolls < fewRolls && farFrom(rec.Date, row.Started)
		switch {
		case Played(row) && !p.Contained:
		case p.One() && !short:
			one = append(one, p)
		case p.One() || p.Perhaps():
			perhaps = append(perhaps, p)
		}
		return nil
	})
	slices.SortStableFunc(one, func(a, b *part) int {
		return cmp.Or(-cmp.Compare(oneIf(Played(a.row)), oneIf(Played(b.row))), -cmp.Compare(a.row.Moves, b.row.Moves), cmp.Compare(a.row.ID, b.row.ID))
	})
	return one, perhaps, err
}

// Perhaps returns the matches that may be one with that of a row, though too little proves it.
func (d *DB) Perhaps(ctx context.Context, row *Match) (out []*Match, err error) {
	e, err := d.Edit(row)
	if err != nil {
		return nil, err
	}
	_, list, err := d.meeting(ctx, e.Match, row.ID)
	for _, p := range list {
		out = append(out, p.row)
	}
	return out, err
}

// Apart calls found with each pair of matches that are one and still two rows.
func (d *DB) Apart(ctx context.Context, found func(a, b *Match)) error {
	pairs := map[string][]*Match{}
	return d.List(ctx, Filter{}, func(m *Match) error {
		pair := pairOf(m.Account, m.Opponent)
		for _, other := range pairs[pair] {
			if m.Pruned || other.Pruned || Played(m) && Played(other) || !mayMeet(m, other) {
				continue
			}
			a, bad := d.Edit(m)
			b, worse := d.Edit(other)
			if bad != nil || worse != nil {
				continue
			}
			met := record.Meet(a.Match, b.Match)
			if back := record.Meet(b.Match, a.Match); met.One() && (met.Contained || !Played(m)) && (back.Contained || !Played(other)) {
				found(m, other)
			}
		}
		pairs[pair] = append(pairs[pair], m)
		return nil
	})
}

// join adds to a change that the first of parts takes over the others, which go, and rec, which
// may be nil. It keeps its ID. Parts that contradict it stay.
func (d *DB) join(c *changes.Change, parts []*part, rec *record.Match) (Outcome, error) {
	base := parts[0]
	meta, err := ReadMeta(base.path)
	if err != nil {
		return WasKnown, err
	}
	was := meta
	tags := splitTags(meta.Tags)
	// A record that is judged to its end keeps what is joined from being judged again.
	var judged, bare []*record.Match
	add := func(m *record.Match, partly bool) {
		if partly || analyse.Depth(m) == "" {
			bare = append(bare, m)
		} else {
			judged = append(judged, m)
		}
	}
	before := *base.Match
	before.Games = slices.Clone(before.Games)
	add(&before, meta.Partly)
	became, changed := WasKnown, false
	for _, p := range parts[1:] {
		met := record.Meet(base.Match, p.Match)
		other, err := ReadMeta(p.path)
		if err != nil || met.Against != [3]string{} || Played(p.row) || Played(base.row) && !met.Contained {
			continue
		}
		_, _ = analyse.Merge(base.Match, p.Match, nil, analyse.DefaultLimits)
		add(p.Match, other.Partly)
		for _, t := range splitTags(other.Tags) {
			if !slices.Contains(tags, t) && len(tags) < maxTags {
				tags = append(tags, t)
			}
		}
		c.Remove(d.filesOf(p.row)...)
		c.Gone(p.row.ID)
		became, changed = WasJoined, true
	}
	if rec != nil {
		if !record.Meet(base.Match, rec).Contained || !record.Meet(rec, base.Match).Contained {
			became = WasJoined
		}
		_, more := analyse.Merge(base.Match, rec, nil, analyse.DefaultLimits)
		changed = changed || more
		add(rec, false)
	}
	if meta.Tags = strings.Join(tags, ","); Identity(base.Match) != sameOf(base.row.ID) && meta.Identity == "" {
		meta.Identity = sameOf(base.row.ID)
	}
	if len(judged) > 0 && len(bare) > 0 {
		meta.Partly = !slices.ContainsFunc(judged, func(m *record.Match) bool {
			met := record.Meet(m, base.Match)
			return met.Contained
		})
	}
	if meta != was {
		changed = true
		if err := base.meta(c, meta); err != nil {
			return WasKnown, err
		}
	}
	if !changed {
		return WasKnown, nil
	}
	return max(became, WasMerged), base.stage(c)
}

// apart is why two matches are not joined. It is an ErrFilter.
type apart string

func (a apart) Error() string   { return string(a) }
func (a apart) Is(e error) bool { return e == ErrFilter }

func notOne(format string, args ...any) error { return apart(fmt.Sprintf(format, args...)) }

// Merge joins two matches of the archive by hand, also where too little proves that they are one,
// and returns the row. Both are given as for Show. Their former states go into the trash under
// the ID of the one that goes.
func (d *DB) Merge(ctx context.Context, first, second string) (*Match, error) {
	var parts []*part
	for _, id := range []string{first, second} {
		row, err := d.Show(ctx, id)
		if err != nil {
			return nil, err
		}
		e, err := d.Edit(row)
		if err != nil {
			return nil, err
		}
		parts = append(parts, &part{Edition: e, row: row})
	}
	if x, y := parts[0].row, parts[1].row; !Played(x) && (Played(y) || y.Moves > x.Moves) {
		parts[0], parts[1] = parts[1], parts[0]
	}
	base, other := parts[0], parts[1]
	name := func(m *Match) string { return fmt.Sprintf("%.8s", m.ID) }
	switch met := record.Meet(base.Match, other.Match); {
	case base.row.ID == other.row.ID:
		return nil, notOne("both are the match %s", name(base.row))
	case met.Against != [3]string{}:
		return nil, notOne("these are two matches: %s", met.Contradiction(name(base.row), name(other.row)))
	case Played(other.row), Played(base.row) && !met.Contained:
		return nil, notOne("a bot filed %s, whose journal has less than both", name(base.row))
	}
	row, err := d.one(ctx, func(c *changes.Change) error {
		files := append(d.filesOf(other.row), base.row.File, MetaFile(base.row.File))
		if err := c.Write(TrashDir+"/"+other.row.ID+".zip", 0o600, func(w io.Writer) error { return d.pack(w, other.row, base.row.File, files) }); err != nil {
			return fmt.Errorf("merge: %w", err)
		}
		_, err := d.join(c, parts, nil)
		return err
	})
	if err == nil && row == nil {
		err = errors.New("merge: no match file")
	}
	return row, err
}
