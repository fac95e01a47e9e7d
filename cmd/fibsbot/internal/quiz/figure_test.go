package quiz

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/internal/reference"
)

// analysedMatches returns matches with the analyses of gnubg, also at several depths and with rollouts, and of this
// program.
func analysedMatches(t *testing.T) map[string]*record.Match {
	t.Helper()
	out := map[string]*record.Match{}
	engine := filepath.Join("..", "..", "..", "..", "engine")
	for name, path := range map[string]string{
		"gnubg": filepath.Join(engine, "analyse", "testdata", "gnubg", "match7.sgf"), "gnubg money": filepath.Join(engine, "analyse", "testdata", "gnubg", "session5.sgf"),
		"rollouts": filepath.Join(engine, "record", "sgf", "testdata", "rollouts.sgf"), "several depths": reference.Path(t, "formats", "samples", "match3-analysed.sgf"),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list, _, _, err := detect.Read(bytes.NewReader(data))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v", path, err)
		}
		out[name] = list[0]
	}
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	own := *out["gnubg"]
	ours := analyse.Bare(&own)
	if _, err := analyse.New(e.RolloutOptions(), p).Analyse(t.Context(), ours); err != nil {
		t.Fatal(err)
	}
	out["fibsbot"] = ours
	return out
}

// answered returns the answer that a player gave by a decision.
func answered(q *Question, row *report.Row) string {
	switch q.Kind {
	case Double:
		if strings.HasPrefix(row.Played, "No ") {
			return roll
		}
		return double
	case Take:
		return map[string]string{"Take": "take", "Pass": "drop"}[row.Played]
	}
	return row.Played
}

// TestQuestions_oneFigure: the quiz and its cards show the loss that the review shows, by the
// judge of the match, though another preset asks.
func TestQuestions_oneFigure(t *testing.T) {
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("beginner") // its own values would be others
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[Kind]int{}
	for name, m := range analysedMatches(t) {
		sum := analyse.Summarise(m, nil, analyse.DefaultLimits)
		questions := Questions(m, name, "2024-06-01", 0)
		for i := range m.Games {
			for _, row := range report.Rows(m, sum, i, nil) {
				kind, s, ok := asks(&row)
				if row.Loss() < LeastLoss || !ok {
					continue
				}
				q := questions[0]
				questions = questions[1:]
				if q.Kind != kind || q.Situation != s || q.Loss != row.Loss() || q.Known == nil {
					t.Fatalf("%s game %d: %+v is not the question of %+v", name, i+1, q, row)
				}
				kinds[kind]++
				v, err := Judge(t.Context(), e, p, &q, answered(&q, &row))
				if err != nil {
					t.Fatalf("%s: %s %s: %v", name, q.Situation.XGID(), row.Played, err)
				}
				if math.Abs(v.Loss-q.Loss) > 2e-6 || v.Source != "analysis" || v.Depth != row.Depth {
					t.Errorf("%s %s %s: the quiz says -%.4f by %s %q, the review %.4f by %q", name, q.Situation.XGID(), row.Played, v.Loss, v.Source, v.Depth, q.Loss, row.Depth)
				}
				if kinds[kind] > 3 {
					continue
				}
				card, err := export(t.Context(), e, p, &q, nil)
				text := strings.Join(card.Answer, "\n")
				if err != nil || !strings.Contains(card.From, fmt.Sprintf("lost %.3f, 2024-06-01", q.Loss)) || !strings.Contains(text, fmt.Sprintf("(-%.3f)", q.Loss)) || !strings.Contains(text, "("+row.Depth+")") {
					t.Errorf("%s: card of %s: %v\n%s\n%s", name, row.Played, err, card.From, text)
				}
			}
		}
		if len(questions) > 0 {
			t.Errorf("%s: %d questions without a decision", name, len(questions))
		}
	}
	if kinds[Play] < 50 || kinds[Double] < 5 || kinds[Take] < 2 {
		t.Errorf("only %v", kinds)
	}
}

// TestJudge_answerToADouble: the answer to the double counts too, unless it is left open.
func TestJudge_answerToADouble(t *testing.T) {
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	list, err := setNamed("cubes")
	if err != nil {
		t.Fatal(err)
	}
	q := list[slices.IndexFunc(list, func(q Question) bool { return q.Kind == Double && q.Situation.State.Length == 0 })]
	for _, c := range []struct {
		name       string
		nd, dt     float64
		best       string
		roll, take float64 // losses
		pass, open float64
	}{
		{"double, take", 0.5, 0.8, doubleTake, 0.3, 0, 0.2, 0},
		{"double, pass", 0.5, 1.3, doublePass, 0.5, 0.3, 0, 0},
		{"no double", 0.9, 0.6, roll, 0, 0.3, 0.7, 0.3},
		{"too good", 1.2, 1.5, roll, 0, 0.7, 0.2, 0.2},
	} {
		q.Known = &Known{Cube: [2]float64{c.nd, c.dt}, Trials: 1296}
		for answer, want := range map[string]float64{roll: c.roll, doubleTake: c.take, doublePass: c.pass, double: c.open} {
			v, err := Judge(t.Context(), e, p, &q, answer)
			if err != nil || math.Abs(v.Loss-want) > 1e-9 || v.Best != c.best || len(v.Choices) != 3 {
				t.Errorf("%s: %s loses %.3f of best %s, want %.3f of %s: %v", c.name, answer, v.Loss, v.Best, want, c.best, err)
			}
		}
	}
}
