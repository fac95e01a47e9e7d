package api

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/record/detect"
)

// A match that another process files while the API runs is counted and analysed.
func TestAPI_noticesMatchesOfOtherProcesses(t *testing.T) {
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	open := func() *index.DB {
		db, err := index.Open(context.Background(), dir, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	a := New(Options{Engine: e, Archive: open(), Analyse: true, Look: 20 * time.Millisecond, Matches: play.NewStore(filepath.Join(dir, "play"), nil)})
	t.Cleanup(a.Close)

	f, err := os.Open("testdata/match.mat")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, _, _, err := detect.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	other := open()
	if _, err := other.Import(t.Context(), list[0], index.Meta{Account: list[0].Players[0].Name, Finished: time.Now()}); err != nil {
		t.Fatal(err)
	}
	row, err := other.Find(t.Context(), list[0])
	for deadline := time.Now().Add(time.Minute); err == nil && row.Plies < 0; row, err = other.Show(t.Context(), row.ID) {
		if time.Now().After(deadline) {
			t.Fatal("the match was not analysed")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	// By the preset of every match that is reviewed without being asked, not by one of the API's own.
	if row.Plies != 2 || row.LacksLuck() {
		t.Errorf("analysed at %d plies, %q", row.Plies, row.Judge)
	}
	if n, err := a.archiveSize(t.Context()); err != nil || n != 1 {
		t.Errorf("%d matches, %v", n, err)
	}
}
