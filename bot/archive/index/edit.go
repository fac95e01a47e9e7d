package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive/revise"
	"fibsbot/bot/internal/changes"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// Change says what to change about a match; nil fields stay as they are.
type Change struct {
	// Account is the player whose match it is, by the new name.
	Account *string `json:"account,omitempty"`
	// Players are the new names of the account and the opponent.
	Players *[2]string `json:"players,omitempty"`
	Event   *string    `json:"event,omitempty"`
	Round   *string    `json:"round,omitempty"`
	Place   *string    `json:"place,omitempty"`
	// Date is YYYY-MM-DD, or empty for unknown.
	Date      *string `json:"date,omitempty"`
	Annotator *string `json:"annotator,omitempty"`
	Comment   *string `json:"comment,omitempty"`
	// Tags are the user's, without commas; they replace the old ones.
	Tags *[]string `json:"tags,omitempty"`
	// Swap exchanges player 0 and player 1 in the file; the account stays.
	Swap bool `json:"swap,omitempty"`
}

// Bounds of a Change.
const (
	maxText    = 200 // bytes of a name, an event and so on
	maxComment = 16 << 10
	maxTags    = 20
)

// ErrChange means that a change is invalid; the error names the field.
var ErrChange = fmt.Errorf("%w: change", ErrFilter)

func (c *Change) check() error {
	for _, f := range []struct {
		name string
		text *string
		most int
	}{{"event", c.Event, maxText}, {"round", c.Round, maxText}, {"place", c.Place, maxText}, {"annotator", c.Annotator, maxText}, {"comment", c.Comment, maxComment}} {
		if f.text != nil && len(*f.text) > f.most {
			return badField(ErrChange, f.name, "longer than %d bytes", f.most)
		}
	}
	if c.Date != nil && *c.Date != "" {
		if _, err := time.Parse(time.DateOnly, *c.Date); err != nil {
			return badField(ErrChange, "date", "%.20q is not a date (use YYYY-MM-DD)", *c.Date)
		}
	}
	if p := c.Players; p != nil {
		for _, name := range p {
			if strings.TrimSpace(name) == "" || len(name) > maxText || strings.ContainsAny(name, "\r\n\t") {
				return badField(ErrChange, "players", "%.40q is not a name", name)
			}
		}
		if strings.EqualFold(p[0], p[1]) {
			return badField(ErrChange, "players", "both players are %.40q", p[0])
		}
	}
	if c.Tags != nil {
		if len(*c.Tags) > maxTags {
			return badField(ErrChange, "tags", "more than %d tags", maxTags)
		}
		for _, t := range *c.Tags {
			if strings.TrimSpace(t) != t || t == "" || len(t) > maxText || strings.ContainsAny(t, ",\r\n\t") {
				return badField(ErrChange, "tags", "%.40q is not a tag (1 to %d bytes without commas)", t, maxText)
			}
		}
	}
	return nil
}

// head changes the head of the match; me is the account's player number.
func (c *Change) head(m *record.Match, me int) {
	for _, f := range []struct{ to, v *string }{{&m.Event, c.Event}, {&m.Round, c.Round}, {&m.Place, c.Place},
		{&m.Date, c.Date}, {&m.Annotator, c.Annotator}, {&m.Comment, c.Comment}} {
		if f.v != nil {
			*f.to = *f.v
		}
	}
	if c.Players != nil {
		m.Players[me].Name, m.Players[1-me].Name = c.Players[0], c.Players[1]
	}
	if c.Swap {
		*m = *m.Swapped()
	}
}

// Change changes a match of the archive and returns its new row. The match keeps its ID, and
// a copy of the original file is still known as this match. The error wraps ErrChange or
// ErrPlayer if the change is refused, and ErrPruned without a file.
func (d *DB) Change(ctx context.Context, row *Match, c Change) (*Match, error) {
	return d.one(ctx, func(log *changes.Change) error {
		e, meta, err := d.changed(row, &c)
		if err != nil {
			return err
		}
		return errors.Join(e.meta(log, meta), e.stage(log))
	})
}

// changed returns a match and its Meta with a change.
func (d *DB) changed(row *Match, c *Change) (e *Edition, meta Meta, err error) {
	if err := c.check(); err != nil {
		return nil, meta, err
	}
	if c.Swap && Played(row) {
		return nil, meta, badField(ErrChange, "swap", "not possible for a match that a bot filed, as its journal has this order")
	}
	if e, err = d.Edit(row); err == nil {
		meta, err = ReadMeta(e.path)
	}
	if err != nil {
		return nil, meta, err
	}
	names := [2]string{row.Account, row.Opponent}
	if c.Players != nil {
		names = *c.Players
	}
	account := names[0]
	if c.Account != nil {
		i := slices.IndexFunc(names[:], func(n string) bool { return strings.EqualFold(n, *c.Account) })
		if i < 0 {
			return nil, meta, badField(ErrPlayer, "account", "%.40q is not a player of the match (use %s or %s)", *c.Account, names[0], names[1])
		}
		account = names[i]
	}
	if c.Account != nil || c.Players != nil || c.Swap {
		meta.Account = account
	}
	if (c.Players != nil || c.Swap) && meta.Identity == "" {
		meta.Identity = sameOf(row.ID)
	}
	if c.Swap {
		meta.Swapped = !meta.Swapped
		meta.RatingAfter[0], meta.RatingAfter[1] = meta.RatingAfter[1], meta.RatingAfter[0]
	}
	if c.Date != nil && *c.Date != "" && !meta.Started.IsZero() {
		day, _ := time.Parse(time.DateOnly, *c.Date) // checked
		by := day.Sub(meta.Started.UTC().Truncate(24 * time.Hour))
		meta.Started = meta.Started.Add(by)
		if !meta.Finished.IsZero() {
			meta.Finished = meta.Finished.Add(by)
		}
	}
	if c.Tags != nil {
		meta.Tags = strings.Join(*c.Tags, ",")
	}
	c.head(e.Match, row.Me)
	if meta.Renamed != [2]string{} || c.Players != nil {
		meta.Renamed = [2]string{e.Match.Players[0].Name, e.Match.Players[1].Name}
	}
	return e, meta, nil
}

