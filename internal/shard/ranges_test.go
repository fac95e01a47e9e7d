package shard

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestSplit_endsAtMultiples(t *testing.T) {
	odd := func(k int) bool { return k%5 != 3 }
	for _, tt := range []struct {
		from, to, size, most int
		want                 func(int) bool
		out                  string
	}{
		{0, 10, 4, 9, nil, "[{0 4} {4 8} {8 10}]"},
		{6, 10, 4, 9, nil, "[{6 8} {8 10}]"},
		{0, 10, 4, 2, nil, "[{0 4} {4 8}]"},
		{0, 10, 4, 9, odd, "[{0 3} {4 8} {9 10}]"},
		{3, 3, 1, 9, nil, "[]"},
		{0, 3, 9, 0, nil, "[]"},
	} {
		if got := fmt.Sprint(Split(tt.from, tt.to, tt.size, tt.most, tt.want)); got != tt.out {
			t.Errorf("%d to %d by %d: %s, want %s", tt.from, tt.to, tt.size, got, tt.out)
		}
	}
}

func TestParseRange_refuses(t *testing.T) {
	for _, text := range []string{"", "{", `{"from":-1,"to":1}`, `{"from":3,"to":3}`, `{"from":0,"to":11}`, `{"from":1,"to":-9223372036854775808}`} {
		if r, err := ParseRange([]byte(text), 10); !errors.Is(err, ErrRange) {
			t.Errorf("%q: %v, %v", text, r, err)
		}
	}
	if r, err := ParseRange(Range{3, 13}.Ask(), 10); err != nil || r != (Range{3, 13}) {
		t.Error(r, err)
	}
}

// TestEach_takesAllInOrder asks for more pieces than a round has.
func TestEach_takesAllInOrder(t *testing.T) {
	crew := &Local{Threads: 3, New: func() (Runner, error) {
		return Func(func(_ context.Context, ask []byte) ([]byte, error) { return ask, nil }), nil
	}}
	e := Each{From: 2, To: 2*round + 99, Size: 1, Want: func(k int) bool { return k != 50 }}
	next := 2
	err := e.Do(t.Context(), crew, func(r Range, res Result) error {
		if next == 50 {
			next++
		}
		if r != (Range{next, next + 1}) || string(res.Data) != string(r.Ask()) {
			return fmt.Errorf("%v came to %s, want %d", r, res.Data, next)
		}
		next++
		return nil
	})
	if err != nil || next != e.To {
		t.Error(next, err)
	}
	enough := errors.New("enough")
	if err := e.Do(t.Context(), crew, func(Range, Result) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
	e.Size = 0
	if err := e.Do(t.Context(), crew, nil); !errors.Is(err, ErrRange) {
		t.Error(err)
	}
}
