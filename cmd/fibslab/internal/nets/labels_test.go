package nets

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// TestLabels_ofItself: a net is not off its own values; labels that say less of the win have a bias.
func TestLabels_ofItself(t *testing.T) {
	ev, _, err := train.OpenStatic("")
	if err != nil {
		t.Fatal(err)
	}
	net, rng := ev, rand.New(rand.NewPCG(1, 2))
	var exact, shy []train.Record
	for _, plan := range []train.Plan{train.Holding, train.BackGame} {
		for range 50 {
			p := train.StartOf(plan, rng)
			v := net.Eval(&p)
			if v[eval.Win] < 0.05 { // labels cannot say less by so much
				continue
			}
			exact = append(exact, train.Record{Key: p.Key(), Label: train.LabelOf(v)})
			v[eval.Win] -= 0.05
			shy = append(shy, train.Record{Key: p.Key(), Label: train.LabelOf(v)})
		}
	}
	for _, tt := range []struct {
		name string
		recs []train.Record
		bias float64
	}{{"exact.grp", exact, 0}, {"shy.grp", shy, 0.1}} {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := train.WriteRecords(path, tt.recs); err != nil {
			t.Fatal(err)
		}
		rows, err := (&Labels{Files: []string{path}}).Measure(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := rows[len(rows)-1]
		if len(rows) < 3 || all.Class != "all" || all.Gain.N() != len(tt.recs) || all.Gain.Value() != 0 || all.Gain.StdErr() != 0 {
			t.Errorf("%s: %d rows, %+v", tt.name, len(rows), all)
		}
		for _, r := range rows {
			if off := &r.Off[0]; math.Abs(off.Value()-tt.bias) > 1e-4 || math.Abs(off.RMS()-tt.bias) > 2e-4 || r.Off[1] != *off {
				t.Errorf("%s: %+v", tt.name, r)
			}
		}
		var table bytes.Buffer
		if err := PrintLabels(&table, rows); err != nil || strings.Count(table.String(), "\n") != len(rows)+1 {
			t.Errorf("%v\n%s", err, table.String())
		}
	}
}

func TestLabels_damaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bin")
	bad := board.Position{Me: board.Checkers{0: 15}}.Key()
	for i := range bad {
		bad[i] = 0xff
	}
	if err := train.WriteRecords(path, []train.Record{{Key: board.Start.Key()}, {Key: bad}}); err != nil {
		t.Fatal(err)
	}
	_, err := (&Labels{Files: []string{path}}).Measure(t.Context())
	if err == nil || !strings.Contains(err.Error(), "record 1") || !errors.Is(err, board.ErrBadID) && !errors.Is(err, board.ErrIllegalPosition) {
		t.Error(err)
	}
}

// TestLabelErrors_gain: the mean of what the squared errors differ by, and its standard error.
func TestLabelErrors_gain(t *testing.T) {
	var b LabelErrors
	b.add([2]float64{0.1, 0.3})
	b.add([2]float64{-0.2, 0})
	gains := []float64{0.3*0.3 - 0.1*0.1, -0.2 * 0.2}
	want, apart := (gains[0]+gains[1])/2, (gains[0]-gains[1])/2
	if math.Abs(b.Gain.Value()-want) > 1e-12 || math.Abs(b.Gain.StdErr()-apart/math.Sqrt2) > 1e-12 || math.Abs(b.Off[0].Value()+0.05) > 1e-12 || math.Abs(b.Off[1].Value()-0.15) > 1e-12 {
		t.Errorf("%+v", b)
	}
}

// TestLabels_decisions: two files choose between the labelled plays of a decision, wherever in the
// file these are; single positions are no decisions.
func TestLabels_decisions(t *testing.T) {
	var b LabelErrors
	same, other := new(decision), new(decision)
	same.add([2]float64{0.1, 0.1}, 0.2) // both say 0.3, then 0.1
	same.add([2]float64{0.2, 0.2}, -0.1)
	other.add([2]float64{0, 0.3}, 0.1) // 0.1 and 0.4
	other.add([2]float64{0, -0.2}, 0.3)
	b.choose(same)
	b.choose(other)
	if b.Points.N() != 2 || b.Differ != 1 || math.Abs(b.Points.Value()-0.1) > 1e-12 || math.Abs(b.Points.StdErr()-0.1/math.Sqrt2) > 1e-12 {
		t.Errorf("%+v", b)
	}

	ev, _, err := train.OpenStatic("")
	if err != nil {
		t.Fatal(err)
	}
	net, rng := ev, rand.New(rand.NewPCG(3, 4))
	var recs []train.Record
	for i := range 40 { // pairs lie 20 apart
		p := train.StartOf(train.Holding, rng)
		recs = append(recs, train.Record{Key: p.Key(), Label: train.LabelOf(net.Eval(&p)), Group: uint32(i % 20)})
	}
	path := filepath.Join(t.TempDir(), "pairs.grp")
	if err := train.WriteRecords(path, recs); err != nil {
		t.Fatal(err)
	}
	rows, err := (&Labels{Files: []string{path}}).Measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all := rows[len(rows)-1]; all.Points.N() != 19 || all.Differ != 0 || all.Points.Value() != 0 {
		t.Errorf("%+v", all)
	}
}
