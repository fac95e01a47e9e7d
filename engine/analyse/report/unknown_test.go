package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// TestUnknown: a figure that was not measured is null in the JSON, "n/a" in the text and
// on the page, whichever part of the analysis is missing.
func TestUnknown(t *testing.T) {
	testsize.Medium(t)
	checker := []string{"checker_error", "checker_error_total", "checker_cost", "checker_word", "checker_marked", "checker_pr"}
	cube := []string{"cube_error", "cube_error_total", "cube_cost", "cube_word", "cube_errors", "cube_pr"}
	luck := []string{"luck", "luck_cost", "luck_rate", "rolls", "luck_adjusted_result", "rating_difference"}
	estimates := []string{"rating_estimate", "rating_lost_checker", "rating_lost_cube", "rating_estimate_by_decision"}
	all := []string{"error_per_decision", "error_total", "error_cost", "snowie_error", "pr", "marked", "chance_against_opponent"}
	words := []string{"pr_word", "rating_word"} // of plays and cube together
	join := func(lists ...[]string) (out []string) {
		for _, l := range lists {
			out = append(out, l...)
		}
		return out
	}
	for name, c := range map[string]struct {
		keep func(a *record.Analysis) *record.Analysis
		null []string
	}{
		"whole":       {func(a *record.Analysis) *record.Analysis { return a }, nil},
		"no luck":     {func(a *record.Analysis) *record.Analysis { b := *a; b.Luck = nil; return &b }, luck},
		"no cube":     {func(a *record.Analysis) *record.Analysis { b := *a; b.Cube = nil; return &b }, join(cube, estimates, []string{"close_cube_decisions"}, words)},
		"no plays":    {func(a *record.Analysis) *record.Analysis { b := *a; b.Candidates, b.Played = nil, -1; return &b }, join(checker, estimates, words)},
		"no analysis": {func(*record.Analysis) *record.Analysis { return nil }, join(checker, cube, luck, estimates, all, words, []string{"close_cube_decisions"})},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := analysed(t, "match7.sgf")
			for i := range m.Games {
				for k := range m.Games[i].Actions {
					if a := m.Games[i].Actions[k].Analysis; a != nil {
						m.Games[i].Actions[k].Analysis = c.keep(a)
					}
				}
			}
			s := analyse.Summarise(m, nil, analyse.DefaultLimits)
			doc := asJSON(t, Build(m, s))
			null := map[string]bool{}
			for _, key := range c.null {
				null[key] = true
			}
			for p, player := range doc["players"].([]any) {
				for key, v := range player.(map[string]any) {
					if (v == nil) != null[key] && !strings.Contains(key, "resignation") {
						t.Errorf("player %d: %s is %v, want null: %v", p, key, v, null[key])
					}
				}
			}
			agree(t, m, s)
			var page bytes.Buffer
			if err := HTML(&page, m, s, PageOptions{}); err != nil {
				t.Fatal(err)
			}
			if name == "no analysis" && regexp.MustCompile(`(?i)supernatural|world champion|NaN`).MatchString(page.String()) {
				t.Error("the page calls an unanalysed match perfect")
			}
			if strings.Contains(page.String(), "NaN") {
				t.Error("the page shows NaN")
			}
		})
	}
}

