package position

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// drawing is what BGBlitz writes above its figures.
func drawing(o, x, xgid string) string {
	return " +13-14-15-16-17-18------19-20-21-22-23-24-+   O: " + o + "  52\nv|                  |BAR|                  |\n" +
		" +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: " + x + "  111\n\n XGID=" + xgid + "\n\n " + o + " - 6 " + x + " - 3 in a 7 point match.\n\n"
}

// reread reads a page, and again after it was written as SGF.
func reread(t *testing.T, page string) []*record.Match {
	t.Helper()
	all, ws, err := Read(strings.NewReader(page))
	if err != nil || len(ws) > 0 || len(all) != 1 {
		t.Fatalf("%d positions, %v, %v", len(all), ws, err)
	}
	var kept bytes.Buffer
	if err := sgf.Write(&kept, all[0]); err != nil {
		t.Fatal(err)
	}
	again, _, err := sgf.Read(&kept)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, again)
}

// The plays of a page of BGBlitz are the analysis of its roll, in a match and for money.
func TestRead_playsOfBGBlitz(t *testing.T) {
	for _, page := range []string{
		drawing("Green", "Red", "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10") + "Evaluation  (EMG)\n ==========\n" +
			"  1.   0.124 mwp /  -0.492            19/18, 14/12 \n       0.254  0.000  0.000  -  0.746  0.338  0.004 \n\n" +
			"  2.   0.111 mwp /  -0.545  (-0.053)  19/18, 3/1 \n       0.227  0.000  0.000  -  0.773  0.385  0.005 \n\n",
		drawing("緑", "赤", "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:0:0:0:0:10") + "評価\n ==========\n" +
			"  1.  -0.492            19/18, 14/12 \n       0.254  0.000  0.000  -  0.746  0.338  0.004 \n\n" +
			"  2.  -0.545  (-0.053)  19/18, 3/1 \n       0.227  0.000  0.000  -  0.773  0.385  0.005 \n\n",
	} {
		for i, m := range reread(t, page) {
			a := m.Games[0].Actions[len(m.Games[0].Actions)-1]
			if a.Analysis == nil || len(a.Analysis.Candidates) != 2 {
				t.Fatalf("%d: %+v", i, a.Analysis)
			}
			c := a.Analysis.Candidates[1]
			if math.Abs(c.Outcome.Cubeful+0.545) > 1e-9 || c.Settings.Level != "BGBlitz" || math.Abs(c.Outcome.Probs[0]-0.227) > 1e-6 || math.Abs(c.Outcome.Probs[3]-0.385) > 1e-6 || math.Abs(c.Outcome.Probs[4]-0.005) > 1e-6 {
				t.Errorf("%d: %+v", i, c)
			}
			if i == 0 && m.Judge.Program != "BGBlitz" {
				t.Errorf("judged by %q", m.Judge.Program)
			}
			if !strings.Contains(m.Comment+m.Games[0].Comment, "19/18, 3/1") {
				t.Errorf("%d: the text of the page is not kept", i)
			}
		}
	}
}

