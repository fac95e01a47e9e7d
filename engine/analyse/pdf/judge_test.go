package pdf

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// blitzPage is what BGBlitz writes of a position with its plays.
const blitzPage = " +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Green  52\nv|                  |BAR|                  |\n" +
	" +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Red  111\n\n XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10\n\n Green - 6 Red - 3 in a 7 point match.\n\n" +
	"Evaluation  (EMG)\n ==========\n" +
	"  1.   0.124 mwp /  -0.492            19/18, 14/12 \n       0.254  0.000  0.000  -  0.746  0.338  0.004 \n\n" +
	"  2.   0.111 mwp /  -0.545  (-0.053)  19/18, 3/1 \n       0.227  0.000  0.000  -  0.773  0.385  0.005 \n\n"

// TestJudge: text, page, PDF and JSON name the same judge, whoever it is.
func TestJudge(t *testing.T) {
	testsize.Medium(t)
	read := func(data []byte, err error) *record.Match {
		t.Helper()
		var list []*record.Match
		if err == nil {
			list, _, _, err = detect.Read(bytes.NewReader(data))
		}
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	file := func(name string) *record.Match {
		t.Helper()
		return read(os.ReadFile(filepath.Join(reference.Path(t, "formats"), name)))
	}
	e := enginetest.Open(t)
	own := func(m *record.Match) *record.Match {
		t.Helper()
		a := analyse.New(e.RolloutOptions(), enginetest.Preset(t, "expert"))
		a.Now = func() time.Time { return time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC) }
		if _, err := a.Analyse(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		return read(b.Bytes(), nil)
	}
	judged := own(analyse.Bare(load(t, "match3.sgf")))
	thought := own(analyse.Bare(load(t, "match3.sgf")))
	for i := range thought.Games { // what its players thought while playing
		for k := range thought.Games[i].Actions {
			if an := thought.Games[i].Actions[k].Analysis; an != nil {
				an.Own, an.Luck, an.Played = true, nil, 0
			}
		}
	}
	rolled := own(analyse.Bare(load(t, "match3.sgf")))
	for i := range rolled.Games {
		for k := range rolled.Games[i].Actions {
			an := rolled.Games[i].Actions[k].Analysis
			if an == nil {
				continue
			}
			for n := range an.Candidates {
				an.Candidates[n].Rollout = &record.Rollout{Trials: 36}
			}
			if an.Cube != nil {
				an.Cube.Rollout = &record.Rollout{Trials: 36}
			}
		}
	}
	for name, c := range map[string]struct {
		m    *record.Match
		want string // in the first line
		note bool
	}{
		"our own":                    {judged, ", expert, 0-ply, luck 0-ply, nets ", false},
		"the same depth":             {own(thought), ", expert, 0-ply, luck 0-ply, nets ", true},
		"GNU Backgammon":             {load(t, "match3.sgf"), "Analysed by GNU Backgammon ", false},
		"a rollout":                  {rolled, ", rollouts, luck 0-ply, nets ", false},
		"a rollout of few decisions": {file("samples/rollout.sgf"), "mostly 2-ply", false},
		"XG":                         {file("xg-sample/match7.xg"), "Analysed by eXtreme Gammon", false},
		"BGBlitz":                    {read([]byte(blitzPage), nil), "Analysed by BGBlitz", false},
		"no one":                     {analyse.Bare(load(t, "match3.sgf")), "Not analysed", false},
	} {
		t.Run(name, func(t *testing.T) {
			lines := analyse.JudgeLines(c.m, nil)
			if !strings.Contains(lines[0], c.want) || len(lines) > 1 != c.note {
				t.Fatalf("%q, want %q in it and a note: %v", lines, c.want, c.note)
			}
			var text, page bytes.Buffer
			if err := report.WriteText(&text, c.m, nil, report.TextOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := report.HTML(&page, c.m, nil, report.PageOptions{}); err != nil {
				t.Fatal(err)
			}
			printed := strings.Join(strings.Fields(textOf(t, printed(t, c.m))), " ")
			flat := strings.Join(strings.Fields(text.String()), " ")
			for _, l := range lines {
				if !strings.Contains(flat, l) {
					t.Errorf("the text has no %q", l)
				}
				if !strings.Contains(html.UnescapeString(page.String()), l) {
					t.Errorf("the page has no %q", l)
				}
				if !strings.Contains(printed, l) {
					t.Errorf("the PDF has no %q", l)
				}
			}
			data, err := json.Marshal(report.Build(c.m, nil))
			if err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Judge *struct {
					Program, Preset, Depth, Nets, Date string
					Table                              string `json:"match_equities"`
					SameDepth                          []bool `json:"same_depth"`
				}
			}
			if err := json.Unmarshal(data, &doc); err != nil {
				t.Fatal(err)
			}
			j := doc.Judge
			if j == nil || name == "no one" {
				if j != nil || name != "no one" {
					t.Errorf("the JSON has %+v", j)
				}
				return
			}
			for _, v := range []string{j.Program, j.Preset, j.Depth, j.Nets, j.Table, j.Date} {
				if !strings.Contains(lines[0], v) {
					t.Errorf("the JSON has %q, the text %q", v, lines[0])
				}
			}
			if j.Depth == "" || c.note != (len(j.SameDepth) == 2 && j.SameDepth[0] && j.SameDepth[1]) {
				t.Errorf("the JSON has %+v", j)
			}
		})
	}
}
