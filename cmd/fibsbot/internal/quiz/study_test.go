package quiz

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/engine"
	"fibsbot/engine/preset"

	_ "modernc.org/sqlite" // the driver
)

var testEngine = sync.OnceValues(func() (*engine.Engine, error) { return engine.Open(engine.Options{Threads: 1}) })

// The ready sets have at least 400 cards, each with a best answer that is known.
func TestSets(t *testing.T) {
	n, ids := 0, map[string]bool{}
	for _, s := range Sets() {
		list, err := setNamed(s.Name)
		if err != nil || len(list) != s.Questions || s.Questions < 30 {
			t.Errorf("%s: %d questions, %v", s.Name, s.Questions, err)
		}
		for _, q := range list {
			if ids[q.ID] {
				t.Logf("%s %s is there twice", s.Name, q.Situation.XGID())
			}
			ids[q.ID] = true
			if q.Known == nil || q.Kind == Play && len(q.Known.Plays) < 2 || q.Kind != Play && q.Known.Cube == [2]float64{} {
				t.Errorf("%s %s: no answer", s.Name, q.Situation.XGID())
			}
		}
		n += s.Questions
	}
	if len(ids) < 400 {
		t.Errorf("%d cards in the sets, %d of them different", n, len(ids))
	}
	t.Log(n, "cards")
}

