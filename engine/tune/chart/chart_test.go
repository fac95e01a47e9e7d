package chart

import (
	"math"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// Names that would lie on each other move apart around their middle; the others stay.
func TestSpread(t *testing.T) {
	var ends []end
	for _, y := range []float64{1100, 1000, 1005, 998, 500} {
		ends = append(ends, end{XY: plotter.XY{Y: y}})
	}
	spread(ends, 40)
	for i := 1; i < len(ends); i++ {
		if gap := ends[i].Y - ends[i-1].Y; gap < 39.99 {
			t.Errorf("names %d and %d are %.2f apart, want 40", i, i+1, gap)
		}
	}
	if ends[0].Y != 500 || ends[4].Y != 1100 || math.Abs(ends[2].Y-1001) > 1 {
		t.Errorf("names at %v", ends)
	}
}
