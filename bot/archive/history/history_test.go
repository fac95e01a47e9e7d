package history

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/figure"
	"fibsbot/internal/testsize"
)

func TestChart(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	points := []Point{{At: day, Rating: 1500, ErrorEst: figure.Unknown}, {At: day.AddDate(0, 0, 1), Rating: 1510, ErrorEst: 1700}, {Rating: 9}}
	w, err := Chart(points, "svg")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil || !strings.Contains(b.String(), "<svg") || !strings.Contains(b.String(), "server rating") {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
	if _, err := Chart(points[2:], "svg"); err == nil {
		t.Error("a chart of nothing")
	}
}

func TestErrorSums_noneIsNoEstimate(t *testing.T) {
	if e := (&errorSums{}).estimate(); e.Known() {
		t.Errorf("%v", e)
	}
}

// PRMean is the mean over the last 20 matches, weighted by decisions.
func TestTrend(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var points []Point
	for i := range 30 {
		one := fraction{sum: 1, n: 100} // PR 5
		switch {
		case i == 3:
			one = fraction{sum: figure.Unknown, n: figure.Unknown} // no analysis
		case i >= 25:
			one.sum = 2 // PR 10
		}
		points = append(points, Point{At: day.AddDate(0, 0, i), sums: []fraction{one}})
	}
	setMeans(points)
	if points[3].PR.Known() || points[3].PRMean.Known() {
		t.Error("a match without an analysis has a PR")
	}
	for i, want := range map[int][2]float64{0: {5, 5}, 24: {5, 5}, 25: {10, 5.25}, 29: {10, 6.25}} {
		if p := points[i]; !(math.Abs(float64(p.PR)-want[0]) <= 1e-9 && math.Abs(float64(p.PRMean)-want[1]) <= 1e-9) {
			t.Errorf("match %d: PR %v, mean %v, want %v", i, p.PR, p.PRMean, want)
		}
	}
	var b bytes.Buffer
	w, err := ChartPR(points, "svg")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteTo(&b); err != nil || !strings.Contains(b.String(), "mean of 20 matches") {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
	if _, err := ChartPR(points[3:4], "svg"); err == nil {
		t.Error("a chart of nothing")
	}
}

// TestMoving_nothingLeft: a mean over matches without an error is 0, whatever came before.
func TestMoving_nothingLeft(t *testing.T) {
	var points []Point
	for _, lost := range []index.Figure{0.1, 0.2, 0.3, 0, 0, 0} {
		var p Point
		p.sums = []fraction{{sum: lost, n: 7}}
		points = append(points, p)
	}
	if out, _ := moving(points, 0, 3); out[5] != 0 {
		t.Errorf("%v", out)
	}
}

// The headline counts the matches, those with an analysis and those of an unknown day; the trend
// compares as many matches as there are on both sides.
func TestTrendsOf_headline(t *testing.T) {
	testsize.Medium(t)
	db, err := index.Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	headline := func() Headline {
		t.Helper()
		v, err := TrendsOf(t.Context(), db, index.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return v.Headline
	}
	if h := headline(); h.Matches != 0 || h.PR.Known() || h.Level != "" {
		t.Errorf("without a match: %+v", h)
	}
	for i := range 9 {
		m, _, err := sgf.ReadFile("../../../engine/analyse/testdata/gnubg/match7.sgf")
		if err != nil {
			t.Fatal(err)
		}
		if m.Date = ""; i >= 2 {
			m.Date = fmt.Sprintf("2026-11-%02d", i)
		}
		m.Players[0].Name = fmt.Sprintf("Alice %d", i)
		if _, err := db.Import(t.Context(), m, index.Meta{Account: "Bob"}); err != nil {
			t.Fatal(err)
		}
	}
	h := headline()
	if h.Matches != 9 || h.Analysed != 9 || h.Undated != 2 || h.Window != 3 {
		t.Errorf("%+v", h)
	}
	if !h.PR.Known() || h.Interval == nil || h.Level == "" || !h.Luck.Known() || math.Abs(float64(h.Recent-h.Before)) > 1e-9 || math.Abs(float64(h.Recent-h.PR)) > 1e-9 {
		t.Errorf("%+v", h)
	}
}

// TestFormOf: the form is that of the last ten matches beside the ten before, weighted by decisions.
func TestFormOf(t *testing.T) {
	var points []Point
	for i := range 15 {
		one := fraction{sum: 1, n: 100} // PR 5
		if i >= 5 {
			one.sum = 2 // PR 10
		}
		if i == 14 {
			one = fraction{sum: 1, n: 50}
		}
		points = append(points, Point{sums: []fraction{one}})
	}
	near := func(f index.Figure, want float64) bool { return math.Abs(float64(f)-want) < 1e-9 }
	f := formOf(points)
	if len(f.Last) != formSpan || !near(f.PR, 10) || !near(f.Mean, 10) || !near(f.Before, 5) {
		t.Errorf("%+v", f)
	}
	if f = formOf(points[:10]); len(f.Last) != formSpan || !near(f.Mean, 7.5) || f.Before.Known() {
		t.Errorf("%+v", f)
	}
	if f = formOf(nil); f.PR.Known() || f.Mean.Known() || len(f.Last) != 0 {
		t.Errorf("%+v", f)
	}
}
