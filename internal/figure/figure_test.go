package figure

import (
	"encoding/json"
	"math"
	"testing"
)

func TestText_noNegativeZero(t *testing.T) {
	for _, c := range []struct {
		format string
		v      float64
		want   string
	}{
		{"%+.4f", -0.00004, "+0.0000"}, {"%+.4f", math.Copysign(0, -1), "+0.0000"}, {"%+.4f", -0.00006, "-0.0001"},
		{"%8.4f", -0.00001, "  0.0000"}, {"(%+.3f)", -0.0002, "(+0.000)"}, {"%.2f%%", -0.001, "0.00%"}, {"%+.2f", 1.5, "+1.50"},
	} {
		if got := Text(c.format, c.v); got != c.want {
			t.Errorf("%v in %q: %q, want %q", c.v, c.format, got, c.want)
		}
	}
	for v, want := range map[float64]string{-0.0004: "0.000", 0.0004: "0.000", -0.25: "-0.250", 1: "+1.000"} {
		if got := Signed(v, 3); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

func TestFigure_unknown(t *testing.T) {
	text, err := json.Marshal([]Figure{Unknown, 0, If(false, 3), If(true, 3)})
	if err != nil || string(text) != "[null,0,null,3]" {
		t.Errorf("%s, %v", text, err)
	}
	var back []Figure
	if err := json.Unmarshal(text, &back); err != nil || back[0].Known() || !back[1].Known() || back[0].Or(7) != 7 || back[0].Plus(2) != 2 {
		t.Errorf("%v, %v", back, err)
	}
	if Unknown.Text("%.2f") != "-" || Figure(-0.001).Text("%+.2f") != "+0.00" {
		t.Error(Unknown.Text("%.2f"), Figure(-0.001).Text("%+.2f"))
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n           int
		thing, want string
	}{{0, "match", "0 matches"}, {1, "match", "1 match"}, {2, "match", "2 matches"}, {1, "file", "1 file"}, {12, "match file", "12 match files"}} {
		if got := Count(c.n, c.thing); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.thing, got, c.want)
		}
	}
}
