// Package chart draws how strong the engine plays against how much it errs, one line for each match
// length.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package chart

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
)

// band is the points of a line with the 90 % interval of each.
type band struct {
	plotter.XYs
	plotter.YErrors
}

// colours are those of the match lengths in turn; dashes show how errors are made. They are Okabe
// and Ito's, which people with colour-vision deficiencies can distinguish.
var colours = []color.Color{
	color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0x00, 0x72, 0xb2, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0x4d, 0x4d, 0x4d, 0xff},
}

var (
	grid    = color.Gray{0xe4}
	ink     = color.Gray{0x33}
	dashes  = []vg.Length{vg.Points(4), vg.Points(3)}
	writing = font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(11)}
)

// ErrFormat means that the name of a chart's file ends neither in .svg nor in .png.
var ErrFormat = errors.New("the name of a chart must end in .svg or .png")

// WriteFile writes the chart of [Write] to a file, whole or not at all.
func WriteFile(path string, s *tune.Surface) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if format != "svg" && format != "png" {
		return fmt.Errorf("%s: %w", path, ErrFormat)
	}
	return atomicfile.Write(path, 0o644, func(f *os.File) error { return Write(f, format, s) })
}

// Write draws the ratings of settings that err alike in checker play and cube, by match length, as
// svg or png.
func Write(w io.Writer, format string, s *tune.Surface) error {
	p := paper(s.Table)
	for _, style := range []tune.Style{tune.Noise, tune.Human} {
		var ends []end
		for k, n := range s.Table.Lengths() {
			b := measured(s.Table, style, n)
			if len(b.XYs) < 2 {
				continue
			}
			c := colours[k%len(colours)]
			if err := add(p, b, style, c); err != nil {
				return fmt.Errorf("draw chart: %w", err)
			}
			ends = append(ends, end{b.XYs[len(b.XYs)-1], n, c})
		}
		if err := name(p, ends); err != nil {
			return fmt.Errorf("draw chart: %w", err)
		}
	}
	p.X.Max *= 1.15 // space for the labels at the lines' ends
	to, err := p.WriterTo(20*vg.Centimeter, 14*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("draw chart: %w", err)
	}
	if _, err := to.WriteTo(w); err != nil {
		return fmt.Errorf("draw chart: %w", err)
	}
	return nil
}

// paper is the chart without its lines.
func paper(t *tune.Table) *plot.Plot {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("Rating against error (%s, expert = %.0f)", t.Nets, t.Anchor)
	p.X.Label.Text, p.Y.Label.Text = "amount of error", "rating"
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font, style.Color = writing, ink
	}
	p.Title.TextStyle.Font.Size = vg.Points(14)
	p.Title.Padding = vg.Points(8)
	lines := plotter.NewGrid()
	lines.Vertical.Color, lines.Horizontal.Color = grid, grid
	p.Add(lines)
	key := func(text string, dash []vg.Length) {
		line := plotter.Line{LineStyle: draw.LineStyle{Color: ink, Width: vg.Points(1.2), Dashes: dash}}
		p.Legend.Add(text, &line)
	}
	key("noise on the winning chance", nil)
	key("human-like error", dashes)
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(amounts), every(250, "%.0f")
	// The legend stands where no line is, its text right of its lines: its width depends on the font.
	p.Legend.Padding, p.Legend.Top, p.Legend.Left, p.Legend.XOffs = vg.Points(3), true, true, 10*vg.Centimeter
	return p
}

// amounts are the ticks of amounts of error, few enough to be read.
func amounts(low, high float64) []plot.Tick {
	if high-low > 0.2 {
		return every(0.1, "%.1f").Ticks(low, high)
	}
	return every(0.02, "%.2f").Ticks(low, high)
}

// every marks the multiples of step.
func every(step float64, format string) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) (out []plot.Tick) {
		for k := math.Ceil(low/step) + 0; k*step <= high; k++ {
			out = append(out, plot.Tick{Value: k * step, Label: fmt.Sprintf(format, k*step)})
		}
		return out
	})
}

// measured returns the ratings of a style at a match length, by the amount of error.
func measured(t *tune.Table, style tune.Style, length int) band {
	b := band{XYs: plotter.XYs{{X: 0, Y: t.Anchor}}, YErrors: plotter.YErrors{{}}}
	for _, r := range t.Ratings {
		x := r.Setting
		if r.Length != length || x.Deep != "" || x.Style != style || x.Checker == 0 || (x.Cube != x.Checker && length > 1) {
			continue
		}
		b.XYs = append(b.XYs, plotter.XY{X: x.Checker, Y: r.Rating})
		half := tune.Z90 * r.StdErr
		b.YErrors = append(b.YErrors, struct{ Low, High float64 }{half, half})
	}
	return b
}

// add draws a line with its intervals.
func add(p *plot.Plot, b band, style tune.Style, c color.Color) error {
	line, err := plotter.NewLine(b.XYs)
	if err != nil {
		return err
	}
	bars, err := plotter.NewYErrorBars(b)
	if err != nil {
		return err
	}
	line.Color, bars.Color, line.Width = c, c, vg.Points(1.2)
	if style == tune.Human {
		line.Dashes = dashes
	}
	p.Add(line, bars)
	return nil
}

// end is where the line of a match length ends.
type end struct {
	plotter.XY
	length int
	colour color.Color
}

// name writes the match lengths at the ends of the lines of a style, none on another.
func name(p *plot.Plot, ends []end) error {
	spread(ends, 0.035*(p.Y.Max-p.Y.Min))
	for i := range ends {
		text := fmt.Sprintf("%d points", ends[i].length)
		if ends[i].length == 1 {
			text = "1 point"
		}
		label, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{ends[i].XY}, Labels: []string{text}})
		if err != nil {
			return err
		}
		label.TextStyle[0].Font, label.TextStyle[0].Color, label.TextStyle[0].YAlign = writing, ends[i].colour, draw.YCenter
		label.Offset.X = vg.Points(6)
		p.Add(label)
	}
	return nil
}

// spread sorts ends and moves neighbours up and down until they are that far apart.
func spread(ends []end, apart float64) {
	slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.Y, b.Y) })
	for range 100 { // each pass moves neighbours apart by what they lack
		for i := 1; i < len(ends); i++ {
			if lack := apart - (ends[i].Y - ends[i-1].Y); lack > 0 {
				ends[i-1].Y -= lack / 2
				ends[i].Y += lack / 2
			}
		}
	}
}
