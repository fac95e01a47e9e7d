package api

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/record/detect"
	"fibsbot/internal/testsize"
)

func openIndex(t *testing.T, dir string) *index.DB {
	t.Helper()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// analysing is an API that analyses what is filed to an archive.
func analysing(t *testing.T, dir string, look time.Duration) *API {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	a := New(Options{Engine: e, Archive: openIndex(t, dir), Analyse: true, Look: look, Matches: play.NewStore(filepath.Join(dir, "play"), nil)})
	t.Cleanup(a.Close)
	return a
}

// file files a match.
func file(t *testing.T, db *index.DB) *index.Match {
	t.Helper()
	f, err := os.Open("testdata/match.mat")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, _, _, err := detect.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Import(t.Context(), list[0], index.Meta{Account: list[0].Players[0].Name, Finished: time.Now()}); err != nil {
		t.Fatal(err)
	}
	row, err := db.Find(t.Context(), list[0])
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// A match that another process files while the API runs is counted and analysed.
func TestAPI_noticesMatchesOfOtherProcesses(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	a := analysing(t, dir, 20*time.Millisecond)
	other := openIndex(t, dir)
	row, err := file(t, other), error(nil)
	for deadline := time.Now().Add(time.Minute); err == nil && !row.Plies.Known(); row, err = other.Show(t.Context(), row.ID) {
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
		t.Errorf("analysed at %v plies, %q", row.Plies, row.Judge)
	}
	if n, err := a.archiveSize(t.Context()); err != nil || n != 1 {
		t.Errorf("%d matches, %v", n, err)
	}
}

// What a person stopped stays stopped. An analysis that was about to begin does not begin, and the
// next look at the archive does not queue the match again.
func TestAPI_stopHolds(t *testing.T) {
	testsize.Medium(t)
	const look = 10 * time.Millisecond
	a := analysing(t, t.TempDir(), look)
	row := file(t, a.opt.Archive)
	for i := range 50 {
		a.analyseLater(row.ID)
		time.Sleep(time.Duration(i) * 20 * time.Microsecond)
		if _, err := a.stopAnalysing(httptest.NewRequest("DELETE", "/api/v1/analysis", nil), nil); err != nil {
			t.Fatal(err)
		}
		for _, j := range a.list("") {
			if j.State == Done {
				return // on a busy machine it had ended before
			}
		}
		if i == 0 {
			time.Sleep(10 * look)
		}
		for busy := true; busy; time.Sleep(time.Millisecond) {
			a.due.mu.Lock()
			busy = a.due.busy
			a.due.mu.Unlock()
		}
		for _, j := range a.list("") {
			if j.State != Stopped {
				t.Fatalf("after stop %d a job is %s", i, j.State)
			}
		}
	}
}
