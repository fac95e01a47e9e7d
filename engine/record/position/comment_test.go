package position

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// An XGID in the comment of a page begins no other position, and the plays of the page are
// its analysis.
func TestRead_idInAComment(t *testing.T) {
	text, err := os.ReadFile("testdata/xgid-in-comment.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, ws, err := Read(bytes.NewReader(text))
	if err != nil || len(ws) > 0 || len(all) != 1 {
		t.Fatalf("%d positions, %v %v", len(all), ws, err)
	}
	if c := all[0].Comment; !strings.Contains(c, "When ahead see XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:3:0:10 for more.\nSecond line of the comment") {
		t.Errorf("%s", c)
	}
	var kept bytes.Buffer
	if err := sgf.Write(&kept, all[0]); err != nil {
		t.Fatal(err)
	}
	again, _, err := sgf.Read(&kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*record.Match{all[0], again} {
		a := m.Games[0].Actions
		an := a[len(a)-1].Analysis
		if an == nil || len(an.Candidates) != 3 || an.Candidates[0].Settings.Level != "XG Roller+" || an.Candidates[2].Settings.Plies != 3 {
			t.Fatalf("%+v", an)
		}
		o := an.Candidates[1].Outcome
		if math.Abs(o.Cubeful+0.388) > 1e-9 || math.Abs(o.Probs[0]-0.4194) > 1e-9 || math.Abs(o.Probs[3]-0.1675) > 1e-9 {
			t.Errorf("%+v", o)
		}
	}
	// At the beginning of a line an XGID is a comment, too, where no names follow.
	line := "XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:3:0:10"
	in := strings.Replace(string(text), "Second line", line+"\nSecond line", 1)
	if all, _, err = Read(strings.NewReader(in)); err != nil || len(all) != 1 || !strings.Contains(all[0].Comment, "\n"+line+"\nSecond") {
		t.Errorf("%d positions, %v", len(all), err)
	}
	if all, _, err = Read(strings.NewReader(string(text) + "\n" + string(text) + line + "\n")); err != nil || len(all) != 3 {
		t.Errorf("%d positions of 3, %v", len(all), err)
	}
}

// The cube decision of a page is its analysis, of a position before the roll and of a double
// that waits for its answer alike.
func TestRead_cubeOfAPage(t *testing.T) {
	for dice, kind := range map[string]record.Kind{"00": record.SetUp, "D": record.Double} {
		page := "XGID=-a--CaCCB---cBa--a-bbb-AbA:0:0:1:" + dice + ":0:0:0:5:10\nX:alpha   O:beta\n\nX on roll, cube action\n\nAnalyzed in XG Roller++\n" +
			"Player Winning Chances:   66.80% (G:34.60% B:0.70%)\nOpponent Winning Chances: 33.20% (G:8.10% B:0.50%)\n\n" +
			"Cubeless Equities: No Double=+0.580, Double=+1.160\n\nCubeful Equities:\n       No double:     +0.772 (-0.228)\n       Double/Take:   +1.035 (+0.035)\n       Double/Pass:   +1.000\n\nBest Cube action: Double / Pass\n\neXtreme Gammon Version: 2.10\n"
		all, ws, err := Read(strings.NewReader(page))
		if err != nil || len(ws) > 0 || len(all) != 1 {
			t.Fatal(ws, err)
		}
		a := all[0].Games[0].Actions
		last := a[len(a)-1]
		if last.Kind != kind || last.Analysis == nil || last.Analysis.Cube == nil {
			t.Fatalf("%s: %+v", dice, last)
		}
		c := last.Analysis.Cube
		if *c.Equities != [3]float64{0.772, 1.035, 1} || c.Settings.Level != "XG Roller++" || math.Abs(c.NoDouble.Probs[0]-0.668) > 1e-9 || math.Abs(c.NoDouble.Probs[3]-0.081) > 1e-9 || c.NoDouble.Cubeful <= 0 || c.NoDouble.Cubeful >= 1 {
			t.Errorf("%s: %+v", dice, c)
		}
	}
}

// BGBlitz names the players in its drawing, above the IDs.
func TestRead_namesOfBGBlitz(t *testing.T) {
	const page = " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Green One  167\n | X           O    |   | O              X |\n +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: Red  167\n\n" +
		" Position-ID: 4HPwATDgc/ABMA    Match-ID: cInlAAAAAAAE\n XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n\n Green - 0 Red - 0 in a 7 point match.\n Red to move 3-1\n"
	all, ws, err := Read(strings.NewReader(page))
	if err != nil || len(ws) > 0 || len(all) != 1 || all[0].Players[0].Name != "Green One" || all[0].Players[1].Name != "Red" {
		t.Errorf("%v %v %+v", ws, err, all)
	}
}
