package xg

import (
	"bytes"
	"math"
	"os"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// The cube analysis of a position file comes through SGF.
func TestRead_cubePosition(t *testing.T) {
	data, err := os.ReadFile("testdata/cube.xgp")
	if err != nil {
		t.Fatal(err)
	}
	m, ws, err := Read(bytes.NewReader(data))
	if err != nil || len(ws) > 0 {
		t.Fatal(ws, err)
	}
	var kept bytes.Buffer
	if err := sgf.Write(&kept, m); err != nil {
		t.Fatal(err)
	}
	again, ws, err := sgf.Read(&kept)
	if err != nil || len(ws) > 0 {
		t.Fatal(ws, err)
	}
	for _, m := range []*record.Match{m, again} {
		a := m.Games[0].Actions
		an := a[len(a)-1].Analysis
		if an == nil || an.Cube == nil || an.Cube.Equities == nil {
			t.Fatalf("%+v", an)
		}
		for i, want := range []float64{1.1711, 0.6004, 1} {
			if got := an.Cube.Equities[i]; math.Abs(got-want) > 1e-4 {
				t.Errorf("equity %d: %.4f, want %.4f", i, got, want)
			}
		}
	}
}
