//go:build !js

package history

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fibsbot/bot/archive/index"
)

// across sets up the x axis of p and returns the x of each point: its time, or its number if
// many points share a time, such as imported matches with only a day.
func across(p *plot.Plot, points []Point) func(i int) float64 {
	times := map[int64]bool{}
	for i := range points {
		times[points[i].At.Unix()] = true
	}
	if len(points) > 1 && 2*len(times) <= len(points) {
		p.X.Label.Text = "match"
		p.X.Tick.Marker = plot.TickerFunc(numbers)
		return func(i int) float64 { return float64(i + 1) }
	}
	p.X.Tick.Marker = plot.TickerFunc(days)
	return func(i int) float64 { return float64(points[i].At.Unix()) }
}

// dated returns the points that a chart can show.
func dated(points []Point, shown func(*Point) bool) []Point {
	var out []Point
	for i := range points {
		if p := &points[i]; !p.At.IsZero() && shown(p) {
			out = append(out, *p)
		}
	}
	return out
}

// numbers marks an axis at whole numbers.
func numbers(low, high float64) []plot.Tick {
	var out []plot.Tick
	for _, t := range (plot.DefaultTicks{}).Ticks(low, high) {
		if t.Value == math.Trunc(t.Value) && t.Value >= 1 {
			out = append(out, t)
		}
	}
	return out
}

// ratings marks an axis without decimals.
func ratings(low, high float64) []plot.Tick {
	list := (plot.DefaultTicks{}).Ticks(low, high)
	for i := range list {
		if t := &list[i]; t.Label != "" {
			t.Label = fmt.Sprintf("%.4g", t.Value)
		}
	}
	return list
}

// mostMarks is how many labels fit side by side.
const mostMarks = 7

