package bgblitz

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// judged is one game with BGBlitz's analysis: two rolls, the second after a decision not
// to double, then a double that is dropped. %s are the equities of the cube decisions,
// with those of the play.
const judged = `{"matchlen":%d,"nameGreen":"anna","nameRed":"bert","useCube":true,"useCrawford":true,"finalGreen":0,"finalRed":1,
"games":[{"scoreGreen":0,"scoreRed":0,"wonPoints":1,"moves":[
{"type":"amove","player":1,"red":3,"green":1,"from":[8,6,-1],"to":[5,5,-1],"ply":2,"luck":{"luckPlain":0.01,"luckWeighted":"0.125","mode":"Match"},
 "pr":{"checkerError":-0.05,"cubeError":-99},"comment":"the point\nof points",
 "moveAnalysis":[
  {"move":{"from":[8,6,-1,-1],"to":[5,5,-1,-1]},"eq":{"emg":0.16,"hasEMG":%t,"matchEquity":0.53,"myWins":0.55,"myGammon":0.17,"myBackGammon":0.01,"oppGammon":0.12,"oppBackGammon":0.005,"cubeDecision":{"eqCubeFul":0.16}},"played":true,"ply":2},
  {"move":{"from":[13,24,-1,-1],"to":[10,23,-1,-1]},"eq":{"emg":-0.01,"hasEMG":%t,"matchEquity":0.5,"myWins":0.5,"myGammon":0.12,"myBackGammon":0.01,"oppGammon":0.13,"oppBackGammon":0.005,"cubeDecision":{"eqCubeFul":-0.01}},"ply":1},
  {"move":{"from":[1,-1],"to":[0,-1]},"eq":{"emg":3},"ply":2}]},
{"type":"amove","player":-1,"red":2,"green":1,"from":[13,6,-1],"to":[11,5,-1],"ply":2,"pr":{"checkerError":-99,"cubeError":-99},
 "equity":{%s,"myWins":0.45,"myGammon":0.12,"myBackGammon":0.005,"oppGammon":0.17,"oppBackGammon":0.01,"cubeDecision":{%s,"stateOnMove":"NO_DOUBLE","stateOther":"ACCEPT"}}},
{"type":"amove","player":1,"from":[-1],"to":[-1],"ply":3,"pr":{"cubeError":-0.2},
 "equity":{%s,"myWins":0.8,"myGammon":0.3,"myBackGammon":0.02,"oppGammon":0.05,"oppBackGammon":0.001,"cubeDecision":{%s,"hasDoubled":true,"hasAccepted":false,"stateOnMove":"DOUBLE","stateOther":"REJECT"}}},
{"type":"amove","player":-1,"from":[-1],"to":[-1]}]}]}`

func TestRead_analysis(t *testing.T) {
	// In a match the decisions are winning chances: a line through two known points.
	st := match.State{Length: 7, Cube: 1}
	chance := func(emg float64) float64 { return match.DefaultTable().MWC(st, emg) }
	in := func(emg, nd, dt float64, length int) (eq, cube string) {
		if length == 0 {
			return `"emg":-999,"matchEquity":-999`, fmt.Sprintf(`"eqNoDouble":%g,"eqDoubleTake":%g,"eqDoublePass":1`, nd, dt)
		}
		return fmt.Sprintf(`"emg":%g,"matchEquity":%g`, emg, chance(emg)), fmt.Sprintf(`"eqNoDouble":%g,"eqDoubleTake":%g,"eqDoublePass":%g`, chance(nd), chance(dt), chance(1))
	}
	for _, length := range []int{7, 0} {
		e1, c1 := in(-0.16, -0.15, -0.4, length)
		e2, c2 := in(0.9, 0.92, 1.3, length)
		m, ws, err := Read(bytes.NewReader(pack(fmt.Appendf(nil, judged, length, length > 0, length > 0, e1, c1, e2, c2), "gzip")))
		if err != nil || len(ws) > 0 {
			t.Fatal(err, ws)
		}
		acts := m.Games[0].Actions
		if len(acts) != 4 {
			t.Fatalf("%d actions", len(acts))
		}
		first := acts[0].Analysis
		if first == nil || first.Cube != nil || len(first.Candidates) != 2 || first.Played != 0 || *first.Luck != 0.125 || *first.Stated.Play != 0.05 {
			t.Fatalf("%+v", first)
		}
		if c := first.Candidates[1]; c.Settings.Level != "BGBlitz 1-ply" || c.Settings.Plies != 1 || c.Outcome.Cubeful != -0.01 || c.Outcome.Probs != [5]float64{0.5, 0.12, 0.01, 0.13, 0.005} || board.FormatSteps(board.Start, c.Steps) != "24/23 13/10" {
			t.Errorf("%+v", c)
		}
		if acts[0].Comment != "the point\nof points" {
			t.Errorf("comment %q", acts[0].Comment)
		}
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-5 {
				t.Errorf("%d points, %s: %.6f, want %.6f", length, what, got, want)
			}
		}
		for i, want := range map[int][3]float64{1: {-0.15, -0.4, 1}, 2: {0.92, 1.3, 1}, 3: {0.92, 1.3, 1}} {
			c := acts[i].Analysis.Cube
			if c == nil || c.Equities == nil {
				t.Fatalf("action %d: %+v", i, acts[i].Analysis)
			}
			for k, v := range c.Equities {
				near(acts[i].Kind.String(), v, want[k])
			}
			value := want[0]
			if length > 0 {
				value = chance(want[0])
			}
			near("no double", c.NoDouble.Cubeful, value)
		}
		if s := acts[2].Analysis.Stated; s == nil || *s.Double != 0.2 || acts[2].Analysis.Cube.Settings.Plies != 3 {
			t.Errorf("%+v", s)
		}
		// It survives in SGF.
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		again, ws, err := sgf.Read(&b)
		if err != nil || len(ws) > 0 {
			t.Fatal(err, ws)
		}
		if a := again.Games[0].Actions; a[0].Analysis.Candidates[0].Settings.Level != "BGBlitz 2-ply" || a[3].Analysis.Cube.Equities == nil || a[0].Kind != record.Move {
			t.Errorf("%+v", a[0].Analysis)
		}
	}
}

// Placeholders for missing values, and nonsense, are not read as analysis.
func TestRead_noAnalysis(t *testing.T) {
	for _, c := range []string{
		`"eqNoDouble":-99,"eqDoubleTake":-99,"eqDoublePass":-99`,
		`"eqNoDouble":0.5,"eqDoubleTake":0.5,"eqDoublePass":0.5`,
		`"eqNoDouble":1e300,"eqDoubleTake":0.5,"eqDoublePass":1`,
		`"eqNoDouble":"x","eqDoubleTake":0.5,"eqDoublePass":1`,
	} {
		in := fmt.Sprintf(judged, 7, true, true, `"emg":0.3,"matchEquity":0.5`, c, `"emg":1,"matchEquity":0.6`, c)
		m, _, err := Read(strings.NewReader("{\"format\":\"BGF\"}\n" + in))
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range m.Games[0].Actions {
			if a.Analysis != nil && a.Analysis.Cube != nil {
				t.Errorf("%s: action %d has %+v", c, i, a.Analysis.Cube)
			}
		}
	}
}
