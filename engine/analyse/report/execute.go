//go:build !js

package report

import (
	"html/template"
	"io"
)

var page = template.Must(template.New("report").Parse(pageSource))

// execute writes a page.
func execute(w io.Writer, p *htmlPage) error { return page.Execute(w, p) }
