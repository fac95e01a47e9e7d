package web

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/demo"
	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine/analyse"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/chromium"
)

// TestPictures renews the pictures of README and docs:
//
//	FIBSBOT_PICTURES=$PWD/docs/pictures go test ./cmd/fibsbot/internal/web -run TestPictures
func TestPictures(t *testing.T) {
	dir := os.Getenv("FIBSBOT_PICTURES")
	if dir == "" {
		t.Skip("FIBSBOT_PICTURES names no folder for pictures")
	}
	t.Setenv("FIBSBOT_SHOTS", dir)
	browser := chromium.Own(t)
	t.Run("rooms", func(t *testing.T) { pictureRooms(t, browser) })
	t.Run("walk", func(t *testing.T) { pictureWalk(t, browser) })
}

// pictureRooms renews the pictures of the rooms.
func pictureRooms(t *testing.T, browser context.Context) {
	site := album(t)
	server := httptest.NewServer(site)
	defer server.CloseClientConnections()

	shot := func(name, path, ready string, width, height int64, do ...chromedp.Action) {
		b := open(t, browser, server, width, height, "light")
		b.navigate(path)
		b.until(ready)
		b.run(do...)
		time.Sleep(time.Second) // boards and charts are drawn
		b.shoot("web-" + name)
	}
	list := get(site, "GET", "/api/v1/matches", nil).Body.String()
	newest := "/matches/" + regexp.MustCompile(`"id":"([\w-]+)"`).FindStringSubmatch(list)[1]
	review := `!document.querySelector("#decision").hidden`
	shot("review", newest, review, 1200, 1120, chromedp.KeyEvent("b"))
	shot("matches", "/matches", ready["/matches"], 1280, 900)
	shot("statistics", "/statistics", ready["/statistics"], 1280, 900)
	shot("bots", "/bots", ready["/bots"], 1280, 900)
	shot("openings", "/openings?roll=31", `document.querySelector("#plays tbody .move")`, 1280, 800)
	shot("quiz", "/quiz", ready["/quiz"], 1280, 800)
	shot("positions", "/positions?p=XGID%3D-a--BBC-B---dE---d-e----A-:0:0:1:00:0:0:0:7:10", ready["/positions"], 1280, 900,
		chromedp.Click("#tab-rolls", chromedp.ByQuery), chromedp.WaitVisible(".heat", chromedp.ByQuery))
	shot("play", "/play", ready["/play"], 1280, 900)
	game := matchAtFirstPlay(t, server.URL)
	shot("game", "/play?m="+game, `document.querySelector(".bg-can")`, 1200, 900, chromedp.KeyEvent("h"), chromedp.WaitVisible("#advice .verdict", chromedp.ByQuery))
	shot("phone", "/play?m="+game, `document.querySelector(".bg-can")`, 390, 780)
}

// pictureWalk renews those of docs/walk.md, from files to cards, and logs the time of each.
func pictureWalk(t *testing.T, browser context.Context) {
	files := filepath.Join(t.TempDir(), "tournament")
	if err := os.Mkdir(files, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, m := range evening(t, 3, "Maria") {
		if err := os.WriteFile(filepath.Join(files, fmt.Sprintf("round%d.mat", i+1)), written(t, m, "mat"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fresh := httptest.NewServer(emptySite(t))
	defer fresh.CloseClientConnections()
	b := open(t, browser, fresh, 1000, 780, "light")
	began := time.Now()
	study(b, files, 3, func(name string) {
		t.Logf("%s after %.1f s", name, time.Since(began).Seconds())
		if name != "analysed" && name != "question" {
			b.shoot("walk-" + name)
		}
	})
}

// evening are n matches of 5 points without an analysis, of a player of middling strength against
// three others.
func evening(t *testing.T, n int, player string) (list []*record.Match) {
	t.Helper()
	played := t.TempDir()
	if err := demo.Run(t.Context(), demo.Options{Matches: n, Length: 5, Archive: played, Preset: "intermediate", Seed: 3, Fast: true}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(played, "*.sgf"))
	if err != nil || len(files) != n {
		t.Fatalf("%d matches: %v", len(files), err)
	}
	slices.Sort(files)
	opponents := []string{"Anna", "Bertil", "Chidi"}
	for i, name := range files {
		m, _, err := sgf.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m = analyse.Bare(m)
		for seat := range m.Players {
			m.Players[seat].Name = map[bool]string{true: player, false: opponents[i%len(opponents)]}[seat == 0]
		}
		m.Date, m.Place = "", ""
		list = append(list, m)
	}
	return list
}

// album is a site with an archive of analysed matches between players of middling strength.
func album(t *testing.T) *Site {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("worldclass")
	if err != nil {
		t.Fatal(err)
	}
	judge := analyse.New(e.RolloutOptions(), p)
	day := time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC)
	for i, m := range evening(t, 8, "me") {
		if _, err := judge.Analyse(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		at := day.AddDate(0, 0, 3*i)
		if _, err := db.Import(t.Context(), m, index.Meta{Account: "me", Started: at, Finished: at.Add(20 * time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
	deck, err := quiz.Open(db, filepath.Join(dir, "quiz.json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	deck.Collections = collection.Open(filepath.Join(dir, "collections.json"))
	s, err := New(Options{Version: "0.1.0", API: api.Options{Engine: e, Archive: db, Quiz: deck, Matches: play.NewStore(filepath.Join(dir, "play"), db),
		Bots: func(context.Context) (ops.Status, error) {
			status := playing("fibsbot", "", time.Now().Add(-time.Hour))
			status.Version = "0.1.0"
			return status, nil
		}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); db.Close() })
	return s
}
