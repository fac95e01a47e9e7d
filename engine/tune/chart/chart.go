// Package chart draws how strong the engine plays against how much it errs, one
// line a match length.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package chart

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"fibsbot/engine/tune"
)

// band is the points of a line with the 90 % interval of each.
type band struct {
	plotter.XYs
	plotter.YErrors
}

// Write draws the ratings of settings that err alike in checker play and cube,
// by match length, as svg or png.
func Write(w io.Writer, format string, s *tune.Surface) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("Rating against error (%s, expert = %.0f)", s.Table.Nets, s.Table.Anchor)
	p.X.Label.Text = "amount of error: noise on the winning chance, or human-like error in EMG"
	p.Y.Label.Text = "rating"
	p.Legend.Top = true
	colour := 0
	for _, style := range []tune.Style{tune.Noise, tune.Human} {
		for _, n := range lengths(s.Table) {
			b := band{XYs: plotter.XYs{{X: 0, Y: s.Table.Anchor}}, YErrors: plotter.YErrors{{}}}
			for _, r := range s.Table.Ratings {
				x := r.Setting
				if r.Length != n || x.Deep != "" || x.Style != style || x.Checker == 0 || (x.Cube != x.Checker && n > 1) {
					continue
				}
				b.XYs = append(b.XYs, plotter.XY{X: x.Checker, Y: r.Rating})
				half := tune.Z90 * r.StdErr
				b.YErrors = append(b.YErrors, struct{ Low, High float64 }{half, half})
			}
			if len(b.XYs) < 2 {
				continue
			}
			line, err := plotter.NewLine(b.XYs)
			if err != nil {
				return fmt.Errorf("draw chart: %w", err)
			}
			bars, err := plotter.NewYErrorBars(b)
			if err != nil {
				return fmt.Errorf("draw chart: %w", err)
			}
			line.Color, bars.Color = plotutil.Color(colour), plotutil.Color(colour)
			if style == tune.Human {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
			}
			colour++
			p.Add(line, bars)
			p.Legend.Add(fmt.Sprintf("%s, %d points", style, n), line)
		}
	}
	to, err := p.WriterTo(20*vg.Centimeter, 14*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("draw chart: %w", err)
	}
	if _, err := to.WriteTo(w); err != nil {
		return fmt.Errorf("draw chart: %w", err)
	}
	return nil
}

func lengths(t *tune.Table) (out []int) {
	for _, p := range t.Ratings {
		if len(out) == 0 || out[len(out)-1] != p.Length {
			out = append(out, p.Length)
		}
	}
	return out
}
