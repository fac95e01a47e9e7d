package cardset

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestShipped(t *testing.T) {
	n := map[string]int{}
	for _, c := range Shipped() {
		n[c.Set+" "+c.Kind]++
		if exact := c.Trials == 0; exact != (c.Set == Bearoffs) {
			t.Errorf("%s: %d trials", c.XGID, c.Trials)
		}
		if c.Cube != nil && (c.Cube.StdErr[0] > 0.0065 || c.Cube.StdErr[1] > 0.0065) {
			t.Errorf("%s: standard errors %v", c.XGID, c.Cube.StdErr)
		}
	}
	if n["cubes double"]+n["cubes take"] < 150 || n["bearoffs play"] < 50 || n["races double"] < 30 {
		t.Errorf("cards: %v", n)
	}
}

func TestRead_whatWriteWrote(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Shipped()); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil || len(again) != len(Shipped()) {
		t.Errorf("%d cards, %v", len(again), err)
	}
	for _, bad := range []string{"x", `{"kind":"play","xgid":"x"}`, strings.Replace(b.String(), `"kind":"double"`, `"kind":"take"`, 1), strings.Replace(b.String(), `"cube":`, `"other":`, 1)} {
		if _, err := Read(strings.NewReader(bad)); !errors.Is(err, ErrCards) {
			t.Errorf("%.60s: %v", bad, err)
		}
	}
}
