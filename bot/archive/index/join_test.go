package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bot/internal/changes"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
)

// joinText is a match of two games in pieces: its head, the first game, the second.
var joinText = [3]string{"; [Match ID \"77\"]\n; [Unrated \"On\"]\n; [EventDate \"2026.05.04\"]\n\n 5 point match\n\n",
	" Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5                 52: 13/8 24/22\n  2) 64: 24/14                   31: 8/5 6/5\n  3)  Doubles => 2                Drops\n      Wins 1 point\n\n",
	" Game 2\n anna : 1                       bert : 0\n  1) 42: 8/4 6/4                 61: 13/7 8/7\n  2)  Doubles => 2                Takes\n  3) 53: 8/3 6/3                 43: 24/20 13/10\n"}

func readText(t *testing.T, text string) *record.Match {
	t.Helper()
	m, _, err := mat.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Two parts that nothing proves to be one are offered, joined by hand, and separated again.
func TestMerge_andUndelete(t *testing.T) {
	db := open(t, t.TempDir(), "")
	ctx := t.Context()
	for _, game := range joinText[1:] {
		if became, err := db.Import(ctx, readText(t, joinText[0]+game), Meta{Account: "anna", Tags: game[:7][1:5]}); err != nil || became != WasAdded {
			t.Fatal(became, err)
		}
	}
	rows := func() (all []*Match) {
		if err := db.List(ctx, Filter{}, func(m *Match) error { all = append(all, m); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := rows()
	maybe, err := db.Perhaps(ctx, before[0])
	if err != nil || len(before) != 2 || len(maybe) != 1 || maybe[0].ID != before[1].ID {
		t.Fatalf("%d matches, %v %v", len(before), maybe, err)
	}
	joined, err := db.Merge(ctx, before[0].ID, before[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	if now := rows(); len(now) != 1 || now[0].Games != 2 || now[0].Moves != before[0].Moves+before[1].Moves || len(now[0].Tags) != 1 {
		t.Errorf("joined: %+v", now[0])
	}
	m, _, err := sgf.ReadFile(filepath.Join(db.Dir(), joined.File))
	if err != nil || len(m.Tags) != 2 || m.Tags[0] != (record.Tag{Name: "Match ID", Value: "77"}) {
		t.Errorf("tags %v %v", m.Tags, err)
	}
	// The whole file is known, and the parts too.
	for _, text := range []string{joinText[1] + joinText[2], joinText[1], joinText[2]} {
		if became, err := db.Import(ctx, readText(t, joinText[0]+text), Meta{}); err != nil || became != WasKnown {
			t.Errorf("%v %v", became, err)
		}
	}
	list, err := db.Trash()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := db.Undelete(ctx, list[0].ID); err != nil {
		t.Fatal(err)
	}
	for i, m := range rows() {
		if m.ID != before[i].ID || m.Moves != before[i].Moves || m.Games != 1 {
			t.Errorf("separated: %+v", m)
		}
	}
	if left, err := os.ReadDir(filepath.Join(db.Dir(), TrashDir)); err != nil || len(left) > 0 {
		t.Errorf("in the trash: %v %v", left, err)
	}
}

// What contradicts is refused with both sources, and nothing changes.
func TestMerge_contradiction(t *testing.T) {
	db := open(t, t.TempDir(), "")
	var ids []string
	for _, text := range []string{joinText[1], strings.Replace(joinText[1], "31: 8/5 6/5 ", "62: 24/18 13/11", 1)} {
		m := readText(t, joinText[0]+text)
		if _, err := db.Import(t.Context(), m, Meta{}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, Identity(m))
	}
	for _, with := range ids {
		_, err := db.Merge(t.Context(), ids[0], with)
		if !errors.Is(err, ErrFilter) || with == ids[1] && !strings.Contains(err.Error(), "31: 8/5 6/5") {
			t.Error(err)
		}
	}
	if list, err := db.Trash(); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	// verify finds what was imported by an earlier version.
	const late = "imported/x.sgf"
	m := readText(t, joinText[0]+joinText[1]+joinText[2])
	if _, err := db.Do(t.Context(), func(c *changes.Change) error {
		c.Rows(late)
		return stageMatch(c, late, m)
	}); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := db.Apart(t.Context(), func(a, b *Match) { n++ }); err != nil || n != 1 {
		t.Errorf("%d apart, %v", n, err)
	}
}
