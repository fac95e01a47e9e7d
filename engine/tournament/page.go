package tournament

import (
	_ "embed"
	"html/template"
	"io"
	"math"
	"slices"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows.
type page struct {
	Live   bool
	Sheets []pageSheet
	Chart  *chart
}

type pageSheet struct {
	Title string
	Head  []string
	Rows  [][]string
}

// chart draws the ratings with their intervals; lengths are in units of the drawing.
type chart struct {
	Height int
	Zero   float64 // of the mean of the field
	Bars   []bar
}

type bar struct {
	Name           string
	Y              int
	Low, Mid, High float64
	Text           string
}

// Of the drawing: names to the left of chartLeft, ratings between it and chartRight.
const (
	chartLeft, chartRight = 190.0, 620.0
	chartRow              = 26
	longestName           = 24 // characters
)

// Page writes the report as a page of its own, with the ratings drawn. A live page is read again by the
// browser every few seconds.
func (r *Report) Page(w io.Writer, live bool) error {
	p := page{Live: live, Chart: r.chart()}
	for _, s := range r.sheets() {
		p.Sheets = append(p.Sheets, pageSheet{s.title, s.head, s.rows})
	}
	return pageTemplate.Execute(w, p)
}

// HTML writes the page of a tournament that is over.
func (r *Report) HTML(w io.Writer) error { return r.Page(w, false) }

// chart returns the drawing, or nil while no player has a rating.
func (r *Report) chart() *chart {
	var ends []float64
	for i := range r.Players {
		if at := r.Players[i].Rating; at != nil {
			ends = append(ends, at.Low, at.High)
		}
	}
	if ends == nil {
		return nil
	}
	low, high := min(slices.Min(ends), 0), max(slices.Max(ends), 0)
	if high == low {
		high++
	}
	x := func(v float64) float64 {
		return math.Round(10*(chartLeft+(v-low)/(high-low)*(chartRight-chartLeft))) / 10
	}
	c := chart{Zero: x(0)}
	for i := range r.Players {
		p := &r.Players[i]
		if p.Rating == nil {
			continue
		}
		name := []rune(p.Name)
		if len(name) > longestName {
			name = append(name[:longestName-1], '…')
		}
		c.Bars = append(c.Bars, bar{Name: string(name), Y: chartRow*len(c.Bars) + chartRow, Low: x(p.Rating.Low), Mid: x(p.Rating.Estimate), High: x(p.Rating.High),
			Text: r.rating(p.Rating.Estimate, true) + " ± " + r.rating(p.Rating.High-p.Rating.Estimate, false)})
	}
	c.Height = chartRow * (len(c.Bars) + 1)
	return &c
}
