package cubefit

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// Labels of searches read back, resume by another first game, and leave out hidden positions.
func TestMaker_make(t *testing.T) {
	e, err := engine.Open(engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	m := Maker{Engine: e, Seed: 3, Plies: 0, Hidden: train.KeySet{}}
	labels := func() []Label {
		path := filepath.Join(t.TempDir(), "l")
		var b bytes.Buffer
		if err := m.Make(t.Context(), &b, 0, 40, func(int) {}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b.Bytes(), `{"pos`...), 0o644); err != nil { // as a killed run leaves it
			t.Fatal(err)
		}
		ls, err := Read(path)
		if err != nil || len(ls) != 40 {
			t.Fatalf("%d labels, %v", len(ls), err)
		}
		return ls
	}
	first := labels()
	p, err := board.ParseID(first[0].Position)
	if err != nil {
		t.Fatal(err)
	}
	m.Hidden.Add(p.Key())
	for _, l := range labels() {
		if l.Position == first[0].Position {
			t.Error("a hidden position was labelled")
		}
	}
}

// A fit to values of another efficiency finds that efficiency.
func TestFit_findsTheEfficiency(t *testing.T) {
	const x = 0.9
	rng := rand.New(rand.NewPCG(5, 5))
	var ls []Label
	for len(ls) < 1500 {
		l := drawLabel(rng)
		p := train.StartOf(train.Holding, rng)
		win := float32(0.2 + 0.6*rng.Float64())
		l.Position, l.Chances = p.ID(), eval.Probs{win, win * 0.3, 0, (1 - win) * 0.3, 0}
		st, err := l.State()
		if err != nil {
			t.Fatal(err)
		}
		ladder, err := cube.NewLadder(match.DefaultTable(), st)
		if err != nil {
			t.Fatal(err)
		}
		l.Values = make([]float64, len(l.Spots))
		ladder.Values(&l.Chances, x, l.Spots, l.Values)
		ls = append(ls, l)
	}
	f := Fit{Table: match.DefaultTable(), Epochs: 6, Rate: 2e-3, Seed: 1}
	net, err := f.Run(ls)
	if err != nil {
		t.Fatal(err)
	}
	off, n := 0.0, 0
	learned, err := f.samples(ls[:200])
	if err != nil {
		t.Fatal(err)
	}
	for i := range learned {
		s := &learned[i]
		off += s.efficiency(net, nil) - x
		n++
	}
	if mean := off / float64(n); mean < -0.03 || mean > 0.03 {
		t.Errorf("the mean efficiency is %.3f, want %.2f", x+mean, x)
	}
	if again, err := f.Run(ls); err != nil || *again != *net {
		t.Errorf("the same fit gives another net, %v", err)
	}
}

func TestRead_refuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	for _, text := range []string{"x\n", "{}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); !errors.Is(err, ErrLabels) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
