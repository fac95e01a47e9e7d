package sanitize

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText_nothingIsObeyed(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"bob":                           "bob",
		"Grüße, 日本":                     "Grüße, 日本",
		"\x1b]0;owned\x07":              `\x1b]0;owned\x07`,
		"\x1b[2J":                       `\x1b[2J`,
		"a\nb\tc\r":                     `a\x0ab\x09c\x0d`,
		"\u009b31m":                     `\u009b31m`,
		"\x9b31m":                       `\x9b31m`,
		"evil\u202ecod.exe":             `evil\u202ecod.exe`,
		"\u2066x\u2069\u200b\U000e0041": `\u2066x\u2069\u200b\udb40\udc41`,
		"\x7f":                          `\u007f`,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Lines("a\n\tb\x1b"); got != "a\n\tb\\x1b" {
		t.Errorf("Lines: %q", got)
	}
}

func TestCell_noFormula(t *testing.T) {
	for in, want := range map[string]string{"=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", " =x": "' =x", "bob": "bob", "a=b": "a=b", "": "", "\t=x": `\x09=x`} {
		if got := Cell(in); got != want {
			t.Errorf("Cell(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestWriter_asWhole: however the text is cut into writes, the same comes out.
func TestWriter_asWhole(t *testing.T) {
	text := "Grüße \x1b[31m 日本 \u202e\x9b \U0001f3b2 end\n"
	want := Lines(text)
	for step := 1; step < len(text); step++ {
		var b bytes.Buffer
		w := Writer(&b)
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			if m, err := w.Write([]byte(rest[:n])); err != nil || m != n {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Errorf("in steps of %d: %q, want %q", step, b.String(), want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b]0;x\x07\u202e\x80=")
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{Text(s), Lines(s), Cell(s)} {
			if !utf8.ValidString(out) || strings.ContainsAny(out, "\x1b\x07\x08\r\u202e\u009b") {
				t.Errorf("%q became %q", s, out)
			}
		}
		// A JSON document is the same afterwards.
		doc, err := json.Marshal(strings.ToValidUTF8(s, "?"))
		if err != nil {
			t.Fatal(err)
		}
		var a, b string
		if json.Unmarshal(doc, &a) != nil {
			return
		}
		if err := json.Unmarshal([]byte(Lines(string(doc))), &b); err != nil || a != b {
			t.Errorf("%q became %q (%v)", a, b, err)
		}
	})
}

// TestText_ofJSON: a document of JSON is the same one afterwards, whatever is in its texts.
func TestText_ofJSON(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) || !harmful(r, false) {
			continue
		}
		doc, err := json.Marshal([]string{"a" + string(r) + "z"})
		if err != nil {
			t.Fatal(err)
		}
		var back []string
		if err := json.Unmarshal([]byte(Text(string(doc))), &back); err != nil || back[0] != "a"+string(r)+"z" {
			t.Fatalf("%U: %v, %q from %s", r, err, back, Text(string(doc)))
		}
	}
}
