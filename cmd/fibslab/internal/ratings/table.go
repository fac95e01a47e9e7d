package ratings

import (
	"math"
	"slices"

	"fibsbot/engine/tune"
)

// Table returns the fit as a table: the settings that played, and the whole presets of those that
// played in a share.
func (f *Fitted) Table(h Header) *tune.Table {
	t := &tune.Table{Signature: h.Signature, Nets: h.Nets, Seed: h.Seed, Anchor: f.Anchor}
	seen := map[tune.Point]bool{}
	for _, c := range f.Cells {
		t.Matches += 2 * c.Total.Pairs
		if c.Total.Differences {
			t.Differences += 2 * c.Total.Pairs
		}
		a, b := c.Total.Cell.A, c.Total.Cell.B
		for _, s := range [...]tune.Setting{a, b, a.Whole(), b.Whole()} {
			key := tune.Point{Setting: s, Length: c.Total.Cell.Length}
			if seen[key] {
				continue
			}
			seen[key] = true
			if r, se, ok := f.estimate(s, key.Length); ok {
				key.Rating, key.StdErr = tenth(r), tenth(se)
				t.Ratings = append(t.Ratings, key)
			}
		}
	}
	slices.SortFunc(t.Ratings, func(a, b tune.Point) int {
		if c := a.Length - b.Length; c != 0 {
			return c
		}
		return compareSettings(a.Setting, b.Setting)
	})
	for i, p := range f.Params {
		t.Losses = append(t.Losses, tune.LossPoint{Param: p, Loss: tenth(f.Loss[i]), StdErr: tenth(f.spread(i))})
	}
	return t
}

func tenth(v float64) float64 { return math.Round(10*v) / 10 }

func compareSettings(a, b tune.Setting) int {
	for _, d := range [...]float64{float64(len(a.Deep) - len(b.Deep)), float64(len(a.Style) - len(b.Style)), a.Ahead() - b.Ahead(), a.Checker - b.Checker, a.Cube - b.Cube} {
		switch {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
	}
	return 0
}
