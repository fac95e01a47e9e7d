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

// maxThoughts is how many plays of a decision in a running match are kept: the first
// of them and the one that is made.
const maxThoughts = 8

// Thought is what a player with settings s thought about the plays of a roll while it
// played, for the record of the match: list as it was ranked, the one it makes first.
// Equities are of the mover, normalised. rolled are the plays that were rolled out within
// the decision, with trials and standard errors, which an analysis keeps. Where the play
// made is not one of them they stand with the depth of the search before it, so that an
// analysis judges them anew: an error must not compare a rollout with a search. Nil where
// there was no choice.
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
	out := &record.Analysis{Played: -1}
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

// ThoughtCube is the same of a cube decision; st is the doubler's state, rolled the
// rollout within the decision, nil for none. Nil where the cube could not be turned.
func ThoughtCube(d *cube.Decision, st match.State, s search.Settings, rolled *record.CubeAnalysis) *record.Analysis {
	if d == nil || !d.Available() || d.Dead {
		return nil
	}
	c := cubeRecord(d, st, settings(s, d.Plies))
	if rolled != nil {
		c = rolled
	}
	c.NoDouble, c.DoubleTake = rounded(c.NoDouble), rounded(c.DoubleTake)
	return &record.Analysis{Cube: c, Played: -1}
}

// rounded leaves six digits behind the point, more than any file shows: thoughts are
// written down with each decision.
func rounded(o record.Outcome) record.Outcome {
	round := func(v float64) float64 { return math.Round(v*1e6) / 1e6 }
	for i, v := range o.Probs {
		o.Probs[i] = round(v)
	}
	o.Cubeless, o.Cubeful = round(o.Cubeless), round(o.Cubeful)
	return o
}

// Complete tells whether m holds an analysis of the match, and not only what one player
// thought while he played: rolls were judged, or decisions of each player who has any.
func Complete(m *record.Match) bool {
	if m == nil {
		return false
	}
	var acts, judged [2]bool
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			a := &m.Games[i].Actions[k]
			if an := a.Analysis; an != nil && an.Luck != nil {
				return true
			}
			if a.Player != 0 && a.Player != 1 || a.Kind == record.SetUp || a.Kind == record.Roll {
				continue
			}
			acts[a.Player] = acts[a.Player] || a.Kind != record.Move || len(a.Steps) > 0
			judged[a.Player] = judged[a.Player] || a.Analysis != nil && (len(a.Analysis.Candidates) > 0 || a.Analysis.Cube != nil)
		}
	}
	return (judged[0] || judged[1]) && (judged[0] || !acts[0]) && (judged[1] || !acts[1])
}

// Bare returns m without any analysis; m stays as it is, and shares the rest.
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
