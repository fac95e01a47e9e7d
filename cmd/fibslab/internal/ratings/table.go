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
	for i, p := range f.Params {
		if p.Kind == judgedLoss {
			continue
		}
		t.Losses = append(t.Losses, tune.LossPoint{Param: p, Loss: tenth(f.Loss[i]), StdErr: tenth(f.spread(i))})
	}
	sortTable(t)
	return t
}

// Complete adds the ratings and losses of an earlier table that t does not have, or knows less
// well.
func Complete(t, earlier *tune.Table) {
	t.Matches += earlier.Matches
	t.Differences += earlier.Differences
	for _, p := range earlier.Ratings {
		i := slices.IndexFunc(t.Ratings, func(q tune.Point) bool { return q.Setting == p.Setting && q.Length == p.Length })
		if i < 0 {
			t.Ratings = append(t.Ratings, p)
		} else if p.StdErr < t.Ratings[i].StdErr {
			t.Ratings[i] = p
		}
	}
	for _, l := range earlier.Losses {
		i := slices.IndexFunc(t.Losses, func(q tune.LossPoint) bool { return q.Param == l.Param })
		if i < 0 {
			t.Losses = append(t.Losses, l)
		} else if l.StdErr < t.Losses[i].StdErr {
			t.Losses[i] = l
		}
	}
	sortTable(t)
}

func sortTable(t *tune.Table) {
	slices.SortFunc(t.Ratings, func(a, b tune.Point) int {
		if c := a.Length - b.Length; c != 0 {
			return c
		}
		return compareSettings(a.Setting, b.Setting)
	})
	slices.SortFunc(t.Losses, func(a, b tune.LossPoint) int { return compareParams(a.Param, b.Param) })
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
