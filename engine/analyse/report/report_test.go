package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/figure"
	"fibsbot/internal/reference"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

func analysed(t testing.TB, name string) (*record.Match, *analyse.Summary) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "gnubg", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := sgf.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m, analyse.Summarise(m, nil, analyse.DefaultLimits)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; go test -update rewrites it\n%s", file, diff)
	}
}

// TestText_fitsTheTerminal: 80 columns are what a terminal has at least.
func TestText_fitsTheTerminal(t *testing.T) {
	for _, name := range []string{"match7.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		m.Players[0].Name = strings.Repeat("name", 5) // 20 letters, the most that FIBS takes
		var b bytes.Buffer
		if err := WriteText(&b, m, s, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
		if !strings.Contains(b.String(), m.Players[0].Name+" ") {
			t.Errorf("%s: the name is cut", name)
		}
	}
}

func TestText_golden(t *testing.T) {
	m, s := analysed(t, "session5.sgf")
	var b bytes.Buffer
	if err := WriteText(&b, m, s, TextOptions{Boards: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "session5.txt", b.Bytes())
}

func TestJSON_holdsTheContractsFields(t *testing.T) {
	m, s := analysed(t, "match5.sgf")
	b, err := json.MarshalIndent(Build(m, s), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	short := Build(m, s) // the golden file holds a few decisions of each kind
	for i := range short.Games {
		short.Games[i].Decisions = short.Games[i].Decisions[:min(6, len(short.Games[i].Decisions))]
		for k := range short.Games[i].Decisions {
			d := &short.Games[i].Decisions[k]
			d.Candidates = d.Candidates[:min(2, len(d.Candidates))]
		}
	}
	small, err := json.MarshalIndent(short, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "match5.json", append(small, '\n'))
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	player := doc["players"].([]any)[0].(map[string]any)
	for _, k := range []string{
		"name", "unforced_moves", "checker_error", "cube_decisions", "cube_error", "error_per_decision",
		"snowie_error", "luck", "luck_adjusted_result", "rating_word", "rating_estimate",
	} {
		if _, ok := player[k]; !ok {
			t.Errorf("no %s", k)
		}
	}
}

// TestHTML_isOneSoundPage: the page needs nothing from outside, escapes what players
// call themselves, and has every decision in it.
func TestHTML_isOneSoundPage(t *testing.T) {
	for _, name := range []string{"match5.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		m.Players[0].Name = `<b onclick="x">Al & "ice"</b>`
		var b bytes.Buffer
		if err := HTML(&b, m, s, PageOptions{}); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		for _, bad := range []string{"http-equiv", "src=", "@import", "<b onclick", "style=", "ZgotmplZ", "NaN", "%!"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page contains %q", name, bad)
			}
		}
		if strings.Count(page, "url(") != strings.Count(page, "url(#") {
			t.Errorf("%s: the page refers to something outside", name)
		}
		acts := 0
		for _, g := range Build(m, s).Games {
			for _, d := range g.Decisions {
				if d.Kind != "double" || d.Played != "No double" && d.Played != "No redouble" {
					acts++
				}
			}
		}
		if got := strings.Count(page, "<article id="); got < acts || acts == 0 {
			t.Errorf("%s: %d decisions drawn, %d made", name, got, acts)
		}
	}
}

// The player Me sits at the bottom with the light checkers and is named first everywhere.
func TestHTML_me(t *testing.T) {
	m, s := analysed(t, "match5.sgf")
	for me := range 2 {
		var b bytes.Buffer
		if err := HTML(&b, m, s, PageOptions{Me: me}); err != nil {
			t.Fatal(err)
		}
		page, mine, theirs := b.String(), m.Players[me].Name, m.Players[1-me].Name
		score := m.FinalScore()
		for _, want := range []string{
			"<h1>" + mine + " against " + theirs + "</h1>", fmt.Sprintf(", %d : %d", score[me], score[1-me]),
			"<th></th><th>" + mine + "</th><th>" + theirs + "</th>", "chance of " + mine,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("player %d: no %q", me, want)
			}
		}
		cards := regexp.MustCompile(`<h2><i class="(.)"></i>([A-Za-z]+)`).FindAllStringSubmatch(page, -1)
		if len(cards) != 2 || cards[0][1] != "l" || cards[0][2] != mine || cards[1][1] != "d" || cards[1][2] != theirs {
			t.Errorf("player %d: cards %q", me, cards)
		}
		// The lower name of a board, after the checkers of both sides, is mine.
		boards := regexp.MustCompile(`<use href="#bgx(.)" x=\d+ y=(\d+) /><text x=\d+ y=\d+>([A-Za-z]+)`).FindAllStringSubmatch(page, -1)
		for _, n := range boards {
			if low := len(n[2]) == 3; low != (n[3] == mine) || low != (n[1] == "l") {
				t.Fatalf("player %d: a board has %q", me, n)
			}
		}
		if len(boards) < 20 {
			t.Errorf("%d boards", len(boards))
		}
	}
}

// TestHTML_longSession: a money session of 25 games stays below 3 MB.
func TestHTML_longSession(t *testing.T) {
	m := session(t)
	var b bytes.Buffer
	if err := HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), PageOptions{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 3e6 {
		t.Errorf("%d bytes", b.Len())
	}
	t.Logf("%d games, %d bytes, %d decisions", len(m.Games), b.Len(), strings.Count(b.String(), "<article id="))
}

// session is a money session of 25 games.
func session(t testing.TB) *record.Match {
	m, _ := analysed(t, "session5.sgf")
	long, _ := analysed(t, "match7.sgf") // longer games than those of the session
	games := append(m.Games, long.Games...)
	m.Games = nil
	for i := range 25 {
		g := games[i%len(games)]
		g.Number, g.Score, g.Crawford = i, [2]int{i, i}, false
		m.Games = append(m.Games, g)
	}
	return m
}

// TestJSON_fitsItsSchema holds the documents of matches and sessions, of gnubg's and XG's
// files, against docs/analysis.schema.json.
func TestJSON_fitsItsSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "analysis.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema openapi3.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	check := func(name string, m *record.Match, s *analyse.Summary) any {
		t.Helper()
		b, err := json.Marshal(Build(m, s))
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(b, &doc); err != nil {
			t.Fatal(err)
		}
		if err := schema.VisitJSON(doc); err != nil {
			t.Errorf("%s: %.600v", name, err)
		}
		return doc
	}
	for _, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf", "session5.sgf", "setscore.sgf", "autodouble.sgf"} {
		m, s := analysed(t, name)
		check(name, m, s)
	}
	m, _ := analysed(t, "match3.sgf")
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if a := m.Games[i].Actions[k].Analysis; a != nil {
				a.Beside = []record.Replaced{{By: "gnubg", Candidates: a.Candidates}, {Cube: a.Cube}}
			}
		}
	}
	if doc := fmt.Sprint(check("verdicts beside", m, analyse.Summarise(m, nil, analyse.DefaultLimits))); !strings.Contains(doc, "beside:[map[by:gnubg candidates:") || !strings.Contains(doc, "beside:[map[cube:") {
		t.Error("no verdict beside a rollout")
	}
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			m.Games[i].Actions[k].Analysis = nil
		}
	}
	doc := check("not analysed", m, analyse.Summarise(m, nil, analyse.DefaultLimits))
	doc.(map[string]any)["games"].([]any)[0].(map[string]any)["decisions"].([]any)[0].(map[string]any)["mark"] = "awful"
	if err := schema.VisitJSON(doc); err == nil {
		t.Error("the schema accepts an unknown mark")
	}
}

