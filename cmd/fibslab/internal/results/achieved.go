package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/engine/tune"
)

// Achieved is the outcome of a trial of a target rating as `fibslab tune check` prints it. Low
// and High are its 90 % interval, Matches its number of matches.
type Achieved struct {
	Target    float64    `json:"target_rating"`
	Length    int        `json:"length"`
	Style     tune.Style `json:"style"`
	Setting   string     `json:"setting"`
	Expected  float64    `json:"expected_rating"`
	Achieved  float64    `json:"achieved_rating"`
	Low       float64    `json:"low"`
	High      float64    `json:"high"`
	Matches   int        `json:"matches"`
	Opponents []string   `json:"opponents"`
	Within    bool       `json:"within"`
}

// achievedOf is the printed form of a; Within is whether it is within tolerance rating points of
// its target.
func achievedOf(a *ratings.Achieved, tolerance float64) Achieved {
	out := Achieved{
		Target: a.Trial.Rating, Length: a.Trial.Length, Style: a.Trial.Style, Setting: a.Strength.Setting.String(),
		Expected: a.Strength.Rating.Estimate, Achieved: a.Rating.Estimate, Low: a.Rating.Low, High: a.Rating.High,
		Matches: 2 * a.Pairs, Within: math.Abs(a.Rating.Estimate-a.Trial.Rating) <= tolerance,
	}
	for _, o := range a.Opponents {
		out.Opponents = append(out.Opponents, o.Setting.String())
	}
	return out
}

// Achieve plays trials and returns their outcomes, each with whether it is within tolerance: those
// by noise one after the other, those of the style human together, with their blocks in the results
// file path, or nowhere if that is empty. It passes the error of a target out of reach to leftOut
// and leaves it out. After an error the list has the trials before it.
func Achieve(ctx context.Context, s *tune.Surface, eng *ratings.Engine, trials []ratings.Trial, o ratings.Trials, path string, tolerance float64, leftOut func(error)) ([]Achieved, error) {
	var list []Achieved
	var people []ratings.Trial
	for _, t := range trials {
		if t.Style == tune.Human {
			people = append(people, t)
			continue
		}
		got, err := ratings.Achieve(ctx, s, eng, t, o)
		if errors.Is(err, tune.ErrOutOfReach) {
			leftOut(err)
			continue
		}
		if err != nil {
			return list, err
		}
		list = append(list, achievedOf(&got, tolerance))
	}
	if len(people) == 0 {
		return list, nil
	}
	more, err := achieveHuman(ctx, s, eng, people, o, path, leftOut)
	for i := range more {
		list = append(list, achievedOf(&more[i], tolerance))
	}
	return list, err
}

func achieveHuman(ctx context.Context, s *tune.Surface, eng *ratings.Engine, trials []ratings.Trial, o ratings.Trials, path string, leftOut func(error)) ([]ratings.Achieved, error) {
	h, err := o.Header(ctx, eng)
	if err != nil {
		return nil, err
	}
	if path == "" {
		store, err := ratings.NewStore(h)
		if err != nil {
			return nil, err
		}
		return ratings.AchieveHuman(ctx, s, eng, trials, o, store, nil, leftOut)
	}
	file, err := Open(ctx, eng, path, h)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ratings.AchieveHuman(ctx, s, eng, trials, o, file.Store, file.Keep, leftOut)
}

// Missed returns the first of list that is not within its tolerance as an error, or nil.
func Missed(list []Achieved, tolerance float64) error {
	i := slices.IndexFunc(list, func(a Achieved) bool { return !a.Within })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("%.0f %s, %s, is missed by more than %.0f", list[i].Target, tune.AtLength(list[i].Length), list[i].Style, tolerance)
}

// PrintAchieved writes list as a table for people.
func PrintAchieved(w io.Writer, list []Achieved) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "style\tlength\ttarget\tsetting\tmatches\tachieved\t90 %\toff\twithin\t")
	within := 0
	for i := range list {
		a := &list[i]
		word := "no"
		if a.Within {
			word = "yes"
			within++
		}
		fmt.Fprintf(tab, "%s\t%d\t%.0f\t%s\t%d\t%.0f\t±%.0f\t%+.0f\t%s\t\n", a.Style, a.Length, a.Target, a.Setting, a.Matches,
			a.Achieved, (a.High-a.Low)/2, a.Achieved-a.Target, word)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d of %d within the tolerance\n", within, len(list))
	return err
}
