//go:build !js

package report

import (
	"html/template"
	"io"
	"sync"

	"fibsbot/internal/texts"
)

// pages are the templates by language.
var pages sync.Map

// execute writes a page in the language of c.
func execute(w io.Writer, p *htmlPage, c *texts.Catalogue) error {
	page, ok := pages.Load(c)
	if !ok {
		parsed, err := template.New("report").Parse(translated(pageSource, c, templateText))
		if err != nil {
			return err
		}
		page, _ = pages.LoadOrStore(c, parsed)
	}
	return page.(*template.Template).Execute(w, p)
}
