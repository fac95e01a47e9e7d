package history

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestChart(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	estimate := 1700.0
	points := []Point{{At: day, Rating: 1500}, {At: day.AddDate(0, 0, 1), Rating: 1510, ErrorEst: &estimate}, {Rating: 9}}
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
	if e := (&errorSums{}).estimate(); e != nil {
		t.Errorf("%v", *e)
	}
}
