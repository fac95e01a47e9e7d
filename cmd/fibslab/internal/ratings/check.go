package ratings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"fibsbot/engine"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

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
