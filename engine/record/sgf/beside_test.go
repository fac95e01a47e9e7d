package sgf

import (
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/record"

	"github.com/google/go-cmp/cmp"
)

// Verdicts that do not count come back from a file with their judges, depths and figures.
func TestBeside_roundTrip(t *testing.T) {
	m, _ := read(t, "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]\n;B[31qtst])")
	play := func(level string, equity float64) record.Candidate {
		c := record.Candidate{Steps: m.Games[0].Actions[0].Steps, Outcome: record.Outcome{Probs: [5]float64{0.5, 0.125, 0.25, 0.125, 0.0625}, Cubeful: equity}}
		c.Settings = record.Settings{Level: level, Plies: 2, Cubeful: true}
		return c
	}
	two := []record.Candidate{play("", 0.25), play("XG Roller++ [x]", -0.125)}
	cube := &record.CubeAnalysis{Settings: record.Settings{Level: "4-ply", Plies: 4, Cubeful: true}, NoDouble: record.Outcome{Cubeful: 0.5}, DoubleTake: record.Outcome{Cubeful: 0.25}, Equities: &[3]float64{0.5, 0.25, 1}}
	rolled := []record.Candidate{play("", 0.5)}
	rolled[0].Settings, rolled[0].Score, rolled[0].Rollout = record.Settings{}, [2]float64{0.5, 0.25}, &record.Rollout{Trials: 1296, Output: 0.5}
	for name, list := range map[string][]record.Replaced{
		"plays":          {{By: "XG [2.10]: a\\b", Candidates: two}},
		"cube":           {{Cube: cube}},
		"both":           {{By: "gnubg", Cube: cube}, {Candidates: two}},
		"rolled out":     {{By: "gnubg", Candidates: rolled}},
		"nothing at all": nil,
	} {
		m.Games[0].Actions[0].Analysis = &record.Analysis{Candidates: two[:1], Beside: list}
		got, ws := read(t, write(t, m))
		if len(ws) > 0 {
			t.Errorf("%s: %v", name, ws)
		}
		if diff := cmp.Diff(m.Games[0].Actions[0].Analysis.Beside, got.Games[0].Actions[0].Analysis.Beside); diff != "" {
			t.Errorf("%s (-written +read)\n%s", name, diff)
		}
	}
}

// A damaged verdict is warned of and leaves the analysis as it is.
func TestBeside_damaged(t *testing.T) {
	m, _ := read(t, "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]\n;B[31qtst])")
	a := &m.Games[0].Actions[0]
	a.Analysis = &record.Analysis{Candidates: []record.Candidate{{Steps: a.Steps}}, Beside: []record.Replaced{{By: "gnubg", Candidates: []record.Candidate{{Steps: a.Steps}}}}}
	text := write(t, m)
	for _, damage := range [][2]string{{"[by gnubg]", ""}, {"[by gnubg]", "[by gnubg][verdict]"}, {"[play qtst E", "[play qtst Q"}, {"[play qtst E", "[cube E"}, {"[by gnubg]", "[by gnubg][equities 1 2 x]"}} {
		bad := strings.Replace(text, damage[0], damage[1], 1)
		got, ws := read(t, bad)
		an := got.Games[0].Actions[0].Analysis
		if bad == text || an == nil || len(an.Candidates) != 1 || len(an.Beside) != 0 || !slices.ContainsFunc(ws, func(w record.Warning) bool { return strings.Contains(w.Text, "beside the analysis") }) {
			t.Errorf("%s: %+v, %v", damage[1], an, ws)
		}
	}
}
