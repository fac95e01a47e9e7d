package review_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/bot/archive/history"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/engine/record/sgf"
)

// The PR of a player who searched as deep as the analysis is marked wherever it stands, that of
// the opponent is not.
func TestShallow_marksEveryPR(t *testing.T) {
	db, err := index.Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, name := range []string{"match3.sgf", "match5.sgf"} {
		m, _, err := sgf.ReadFile(filepath.Join("..", "..", "..", "engine", "analyse", "testdata", "gnubg", name))
		if err != nil {
			t.Fatal(err)
		}
		m.Judge.SameDepth[1] = name == "match3.sgf"
		if _, err := db.Import(t.Context(), m, index.Meta{Account: m.Players[1].Name}); err != nil {
			t.Fatal(err)
		}
	}
	var list, show, stats, csv bytes.Buffer
	if err := review.Matches(t.Context(), db, index.Filter{}, &list); err != nil {
		t.Fatal(err)
	}
	if err := db.List(t.Context(), index.Filter{Length: 3}, func(m *index.Match) error { return review.Show(&show, m, review.Details{}) }); err != nil {
		t.Fatal(err)
	}
	sums, err := db.Stats(t.Context(), index.Filter{}, "length")
	if err != nil {
		t.Fatal(err)
	}
	if err := review.StatsTable(&stats, "length", sums); err != nil {
		t.Fatal(err)
	}
	if err := review.WriteCSV(t.Context(), db, index.Filter{}, &csv); err != nil {
		t.Fatal(err)
	}
	splits := map[string]*bytes.Buffer{}
	for _, by := range index.SplitBy {
		list, err := db.Splits(t.Context(), index.Filter{Length: 3}, by)
		if err != nil {
			t.Fatal(err)
		}
		splits[by] = new(bytes.Buffer)
		if err := review.SplitTable(splits[by], by, list); err != nil {
			t.Fatal(err)
		}
	}
	trends, err := history.TrendsOf(t.Context(), db, index.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	note := regexp.QuoteMeta(index.ShallowNote)
	for _, c := range []struct{ name, text, want string }{
		{"list", list.String(), `(?s)  [\d.]+\*/[\d.]+  [\d.]+\*/[\d.]+\n.*` + note + `\n$`},
		{"list, the other match", list.String(), `(?m) [\d.]+/[\d.]+ +[\d.]+/[\d.]+$`},
		{"show", show.String(), `(?s)PR [\d.]+\*/[\d.]+, [\d.]+\*/[\d.]+ millipoints.*` + note},
		{"stats", stats.String(), `(?m)^3 .* [\d.]+\* +[\d.]+ +[\d.]+\* +[\d.]+ `},
		{"stats, the other match", stats.String(), `(?m)^5 [^*]*$`},
		{"the note of stats", stats.String(), `(?m)^` + note + `$`},
		{"by phase", splits["phase"].String(), `(?s)^SIDE.*\naccount +opening .* [\d.]+\* +[\d.]+\* +[-+][\d.]+\n.*opponents +opening [^*]*\n` + note + `\n$`},
		{"by plan", splits["plan"].String(), `(?s)\naccount [^\n]* [\d.]+\* +[\d.]+\* .*opponents [^*]*\n` + note + `\n$`},
		{"by cube error, of the opponent alone", splits["cube"].String(), `^[^*]*$`},
		{"the lines of the page", fmt.Sprint(trends.Shallow), `^\[pr checker_pr cube_pr not_doubling doubling answering\]$`},
		{"csv", csv.String(), `opponent_error_per_decision,shallow,opponent_shallow,`},
	} {
		if !regexp.MustCompile(c.want).MatchString(c.text) {
			t.Errorf("%s: no %s in\n%s", c.name, c.want, c.text)
		}
	}
	if sums[0].Get("shallow")+sums[1].Get("shallow") != 1 || sums[0].Get("opponent_shallow")+sums[1].Get("opponent_shallow") != 0 {
		t.Errorf("%+v", sums)
	}
	points, strength, err := history.Ratings(t.Context(), db, index.Filter{})
	if err != nil || len(points) != 2 || points[0].Shallow == points[1].Shallow || !points[1].MeanShallow || strength.Shallow != 1 {
		t.Fatalf("%+v, %+v, %v", points, strength, err)
	}
	for name, draw := range map[string]func([]history.Point, string) (io.WriterTo, error){"ratings": history.Chart, "pr": history.ChartPR} {
		for _, shallow := range []bool{true, false} {
			var svg bytes.Buffer
			if !shallow {
				points[0].Shallow, points[1].Shallow = false, false
			}
			w, err := draw(points, "svg")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.WriteTo(&svg); err != nil || strings.Contains(svg.String(), "* from an analysis no deeper than the player") != shallow {
				t.Errorf("chart of %s: the note stands there: %t, %v", name, !shallow, err)
			}
		}
		points, _, _ = history.Ratings(t.Context(), db, index.Filter{})
	}
}
