package apkg

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// unpack returns the database and the files of an .apkg.
func unpack(t *testing.T, data []byte) (*sql.DB, map[string][]byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	name := filepath.Join(t.TempDir(), "collection.anki2")
	if err := os.WriteFile(name, files["collection.anki2"], 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, files
}

func sample() *Deck {
	return &Deck{Name: "Backgammon", Media: map[string][]byte{"b.svg": []byte("<svg/>"), "a.svg": []byte("<svg>a</svg>")},
		Types: []NoteType{{Name: "Play", Fields: []string{"Question", "Board", "Answer"}, Front: "{{Board}}{{Question}}", Back: "{{FrontSide}}<hr id=answer>{{Answer}}", CSS: ".card{}"}},
		Notes: []Note{
			{ID: "one", Fields: []string{"<b>31</b> to play", `<img src="a.svg">`, "8/5 6/5"}, Tags: []string{"opening", "play"}},
			{ID: "two", Fields: []string{"42 to play", `<img src="b.svg">`, "8/4 6/4"}},
		}}
}

// A deck has the tables, the note types, the notes and the media of Anki's schema 11.
func TestWrite_ankiReadsIt(t *testing.T) {
	var b bytes.Buffer
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	if err := Write(t.Context(), &b, sample(), now); err != nil {
		t.Fatal(err)
	}
	db, files := unpack(t, b.Bytes())
	media := map[string]string{}
	if err := json.Unmarshal(files["media"], &media); err != nil || len(media) != 2 || media["0"] != "a.svg" || string(files["1"]) != "<svg/>" {
		t.Errorf("media: %v %v", media, err)
	}
	var ver int
	var models, decks string
	if err := db.QueryRow("SELECT ver, models, decks FROM col").Scan(&ver, &models, &decks); err != nil || ver != 11 {
		t.Fatalf("col: %d %v", ver, err)
	}
	var types map[string]struct {
		Name  string
		Flds  []struct{ Name string }
		Tmpls []struct{ Qfmt, Afmt string }
	}
	if err := json.Unmarshal([]byte(models), &types); err != nil || len(types) != 1 {
		t.Fatalf("models: %s %v", models, err)
	}
	for _, m := range types {
		if m.Name != "Play" || len(m.Flds) != 3 || m.Flds[2].Name != "Answer" || m.Tmpls[0].Qfmt != "{{Board}}{{Question}}" {
			t.Errorf("note type: %+v", m)
		}
	}
	var named map[string]struct{ Name string }
	if err := json.Unmarshal([]byte(decks), &named); err != nil || len(named) != 2 {
		t.Errorf("decks: %s %v", decks, err)
	}
	rows, err := db.Query("SELECT n.guid, n.mid, n.tags, n.flds, n.sfld, c.did, c.queue, c.due FROM notes n JOIN cards c ON c.nid = n.id ORDER BY c.due")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var guid, mid, tags, fields, sort, did string
		var queue, due int
		if err := rows.Scan(&guid, &mid, &tags, &fields, &sort, &did, &queue, &due); err != nil {
			t.Fatal(err)
		}
		if n++; n == 1 && (tags != " opening play " || fields != "<b>31</b> to play\x1f<img src=\"a.svg\">\x1f8/5 6/5" || sort != "31 to play" || len(guid) != 10) {
			t.Errorf("note: %q %q %q %q", guid, tags, fields, sort)
		}
		if _, ok := types[mid]; !ok || named[did].Name != "Backgammon" || due != n || queue != 0 {
			t.Errorf("card %d: type %s, deck %s, due %d", n, mid, did, due)
		}
	}
	if n != 2 {
		t.Errorf("%d cards", n)
	}
	for _, table := range []string{"revlog", "graves"} {
		if err := db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d %v", table, n, err)
		}
	}
}

// The same note keeps its IDs, so Anki updates it.
func TestWrite_sameNotesInASecondExport(t *testing.T) {
	ids := func(d *Deck, at int64) (out []string) {
		var b bytes.Buffer
		if err := Write(t.Context(), &b, d, time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
		db, _ := unpack(t, b.Bytes())
		rows, err := db.Query("SELECT id || guid || mid FROM notes ORDER BY guid")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			out = append(out, id)
		}
		return out
	}
	other := sample()
	other.Notes[0].Fields[2] = "another answer"
	a, b := ids(sample(), 1e9), ids(other, 2e9)
	if len(a) != 2 || a[0] != b[0] || a[1] != b[1] || a[0] == a[1] {
		t.Errorf("%v, then %v", a, b)
	}
}

func TestWrite_refusesWhatDoesNotFit(t *testing.T) {
	for _, edit := range []func(*Deck){func(d *Deck) { d.Name = " " }, func(d *Deck) { d.Notes[1].Fields = d.Notes[1].Fields[:2] }, func(d *Deck) { d.Notes[0].Type = 1 }} {
		d := sample()
		edit(d)
		if err := Write(t.Context(), io.Discard, d, time.Unix(1e9, 0)); !errors.Is(err, ErrDeck) {
			t.Errorf("%+v: %v", d, err)
		}
	}
}