// The cube decision of a page of BGBlitz is its analysis, in any language, with the actions
// in any order, for either side.
func TestRead_cubeOfBGBlitz(t *testing.T) {
	for _, c := range []struct {
		name, page, id string
		sides          [2][3]float64 // of the player on roll first
		want           [3]float64
		none, take     float64
	}{
		{"English", " Green        39.0  13.3  0.3 \n Red          61.0  25.1  0.8 \n Equity Red (cubeless): 0.344  Std.Dev.: 0.214\n Equity (cubeful)    :  0.410\n\n" +
			" Cube Action:          :  Double / Take        EMG\n Double / Take         :  0.410   ( 0.000)      0.625   ( 0.000)\n No Double             :  0.407   (-0.003)      0.585   (-0.040)\n Double / Pass         :  0.433   ( 0.024)      1.000   ( 0.375)\n",
			"-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10", [2][3]float64{{.61, .251, .008}, {.39, .133, .003}}, [3]float64{.585, .625, 1}, .407, .410},
		{"the other side on roll", " Green        39.0  13.3  0.3 \n Red          61.0  25.1  0.8 \n\n" +
			" Double / Take         :  0.410   ( 0.000)      0.625   ( 0.000)\n No Double             :  0.407   (-0.003)      0.585   (-0.040)\n Double / Pass         :  0.433   ( 0.024)      1.000   ( 0.375)\n",
			"-aAaBaDaB---bD-b-A-cA-b-b-:0:0:-1:00:2:4:0:9:10", [2][3]float64{{.39, .133, .003}, {.61, .251, .008}}, [3]float64{.585, .625, 1}, .407, .410},
		{"German, a pass", " Grün         12.9  0.9   0.0 \n Rot          87.1  6.8   0.1 \n Erwartungswert Rot (ohne Doppler): 0.801  Std.Abw.: 0.072\n Auszahlungserw. (mit Doppler)   :  0.560\n\n" +
			" Würfelaktion:         :  Redoppel / Ablehnen  EMG\n Doppeln / Ablehnen    :  0.560   ( 0.000)      1.000   ( 0.000)\n Doppeln / Annehmen    :  0.639   ( 0.079)      1.680   ( 0.680)\n Kein Doppel           :  0.556   (-0.004)      0.969   (-0.031)\n",
			"---aBBCCCB----a-aa-babbbb-:1:1:1:00:1:2:0:9:10", [2][3]float64{{.871, .068, .001}, {.129, .009, 0}}, [3]float64{.969, 1.68, 1}, .556, .639},
		{"Japanese, no double", " 緑            45.9  11.7  0.2 \n 赤            54.1  17.5  0.2 \n エクイティ (キューブ有り)       :  0.226\n\n" +
			" キューブアクション:            :  ダブルせず / 受ける          EMG\n ダブルせず                 :  0.226   ( 0.000)      0.287   ( 0.000)\n ダブル / 受ける             :  0.220   (-0.006)      0.164   (-0.123)\n ダブル / 降りる             :  0.261   ( 0.034)      1.000   ( 0.713)\n",
			"---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10", [2][3]float64{{.541, .175, .002}, {.459, .117, .002}}, [3]float64{.287, .164, 1}, .226, .220},
	} {
		for i, m := range reread(t, drawing("Green", "Red", c.id)+c.page) {
			a := m.Games[0].Actions[len(m.Games[0].Actions)-1]
			if a.Analysis == nil || a.Analysis.Cube == nil {
				t.Fatalf("%s, %d: %+v", c.name, i, a)
			}
			x := a.Analysis.Cube
			if want := [5]float64{c.sides[0][0], c.sides[0][1], c.sides[0][2], c.sides[1][1], c.sides[1][2]}; !near(x.NoDouble.Probs, want) {
				t.Errorf("%s, %d: chances %v, want %v", c.name, i, x.NoDouble.Probs, want)
			}
			if math.Abs(x.NoDouble.Cubeful-c.none) > 1e-6 || math.Abs(x.DoubleTake.Cubeful-c.take) > 1e-6 {
				t.Errorf("%s, %d: no double %v, double/take %v", c.name, i, x.NoDouble.Cubeful, x.DoubleTake.Cubeful)
			}
			if i == 0 && (x.Equities == nil || *x.Equities != c.want || m.Judge.Program != "BGBlitz" || x.Settings.Level != "BGBlitz") {
				t.Errorf("%s: %+v, by %q", c.name, x, m.Judge.Program)
			}
		}
	}
	// Actions that are not those of a cube decision: a warning, no analysis.
	all, ws, err := Read(strings.NewReader(drawing("Green", "Red", "-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10") +
		" Green        39.0  13.3  0.3 \n Red          61.0  25.1  0.8 \n\n" + strings.Repeat(" No Double             :  0.410   ( 0.000)      0.625   ( 0.000)\n", 3)))
	if err != nil || len(ws) != 1 || !strings.Contains(ws[0].Text, "the cube decision cannot be read") || all[0].Games[0].Actions[len(all[0].Games[0].Actions)-1].Analysis != nil {
		t.Errorf("%v %v", ws, err)
	}
}

func near(a, b [5]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-6 {
			return false
		}
	}
	return true
}
