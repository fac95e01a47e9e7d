package ratings

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/tune"
	"fibsbot/internal/jsonlines"
)

var testHeader = Header{Signature: "abc", Nets: "test", Seed: 7, BlockSize: 2}

var testCell = Cell{A: tune.Expert, B: tune.Setting{Style: tune.Noise, Checker: 0.03, Cube: 0.03}, Length: 5}

func testBlock(c Cell, index int) Block {
	return Block{Cell: c, Index: index, Pairs: 2, Sum: 1.5, Square: 1.25, Games: 12, Errors: [2]Errors{{}, {Moves: 10, MoveLoss: 0.3, CubeCases: 2, CubeLoss: 0.1}}}
}

func storeWith(t *testing.T, h Header, blocks ...Block) *Store {
	t.Helper()
	s, err := NewStore(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if err := s.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestStore_comesBackAndDropsATornLine(t *testing.T) {
	deep := Cell{A: tune.Setting{Deep: "worldclass"}, B: tune.Setting{Style: tune.Human, Checker: 0.1, Cube: 0.2}, Length: 1}
	luck := testBlock(deep, 3)
	luck.Luck, luck.Pairs, luck.Sum, luck.Square = true, 1, 1.3, 1.69
	s := storeWith(t, testHeader, testBlock(testCell, 1), testBlock(testCell, 0), luck)
	var b bytes.Buffer
	if err := s.write(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.Len()
	b.WriteString(`{"cell":{"a":"exp`)
	back, size, err := readStore(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size != int64(whole) {
		t.Errorf("whole lines of %d bytes, want %d", size, whole)
	}
	if d := cmp.Diff(s.Blocks(), back.Blocks()); d != "" || back.Header != s.Header {
		t.Errorf("%+v: %s", back.Header, d)
	}
	totals := back.Totals()
	if len(totals) != 2 || totals[1].Pairs != 4 || totals[1].Mean != 0.75 || totals[1].Errors[1].Moves != 20 {
		t.Errorf("totals %+v", totals)
	}
}

func TestReadStore_refuses(t *testing.T) {
	line := func(v any) string {
		b, err := jsonlines.Line(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	h := testHeader
	h.Version = formatVersion
	old := h
	old.Version = 99
	wide := testBlock(testCell, 0)
	wide.Pairs = 3
	much := testBlock(testCell, 0)
	much.Sum, much.Square = 3, 5
	alone := testBlock(Cell{A: tune.Expert, B: tune.Expert, Length: 5}, 0)
	negative := testBlock(testCell, -1)
	for _, tt := range []struct {
		name, text string
		want       error
	}{
		{"nothing", "", ErrResults},
		{"no JSON", "hello\n", ErrResults},
		{"another file", "{}\n", ErrResults},
		{"a later format", line(old), ErrOtherVersion},
		{"a header with more in it", strings.Replace(line(h), `"seed"`, `"dice":"coin","seed"`, 1), ErrResults},
		{"twice", line(h) + line(testBlock(testCell, 0)) + line(testBlock(testCell, 0)), ErrDuplicate},
		{"block of another size", line(h) + line(wide), ErrResults},
		{"more won than played", line(h) + line(much), ErrResults},
		{"against itself", line(h) + line(alone), ErrResults},
		{"negative index", line(h) + line(negative), ErrResults},
		{"not a block", line(h) + `{"cells":1}` + "\n", ErrResults},
		{"unknown setting", line(h) + `{"cell":{"a":"nobody","b":"expert","length":5}}` + "\n", ErrResults},
		{"endless line", line(h) + strings.Repeat("x", 1<<17) + "\n", ErrResults},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, _, err := readStore(strings.NewReader(tt.text)); !errors.Is(err, tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestMerge_refusesDuplicatesAndStrangers(t *testing.T) {
	a := storeWith(t, testHeader, testBlock(testCell, 0), testBlock(testCell, 2))
	b := storeWith(t, testHeader, testBlock(testCell, 1), testBlock(testCell, 3))
	if err := a.Merge(b); err != nil || a.Len() != 4 {
		t.Fatalf("%v, %d blocks", err, a.Len())
	}
	if err := a.Merge(b); !errors.Is(err, ErrDuplicate) || a.Len() != 4 {
		t.Errorf("the same again: %v, %d blocks", err, a.Len())
	}
	for name, change := range map[string]func(*Header){
		"engine": func(h *Header) { h.Signature = "xyz" }, "nets": func(h *Header) { h.Nets = "other" },
		"seed": func(h *Header) { h.Seed = 8 }, "block": func(h *Header) { h.BlockSize = 4 },
	} {
		h := testHeader
		change(&h)
		if err := a.Merge(storeWith(t, h)); !errors.Is(err, ErrOtherVersion) {
			t.Errorf("another %s: %v", name, err)
		}
	}
}

func FuzzReadStore(f *testing.F) {
	f.Add(`{"fibsbot_tune":2,"signature":"a","nets":"n","seed":1,"block":2}` + "\n" +
		`{"cell":{"a":"supremo","b":"worldclass","length":5},"index":3,"differences":{"seed":205,"trials":144},"pairs":1,"sum":0.504,"square":0.254016,"games":12,"seconds":0,"errors":[{},{}]}` + "\n" +
		`{"cell":{"a":"expert","b":"noise:0.03:0.03","length":5},"index":0,"pairs":2,"sum":1.5,"square":1.25,"games":12,"seconds":0.1,"errors":[{},{}]}` + "\n")
	f.Add("{}\n{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, _, err := readStore(strings.NewReader(text))
		if err != nil {
			return
		}
		// The result can be written, read again and fitted or refused.
		var b bytes.Buffer
		if err := s.write(&b); err != nil {
			t.Fatal(err)
		}
		whole := int64(b.Len())
		back, size, err := readStore(&b)
		if err != nil || size != whole || back.Len() != s.Len() {
			t.Fatalf("came back as %v, %d bytes of %d: %v", back, size, whole, err)
		}
		if fit, err := Fit(s.Totals(), 1900); err == nil {
			for _, v := range fit.Loss {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("loss %v", v)
				}
			}
		}
	})
}
