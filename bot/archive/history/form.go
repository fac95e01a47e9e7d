package history

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/rating"
	"fibsbot/internal/figure"
)

// formSpan is the number of matches that Form looks back over, and again before these.
const formSpan = 10

// Form is how well an account plays: the PR of a match, lower being better, beside those of the
// matches before it. A PR is unknown until a match is analysed.
type Form struct {
	PR index.Figure `json:"pr"`
	// Level is the name of PR (rating.PRWord), empty unless plays and cube were analysed.
	Level string `json:"level,omitempty"`
	// Last are the PRs of up to ten analysed matches, the match itself last.
	Last []index.Figure `json:"last"`
	// Mean is the PR over all of Last, MeanLevel its name, and Before the PR over up to ten
	// matches before them, unknown if there are none.
	Mean      index.Figure `json:"mean"`
	MeanLevel string       `json:"mean_level,omitempty"`
	Before    index.Figure `json:"before"`
}

// errEnough ends a list of matches.
var errEnough = errors.New("enough matches")

// FormOf returns the form of the account of the match of.
func FormOf(ctx context.Context, db *index.DB, of *index.Match) (Form, error) {
	var points []Point // newest first
	found, whole := false, true
	err := db.List(ctx, index.Filter{Account: of.Account}, func(m *index.Match) error {
		if found = found || m.ID == of.ID; found && m.PR[0].Known() {
			whole = whole && (len(points) >= formSpan || graded(m))
			points = append(points, point(m))
		}
		if len(points) == 2*formSpan {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return Form{}, fmt.Errorf("form of %s: %w", of.Account, err)
	}
	slices.Reverse(points)
	out := formOf(points)
	if out.PR = of.PR[0]; out.PR.Known() && graded(of) {
		out.Level = rating.PRWord(float64(out.PR))
	}
	if out.Mean.Known() && whole {
		out.MeanLevel = rating.PRWord(float64(out.Mean))
	}
	return out, nil
}

// graded reports whether plays and cube decisions of a match were analysed; one of a point has no
// cube.
func graded(m *index.Match) bool {
	return m.Checker[0].Known() && (m.Cube[0].Known() || m.Length == 1)
}

// formOf is the form after analysed matches, oldest first, without levels.
func formOf(points []Point) Form {
	out := Form{PR: figure.Unknown, Last: []index.Figure{}, Mean: figure.Unknown, Before: figure.Unknown}
	n := len(points)
	if n == 0 {
		return out
	}
	each, _ := moving(points, 0, 1)
	mean, _ := moving(points, 0, formSpan)
	out.PR, out.Last, out.Mean = each[n-1], each[max(0, n-formSpan):], mean[n-1]
	if n > formSpan {
		out.Before = mean[n-1-formSpan]
	}
	return out
}
