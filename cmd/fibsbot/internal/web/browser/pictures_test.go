package browser

import (
	"fibsbot/internal/chromium"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// shoot keeps a picture of the page in every size and theme.
func (b *tab) shoot(dir, name string) {
	b.Helper()
	for _, theme := range []string{"light", "dark"} {
		for _, size := range [][2]int64{{390, 844}, {844, 390}, {1280, 800}} {
			var data []byte
			b.run(emulation.SetDeviceMetricsOverride(size[0], size[1], 1, size[0] < 1000), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}),
				chromedp.Sleep(200*time.Millisecond), chromedp.CaptureScreenshot(&data))
			file := filepath.Join(dir, fmt.Sprintf("%s-%dx%d-%s.png", name, size[0], size[1], theme))
			if err := os.WriteFile(file, data, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.run(emulation.SetDeviceMetricsOverride(1280, 800, 1, false))
}

// FIBSBOT_SHOTS=DIR keeps pictures of all rooms, empty and in use, of loading, of an engine that
// cannot be loaded, and of refused storage.
func TestPictures(t *testing.T) {
	dir := os.Getenv("FIBSBOT_SHOTS")
	if dir == "" {
		t.Skip("FIBSBOT_SHOTS=DIR keeps pictures")
	}
	s, chrome := host(t), chromium.Shared(t)
	b := open(t, chrome, s, "/play")
	rooms := []string{"/play", "/positions", "/matches", "/openings", "/met", "/quiz", "/statistics", "/storage"}
	visit := func(when string) {
		for _, room := range rooms {
			b.enter(room)
			time.Sleep(2 * time.Second) // what the page draws on its own
			b.shoot(dir, room[1:]+"-"+when)
		}
	}
	visit("empty")
	b.enter("/play")
	b.playMatch()
	b.shoot(dir, "table-over")
	b.importMatch()
	visit("used")
	b.enter("/matches")
	b.press(`#list tbody a[href^="/matches/"]`)
	b.reviewed()
	b.shoot(dir, "match-used")
	b.enter("/play")
	js[bool](b, inRoom(`(one("#new").requestSubmit(), true)`))
	b.until(`!one("#table").hidden`)
	b.shoot(dir, "table-used")
	s.export(t, "v1.2.4")
	b.run(chromedp.Reload())
	b.ready()
	b.wait(`!document.getElementById("update").hidden`)
	b.shoot(dir, "update")
	b.stop()

	slow := host(t)
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	files := slow.Config.Handler
	slow.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "fibsbot.bin") {
			data, _ := os.ReadFile(filepath.Join(slow.dir, filepath.FromSlash(r.URL.Path)))
			_, _ = w.Write(data[:len(data)/3])
			w.(http.Flusher).Flush()
			select {
			case <-stuck:
			case <-r.Context().Done():
			}
			return
		}
		files.ServeHTTP(w, r)
	})
	l := begin(t, chromium.Shared(t), slow, "/positions")
	l.wait(`document.getElementById("bar").value > 0.2`)
	l.shoot(dir, "loading")
	l.stop()

	broken := host(t)
	found, err := filepath.Glob(filepath.Join(broken.dir, "club", "fibsbot", "engine", "*", "fibsbot.bin"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if err := os.Remove(found[0]); err != nil {
		t.Fatal(err)
	}
	e := begin(t, chromium.Shared(t), broken, "/matches")
	e.wait(`window.fibsbot?.engine.state.phase === "failed"`)
	e.shoot(dir, "error")
	e.stop()

	d := open(t, chromium.Own(t, chromedp.UserDataDir(deniedProfile(t))), host(t), "/storage")
	time.Sleep(time.Second)
	d.shoot(dir, "denied")
}
