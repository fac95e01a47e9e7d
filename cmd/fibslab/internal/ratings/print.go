package ratings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"fibsbot/engine"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

// PrintResiduals prints every cell beside the fit and the published formulas.
func PrintResiduals(w io.Writer, f *Fitted) error {
	fmt.Fprintln(w, "\nrating differences of pairs: as played, fitted, and by the published formulas\nfrom the errors made (decisions; moves and cube); millipoints lost a move and a cube decision")
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "pair\tmatches\twon %\tplayed\tfit\tz\tdecisions\tmoves+cube\tEPM\tEPC\t")
	squares := 0.0
	for _, c := range f.Cells {
		t := &c.Total
		squares += c.Z * c.Z
		a, b := ratesOf(&t.Errors[0]), ratesOf(&t.Errors[1])
		published := [2]string{"-", "-"}
		if t.Errors[0].Moves > 0 && t.Errors[1].Moves > 0 {
			n := t.Cell.Length
			published[0] = fmt.Sprintf("%.0f", rating.LossByDecision(b, n)-rating.LossByDecision(a, n))
			published[1] = fmt.Sprintf("%.0f", rating.LossByMoveAndCube(b, n)-rating.LossByMoveAndCube(a, n))
		}
		played := "-"
		if !math.IsInf(c.Difference, 0) {
			played = fmt.Sprintf("%.0f", c.Difference)
		}
		won := strconv.FormatFloat(100*t.Mean, 'f', 1, 64)
		if t.Differences {
			won = strconv.FormatFloat(100*t.Mean, 'f', 2, 64) // they are near 50
		}
		fmt.Fprintf(tab, "%s\t%d\t%s\t%s\t%.0f\t%+.1f\t%s\t%s\t%.1f\t%.1f\t\n", t.Name(), 2*t.Pairs, won, played, c.Fit, c.Z,
			published[0], published[1], 1000*(b.Checker-a.Checker), 1000*(b.Cube-a.Cube))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nsum of z²: %.1f over %d pairs and %d parameters (%.0f degrees of freedom)\n", squares, len(f.Cells), len(f.Params), f.Freedom)
	return err
}

func ratesOf(e *Errors) rating.ErrorRates {
	mean := func(loss float64, n int) float64 { return loss / float64(max(n, 1)) }
	return rating.ErrorRates{Checker: mean(e.MoveLoss, e.Moves), Cube: mean(e.CubeLoss, e.CubeCases), PerDecision: mean(e.MoveLoss+e.CubeLoss, e.Moves+e.CubeCases)}
}

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

// Trial is an ordered rating to be checked by play.
type Trial struct {
	Rating float64
	Length int
}

// Achieved is the outcome of a trial.
type Achieved struct {
	Trial
	Strength tune.Strength   // the setting that the table proposed, with the expected rating
	Rating   rating.Interval // of 90 %
	Pairs    int
}

// Within reports whether the rating is within tolerance points of the target.
func (a *Achieved) Within(tolerance float64) bool {
	return math.Abs(a.Rating.Estimate-a.Trial.Rating) <= tolerance
}

// Check plays the settings that a table gives for trials, in the style human with a character, against
// expert, until the interval of each is narrow enough, and returns the ratings that they achieve.
// It fits the ratings of all of them together, with their judged losses: results alone would take
// ten times as many matches. m says how to play; its cells are those of the trials. It passes the error of
// a target out of reach to leftOut and leaves it out. Errors are those of Find, Measure and Fit.
func Check(ctx context.Context, s *tune.Surface, eng *engine.Engine, trials []Trial, who human.Character, m Measurement, store *Store, leftOut func(error)) (out []Achieved, err error) {
	for _, t := range trials {
		found, err := s.Find(tune.Order{Rating: t.Rating, Length: t.Length, Style: tune.Human, Character: who, Cube: -1})
		if errors.Is(err, tune.ErrOutOfReach) {
			leftOut(err)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Achieved{Trial: t, Strength: found})
		if c := NewCell(tune.Expert, found.Setting, t.Length); !slices.Contains(m.Cells, c) {
			m.Cells = append(m.Cells, c)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	if err := Measure(ctx, eng, store, m); err != nil {
		return nil, err
	}
	totals := store.Totals()
	f, err := Fit(totals, s.Table.Anchor)
	if err != nil {
		return nil, err
	}
	for i := range out {
		a := &out[i]
		r, se, _ := f.estimate(a.Strength.Setting, a.Length)
		a.Rating = rating.Interval{Estimate: r, Low: r - tune.Z90*se, High: r + tune.Z90*se}
		cell := NewCell(tune.Expert, a.Strength.Setting, a.Length)
		for k := range totals {
			if totals[k].Cell == cell {
				a.Pairs += totals[k].Pairs
			}
		}
	}
	return out, nil
}

// PrintAchieved writes list as a table. The error is that of w, or names the first one that is not
// within the tolerance, in rating points.
func PrintAchieved(w io.Writer, list []Achieved, tolerance float64) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "length\ttarget\tsetting\tmatches\tachieved\t90 %\toff\twithin\t")
	within := 0
	var missed error
	for i := range list {
		a := &list[i]
		word := "yes"
		if a.Within(tolerance) {
			within++
		} else {
			word = "no"
			if missed == nil {
				missed = fmt.Errorf("%.0f %s is missed by more than %.0f", a.Trial.Rating, tune.AtLength(a.Length), tolerance)
			}
		}
		fmt.Fprintf(tab, "%d\t%.0f\t%s\t%d\t%.0f\t±%.0f\t%+.0f\t%s\t\n", a.Length, a.Trial.Rating, a.Strength.Setting, 2*a.Pairs,
			a.Rating.Estimate, (a.Rating.High-a.Rating.Low)/2, a.Rating.Estimate-a.Trial.Rating, word)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%d of %d within the tolerance\n", within, len(list)); err != nil {
		return err
	}
	return missed
}
