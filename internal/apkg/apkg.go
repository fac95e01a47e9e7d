//go:build !js

package apkg

import (
	"archive/zip"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver
)

func (d *Deck) check() error {
	if strings.TrimSpace(d.Name) == "" {
		return fmt.Errorf("%w: no name", ErrDeck)
	}
	for i, n := range d.Notes {
		if n.Type < 0 || n.Type >= len(d.Types) || len(n.Fields) != len(d.Types[n.Type].Fields) || len(n.Fields) == 0 {
			return fmt.Errorf("%w: note %d does not fit its type", ErrDeck, i+1)
		}
	}
	return nil
}

// number returns a stable positive number of 40 bits, the size of Anki's IDs.
func number(kind, text string) int64 {
	sum := sha256.Sum256([]byte(kind + "\x00" + text))
	return 1<<40 + int64(binary.BigEndian.Uint64(sum[:])>>25)
}

const schema = `
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null, ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null, models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null, usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null, mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null, ivl integer not null, factor integer not null, reps integer not null, lapses integer not null, left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null, ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_notes_csum ON notes (csum);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_revlog_cid ON revlog (cid);
`

// Write writes a deck. now is the time of change that the notes get.
func Write(ctx context.Context, w io.Writer, d *Deck, now time.Time) error {
	if err := d.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "fibsbot-apkg-")
	if err != nil {
		return fmt.Errorf("anki deck: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "collection.anki2")
	if err := d.database(ctx, file, now); err != nil {
		return fmt.Errorf("anki deck: %w", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("anki deck: %w", err)
	}
	z := zip.NewWriter(w)
	add := func(name string, body []byte) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: now})
		if err == nil {
			_, err = f.Write(body)
		}
		return err
	}
	if err := add("collection.anki2", data); err != nil {
		return err
	}
	names := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(d.Media)) {
		names[strconv.Itoa(i)] = name
		if err := add(strconv.Itoa(i), d.Media[name]); err != nil {
			return err
		}
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	if err := add("media", list); err != nil {
		return err
	}
	return z.Close()
}

// database writes the collection to a new file.
func (d *Deck) database(ctx context.Context, file string, now time.Time) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	if err := d.collection(ctx, tx, now); err != nil {
		return err
	}
	deck := number("deck", d.Name)
	for i, n := range d.Notes {
		// IDs are times in ms in Anki; those of the notes must differ from one another.
		id := number("note", n.ID)
		tags := ""
		if len(n.Tags) > 0 {
			tags = " " + strings.Join(n.Tags, " ") + " "
		}
		sort := plain(n.Fields[0])
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO notes VALUES (?,?,?,?,-1,?,?,?,?,0,'')`, id, guid(n.ID), number("type", d.Types[n.Type].Name), now.Unix(),
			tags, strings.Join(n.Fields, "\x1f"), sort, checksum(sort)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO cards VALUES (?,?,?,0,?,-1,0,0,?,0,0,0,0,0,0,0,0,'')`, id, id, deck, now.Unix(), i+1); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// collection writes the one row of settings, note types and decks.
func (d *Deck) collection(ctx context.Context, tx *sql.Tx, now time.Time) error {
	type object = map[string]any
	models, decks := object{}, object{}
	deckID := number("deck", d.Name)
	for _, t := range d.Types {
		var fields []object
		for i, name := range t.Fields {
			fields = append(fields, object{"name": name, "ord": i, "sticky": false, "rtl": false, "font": "Arial", "size": 20, "media": []string{}})
		}
		id := number("type", t.Name)
		models[strconv.FormatInt(id, 10)] = object{
			"id": id, "name": t.Name, "type": 0, "mod": now.Unix(), "usn": -1, "sortf": 0, "did": deckID, "flds": fields, "css": t.CSS, "tags": []string{}, "vers": []string{},
			"tmpls":    []object{{"name": "Card 1", "ord": 0, "qfmt": t.Front, "afmt": t.Back, "did": nil, "bqfmt": "", "bafmt": ""}},
			"latexPre": `\documentclass[12pt]{article}\begin{document}`, "latexPost": `\end{document}`, "req": []any{[]any{0, "any", []int{0}}},
		}
	}
	deck := func(id int64, name string) object {
		return object{"id": id, "name": name, "mod": now.Unix(), "usn": -1, "desc": "", "dyn": 0, "conf": 1, "collapsed": false, "browserCollapsed": false, "extendNew": 10, "extendRev": 50,
			"newToday": []int{0, 0}, "revToday": []int{0, 0}, "lrnToday": []int{0, 0}, "timeToday": []int{0, 0}}
	}
	decks["1"] = deck(1, "Default")
	decks[strconv.FormatInt(deckID, 10)] = deck(deckID, d.Name)
	conf := object{"nextPos": len(d.Notes) + 1, "estTimes": true, "activeDecks": []int{1}, "sortType": "noteFld", "timeLim": 0, "sortBackwards": false, "addToCur": true, "curDeck": 1,
		"newBury": true, "newSpread": 0, "dueCounts": true, "curModel": nil, "collapseTime": 1200}
	dconf := object{"1": object{"id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": true, "timer": 0, "replayq": true, "dyn": false,
		"new":   object{"bury": true, "delays": []int{1, 10}, "initialFactor": 2500, "ints": []int{1, 4, 7}, "order": 1, "perDay": 20, "separate": true},
		"rev":   object{"bury": true, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "perDay": 100},
		"lapse": object{"delays": []int{10}, "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0}}}
	var texts []any
	for _, v := range []object{conf, models, decks, dconf} {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		texts = append(texts, string(text))
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO col VALUES (1,?,?,?,11,0,0,0,?,?,?,?,'{}')`, append([]any{now.Unix(), now.UnixMilli(), now.UnixMilli()}, texts...)...)
	return err
}

// guid is a note's ID among all collections.
func guid(id string) string {
	sum := sha256.Sum256([]byte(id))
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	out := make([]byte, 10)
	for i := range out {
		out[i] = letters[int(sum[i])%len(letters)]
	}
	return string(out)
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain is a field without its markup.
func plain(field string) string { return strings.TrimSpace(tag.ReplaceAllString(field, "")) }

// checksum is Anki's for finding duplicates: the first 32 bits of the SHA-1.
func checksum(text string) int64 {
	sum := sha1.Sum([]byte(text))
	return int64(binary.BigEndian.Uint32(sum[:4]))
}
