package browser

import (
	"bytes"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/chromium"
)

// blundered is an analysed match with errors.
func blundered(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(root + "/engine/analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A copied link opens the review in a browser that has never seen the match, and one that was changed on its way
// is told in a sentence.
func TestSite_linkHoldsTheReview(t *testing.T) {
	chrome := chromium.Shared(t)
	b := open(t, chrome, host(t), "/matches")
	b.until(`one("#file")`)
	b.choose("#file", "match.sgf", blundered(t))
	b.press(`#imported a`)
	b.reviewed()
	js[bool](b, inRoom(`(w.navigator.clipboard.writeText = (text) => ((w.parent.copied = text), Promise.resolve()), true)`))
	b.press("#share")
	b.wait(`window.copied`)
	link := js[string](b, `window.copied`)
	address, fragment, _ := strings.Cut(link, "#")
	if address != b.host.URL+folder {
		t.Errorf("the link is to %s", address)
	}
	const sheet = `one("#report").shadowRoot.querySelector(".review table.sheet").textContent`
	want := js[string](b, inRoom(sheet))
	b.clean()

	c := open(t, chrome, host(t), fragment)
	c.reviewed()
	if got := js[string](c, inRoom(sheet)); got != want || len(got) < 50 {
		t.Errorf("the review shows %.300q, want %.300q", got, want)
	}
	if n := js[int](c, inRoom(`one("#report").shadowRoot.querySelectorAll("#worst li .vd + .why").length`)); n != 3 {
		t.Errorf("%d of the worst three decisions say why", n)
	}
	if at := js[string](c, `location.hash`); !strings.HasPrefix(at, "#/matches/") {
		t.Errorf("the address is %.100s", at)
	}
	if dir := os.Getenv("FIBSBOT_SHOTS"); dir != "" {
		c.shoot(dir, "shared")
	}
	c.pictures()
	c.clean()

	bad := open(t, chrome, host(t), fragment[:len(fragment)-40])
	bad.until(`/^the link to a review cannot be read: it is cut off or changed$/i.test(one("#toast").textContent)`)
	if n := len(js[string](bad, inRoom(`d.querySelector("#list tbody a")?.href ?? ""`))); n > 0 {
		t.Errorf("the list has rows")
	}
	t.Logf("%d characters", len(link))
}

// pictures saves what the browser draws of a review: a decision, and the match as GIF of one frame a decision.
func (b *tab) pictures() {
	b.Helper()
	js[bool](b, inRoom(`(one("#report").shadowRoot.querySelector("#worst a").click(), true)`))
	b.until(`/[.]25.picture$/.test(one("#svg").href)`)
	svg := b.saved("*-4.25.svg", func() { b.press("#svg") })
	for _, want := range []string{"Bob plays 42 · 5-away, 3-away", "24/22 13/9 −0.26", "better 8/4 6/4", "makes the 4 point"} {
		if !bytes.Contains(svg, []byte(want)) {
			b.Errorf("the picture lacks %q: %.300s", want, svg)
		}
	}
	b.png("#png", "*-4.25.png")
	shown := js[int](b, inRoom(`Number(/\d+$/.exec(one("#report").shadowRoot.querySelector("#where").textContent))`))
	data := b.saved("*.gif", func() { b.press("#film") })
	film, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil || len(film.Image) != shown || film.Config.Width != 480 || len(data) > 8e6 {
		b.Fatalf("the GIF of %d decisions: %v, %d bytes", shown, err, len(data))
	}
	if dir := os.Getenv("FIBSBOT_SHOTS"); dir != "" {
		for name, data := range map[string][]byte{"decision.svg": svg, "match.gif": data} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Logf("GIF: %d frames of %dx%d, %d bytes", len(film.Image), film.Config.Width, film.Config.Height, len(data))
}
