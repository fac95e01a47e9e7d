package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/engine/record"
)

// Identity names what happened in a match: the players, the length, every roll and the
// position after it. A copy has the same identity in every format; dates, ratings,
// comments and analysis do not matter. Two matches may have the same, when both were
// given up after the first play: the ID of a row tells those apart that were played here,
// see rowID, and those of a few rolls on different days, see otherDay.
func Identity(m *record.Match) string { return identity(m, 0) }

// identity is Identity as the file of the other player has it when other is 1.
func identity(m *record.Match, other int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%d\n", strings.ToLower(m.Players[other].Name), strings.ToLower(m.Players[1-other].Name), m.Length)
	for i := range m.Games {
		g := &m.Games[i]
		fmt.Fprintf(h, "game %d %d\n", g.Score[other], g.Score[1-other])
		for t := range m.Turns(g) {
			if t.Action.Kind == record.SetUp {
				continue
			}
			key := t.Play.Result.Key()
			if t.Action.Kind != record.Move {
				key = t.Position.Key()
			}
			d := t.Action.Dice.Sorted()
			h.Write([]byte{byte(t.Player ^ other), byte(t.Action.Kind), d.A, d.B})
			h.Write(key[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// rowID is the ID of the row of a match with the given Identity. Of a match that was
// played here it goes on with a mark of its start, which is in the name of its file, so
// that no two of them are ever taken for one. A match from elsewhere has the Identity alone.
func rowID(identity, file string) string {
	name := stemOf(file)
	if ownName(file) {
		return identity + "-" + mark(name)
	}
	if m, ok := strings.CutPrefix(name, identity+"-"); ok && len(m) == markLen {
		if _, err := hex.DecodeString(m); err == nil {
			return name // filed by Import with the start of the match
		}
	}
	return identity
}

const markLen = 8

func mark(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:markLen]
}

// PlayedID is the ID that Import gives to a match of which meta tells when it began.
func PlayedID(m *record.Match, meta Meta) string {
	id := Identity(m)
	if meta.Started.IsZero() {
		return id
	}
	return id + "-" + mark(meta.Server+"\n"+meta.Account+"\n"+meta.Started.UTC().Format(time.RFC3339Nano))
}

// sameOf is the Identity in the ID of a row.
func sameOf(id string) string {
	same, _, _ := strings.Cut(id, "-")
	return same
}

// CopiesOf is the ID that a copy of a match played here would have, a file from elsewhere
// with the same plays; "" of a match that was not filed by a bot.
func CopiesOf(m *Match) string {
	if !ownName(m.File) {
		return ""
	}
	return sameOf(m.ID)
}

func stemOf(file string) string {
	base := path.Base(filepath.ToSlash(file))
	return strings.TrimSuffix(base, path.Ext(base))
}

// startOf reads when a match began from the name of its file, as package archive
// names it: 2026-11-22_120503_Robo-bob_5pt.sgf. Match files themselves hold the day.
func startOf(file string) (time.Time, bool) {
	const layout = "2006-01-02_150405"
	base := path.Base(filepath.ToSlash(file))
	if len(base) <= len(layout) || base[len(layout)] != '_' {
		return time.Time{}, false
	}
	at, err := time.Parse(layout, base[:len(layout)])
	return at, err == nil
}

// ownName tells whether a file is named as package archive names what a bot played.
func ownName(file string) bool {
	_, ok := startOf(file)
	return ok
}

// Find returns the row of which rec is a copy, or the other player's file of the same
// match; the error is ErrNotFound without one. Of several it is the one of rec's day.
func (d *DB) Find(ctx context.Context, rec *record.Match) (*Match, error) {
	id, _, _, err := d.copyOf(ctx, rec)
	if err == nil && id == "" {
		err = fmt.Errorf("%w: %s", ErrNotFound, Identity(rec))
	}
	if err != nil {
		return nil, err
	}
	return d.Show(ctx, id)
}

// copyOf returns ID and file of the row of which rec is a copy, "" without one. turned
// tells that rec is the other player's file.
func (d *DB) copyOf(ctx context.Context, rec *record.Match) (id, file string, turned bool, err error) {
	for other, same := range []string{Identity(rec), identity(rec, 1)} {
		if id, file, err = d.sameOn(ctx, same, rec); err != nil {
			return "", "", false, fmt.Errorf("look up match %s: %w", same, err)
		}
		if id != "" {
			return id, file, other == 1, nil
		}
	}
	return "", "", false, nil
}

// sameOn returns ID and file of the row with that Identity that is of rec's day, or else
// of the first that is not of another, see otherDay; "" without one.
func (d *DB) sameOn(ctx context.Context, same string, rec *record.Match) (id, file string, err error) {
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT id, file, started FROM matches WHERE same = ? ORDER BY started, id`), same)
	if err != nil {
		return "", "", err
	}
	defer rows.Close()
	for rows.Next() {
		var i, f string
		var started int64
		if err := rows.Scan(&i, &f, &started); err != nil {
			return "", "", err
		}
		if moment(started).Format(time.DateOnly) == rec.Date {
			return i, f, nil
		}
		if id == "" && !otherDay(rec, moment(started)) {
			id, file = i, f
		}
	}
	return id, file, rows.Err()
}

// fewRolls is how many rolls prove that two matches are one, whatever their files say of the
// day: two of seven rolls are alike once in a thousand million times, before a play is made.
const fewRolls = 8

// otherDay tells whether rec, in which what happened may happen twice, is of another day than
// a match that began at: of one more than the next, which time zones make. It is not where
// one of them has no day.
func otherDay(rec *record.Match, at time.Time) bool {
	day, err := time.Parse(time.DateOnly, rec.Date)
	if err != nil || at.IsZero() {
		return false
	}
	if d := at.Truncate(24 * time.Hour).Sub(day).Abs(); d <= 24*time.Hour {
		return false
	}
	rolls := 0
	for i := range rec.Games {
		for k := range rec.Games[i].Actions {
			if rec.Games[i].Actions[k].Dice.Valid() {
				rolls++
			}
		}
	}
	return rolls < fewRolls
}

// anotherID is the ID of a match from elsewhere where id is that of one of another day.
func anotherID(id string, rec *record.Match) string { return id + "-" + mark("day\n"+rec.Date) }

// yield makes room in tx for the row of m where the index has the same match from a file
// that came from elsewhere, and reports whether m is to be left out because it is such a
// file itself: a match counts once, and what was filed by the bot knows more of it.
func (d *DB) yield(ctx context.Context, tx *sql.Tx, m *Match) (leave bool, err error) {
	same := sameOf(m.ID)
	if ownName(m.File) {
		return false, d.remove(ctx, tx, same)
	}
	if m.ID != same {
		return false, nil
	}
	rows, err := tx.QueryContext(ctx, d.bind(`SELECT file FROM matches WHERE same = ?`), same)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var file string
		if err := rows.Scan(&file); err != nil {
			return false, err
		}
		leave = leave || ownName(file)
	}
	return leave, rows.Err()
}

func (d *DB) remove(ctx context.Context, tx *sql.Tx, id string) error {
	gone, err := tx.ExecContext(ctx, d.bind(`DELETE FROM matches WHERE id = ?`), id)
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err == nil && n == 0 {
		return nil
	}
	_, err = tx.ExecContext(ctx, d.bind(`DELETE FROM games WHERE match_id = ?`), id)
	return err
}
