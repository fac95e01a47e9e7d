package ratings

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/tune"
)

// A preset with two settings has no single rating: blocks of the other one are refused
// everywhere, and then nothing is added. Blocks without a fingerprint are accepted.
func TestStore_refusesARedefinedPreset(t *testing.T) {
	h := testHeader
	h.BlockSize = 60
	cell := Cell{A: testSupremo, B: testWorldclass, Length: 5}
	now := cell.Fingerprints()
	if now[0] == "" || now[0] == now[1] || (Cell{A: tune.Expert, B: testSupremo}).Fingerprints() != (Fingerprints{"", now[0]}) {
		t.Fatalf("fingerprints %q", now)
	}
	older := Fingerprints{strings.Repeat("0", 16), now[1]}
	block := func(c Cell, index int, f Fingerprints) Block {
		return Block{Cell: c, Index: index, Luck: true, Presets: f, Pairs: 3, Sum: 1.5, Square: 0.8, Games: 30}
	}
	s := storeWith(t, h, block(cell, 0, older), block(cell, 1, Fingerprints{}))
	var b bytes.Buffer
	if err := s.write(&b); err != nil {
		t.Fatal(err)
	}
	s, _, err := readStore(&b)
	if err != nil || len(s.Redefined()) != 1 || s.Redefined()[0] != "supremo" {
		t.Fatalf("%v, redefined: %q", err, s.Redefined())
	}
	measurement := Measurement{Cells: []Cell{{A: testSupremo, B: tune.Expert, Length: 1}}, Interval: 10}
	for name, err := range map[string]error{
		"a block":       s.Add(block(cell, 2, now)),
		"a file":        s.Merge(storeWith(t, h, block(Cell{A: tune.Expert, B: testSupremo, Length: 3}, 0, Fingerprints{"", now[0]}))),
		"a measurement": Measure(context.Background(), nil, s, measurement),
		"a duel": func() error {
			_, err := s.AddDifferences(Cell{A: testWorldclass, B: testSupremo, Length: 5}, testDuel, Fingerprints{now[1], now[0]}, duelPairs(0, 3))
			return err
		}(),
	} {
		if !errors.Is(err, ErrOtherVersion) || !strings.Contains(err.Error(), "supremo") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Add(block(cell, 2, Fingerprints{})); err != nil || s.Len() != 3 {
		t.Errorf("a block that says nothing: %v, %d blocks", err, s.Len())
	}
	for name, f := range map[string]Fingerprints{"of no length": {"12", ""}, "of expert": {"", older[0]}} {
		if err := s.Add(block(Cell{A: testSupremo, B: tune.Expert, Length: 3}, 0, f)); !errors.Is(err, ErrResults) {
			t.Errorf("a fingerprint %s: %v", name, err)
		}
	}
	took, err := storeWith(t, h).AddDifferences(Cell{A: testWorldclass, B: testSupremo, Length: 5}, testDuel, Fingerprints{now[1], now[0]}, duelPairs(0, 3))
	if err != nil || took.Cell != cell || took.Added[0].Presets != now {
		t.Errorf("%+v, %v", took, err)
	}
}