// days marks an axis of Unix times at whole days, or at hours within two days, so that all
// labels differ.
func days(low, high float64) []plot.Tick {
	from, to := time.Unix(int64(math.Ceil(low)), 0).UTC(), time.Unix(int64(high), 0).UTC()
	layout := "2006-01-02"
	var next func(time.Time) time.Time
	start, span := from.Truncate(24*time.Hour), to.Sub(from)
	// step is the first of steps that needs fewer marks than most, or the last.
	step := func(unit time.Duration, most int64, steps ...int) (step int) {
		for _, step = range steps {
			if int64(span/(time.Duration(step)*unit)) < most {
				break
			}
		}
		return step
	}
	switch {
	case span <= 2*24*time.Hour:
		step := time.Duration(step(time.Hour, mostMarks-1, 1, 2, 4, 6, 12)) * time.Hour
		layout, next = "01-02 15:04", func(t time.Time) time.Time { return t.Add(step) }
	case span <= 180*24*time.Hour:
		step := step(24*time.Hour, mostMarks, 1, 2, 7, 14, 28)
		next = func(t time.Time) time.Time { return t.AddDate(0, 0, step) }
	default:
		step := step(30*24*time.Hour, mostMarks, 1, 2, 3, 6, 12, 24, 60)
		start = time.Date(from.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		next = func(t time.Time) time.Time { return t.AddDate(0, step, 0) }
	}
	var out []plot.Tick
	for t := start; !t.After(to); t = next(t) {
		if !t.Before(from) {
			out = append(out, plot.Tick{Value: float64(t.Unix()), Label: t.Format(layout)})
		}
	}
	return out
}

// ChartPR draws the performance ratings, a dot per match and a line for the mean; format is
// svg or png. It clips the dots of matches with very few decisions.
func ChartPR(points []Point, format string) (io.WriterTo, error) {
	p := plot.New()
	p.Title.Text = "PR (lower is better)"
	p.Add(plotter.NewGrid())
	var each, mean plotter.XYs
	var shallow []bool
	most := 0.0
	points = dated(points, func(pt *Point) bool { return pt.PR.Known() })
	at := across(p, points)
	for i, pt := range points {
		x := at(i)
		each, shallow = append(each, plotter.XY{X: x, Y: float64(pt.PR)}), append(shallow, pt.Shallow)
		mean = append(mean, plotter.XY{X: x, Y: float64(pt.PRMean)})
		most = math.Max(most, float64(pt.PRMean))
	}
	if len(each) == 0 {
		return nil, errors.New("no match has a date and an analysis (run fibsbot archive analyse)")
	}
	most = math.Max(3*most, 1)
	for i := range each {
		each[i].Y = math.Min(each[i].Y, most)
	}
	line, err := plotter.NewLine(mean)
	if err != nil {
		return nil, err
	}
	line.Width, line.Color = vg.Points(1.8), color.RGBA{R: 47, G: 111, B: 168, A: 255}
	if err := addDots(p, "match", each, shallow, draw.GlyphStyle{Radius: vg.Points(1.8), Color: color.Gray{Y: 150}}); err != nil {
		return nil, err
	}
	p.Add(line)
	p.Legend.Add(fmt.Sprintf("mean of %d matches", prWindow), line)
	p.Y.Min = 0
	return finished(p, "PR", format)
}

// addDots draws figures of errors as dots, those marked by index.Star as rings.
func addDots(p *plot.Plot, label string, all plotter.XYs, shallow []bool, style draw.GlyphStyle) error {
	for _, marked := range []bool{false, true} {
		var some plotter.XYs
		for i := range all {
			if shallow[i] == marked {
				some = append(some, all[i])
			}
		}
		if len(some) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(some)
		if err != nil {
			return err
		}
		dots.GlyphStyle, dots.Shape = style, draw.CircleGlyph{}
		if marked {
			dots.Shape, label = draw.RingGlyph{}, index.ShallowNote
		}
		p.Add(dots)
		p.Legend.Add(label, dots)
	}
	return nil
}

// finished lays out a chart: room around points and labels, a sans-serif font, the legend
// inside.
func finished(p *plot.Plot, unit, format string) (io.WriterTo, error) {
	room := 0.02 * (p.X.Max - p.X.Min)
	if room <= 0 {
		room = 12 * 3600 // one match
	}
	p.X.Min, p.X.Max = p.X.Min-room, p.X.Max+room
	if above := p.Y.Max - p.Y.Min; above > 0 {
		p.Y.Max += 0.2 * above // for the legend
	}
	p.Y.Label.Text = unit
	// At the left, text that is wider with another font grows away from the marks.
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, vg.Points(8), -vg.Points(4)
	p.Legend.Padding = vg.Points(3)
	p.Title.Padding = vg.Points(6)
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Y.Label.TextStyle.Font, &p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	p.Title.TextStyle.Font.Size, p.Legend.TextStyle.Font.Size = vg.Points(14), vg.Points(11)
	c, err := draw.NewFormattedCanvas(24*vg.Centimeter, 12*vg.Centimeter, format)
	if err != nil {
		return nil, err
	}
	// The label of the last day extends beyond the axis.
	sheet := draw.New(c)
	sheet.SetColor(color.White)
	sheet.Fill(sheet.Path())
	p.Draw(draw.Crop(sheet, vg.Points(6), -vg.Points(30), vg.Points(6), -vg.Points(6)))
	return c, nil
}

// Chart draws the ratings; format is svg or png.
func Chart(points []Point, format string) (io.WriterTo, error) {
	p := plot.New()
	p.Title.Text = "Rating"
	p.Add(plotter.NewGrid())
	var rated, byErrors plotter.XYs
	var shallow []bool
	points = dated(points, func(pt *Point) bool { return pt.Rating.Known() || pt.ErrorEst.Known() })
	at := across(p, points)
	for i, pt := range points {
		x := at(i)
		if pt.Rating.Known() {
			rated = append(rated, plotter.XY{X: x, Y: float64(pt.Rating)})
		}
		if pt.ErrorEst.Known() {
			byErrors, shallow = append(byErrors, plotter.XY{X: x, Y: float64(pt.ErrorEst)}), append(shallow, pt.Shallow)
		}
	}
	if len(rated)+len(byErrors) == 0 {
		return nil, errors.New("no match has a date and a rating or an analysis")
	}
	if len(rated) > 0 {
		line, err := plotter.NewLine(rated)
		if err != nil {
			return nil, err
		}
		line.Width = vg.Points(1.5)
		dots, err := plotter.NewScatter(rated) // one match makes no line
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle.Radius, dots.GlyphStyle.Shape = vg.Points(1.2), draw.CircleGlyph{}
		p.Add(line, dots)
		p.Legend.Add("server rating", line)
	}
	blue := draw.GlyphStyle{Radius: vg.Points(2.2), Color: color.RGBA{R: 47, G: 111, B: 168, A: 255}}
	if err := addDots(p, "estimate by errors", byErrors, shallow, blue); err != nil {
		return nil, err
	}
	p.Y.Tick.Marker = plot.TickerFunc(ratings)
	return finished(p, "rating", format)
}
