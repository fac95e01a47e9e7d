package explain

import (
	"strings"
	"testing"

	"fibsbot/internal/texts"
)

// Behind a colon French and Spanish go on in small letters.
func TestText_againstInSmallLetters(t *testing.T) {
	r := Reason{cube: true, Facts: []Fact{{Kind: LastCube, For: -1}}}
	for lang, want := range map[string]string{"en": "Against that: A", "fr": "En revanche\u00a0: a", "es": "En contra: t"} {
		c, err := texts.Open(lang)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Long(c); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", lang, got)
		}
	}
}
