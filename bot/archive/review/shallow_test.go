package review_test

import (
	"bytes"
	"path/filepath"
	"regexp"
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
	note := regexp.QuoteMeta(review.Shallow)
	for _, c := range []struct{ name, text, want string }{
		{"list", list.String(), `(?s)  [\d.]+\*/[\d.]+  [\d.]+\*/[\d.]+\n.*` + note + `\n$`},
		{"list, the other match", list.String(), `(?m) [\d.]+/[\d.]+ +[\d.]+/[\d.]+$`},
		{"show", show.String(), `(?s)PR [\d.]+\*/[\d.]+, [\d.]+\*/[\d.]+ millipoints.*` + note},
		{"stats", stats.String(), `(?m)^3 .* [\d.]+\* +[\d.]+ +[\d.]+\* +[\d.]+ `},
		{"stats, the other match", stats.String(), `(?m)^5 [^*]*$`},
		{"the note of stats", stats.String(), `(?m)^` + note + `$`},
		{"csv", csv.String(), `opponent_error_per_decision,shallow,opponent_shallow,`},
	} {
		if !regexp.MustCompile(c.want).MatchString(c.text) {
			t.Errorf("%s: no %s in\n%s", c.name, c.want, c.text)
		}
	}
	if sums[0].Get("shallow")+sums[1].Get("shallow") != 1 || sums[0].Get("opponent_shallow")+sums[1].Get("opponent_shallow") != 0 {
		t.Errorf("%+v", sums)
	}
	points, _, err := history.Ratings(t.Context(), db, index.Filter{})
	if err != nil || len(points) > 0 && !points[0].Shallow && !points[len(points)-1].Shallow {
		t.Errorf("%+v, %v", points, err)
	}
}