// Rename gives the opponent from the name to, in all matches against from; case is ignored.
// So matches against one person under several names count together. It returns how many
// matches it changed, all at once. Matches that it could not change keep their names; the error
// names them.
func (d *DB) Rename(ctx context.Context, from, to string) (changed int, err error) {
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if from == "" {
		return 0, badField(ErrChange, "from", "a name is missing")
	}
	if from == to {
		return 0, badField(ErrChange, "to", "both names are %.40q", to)
	}
	if err := (&Change{Players: &[2]string{from + to, to}}).check(); err != nil { // the account differs in any case
		return 0, badField(ErrChange, "to", "%.40q is not a name", to)
	}
	var rows []*Match
	if err := d.List(ctx, Filter{}, func(m *Match) error {
		if strings.EqualFold(m.Opponent, from) {
			rows = append(rows, m)
		}
		return nil
	}); err != nil {
		return 0, err
	}
	if len(rows) == 0 {
		return 0, badField(ErrChange, "from", "no match against %.40q", from)
	}
	var bad []error
	_, err = d.Do(ctx, func(log *changes.Change) error {
		for _, row := range rows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e, meta, err := d.changed(row, &Change{Players: &[2]string{row.Account, to}})
			if err != nil {
				bad = append(bad, fmt.Errorf("%s: %w", row.File, err))
				continue
			}
			if err := errors.Join(e.meta(log, meta), e.stage(log)); err != nil {
				return err
			}
			changed++
		}
		return nil
	})
	if err != nil {
		return 0, errors.Join(append(bad, err)...)
	}
	return changed, errors.Join(bad...)
}

// Edition is a match read from its file to be changed. Store saves Match.
type Edition struct {
	Match *record.Match
	// Again makes the change to the file's current content if another process has changed
	// it since. By default it adds what Match has more, see analyse.Merge.
	Again func(now *record.Match) error

	db   *DB
	name string // of the file, as in the row
	path string
	file *revise.File
	bare bool // had no analysis
	// judged and partly are of Judged and StorePartly.
	judged, partly bool
}

// Edit reads the match of a row to change it.
func (d *DB) Edit(row *Match) (*Edition, error) {
	path, err := d.pathOf(row)
	if err != nil {
		return nil, err
	}
	e := &Edition{db: d, name: row.File, path: path, bare: !row.Plies.Known()}
	if e.file, e.Match, _, err = revise.Open(e.path); err != nil {
		return nil, fmt.Errorf("%s: %w", row.File, err)
	}
	return e, nil
}

// pathOf returns the path of the match file of a row.
func (d *DB) pathOf(row *Match) (string, error) {
	if row.Pruned {
		return "", fmt.Errorf("%s: %w", row.File, ErrPruned)
	}
	if !filepath.IsLocal(filepath.FromSlash(row.File)) {
		return "", fmt.Errorf("match %s: the file %s is outside the archive", row.ID, row.File)
	}
	return d.path(row.File), nil
}

// path is the path of a file of the archive by its name as in a row.
func (d *DB) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// Store writes the match to its file, updates its row and returns it. It keeps what another
// process has changed in the file since; Match then has both.
func (e *Edition) Store(ctx context.Context) (*Match, error) {
	return e.db.one(ctx, func(c *changes.Change) error {
		if e.judged {
			meta, err := ReadMeta(e.path)
			if err != nil {
				return err
			}
			if e.partly != meta.Partly && (meta.Partly || e.bare) {
				meta.Partly = e.partly
				if err := e.meta(c, meta); err != nil {
					return err
				}
			}
		}
		return e.stage(c)
	})
}

// stage adds the steps of Store to a change.
func (e *Edition) stage(c *changes.Change) error {
	again := e.Again
	if again == nil {
		again = func(now *record.Match) error {
			analyse.Merge(now, e.Match, nil, analyse.DefaultLimits)
			return nil
		}
	}
	now, err := e.file.StoreBy(e.Match, again, func(perm os.FileMode, data []byte) error { return c.WriteBytes(e.name, perm, data) })
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	e.Match = now
	c.Rows(e.name)
	return nil
}

// meta makes a change write the Meta of the match.
func (e *Edition) meta(c *changes.Change, m Meta) error { return StageMeta(c, e.name, m) }

// Judged makes Store add only the analysis to a file that another process has changed.
func (e *Edition) Judged() {
	e.judged = true
	e.Again = func(now *record.Match) error { return revise.Judge(e.Match)(now) }
}

// StorePartly is Store for an analysis that was stopped: a match that had none before counts
// as not analysed, so that it is analysed to the end later.
func (e *Edition) StorePartly(ctx context.Context) error {
	e.partly = true
	_, err := e.Store(ctx)
	return err
}
