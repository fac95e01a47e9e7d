package ratings

import (
	"cmp"
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
	for i, p := range f.Params {
		if p.Kind == judgedLoss {
			continue
		}
		t.Losses = append(t.Losses, tune.LossPoint{Param: p, Loss: tenth(f.Loss[i]), StdErr: tenth(f.spread(i))})
	}
	slices.SortFunc(t.Ratings, func(a, b tune.Point) int {
		return cmp.Or(cmp.Compare(a.Length, b.Length), compareSettings(a.Setting, b.Setting))
	})
	return t
}

func tenth(v float64) float64 { return math.Round(10*v) / 10 }

func compareSettings(a, b tune.Setting) int {
	return cmp.Or(cmp.Compare(len(a.Deep), len(b.Deep)), cmp.Compare(len(a.Style), len(b.Style)), cmp.Compare(a.Ahead(), b.Ahead()),
		cmp.Compare(a.Checker, b.Checker), cmp.Compare(a.Cube, b.Cube))
}
