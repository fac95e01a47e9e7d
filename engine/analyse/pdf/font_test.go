//go:build !js

package pdf

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/internal/testsize"
	"fibsbot/internal/texts"

	"golang.org/x/image/font/gofont/gomono"
)

// If the fonts lack the letters of a language, the PDF is in English, names the missing font, and has no boxes.
func TestWrite_missingFont(t *testing.T) {
	testsize.Medium(t)
	m := load(t, "match3.sgf")
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	c, err := texts.Read("ja", []byte(`{"Figures": "数値", "{0}.{1}": "{0}.{1}"}`))
	if err != nil {
		t.Fatal(err)
	}
	de, err := texts.Read("de", []byte(`{"Figures": "Zählungen", "{0}.{1}": "{0},{1}"}`))
	if err != nil {
		t.Fatal(err)
	}
	text := func(o Options) string {
		t.Helper()
		var b bytes.Buffer
		if err := Write(&b, m, s, o); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath("pdftotext"); err != nil {
			t.Skip("no pdftotext")
		}
		cmd := exec.Command("pdftotext", "-layout", "-", "-")
		cmd.Stdin = &b
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	const says = "name a TrueType font"
	if got := text(Options{Texts: c}); !strings.Contains(got, says) || !strings.Contains(got, "Figures") {
		t.Errorf("Japanese without a font: %.600s", got)
	}
	if got := text(Options{Texts: de}); strings.Contains(got, says) || !strings.Contains(got, "Zählungen") {
		t.Errorf("German: %.600s", got)
	}
	if got := text(Options{Font: gomono.TTF}); strings.Contains(got, says) {
		t.Errorf("with a font: %.600s", got)
	}
	m.Players[0].Name = "日本"
	if got := text(Options{}); !strings.Contains(got, says) || !strings.Contains(got, "??") {
		t.Errorf("a name in Japanese: %.600s", got)
	}
	for _, font := range [][]byte{[]byte("OTTO and more"), {}, gomono.TTF[:200]} {
		if err := Write(&bytes.Buffer{}, m, s, Options{Font: font}); !errors.Is(err, ErrFont) {
			t.Errorf("%.8q: %v", font, err)
		}
	}
}
