package report

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestHTML_inABrowser opens the report in headless Chromium as a desk and a phone
// would, light and dark, and looks at the picture: the page fills the window, the
// background is that of the scheme, and boards with their checkers are on it.
// Set FIBSBOT_SHOTS to a folder to keep the pictures.
func TestHTML_inABrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium installed (Debian: apt-get install chromium)")
	}
	if testing.Short() {
		t.Skip("starts a browser four times")
	}
	m, s := analysed(t, "match5.sgf")
	var b bytes.Buffer
	if err := HTML(&b, m, s, nil); err != nil {
		t.Fatal(err)
	}
	// The picture shows the top of the page only; begin with the errors' boards.
	text := b.Bytes()
	from, to := bytes.Index(text, []byte("<section>")), bytes.Index(text, []byte("<article"))
	text = append(append([]byte{}, text[:from]...), text[to:]...)
	dir := t.TempDir()
	page := filepath.Join(dir, "report.html")
	if err := os.WriteFile(page, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		width, height int
		dark          bool
	}{
		{"desk-light", 1200, 900, false},
		{"desk-dark", 1200, 900, true},
		{"phone-light", 400, 900, false},
		{"phone-dark", 400, 900, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shot := filepath.Join(dir, tt.name+".png")
			if keep := os.Getenv("FIBSBOT_SHOTS"); keep != "" {
				shot = filepath.Join(keep, tt.name+".png")
			}
			scheme := "--blink-settings=preferredColorScheme=1"
			if tt.dark {
				scheme = "--blink-settings=preferredColorScheme=0"
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
				"--user-data-dir="+filepath.Join(dir, "profile-"+tt.name), scheme,
				"--window-size="+strconv.Itoa(tt.width)+","+strconv.Itoa(tt.height), "--screenshot="+shot, "file://"+page)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("chromium: %v\n%s", err, out)
			}
			f, err := os.Open(shot)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			img, err := png.Decode(f)
			if err != nil {
				t.Fatal(err)
			}
			look(t, img, tt.width, tt.dark)
		})
	}
}

// look checks what a person would see at a glance.
func look(t *testing.T, img image.Image, width int, dark bool) {
	t.Helper()
	if got := img.Bounds().Dx(); got != width {
		t.Errorf("the picture is %d wide, want %d", got, width)
	}
	paper := color.RGBA{0xfd, 0xfc, 0xf9, 0xff}
	felt, light := color.RGBA{0xec, 0xe7, 0xd8, 0xff}, color.RGBA{0xfb, 0xf8, 0xf0, 0xff}
	if dark {
		paper = color.RGBA{0x1c, 0x1b, 0x19, 0xff}
		felt, light = color.RGBA{0x3a, 0x37, 0x2f, 0xff}, color.RGBA{0xf1, 0xec, 0xe0, 0xff}
	}
	count := map[color.RGBA]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	all := b.Dx() * b.Dy()
	for _, c := range []struct {
		what  string
		color color.RGBA
		share float64
	}{{"paper", paper, 0.2}, {"board", felt, 0.02}, {"light checkers", light, 0.003}} {
		if share := float64(count[c.color]) / float64(all); share < c.share {
			t.Errorf("%s covers %.2f%% of the picture, want at least %.2f%%", c.what, 100*share, 100*c.share)
		}
	}
	// Nothing may hang over the right edge: its last column is bare paper.
	for y := b.Min.Y; y < b.Max.Y; y++ {
		if c := color.RGBAModel.Convert(img.At(b.Max.X-1, y)).(color.RGBA); c != paper {
			t.Errorf("the page hangs over the right edge at line %d", y)
			break
		}
	}
}
