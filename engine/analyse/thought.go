package analyse

import (
	"cmp"
	"math"
	"slices"

	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
)

// maxThoughts is the number of plays kept of a decision while playing, beside the one made.
const maxThoughts = 8

// Thought returns what a player with settings s thought about the plays of a roll while
// playing, for the record of the match; nil without a choice. list is ranked, with the play
// made first; equities are the mover's, normalised. rolled are the plays rolled out within the
// decision, which an analysis keeps. If the play made is not one of them, they are recorded at
// the depth of the search, so that an analysis judges them again: an error must not compare a
// rollout with a search.
func Thought(list []search.Candidate, s search.Settings, rolled []record.Candidate) *record.Analysis {
	if len(list) < 2 {
		return nil
	}
	chosen := list[0].Play.Result
	// A preset with human-like errors puts its choice before better plays.
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y search.Candidate) int {
		return cmp.Or(cmp.Compare(min(1, y.Trials), min(1, x.Trials)), cmp.Compare(y.Plies, x.Plies), cmp.Compare(y.Equity, x.Equity))
	})
	of := func(c *search.Candidate) int {
		return slices.IndexFunc(rolled, func(r record.Candidate) bool {
			return c.Trials > 0 && slices.Equal(r.Steps, c.Play.Steps[:c.Play.N])
		})
	}
	made := slices.IndexFunc(list, func(c search.Candidate) bool { return c.Play.Result == chosen })
	if of(&list[made]) < 0 {
		rolled = nil
	}
	out := &record.Analysis{Played: -1, Own: true}
	for i := range list {
		c := &list[i]
		own := c.Play.Result == chosen
		if i >= maxThoughts && !own {
			continue
		}
		if own {
			out.Played = len(out.Candidates)
		}
		if k := of(c); k >= 0 {
			r := rolled[k]
			r.Outcome = rounded(r.Outcome)
			out.Candidates = append(out.Candidates, r)
			continue
		}
		out.Candidates = append(out.Candidates, record.Candidate{
			Steps: slices.Clone(c.Play.Steps[:c.Play.N]), Settings: settings(s, c.Plies),
			Outcome: rounded(record.Outcome{Probs: doubles(c.Probs), Cubeless: c.Cubeless, Cubeful: c.Equity}),
		})
	}
	return out
}

// ThoughtCube is Thought for a cube decision; st is the doubler's state, rolled the rollout
// within the decision or nil. It returns nil if the cube could not be turned.
func ThoughtCube(d *cube.Decision, st match.State, s search.Settings, rolled *record.CubeAnalysis) *record.Analysis {
	if d == nil || !d.Available() || d.Dead {
		return nil
	}
	c := cubeRecord(d, st, settings(s, d.Plies))
	if rolled != nil {
		c = rolled
	}
	c.NoDouble, c.DoubleTake = rounded(c.NoDouble), rounded(c.DoubleTake)
	return &record.Analysis{Cube: c, Played: -1, Own: true}
}

// rounded keeps six decimals, more than any file shows: thoughts are recorded with each
// decision.
func rounded(o record.Outcome) record.Outcome {
	round := func(v float64) float64 { return math.Round(v*1e6) / 1e6 }
	for i, v := range o.Probs {
		o.Probs[i] = round(v)
	}
	o.Cubeless, o.Cubeful = round(o.Cubeless), round(o.Cubeful)
	return o
}

// Judgement returns the part of an analysis that judges its action, or nil: all of it, or what
// was rolled out of the player's own thoughts.
func Judgement(a *record.Analysis) *record.Analysis {
	if a == nil || !a.Own {
		return a
	}
	out := &record.Analysis{Played: -1, CubeMarked: a.CubeMarked, Resigned: a.Resigned, Luck: a.Luck, LuckPlies: a.LuckPlies}
	if a.Cube != nil && rolledOut(a.Cube.Rollout) {
		out.Cube = a.Cube
	}
	if list := a.Candidates; a.Played >= 0 && a.Played < len(list) && rolledOut(list[0].Rollout) && rolledOut(list[a.Played].Rollout) {
		out.Candidates, out.Played, out.Rank, out.RolloutMarks = list, a.Played, a.Rank, a.RolloutMarks
	}
	if out.Cube == nil && len(out.Candidates) == 0 && out.Luck == nil && out.Resigned == nil && !out.CubeMarked {
		return nil
	}
	return out
}

// Bare returns m without any analysis; m is unchanged and shares the rest.
func Bare(m *record.Match) *record.Match {
	if m == nil {
		return nil
	}
	judged := func(a record.Action) bool { return a.Analysis != nil }
	if !slices.ContainsFunc(m.Games, func(g record.Game) bool { return slices.ContainsFunc(g.Actions, judged) }) {
		return m
	}
	out := *m
	out.Games = slices.Clone(m.Games)
	for i := range out.Games {
		g := &out.Games[i]
		g.Actions = slices.Clone(g.Actions)
		for k := range g.Actions {
			g.Actions[k].Analysis = nil
		}
	}
	return &out
}
