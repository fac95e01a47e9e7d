package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/record"
)

// Identity is a hash of the players, the length, and every roll and resulting position. A
// copy has the same identity in every format; dates, ratings, comments and analysis do not
// matter. Two matches can share one if both were resigned after the first play. IDs keep them
// apart if a bot played them, see rowID, or by the day, see otherDay.
func Identity(m *record.Match) string { return identity(m, 0) }

// identity is Identity; with other 1, that of the other player's file of the match.
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

// rowID returns the ID of a row: the Identity and, for a match played here, a mark of its
// start, which is in the name of its file. So no two such matches count as one.
func rowID(identity, file string) string {
	name := stemOf(file)
	if ownName(file) {
		return identity + "-" + mark(name)
	}
	if m, ok := strings.CutPrefix(name, identity+"-"); ok && len(m) == markLen {
		if _, err := hex.DecodeString(m); err == nil {
			return name // imported with its start
		}
	}
	return identity
}

const markLen = 8

func mark(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:markLen]
}

// PlayedID returns the ID that Import gives to a match with a start in meta.
func PlayedID(m *record.Match, meta Meta) string {
	id := Identity(m)
	if meta.Started.IsZero() {
		return id
	}
	return id + "-" + mark(meta.Server+"\n"+meta.Account+"\n"+meta.Started.UTC().Format(time.RFC3339Nano))
}

// sameOf returns the Identity in an ID.
func sameOf(id string) string {
	same, _, _ := strings.Cut(id, "-")
	return same
}

// CopiesOf returns the ID of an imported copy of a match that a bot filed; "" for other
// matches.
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

// startOf reads the start of a match from the name that package archive gives its file, such
// as 2026-11-22_120503_Robo-bob_5pt.sgf. The file itself has only the day.
func startOf(file string) (time.Time, bool) {
	const layout = "2006-01-02_150405"
	base := path.Base(filepath.ToSlash(file))
	if len(base) <= len(layout) || base[len(layout)] != '_' {
		return time.Time{}, false
	}
	at, err := time.Parse(layout, base[:len(layout)])
	return at, err == nil
}

// ownName reports whether a file has a name that package archive gives.
func ownName(file string) bool {
	_, ok := startOf(file)
	return ok
}

// Find returns the row of rec's match, also if rec is the other player's file, or a part of the
// match. Among several it prefers the one of rec's day. The error wraps ErrNotFound without one.
func (d *DB) Find(ctx context.Context, rec *record.Match) (*Match, error) {
	id, _, _, err := d.copyOf(ctx, rec)
	if err == nil && id == "" {
		parts, _, err := d.meeting(ctx, rec, "")
		if err == nil && len(parts) > 0 {
			return d.Show(ctx, parts[0].row.ID)
		}
		err = cmp.Or(err, fmt.Errorf("%w: %s", ErrNotFound, Identity(rec)))
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	return d.Show(ctx, id)
}

// copyOf returns ID and file of the row of rec's match, or "". turned reports whether rec is
// the other player's file.
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

// sameOn returns ID and file of the row with an Identity and rec's day, else of the first
// that is not of another day, see otherDay; or "".
func (d *DB) sameOn(ctx context.Context, same string, rec *record.Match) (id, file string, err error) {
	list, err := collect(ctx, d.rows, &Filter{same: same}, "id", "file", "started")
	if err != nil {
		return "", "", err
	}
	slices.SortFunc(list, func(a, b *Match) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID)) })
	for _, m := range list {
		if m.Started.Format(time.DateOnly) == rec.Date {
			return m.ID, m.File, nil
		}
		if id == "" && !otherDay(rec, m.Started) {
			id, file = m.ID, m.File
		}
	}
	return id, file, nil
}

// fewRolls is how many equal rolls prove that two files are of one match, whatever their
// days: seven rolls are equal by chance once in 10^9 pairs, plays not counted.
const fewRolls = 8

// otherDay reports whether rec is so short that it may be another match, and its day differs
// from at by more than one, which time zones explain. Without a day it returns false.
func otherDay(rec *record.Match, at time.Time) bool {
	if !farFrom(rec.Date, at) {
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

// farFrom reports whether a day differs from at by more than one; both must be known.
func farFrom(date string, at time.Time) bool {
	day, err := time.Parse(time.DateOnly, date)
	return err == nil && !at.IsZero() && at.Truncate(24*time.Hour).Sub(day).Abs() > 24*time.Hour
}

// anotherID returns the ID of an imported match if id is taken by one of another day.
func anotherID(id string, rec *record.Match) string { return id + "-" + mark("day\n"+rec.Date) }

// yield deletes in tx the row of an imported copy of m, or reports whether m itself is a copy
// to skip: a match counts once, and the bot's file knows more.
func yield(ctx context.Context, tx edits, m *Match) (leave bool, err error) {
	same := sameOf(m.ID)
	if ownName(m.File) {
		return false, tx.remove(same)
	}
	if m.ID != same {
		return false, nil
	}
	copies, err := collect(ctx, tx, &Filter{same: same}, "file")
	return slices.ContainsFunc(copies, Played), err
}