// TestIndex_totals: the page of several matches pools each player's decisions, ignoring the
// case of the name, and escapes the names of players and files.
func TestIndex_totals(t *testing.T) {
	var list []Entry
	var sum analyse.Sums
	for i, name := range []string{"match3.sgf", "match5.sgf"} {
		m, s := analysed(t, name)
		m.Players[1].Name = []string{"<i>bob", "<I>BOB"}[i]
		sum.Counted += s.Players[1].Counted
		list = append(list, EntryOf(`a"b #1.html`, m, s))
	}
	var b bytes.Buffer
	if err := Index(&b, list, nil); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"2 matches", "<b>Alice</b> – &lt;i&gt;bob", "Alice – <b>&lt;I&gt;BOB</b>", "&lt;i&gt;bob<td class=n>2<td", `href="./a%22b%20%231.html"`, fmt.Sprintf("<td class=n>%d<td", sum.Counted)} {
		if !strings.Contains(page, want) {
			t.Errorf("the index does not contain %q", want)
		}
	}
	if strings.Contains(page, "<i>bob") {
		t.Error("a name is markup")
	}
}

func TestText_allOfOneGameAndPlayer(t *testing.T) {
	m, s := analysed(t, "match5.sgf")
	text := func(o TextOptions) string {
		var b bytes.Buffer
		if err := WriteText(&b, m, s, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	all, some := text(TextOptions{All: true}), text(TextOptions{})
	if n := strings.Count(all, "\n  1.") + strings.Count(all, "\n  2.") + strings.Count(all, "\n  3.") + strings.Count(all, "\n  4."); n < s.Players[0].Moves+s.Players[1].Moves {
		t.Errorf("%d decisions of %d moves", n, s.Players[0].Moves+s.Players[1].Moves)
	}
	if len(some)*2 > len(all) {
		t.Errorf("all is %d bytes, the errors %d", len(all), len(some))
	}
	one := text(TextOptions{All: true, Part: Part{Game: 2, Player: 1}})
	if strings.Contains(one, "\n  1.") || strings.Contains(one, "   Bob") || !strings.Contains(one, "\n  2.") || !strings.Contains(one, " Alice ") {
		t.Error("one game of one player holds others")
	}
}

// TestPart: figures of one game add up to the match's, and a player's are his alone.
func TestPart(t *testing.T) {
	m, s := analysed(t, "match5.sgf")
	whole := Build(m, s)
	lost, decisions := 0.0, 0
	for i := range m.Games {
		d, err := BuildPart(m, s, Part{Game: i + 1})
		if err != nil || len(d.Games) != 1 || len(d.Players) != 2 {
			t.Fatalf("game %d: %v", i+1, err)
		}
		lost += *d.Players[1].CheckerErrorTotal
		decisions += d.Players[1].CountedDecisions
	}
	if x := whole.Players[1]; decisions != x.CountedDecisions || math.Abs(lost-*x.CheckerErrorTotal) > 1e-4 {
		t.Errorf("the games have %d decisions, %.4f; the match %d, %.4f", decisions, lost, x.CountedDecisions, *x.CheckerErrorTotal)
	}
	d, err := BuildPart(m, s, Part{Game: 1, Player: 2})
	if err != nil || len(d.Players) != 1 || d.Players[0].Name != m.Players[1].Name {
		t.Fatalf("%+v, %v", d.Players, err)
	}
	for _, j := range d.Games[0].Decisions {
		if j.Player != 1 {
			t.Errorf("decision %d is player %d's", j.Number, j.Player)
		}
	}
	for _, p := range []Part{{Game: 99}, {Player: 3}, {Game: -1}} {
		if _, err := BuildPart(m, s, p); !errors.Is(err, ErrPart) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	var b strings.Builder
	if err := WriteText(&b, m, s, TextOptions{Part: Part{Game: 2, Player: 1}}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "Game 1 at") || !strings.Contains(text, "Game 2 at") || strings.Count(text, "Total moves") != 1 ||
		!strings.Contains(text, fmt.Sprintf("%-36s %21d\n", "  Total moves", s.Games[1].Players[0].Moves)) {
		t.Error(text)
	}
}

// TestRows_beavers: a beaver is shown with the value of the double that it answers, seen by
// the doubler, and in the words of the player who beavers. A wrong double costs its player.
func TestRows_beavers(t *testing.T) {
	m, s := analysed(t, "session5.sgf")
	var got []string
	for _, i := range []int{1, 2} {
		list := Rows(m, s, i, nil)
		var first *Row
		for k := range list {
			d := &list[k]
			if d.Kind == "checker" || d.Kind == "resign" || strings.HasPrefix(d.Played, "No ") {
				continue
			}
			if d.Played == "Double" {
				first = d
			}
			got = append(got, d.Played+"/"+d.Best)
			if d.PositionID != first.PositionID || d.Cube.NoDouble != first.Cube.NoDouble || d.onRoll != first.Player {
				t.Errorf("%s: %s %+v of player %d, the double %s %+v of %d", d.Played, d.PositionID, d.Cube, d.onRoll, first.PositionID, first.Cube, first.Player)
			}
			if d != first && (d.Loss() == 0) != (d.Played == d.Best) {
				t.Errorf("%s costs %.3f, best is %s", d.Played, d.Loss(), d.Best)
			}
		}
	}
	want := []string{"Double/No double", "Beaver/Beaver", "Take/Take", "Double/No double", "Beaver/Beaver", "Raccoon/Take", "Take/Take"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var b bytes.Buffer
	if err := WriteText(&b, m, s, TextOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), ": Beaver"); n != 2 {
		t.Errorf("%d beavers in the text, want 2", n)
	}
	b.Reset()
	if err := HTML(&b, m, s, PageOptions{}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`<b>Raccoon</b> <span class=very_bad>−\d\.\d+ \?\? blunder</span> <br>better <b class=bt>Take</b>`).MatchString(b.String()) {
		t.Error("the page does not say that the raccoon is wrong")
	}
}

// TestRows_missedBeaver: a take where a beaver was right is not an error, as in GNU Backgammon,
// but the report mentions it.
func TestRows_missedBeaver(t *testing.T) {
	m, _ := analysed(t, "session5.sgf")
	g := &m.Games[1]
	for k := range g.Actions {
		if a := &g.Actions[k]; a.Kind == record.Double && g.Actions[k+1].Kind == record.Double {
			take := &g.Actions[k+2]
			take.Player, take.Analysis = 1-a.Player, a.Analysis
			g.Actions = slices.Delete(g.Actions, k+1, k+2)
			break
		}
	}
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	var take *Row
	list := Rows(m, s, 1, nil)
	for k := range list {
		if list[k].Played == "Take" {
			take = &list[k]
		}
	}
	if take == nil || take.Best != "Take" || take.Loss() != 0 || take.Cube.DoubleTake >= 0 {
		t.Fatalf("%+v", take)
	}
	note := fmt.Sprintf("a beaver was right: worth %.3f more", -take.Cube.DoubleTake)
	var text, page bytes.Buffer
	if err := WriteText(&text, m, s, TextOptions{All: true}); err != nil || !strings.Contains(text.String(), note) {
		t.Errorf("%v, the text has no %q", err, note)
	}
	if err := HTML(&page, m, s, PageOptions{}); err != nil || !strings.Contains(page.String(), note) {
		t.Errorf("%v, the page has no %q", err, note)
	}
	// The beaver is a row of the cube table, worth twice the take.
	row := figure.Signed(2*take.Cube.DoubleTake, 3)
	if doc := Build(m, s); doc.Games[1].Decisions == nil || take.Cube.DoubleBeaver == nil || math.Abs(*take.Cube.DoubleBeaver-2*take.Cube.DoubleTake) > 1e-5 {
		t.Errorf("the JSON has %v for the beaver", take.Cube.DoubleBeaver)
	}
	if !regexp.MustCompile(`double, beaver +` + regexp.QuoteMeta(row)).MatchString(text.String()) {
		t.Errorf("the text has no row of the beaver, %s", row)
	}
	if want := "<td>Double, beaver<td class=n>" + strings.Replace(row, "-", "−", 1); !strings.Contains(page.String(), want) {
		t.Errorf("the page has no %q", want)
	}
	if m.Rules.Beavers = 0; take.beaverNote(m, nil) != "" {
		t.Error("a beaver is missed where none is allowed")
	}
}

// The numbers of the games on the curve stand clear of each other, however short the games
// were, and a long session shows its blunders alone.
func TestCurve_readsWell(t *testing.T) {
	m := session(t)
	var b bytes.Buffer
	if err := HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), PageOptions{}); err != nil {
		t.Fatal(err)
	}
	_, svg, _ := strings.Cut(b.String(), `<svg class="curve"`)
	svg, _, _ = strings.Cut(svg, "</svg>")
	end, numbers := 0.0, 0
	for part := range strings.SplitSeq(svg, "<text class=g ") {
		var x float64
		var y, n int
		if k, _ := fmt.Sscanf(part, `x="%f" y=%d>%d</text>`, &x, &y, &n); k < 3 {
			continue
		}
		if x < end {
			t.Errorf("the number of game %d at %.0f runs into the one before, which ends at %.0f", n, x, end)
		}
		end, numbers = x+float64(len(fmt.Sprint(n)))*curveDigit, numbers+1
	}
	if lines := strings.Count(svg, `class="g v"`); lines != len(m.Games) || numbers < 5 || numbers > lines {
		t.Errorf("%d numbers at %d beginnings of %d games", numbers, lines, len(m.Games))
	}
	if bad, all := strings.Count(svg, "circle class=bad "), strings.Count(svg, "circle class="); all > curveDots && bad > 0 {
		t.Errorf("%d dots, %d of them no blunders", all, bad)
	}
}

// The figures that GNU Backgammon 1.07 exports of the same analysed match.
func TestText_figuresOfGnubg(t *testing.T) {
	row := func(text, name string) string {
		_, rest, _ := strings.Cut(text, "\n  "+name+" ")
		line, _, _ := strings.Cut(rest, "\n")
		return strings.Join(strings.Fields(line), " ")
	}
	for name, want := range map[string]map[string]string{
		"match7.sgf": {
			"Rating lost by plays / by the cube": "409.8 / 0.0 515.2 / 12.7",
			"Rating difference, luck-adjusted":   "+154 (1 match) -154 (1 match)",
			"Wrong doubles below doubling point": "0 1 (-0.096, -0.83%)",
			"Wrong passes":                       "0 1 (-0.033, -0.28%)",
		},
		"session5.sgf": {
			// gnubg's interval of 1.96 standard errors is ±10.566 and ±8.890, and not around its
			// mean; by Student's t of 5 games it is 2.776.
			"Points a game, 95% interval": "-3.600 ±14.962 +3.600 ±14.962",
			"The same, luck-adjusted":     "-2.361 ±12.590",
		},
	} {
		m, s := analysed(t, name)
		var b bytes.Buffer
		if err := WriteText(&b, m, s, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for r, w := range want {
			if got := row(b.String(), r); !strings.HasPrefix(got, w) {
				t.Errorf("%s: %s: %q, gnubg has %q", name, r, got, w)
			}
		}
	}
}

// TestRows_position: an analysed position in which nothing has been done is a decision of the
// report, in text, JSON and page.
func TestRows_position(t *testing.T) {
	f, err := os.Open(filepath.Join(reference.Path(t, "cases"), "03-xgp-cube-analysis-dropped.xgp"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, _, _, err := detect.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	m := list[0]
	rows := Rows(m, nil, 0, nil)
	if len(rows) != 1 || rows[0].Kind != "double" || rows[0].Best != "Too good, take" || rows[0].Error != nil || rows[0].Depth != "rollout 1296" ||
		math.Abs(rows[0].Cube.NoDouble-1.1711) > 1e-4 || math.Abs(rows[0].Cube.DoubleTake-0.6004) > 1e-4 {
		t.Fatalf("%+v", rows)
	}
	for _, all := range []bool{false, true} {
		var text bytes.Buffer
		if err := WriteText(&text, m, nil, TextOptions{All: all}); err != nil || !strings.Contains(text.String(), "no double      +1.171 ±") || strings.Contains(text.String(), "not been analysed") {
			t.Errorf("%v\n%s", err, text.String())
		}
	}
	var page bytes.Buffer
	if err := HTML(&page, m, nil, PageOptions{}); err != nil || !strings.Contains(page.String(), "best <b class=bt>"+rows[0].Best) || strings.Contains(page.String(), "class=me") {
		t.Errorf("%v: the page does not show the position", err)
	}
}
