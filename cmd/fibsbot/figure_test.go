package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/bot/archive/review"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// TestOneFigure: every output shows the same loss of an error and the same day, for a match with
// the analysis of its file (gnubg's at one depth and at several, rollouts) and for one analysed here.
func TestOneFigure(t *testing.T) {
	testsize.Large(t)
	engine := filepath.Join("..", "..", "engine")
	gnubg := filepath.Join(engine, "analyse", "testdata", "gnubg", "match3.sgf")
	for _, c := range []struct {
		name, file, preset string // a preset analyses it again
	}{
		{"gnubg", gnubg, ""}, {"fibsbot", gnubg, "expert"}, {"gnubg, several depths", reference.Path(t, "formats", "samples", "match3-analysed.sgf"), ""},
		{"rollouts", filepath.Join(engine, "record", "sgf", "testdata", "rollouts.sgf"), ""},
	} {
		t.Run(c.name, func(t *testing.T) { oneFigure(t, c.file, c.preset) })
	}
}

func oneFigure(t *testing.T, file, preset string) {
	dir := t.TempDir()
	arch := filepath.Join(dir, "archive")
	do := func(args ...string) string {
		t.Helper()
		code, out, errOut := runFor(t, "", args...)
		if code != 0 {
			t.Fatalf("%v: %d\n%s", args, code, errOut)
		}
		return out
	}
	do("archive", "import", "--archive", arch, file)
	if preset != "" {
		do("archive", "analyse", "--archive", arch, "--preset", preset, "--again")
	}
	const least = 0.04 // a doubtful decision: reports list those
	var errs []review.Found
	for line := range strings.Lines(do("archive", "errors", "--archive", arch, "--json", "--min-loss", fmt.Sprint(least))) {
		var f review.Found
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Kind != "resign" {
			errs = append(errs, f)
		}
	}
	if len(errs) == 0 {
		t.Fatal("no errors")
	}
	day := ""
	if !errs[0].Started.IsZero() {
		day = errs[0].Started.UTC().Format("2006-01-02")
	}
	stored := filepath.Join(arch, filepath.FromSlash(errs[0].File))
	type mistake struct {
		PositionID string  `json:"position_id"`
		Loss       float64 `json:"loss"`
	}
	var doc struct {
		Match struct {
			Date string `json:"date"`
		} `json:"match"`
		Games []struct {
			Errors []mistake `json:"errors"`
		} `json:"games"`
	}
	if err := json.Unmarshal([]byte(do("analyse", "--stored", "--json", stored)), &doc); err != nil || doc.Match.Date != day {
		t.Errorf("JSON of the match: %v, day %q, want %q", err, doc.Match.Date, day)
	}
	text, table, shown := do("analyse", "--stored", stored), do("archive", "errors", "--archive", arch, "--min-loss", fmt.Sprint(least)), do("archive", "show", "--archive", arch, errs[0].Match[:8])
	deck := func(name string, args ...string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		do(slices.Concat(args, []string{"--archive", arch, "--min-loss", fmt.Sprint(least)}, []string{path})...)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	quiz := deck("quiz.html", "quiz", "export", "--player", "any")
	cards := do("archive", "errors", "--archive", arch, "--min-loss", fmt.Sprint(least), "--deck", "html")
	csv := do("archive", "errors", "--archive", arch, "--min-loss", fmt.Sprint(least), "--deck", "csv")
	for _, out := range []struct{ name, text string }{{"the table of errors", table}, {"the match", shown}, {"the quiz", quiz}, {"the cards", cards}, {"the CSV", csv}, {"the report", text}} {
		if day != "" && !strings.Contains(out.text, day) {
			t.Errorf("%s lacks the day %s", out.name, day)
		}
	}
	asked := 0
	for _, f := range errs {
		want := fmt.Sprintf("%.3f", f.Loss())
		if !slices.Contains(doc.Games[f.Game-1].Errors, mistake{f.PositionID, f.Loss()}) {
			t.Errorf("%d.%d %s: the JSON lacks -%s", f.Game, f.Number, f.Played, want)
		}
		for _, out := range []struct{ name, text, figure string }{
			{"the report", text, "(-" + want}, {"the table of errors", table, "  " + want + "  "}, {"the cards", cards, ", lost " + want}, {"the CSV", csv, fmt.Sprintf(",%.4f,", f.Loss())},
		} {
			if !strings.Contains(out.text, out.figure) {
				t.Errorf("%d.%d %s: %s lacks %q", f.Game, f.Number, f.Played, out.name, out.figure)
			}
		}
		if f.Mark != "" && len(errs) < 20 && !strings.Contains(shown, "lost "+want) {
			t.Errorf("%d.%d %s: the match lacks -%s:\n%s", f.Game, f.Number, f.Played, want, shown)
		}
		if strings.Contains(quiz, "lost "+want) && strings.Contains(quiz, "(−"+want+")") {
			asked++
		}
	}
	if 10*asked < 9*len(errs) { // beavers and doubles of one question are not asked
		t.Errorf("%d of %d losses are in the quiz", asked, len(errs))
	}
}
