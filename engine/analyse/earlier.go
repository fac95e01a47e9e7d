package analyse

import (
	"math"
	"reflect"
	"slices"

	"fibsbot/engine/record"
)

// TakeOver puts into m what earlier holds of an analysis and m has yet to get:
// the decisions judged with the noise and the cubefulness of a, at its depth or
// deeper. It returns how many those are; of one whose play or cube alone is as deep,
// that part is taken too. earlier is the same match, such as the file that an
// interrupted analysis left; nothing is taken from a match of other players, score or
// plays, and nothing with Again.
func (a *Analyst) TakeOver(m, earlier *record.Match) int {
	if a.Again || m == nil || earlier == nil || !sameMatch(m, earlier) {
		return 0
	}
	taken := 0
	for _, k := range a.due(m) {
		act := k.turn.Action
		found := earlier.Games[k.game].Actions[k.turn.Index].Analysis
		if k.resigned != nil {
			if found != nil && found.Resigned != nil && enough(&found.Resigned.Settings, nil, &a.Cube) {
				k.found(found)
				taken++
			}
			continue
		}
		if found == nil || found.Own || !a.judgedAlike(found) {
			continue
		}
		had := act.Analysis
		alone := *found
		alone.Resigned = nil
		found = &alone
		act.Analysis = found
		if a.isDue(&k) {
			act.Analysis = a.merged(&k, had, found) // not deep enough
			continue
		}
		taken++
	}
	return taken
}

// merged is what m had of an action, which may be nothing, with the play or the cube decision
// of found in the place of one that is due in m and not in found.
func (a *Analyst) merged(k *task, had, found *record.Analysis) *record.Analysis {
	m := record.Analysis{Played: -1}
	if had != nil {
		m = *had
	}
	t, part := &k.turn, &record.Analysis{Played: -1}
	a.keep(t, found, part, false)
	changed := false
	if part.Cube != nil && a.cubeDue(t, &m) {
		m.Cube, changed = part.Cube, true
	}
	if len(part.Candidates) > 0 && a.playDue(t, &m) {
		m.Candidates, m.Played, m.Rank, m.RolloutMarks, changed = part.Candidates, part.Played, part.Rank, part.RolloutMarks, true
	}
	if !changed {
		return had
	}
	return &m
}

// judgedAlike reports whether an analysis was made with a's noise and, for plays, a's
// cubefulness. A rollout counts with any settings.
func (a *Analyst) judgedAlike(found *record.Analysis) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-5 } // files round it
	if c := found.Cube; c != nil && !rolledOut(c.Rollout) && !near(c.Settings.Noise, a.Cube.Noise) {
		return false
	}
	for i := range found.Candidates {
		c := &found.Candidates[i]
		if !rolledOut(c.Rollout) && (c.Settings.Cubeful != a.Checker.Cubeful || !near(c.Settings.Noise, a.Checker.Noise)) {
			return false
		}
	}
	return true
}

// sameMatch reports whether x and y are one match: players, length and every action. Of
// the rules only the variation must agree: some formats lack the rest.
func sameMatch(x, y *record.Match) bool {
	if x.Length != y.Length || x.Rules.Variation != y.Rules.Variation || len(x.Games) != len(y.Games) {
		return false
	}
	for p := range x.Players {
		if x.Players[p].Name != y.Players[p].Name {
			return false
		}
	}
	return slices.EqualFunc(x.Games, y.Games, func(g, h record.Game) bool {
		return g.Score == h.Score && g.Crawford == h.Crawford && slices.EqualFunc(g.Actions, h.Actions, sameAction)
	})
}

func sameAction(x, y record.Action) bool {
	return x.Kind == y.Kind && x.Player == y.Player && x.Dice == y.Dice && x.Raw == y.Raw &&
		slices.Equal(x.Steps, y.Steps) && reflect.DeepEqual(x.SetUp, y.SetUp)
}
