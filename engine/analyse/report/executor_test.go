package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/internal/testsize"
	"fibsbot/internal/texts"
)

// hostile are texts that would be markup or code in a page that does not escape them.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `javascript:alert(1)`, `</title></style></script><b>`,
	"nul \x00, not UTF-8 \xff\xc0, \u2028 \u202e", "`${alert(1)}`", `<!-- --> ]]> &amp; &#60; + = \`, `{{.Title}}`, "two\nlines\ttab",
}

// execute writes a page by html/template.
func execute(w io.Writer, p *htmlPage, c *texts.Catalogue) error {
	page, err := template.New("report").Parse(translated(pageSource, c, templateText))
	if err != nil {
		return err
	}
	return page.Execute(w, p)
}

// page.html is filled as html/template does it, byte for byte, whatever texts a
// match has, in every language.
func TestFill_asHTMLTemplate(t *testing.T) {
	testsize.Large(t)
	pages, languages := 0, texts.Languages()
	compare := func(name string, m *record.Match, s *analyse.Summary) {
		t.Helper()
		for me := range 2 {
			c, ok := texts.Find(languages[pages%len(languages)])
			if !ok {
				t.Fatalf("%s: no texts", languages[pages%len(languages)])
			}
			p, err := pageOf(m, s, PageOptions{Me: me, Texts: c})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var want, got bytes.Buffer
			if err := execute(&want, p, c); err != nil {
				t.Fatalf("%s: html/template: %v", name, err)
			}
			if err := fill(&got, p, c); err != nil {
				t.Fatalf("%s: fill: %v", name, err)
			}
			if !bytes.Equal(want.Bytes(), got.Bytes()) {
				t.Fatalf("%s: (-html/template +fill)\n%s", name, cmp.Diff(want.String(), got.String()))
			}
			pages++
		}
	}
	for _, name := range []string{"match5.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		compare(name, m, s)
		compare(name+" without its analysis", analyse.Bare(m), nil)
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 11))
		m := generated(r)
		pick := func() string { return hostile[r.IntN(len(hostile))] }
		m.Players[0].Name, m.Players[1].Name = pick(), pick()
		m.Event, m.Round, m.Place, m.Annotator, m.Comment = pick(), pick(), pick(), pick(), pick()
		for i := range m.Games {
			m.Games[i].Comment = pick()
			for k := range m.Games[i].Actions {
				m.Games[i].Actions[k].Comment = pick()
			}
		}
		compare(fmt.Sprintf("seed %d", seed), m, nil)
		compare(fmt.Sprintf("seed %d without its analysis", seed), analyse.Bare(m), nil)
	}
	t.Logf("%d pages in %d languages are equal", pages, len(languages))
}
