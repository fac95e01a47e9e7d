package cardset

import (
	"encoding/json"
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

func TestRead(t *testing.T) {
	var b strings.Builder
	for i := range Shipped() {
		line, err := json.Marshal(&Shipped()[i])
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	again, err := read(strings.NewReader(b.String()))
	if err != nil || len(again) != len(Shipped()) {
		t.Errorf("%d cards, %v", len(again), err)
	}
	for _, bad := range []string{"x", `{"kind":"play","xgid":"x"}`, strings.Replace(b.String(), `"kind":"double"`, `"kind":"take"`, 1), strings.Replace(b.String(), `"cube":`, `"other":`, 1)} {
		if _, err := read(strings.NewReader(bad)); !errors.Is(err, ErrCards) {
			t.Errorf("%.60s: %v", bad, err)
		}
	}
}