// TestJSON_agreesWithTheText: every figure of the JSON report is null or the one that the
// text shows, for files of many programs, with and without their analysis.
func TestJSON_agreesWithTheText(t *testing.T) {
	testsize.Medium(t)
	n := 0
	try := func(file string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, _, _, err := detect.Read(bytes.NewReader(data))
		if err != nil {
			return // not a match file
		}
		for _, m := range list {
			for _, m := range []*record.Match{m, analyse.Bare(m)} {
				n++
				agree(t, m, analyse.Summarise(m, nil, analyse.DefaultLimits))
				if t.Failed() {
					t.Fatalf("in %s", file)
				}
			}
		}
	}
	own, err := filepath.Glob(filepath.Join("..", "testdata", "gnubg", "*.sgf"))
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	for _, file := range own {
		try(file)
	}
	err = filepath.WalkDir(reference.Path(t, "formats"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasSuffix(path, ".md") {
			try(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d matches", n)
}

func asJSON(t *testing.T, d Document) (doc map[string]any) {
	t.Helper()
	b, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(b, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// agree holds every row of the text against the keys of the JSON that it is made of.
func agree(t *testing.T, m *record.Match, s *analyse.Summary) {
	t.Helper()
	doc := asJSON(t, Build(m, s))
	if m.Length > 0 != (doc["players"].([]any)[0].(map[string]any)["points_per_game"] == nil) && len(m.Games) > 1 && m.Length > 0 {
		t.Errorf("points per game in a match")
	}
	group := ""
	for _, r := range summaryRows(m, s, nil) {
		if r.Group {
			group = r.Name
			continue
		}
		f, ok := rowKeys[group+"/"+r.Name]
		if !ok {
			f, ok = rowKeys[r.Name]
		}
		if !ok {
			t.Errorf("no key of the JSON is known for the row %s/%s", group, r.Name)
			continue
		}
		for p := range 2 {
			player := doc["players"].([]any)[p].(map[string]any)
			values := numbersIn(r.Values[p])
			want := f.of(player, m.Length > 0)
			if f.word {
				got := r.Values[p]
				if got == "-" || got == "n/a" {
					got = ""
				}
				if w, _ := player[f.keys[0]].(string); w != got {
					t.Errorf("%s/%s, player %d: text %q, JSON %q", group, r.Name, p, r.Values[p], w)
				}
				continue
			}
			if len(values) == 0 {
				for _, w := range want {
					if !math.IsNaN(w) {
						t.Errorf("%s/%s, player %d: text %q, JSON %v", group, r.Name, p, r.Values[p], want)
					}
				}
				continue
			}
			for k, w := range want {
				if k >= len(values) {
					break // "0": nothing more to say
				}
				if math.IsNaN(w) || math.Abs(values[k]-w) > f.tolerance(k) {
					t.Errorf("%s/%s, player %d: text %q, JSON %v", group, r.Name, p, r.Values[p], want)
				}
			}
		}
	}
}

var number = regexp.MustCompile(`[-+]?\d+(?:\.\d+)?`)

func numbersIn(text string) (out []float64) {
	for _, w := range number.FindAllString(strings.NewReplacer(" / ", "  ", "±", " ").Replace(text), -1) {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			panic(err)
		}
		out = append(out, v)
	}
	return out
}

// fields are the keys of the JSON that a row of the text is made of.
type fields struct {
	keys  []string
	scale []float64 // of each key in the text, 1 without
	word  bool
	off   float64 // how far the text may be off, by rounding
}

func (f *fields) tolerance(k int) float64 {
	if f.off > 0 {
		return f.off
	}
	return 0.0051
}

// of are the values of the keys as the text writes them, NaN for null.
func (f *fields) of(player map[string]any, match bool) (out []float64) {
	for k, key := range f.keys {
		v := any(player)
		for part := range strings.SplitSeq(key, ".") {
			if i, err := strconv.Atoi(part); err == nil {
				list, _ := v.([]any)
				if i >= len(list) {
					v = nil
					break
				}
				v = list[i]
				continue
			}
			object, _ := v.(map[string]any)
			v = object[part]
		}
		x, ok := v.(float64)
		if !ok {
			out = append(out, math.NaN())
			continue
		}
		if len(f.scale) > k {
			x *= f.scale[k]
		}
		if match && (strings.HasSuffix(key, "cost") || strings.HasSuffix(key, "result") || strings.HasPrefix(key, "chance")) {
			x *= 100
		}
		out = append(out, x)
	}
	return out
}

var rowKeys = func() map[string]fields {
	minus := []float64{-1, -1}
	out := map[string]fields{
		"Total moves":                         {keys: []string{"moves"}},
		"Unforced moves":                      {keys: []string{"unforced_moves"}},
		"Marked very bad / bad / doubtful":    {keys: []string{"checker_marked.very_bad", "checker_marked.bad", "checker_marked.doubtful"}},
		"Checker play/Error, EMG (cost)":      {keys: []string{"checker_error_total", "checker_cost"}, scale: minus},
		"Millipoints an unforced move":        {keys: []string{"checker_error"}, scale: minus},
		"Checker play/Rating (gnubg's words)": {keys: []string{"checker_word"}, word: true},
		"Decisions":                           {keys: []string{"cube_decisions"}},
		"Close or actual decisions":           {keys: []string{"close_cube_decisions"}},
		"Doubles / takes / passes":            {keys: []string{"doubles", "takes", "passes"}},
		"Cube/Error, EMG (cost)":              {keys: []string{"cube_error_total", "cube_cost"}, scale: minus},
		"Cube/Millipoints a decision":         {keys: []string{"cube_error"}, scale: minus},
		"Cube/Rating (gnubg's words)":         {keys: []string{"cube_word"}, word: true},
		"Too early or accepted too cheaply":   {keys: []string{"wrong_resignations"}},
		"Resignations/Error, EMG (cost)":      {keys: []string{"resignation_error_total", "resignation_cost"}, scale: minus},
		"Very lucky / lucky rolls":            {keys: []string{"rolls.very_lucky", "rolls.lucky"}},
		"Very unlucky / unlucky rolls":        {keys: []string{"rolls.very_unlucky", "rolls.unlucky"}},
		"Luck, EMG (cost)":                    {keys: []string{"luck", "luck_cost"}},
		"Millipoints a roll":                  {keys: []string{"luck_rate"}},
		"In words":                            {keys: []string{"luck_word"}, word: true},
		"PR (performance rating)":             {keys: []string{"pr"}},
		"PR of checker play":                  {keys: []string{"checker_pr"}},
		"PR of the cube":                      {keys: []string{"cube_pr"}},
		"Level by PR (XG's words)":            {keys: []string{"pr_word"}, word: true},
		"Decisions that count for PR":         {keys: []string{"counted_decisions"}},
		"Overall/Error, EMG (cost)":           {keys: []string{"error_total", "error_cost"}, scale: minus},
		"Overall/Millipoints a decision":      {keys: []string{"error_per_decision"}, scale: minus},
		"Snowie error rate":                   {keys: []string{"snowie_error"}, scale: minus},
		"Overall/Rating (gnubg's words)":      {keys: []string{"rating_word"}, word: true},
		"Actual result":                       {keys: []string{"actual_result"}},
		"Luck-adjusted result":                {keys: []string{"luck_adjusted_result"}},
		"Chance against this opponent":        {keys: []string{"chance_against_opponent"}},
		"Points a game, 95% interval":         {keys: []string{"points_per_game.mean", "points_per_game.half"}},
		"The same, luck-adjusted":             {keys: []string{"luck_adjusted_points_per_game.mean", "luck_adjusted_points_per_game.half"}},
		"Estimated FIBS rating":               {keys: []string{"rating_estimate"}, off: 0.56},
		"Rating lost by plays / by the cube":  {keys: []string{"rating_lost_checker", "rating_lost_cube"}, off: 0.051},
		"Rating by errors a decision":         {keys: []string{"rating_estimate_by_decision"}, off: 0.56},
		"Rating difference, luck-adjusted":    {keys: []string{"rating_difference"}, off: 0.56},
	}
	for kind, name := range faultNames {
		key := fmt.Sprintf("cube_errors.%d.", kind)
		out[name] = fields{keys: []string{key + "count", key + "error", key + "cost"}, scale: []float64{1, -1, -1}}
	}
	return out
}()
