package history

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"

	"fibsbot/bot/archive/index"
)

// charted are n matches, one step apart.
func charted(n int, step time.Duration) []Point {
	day := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	var points []Point
	for i := range n {
		points = append(points, Point{At: day.Add(time.Duration(i) * step), Rating: index.Figure(1600 + 30*math.Cos(float64(i)/5)),
			ErrorEst: index.Figure(1650 + 100*math.Sin(float64(i))), sums: []fraction{{sum: index.Figure(1 + math.Sin(float64(i*i))/2), n: 60}}})
	}
	setMeans(points)
	return points
}

// The labels of the time axis differ and fit side by side for any period; matches of one day
// without times are placed by number.
func TestChart_axis(t *testing.T) {
	for _, c := range []struct {
		n           int
		step        time.Duration
		label       string // of the axis
		first, last string // tick labels
	}{
		{1, 0, "", "03-01 00:00", "03-01 18:00"},
		{12, 20 * time.Minute, "", "03-01 10:00", "03-01 13:00"},
		{40, time.Hour, "", "03-01 12:00", "03-03 00:00"},
		{30, 24 * time.Hour, "", "2026-03-08", "2026-03-29"},
		{300, 24 * time.Hour, "", "2026-05-01", "2026-11-01"},
		{900, 24 * time.Hour, "", "2026-07-01", "2028-07-01"},
		{12, 0, "match", "3", "12"},
	} {
		t.Run(fmt.Sprint(c.n, c.step), func(t *testing.T) {
			points := charted(c.n, c.step)
			p := plot.New()
			at := across(p, points)
			low, high := at(0), at(c.n-1)
			if c.n == 1 {
				low, high = low-12*3600, high+12*3600
			}
			var labels []string
			for _, tick := range p.X.Tick.Marker.Ticks(low, high) {
				if tick.Label == "" {
					continue
				}
				if len(labels) > 0 && labels[len(labels)-1] == tick.Label {
					t.Errorf("label %s twice", tick.Label)
				}
				if tick.Value < low || tick.Value > high {
					t.Errorf("label %s lies outside", tick.Label)
				}
				labels = append(labels, tick.Label)
			}
			if p.X.Label.Text != c.label || len(labels) < 2 || len(labels) > mostMarks+2 || labels[0] != c.first || labels[len(labels)-1] != c.last {
				t.Errorf("axis %q with %v, want %q with %s to %s", p.X.Label.Text, labels, c.label, c.first, c.last)
			}
			for name, draw := range map[string]func() ([]byte, error){
				"rating": func() ([]byte, error) { return drawn(Chart(points, "svg")) }, "pr": func() ([]byte, error) { return drawn(ChartPR(points, "svg")) },
			} {
				b, err := draw()
				if err != nil || !strings.Contains(string(b), "<svg") {
					t.Errorf("%s: %v, %d bytes", name, err, len(b))
				}
				if dir := os.Getenv("FIBSBOT_CHARTS"); dir != "" { // to look at them
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.svg", name, c.n, c.step)), b, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func drawn(w io.WriterTo, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = w.WriteTo(&b)
	return b.Bytes(), err
}
