package report

import (
	"strings"
	"testing"
)

// A number below 0 has the minus of print; plays and names keep their hyphens.
func TestDeck_minus(t *testing.T) {
	m, s := analysed(t, "match5.sgf")
	d := Rows(m, s, 0, nil)[0]
	var b strings.Builder
	if err := Deck(&b, []Card{{Board: d.Diagram(m, 0, nil), Question: "Ann-Marie 3-1?", Answer: []string{"2. bar/24 -0.029 (-0.032)", "XG-3 said -1"}}}, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Ann-Marie 3-1?", "2. bar/24 −0.029 (−0.032)", "XG-3 said −1"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the deck has no %q", want)
		}
	}
}
