package report_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record/sgf"
)

// Every step is drawn with what was asked and done, a single one also with the reason, in well formed SVG.
func TestPictures(t *testing.T) {
	m, _, err := sgf.ReadFile("../testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	m.Players[0].Name = "<script>&"
	all, err := report.Pictures(m, nil, report.PageOptions{})
	if err != nil || len(all) != 234 {
		t.Fatalf("%d pictures, %v", len(all), err)
	}
	for i, svg := range all {
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil || strings.Contains(svg, "<script") || strings.Count(svg, "bg-text\"") == 0 {
			t.Errorf("%d: %v", i, err)
		}
	}
	why := func(*report.Row) string { return "It breaks an anchor & loses." }
	one, err := report.Picture(m, nil, 4, 25, report.PageOptions{Me: 1, Why: why})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"5-away, 3-away", "24/22 13/9 −0.261 ?? blunder −2.25% match", "better 8/4 6/4", "an anchor &amp; loses", `width="720"`} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q in %.3000s", want, one)
		}
	}
	if none, err := report.Picture(m, nil, 4, 999, report.PageOptions{}); none != "" || err != nil {
		t.Errorf("a decision that is not there: %.40q, %v", none, err)
	}
	if _, err := report.Pictures(nil, nil, report.PageOptions{}); err == nil {
		t.Error("pictures of no match")
	}
}
