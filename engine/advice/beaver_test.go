package advice

import (
	"strings"
	"testing"

	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

func TestDescribeCube_beaver(t *testing.T) {
	d := cube.Decision{Action: cube.NoDoubleBeaver, NoDouble: -0.1, DoubleTake: -0.3, DoublePass: 1}
	text := DescribeCube(d, match.Money(true, 3))
	for _, want := range []string{"Double, beaver -0.6000\n", "(a double gains if the opponent passes by mistake at least 31.2% of the time)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if c := cubeOf(d, match.Money(true, 3)); c.DoubleBeaver == nil || *c.DoubleBeaver != -0.6 {
		t.Errorf("JSON has %v for the beaver", c.DoubleBeaver)
	}
	d.Action = cube.NoDoubleTake
	if text = DescribeCube(d, match.Money(true, 0)); strings.Contains(text, "beaver") {
		t.Errorf("text without beavers mentions one:\n%s", text)
	}
}
