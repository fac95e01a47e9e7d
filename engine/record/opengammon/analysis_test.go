package opengammon

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"fibsbot/engine/match"
	"fibsbot/engine/record/sgf"
)

func million(v ...float64) (out []byte) {
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, uint32(int32(math.Round(x*1e6))))
	}
	return out
}

func probs(v ...float64) (out []byte) {
	for _, x := range v {
		out = binary.LittleEndian.AppendUint16(out, uint16(math.Round(x*10_000)))
	}
	return out
}

// judged is the small game with an analysis: its chances in the currency given, where a
// cube decision is one of winning chances either way.
func judged(length, currency int) []byte {
	st := match.State{Length: length, Score: [2]int{0, 1}, Cube: 1}
	value := func(emg float64) float64 {
		if length == 0 {
			return emg
		}
		return match.DefaultTable().MWC(st, emg)
	}
	play := func(emg float64) float64 {
		if currency != matchCurrency {
			return emg
		}
		// The first play is Black's, who leads by a point.
		return match.DefaultTable().MWC(st.Swap(), emg)
	}
	level := rec(1|2, "2ply", 2)
	deeper := rec(2|8, 3, rec(1, 1296))
	chance := probs(0.55, 0.17, 0.01, 0.12, 0.005)
	plays := bytes.Join([][]byte{
		rec(1|2|4|8, 2, []byte{24 | 6<<5, 13 | 3<<5}, million(play(0.1)), chance, deeper, million(0.01)),
		rec(1, 2, []byte{24 | 3<<5, 13 | 6<<5}, million(play(0.02)), chance),
		rec(0, 1, []byte{1 | 6<<5}, million(0)),
	}, nil)
	decs := bytes.Join([][]byte{
		rec(1|8, 0, ofChecker, 3, plays, million(0)),
		rec(0, 0, ofRoll, million(0.03*map[bool]float64{true: match.DefaultTable().MWCPerEMG(st), false: 1}[currency == matchCurrency])),
		// The double is the fourth ply, the take the fifth.
		rec(1|2|4|8|16, 3, ofCube, 1, million(value(0.5), value(0.7), value(1)), probs(0.7, 0.3, 0.02, 0.1, 0.01), million(0)),
		rec(1|2|4|8, 4, ofCube, 2, million(value(0.5), value(0.7), value(1)), probs(0.3, 0.1, 0.01, 0.3, 0.02)),
		rec(0, 9, 7, million(1)), // an unknown kind
	}, nil)
	notes := bytes.Join([][]byte{
		rec(0, 2, 0, "a good\nroll"), rec(0, 0, 0, "the final"), rec(0, 1, 0, "game one"), rec(1, 2, 1, "hidden", "x-key"), rec(0, 2, 99, "nowhere"),
	}, nil)
	plies := bytes.Join([][]byte{
		roll(1, 3, 6, 24, 6, 13, 3), roll(0, 1, 6, 12, 6, 17, 1), roll(1, 6, 6),
		{double}, {take | 1<<6}, roll(0, 1, 3, 17, 3, 19, 1), roll(1, 5, 6), roll(0, 2, 4, 17, 4, 19, 2), {double | 1<<6}, {drop},
	}, nil)
	head := rec(1|2|4|16, length, 0, "anna", "bert", 1, 0, 1)
	return file(section("MTCH", true, head), section("GAME", true, append(rec(1|2, 1, 2), plies...)),
		section("ANAL", false, rec(4|512, make([]byte, 16), level, currency)), section("DECS", false, decs), section("ANNO", false, notes))
}

func TestRead_analysis(t *testing.T) {
	for _, c := range []struct{ length, currency int }{{3, 1}, {3, matchCurrency}, {0, 1}} {
		m, ws, err := Read(bytes.NewReader(judged(c.length, c.currency)))
		if err != nil || len(ws) > 0 {
			t.Fatal(err, ws)
		}
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 2e-5 {
				t.Errorf("%+v, %s: %.6f, want %.6f", c, what, got, want)
			}
		}
		a := m.Games[0].Actions
		an := a[0].Analysis
		if an == nil || len(an.Candidates) != 2 || an.Played != 0 || an.Stated == nil {
			t.Fatalf("%+v", an)
		}
		near("play", an.Candidates[0].Outcome.Cubeful, 0.1)
		near("second", an.Candidates[1].Outcome.Cubeful, 0.02)
		near("luck", *an.Luck, 0.03)
		x := an.Candidates[0]
		if x.Rollout == nil || x.Rollout.Trials != 1296 || x.Settings.Plies != 3 {
			t.Fatalf("%+v", x)
		}
		// The file's 0.01 is in its currency; a record has winning chances in a match.
		off, first := 0.01, match.State{Length: c.length, Score: [2]int{1, 0}, Cube: 1}
		if c.length > 0 && c.currency != matchCurrency {
			off *= match.DefaultTable().MWCPerEMG(first)
		}
		near("standard error", x.Rollout.StdErr[0].Cubeful, off)
		if s := an.Candidates[1].Settings; s.Level != "2ply" || s.Plies != 2 {
			t.Errorf("%+v", s)
		}
		for _, i := range []int{3, 4} {
			q := a[i].Analysis.Cube
			if q == nil || q.Equities == nil {
				t.Fatalf("action %d: %+v", i, a[i].Analysis)
			}
			near("no double", q.Equities[0], 0.5)
			near("take", q.Equities[1], 0.7)
			near("pass", q.Equities[2], 1)
			near("wins", q.NoDouble.Probs[0], 0.7)
			near("gammons lost", q.NoDouble.Probs[3], 0.1)
		}
		if a[0].Comment != "a good\nroll" || m.Comment != "the final" || m.Games[0].Comment != "game one" {
			t.Errorf("%q %q %q", a[0].Comment, m.Comment, m.Games[0].Comment)
		}
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if again, ws, err := sgf.Read(&b); err != nil || len(ws) > 0 || again.Games[0].Actions[3].Analysis.Cube.Settings.Level != "2ply" {
			t.Error(err, ws)
		}
	}
}

// A damaged analysis costs itself, not the match.
func TestRead_damagedAnalysis(t *testing.T) {
	for name, data := range map[string][]byte{"ANAL": {200}, "DECS": rec(1, 0, ofChecker, 900), "ANNO": {5, 0, 2}} {
		in := small()
		in = append(in[:len(in)-4:len(in)-4], append(section(name, false, data), "END!"...)...)
		m, ws, err := Read(bytes.NewReader(in))
		if err != nil || len(m.Games) != 1 || len(m.Games[0].Actions) != 10 {
			t.Fatalf("%s: %v", name, err)
		}
		if len(ws) != 1 || !strings.Contains(ws[0].Text, name) {
			t.Errorf("%s: %v", name, ws)
		}
	}
}

// FuzzAnalysis reads any bytes as the sections of an analysis.
func FuzzAnalysis(f *testing.F) {
	f.Add(rec(4|512, make([]byte, 16), rec(1|2, "2ply", 2), 1), rec(1|8, 0, ofChecker, 0, million(0)), rec(0, 2, 0, "x"))
	f.Fuzz(func(t *testing.T, anal, decs, notes []byte) {
		in := small()
		for name, data := range map[string][]byte{"ANAL": anal, "DECS": decs, "ANNO": notes} {
			in = append(in[:len(in)-4:len(in)-4], append(section(name, false, data), "END!"...)...)
		}
		m, _, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		again, _, err := sgf.Read(&b)
		if err != nil || len(again.Games) != len(m.Games) {
			t.Fatal(err)
		}
	})
}