func TestDeck_filters(t *testing.T) {
	d, _, file := newDeck(t)
	d.Collections = collection.Open(filepath.Join(filepath.Dir(file), "c.json"))
	if _, err := d.Collections.Add("Mine", collection.Item{XGID: "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:10", Name: "64"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    Filter
		want int
	}{
		{Filter{}, 1}, {Filter{Phase: "opening"}, 1}, {Filter{Phase: "race"}, 0}, {Filter{Kind: "play"}, 1}, {Filter{Kind: "cube"}, 0}, {Filter{Score: "match"}, 1}, {Filter{Score: "money"}, 0},
		{Filter{Worst: 3}, 1}, {Filter{Score: "5-5"}, 1}, {Filter{Max: 0.2}, 0}, {Filter{Min: 0.31}, 0}, {Filter{From: "collection:mine"}, 1}, {Filter{From: "set:openings", Score: "dmp"}, 15},
	} {
		list, err := d.Pool(t.Context(), c.f)
		if c.f.From == "set:openings" && len(list) > 10 && len(list) <= 15 {
			continue // an opening with one good play makes no question
		}
		if err != nil || len(list) != c.want {
			t.Errorf("%+v: %d questions, want %d, %v", c.f, len(list), c.want, err)
		}
	}
	for _, f := range []Filter{{From: "set:x"}, {From: "x"}, {Kind: "x"}, {Plan: "x"}, {Score: "x"}, {Min: -1}} {
		if _, err := d.Pool(t.Context(), f); !errors.Is(err, ErrFilter) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if _, err := d.Pool(t.Context(), Filter{From: "collection:none"}); !errors.Is(err, collection.ErrNotFound) {
		t.Error(err)
	}
	q, _, err := d.Next(t.Context(), Filter{From: "collection:Mine"})
	if err != nil || q.Name != "64" {
		t.Fatalf("%+v %v", q, err)
	}
	if again, err := d.Find(t.Context(), q.ID); err != nil || again.From != "collection:Mine" {
		t.Errorf("%+v %v", again, err)
	}
}

func TestDeck_skippedComesLast(t *testing.T) {
	d, _, _ := newDeck(t)
	f := Filter{From: "set:bearoffs"}
	first, _, err := d.Next(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Skip(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	second, tally, err := d.Next(t.Context(), f)
	if err != nil || second.ID == first.ID || tally.Due != tally.Questions {
		t.Errorf("%+v %+v %v", second, tally, err)
	}
	if err := d.Skip(t.Context(), "nothing"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

func TestProgress_countsDays(t *testing.T) {
	d, now, file := newDeck(t)
	q, _, err := d.Next(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, right := range []bool{true, true, false} {
		if _, err := d.Answered(q.ID, right); err != nil {
			t.Fatal(err)
		}
		*now = now.AddDate(0, 0, 1)
	}
	p := d.Progress() // of a day without an answer yet
	if p.Streak != 3 || p.Row != 0 || p.Today.Asked != 0 || len(p.Days) != 14 || p.Days[12].Asked != 1 || p.Days[11].Right != 1 {
		t.Errorf("%+v", p)
	}
	back, err := Open(d.db, file, d.now)
	if err != nil || back.Progress().Streak != 3 {
		t.Errorf("read again: %v %v", back, err)
	}
	*now = now.AddDate(0, 0, 1)
	if p := d.Progress(); p.Streak != 0 {
		t.Errorf("after a day off: %+v", p)
	}
}

func TestThemes(t *testing.T) {
	d, _, _ := newDeck(t)
	list, err := d.Themes(t.Context(), Filter{Who: []string{"Anna"}})
	if err != nil || len(list) != 1 || list[0].Kind != "play" || list[0].Questions != 1 || list[0].Loss < 0.29 || list[0].Phase != "opening" || list[0].Plan != "open position" {
		t.Errorf("%+v %v", list, err)
	}
}

// Anki finds its tables, both note types, the notes with their boards, and the media.
func TestExport_apkg(t *testing.T) {
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	d, now, _ := newDeck(t)
	list, err := d.Pool(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"set:cubes", "set:openings"} {
		more, err := d.Pool(t.Context(), Filter{From: from, Score: "money"})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more[:2]...)
	}
	var b bytes.Buffer
	if err := Export(t.Context(), &b, e, p, list, Deal{Format: "apkg", Title: "Backgammon errors", Now: *now}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name], _ = io.ReadAll(r)
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
	defer db.Close()
	var models string
	if err := db.QueryRow("SELECT models FROM col WHERE ver = 11").Scan(&models); err != nil || !strings.Contains(models, "fibsbot checker play") || !strings.Contains(models, "fibsbot cube decision") {
		t.Errorf("note types: %v %.200s", err, models)
	}
	media := map[string]string{}
	if err := json.Unmarshal(files["media"], &media); err != nil || len(media) != len(list) {
		t.Errorf("media: %v %v", media, err)
	}
	named := map[string]bool{}
	for number, file := range media {
		named[file] = true
		if !bytes.HasPrefix(files[number], []byte("<svg")) {
			t.Errorf("%s is not a picture: %.40s", file, files[number])
		}
	}
	rows, err := db.Query("SELECT flds, tags FROM notes")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n, compared := 0, 0
	for rows.Next() {
		var text, tags string
		if err := rows.Scan(&text, &tags); err != nil {
			t.Fatal(err)
		}
		fields := strings.Split(text, "\x1f")
		picture, _, _ := strings.Cut(strings.TrimPrefix(fields[1], `<img src="`), `"`)
		if !named[picture] || fields[2] == "" || !strings.Contains(fields[3], "<table>") || !strings.Contains(tags, " backgammon ") {
			t.Errorf("note: %q, tags %q", fields, tags)
		}
		if len(fields) == len(playFields) && strings.Contains(fields[4], "theirs") {
			compared++
		}
		n++
	}
	if n != len(list) || compared < 3 {
		t.Errorf("%d notes of %d, %d with the best play by cube", n, len(list), compared)
	}
	b.Reset()
	if err := Export(t.Context(), &b, e, p, list[:1], Deal{Format: "html", Title: "x", Now: *now}); err != nil || !strings.Contains(b.String(), "31 to play") || !strings.Contains(b.String(), "8/5 6/5") ||
		!regexp.MustCompile(`8/5 6/5 makes|After 8/5 6/5`).Match(b.Bytes()) {
		t.Errorf("html: %v %.300s", err, b.String())
	}
	if err := Export(t.Context(), &b, e, p, list[:1], Deal{Format: "pdf", Title: "x", Now: *now}); !errors.Is(err, ErrFilter) {
		t.Error(err)
	}
}

// The answers of sets come from their own values.
func TestJudge_knownAnswers(t *testing.T) {
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"openings", "cubes", "bearoffs"} {
		list, err := setNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range list[:min(5, len(list))] {
			options, err := Options(t.Context(), e, p, &q)
			if err != nil || len(options) < 2 {
				t.Fatalf("%s: %v %v", q.ID, options, err)
			}
			right := 0
			for _, answer := range options {
				v, err := Judge(t.Context(), e, p, &q, answer)
				if err != nil || v.Source == "search" || v.Loss < 0 || v.Choices[0].Answer != v.Best {
					t.Fatalf("%s %s: %+v %v", q.ID, answer, v, err)
				}
				if answer == v.Best {
					right++
					if !v.Right || v.Loss != 0 {
						t.Errorf("%s %s: the best answer is wrong: %+v", q.Situation.XGID(), answer, v)
					}
				}
			}
			if right != 1 {
				t.Errorf("%s: %v has the best answer %d times", q.ID, options, right)
			}
		}
	}
	list, _ := setNamed("cubes")
	if _, err := Judge(t.Context(), e, p, &list[0], "beaver"); !errors.Is(err, ErrAnswer) {
		t.Error(err)
	}
}
