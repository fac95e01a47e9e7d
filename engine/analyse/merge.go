package analyse

import (
	"slices"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Merge puts into m what other, another file of the same match, has more of: for each
// action the deeper analysis of play and cube, luck, comments and properties of other
// programs, and of the match what is empty in m, such as event and ratings. It returns
// how many actions gained an analysis, and whether anything changed at all.
//
// The caller knows that both are one match. They are put beside each other game by game
// without set-up positions, as one file may have such and the other not; a game whose
// actions do not go together is left alone.
func Merge(m, other *record.Match, t *match.Table, lim Limits) (analysed int, changed bool) {
	changed = mergeHead(m, other)
	for i := range min(len(m.Games), len(other.Games)) {
		g, o := &m.Games[i], &other.Games[i]
		mine, theirs := acts(g), acts(o)
		if !slices.EqualFunc(mine, theirs, alike) {
			continue
		}
		changed = fill(&g.Comment, o.Comment) || changed
		changed = mergeProperties(&g.Other, o.Other) || changed
		for k, a := range mine {
			b := theirs[k]
			if deeper := mergeAnalysis(&a.Analysis, b.Analysis); deeper {
				analysed++
				changed = true
			}
			changed = mergeComment(&a.Comment, b.Comment) || changed
			changed = mergeProperties(&a.Other, b.Other) || changed
		}
	}
	if analysed > 0 {
		Annotate(m, t, lim)
	}
	return analysed, changed
}

// acts are the actions of a game but for set-up positions.
func acts(g *record.Game) (out []*record.Action) {
	for i := range g.Actions {
		if a := &g.Actions[i]; a.Kind != record.SetUp {
			out = append(out, a)
		}
	}
	return out
}

func alike(a, b *record.Action) bool {
	return a.Kind == b.Kind && a.Player == b.Player && a.Dice.Sorted() == b.Dice.Sorted()
}

func mergeHead(m, o *record.Match) (changed bool) {
	for _, f := range [][2]*string{
		{&m.Date, &o.Date}, {&m.Time, &o.Time}, {&m.Event, &o.Event}, {&m.Round, &o.Round}, {&m.Place, &o.Place},
		{&m.Annotator, &o.Annotator}, {&m.Comment, &o.Comment},
		{&m.Players[0].Rating, &o.Players[0].Rating}, {&m.Players[1].Rating, &o.Players[1].Rating},
	} {
		changed = fill(f[0], *f[1]) || changed
	}
	return mergeProperties(&m.Other, o.Other) || changed
}

func fill(have *string, more string) bool {
	if *have != "" || more == "" {
		return false
	}
	*have = more
	return true
}

// mergeComment adds a comment that is not there yet.
func mergeComment(have *string, more string) bool {
	more = strings.TrimSpace(more)
	if more == "" || strings.Contains(*have, more) {
		return false
	}
	*have = strings.TrimSpace(*have + "\n" + more)
	return true
}

// mergeProperties adds properties whose names are not there yet.
func mergeProperties(have *[]record.Property, more []record.Property) (changed bool) {
	for _, p := range more {
		if !slices.ContainsFunc(*have, func(q record.Property) bool { return q.Name == p.Name }) {
			*have, changed = append(*have, p), true
		}
	}
	return changed
}

// mergeAnalysis takes the parts of more that are deeper than those of have.
func mergeAnalysis(have **record.Analysis, more *record.Analysis) (deeper bool) {
	if more == nil {
		return false
	}
	if *have == nil {
		*have = more
		return true
	}
	a := *have
	if c := more.Cube; c != nil && (a.Cube == nil || weight(&c.Settings, c.Rollout) > weight(&a.Cube.Settings, a.Cube.Rollout)) {
		a.Cube, deeper = c, true
	}
	if len(more.Candidates) > 0 && best(more) > best(a) {
		a.Candidates, a.Played, a.RolloutMarks, deeper = more.Candidates, more.Played, more.RolloutMarks, true
	}
	if a.Luck == nil && more.Luck != nil {
		a.Luck, deeper = more.Luck, true
	}
	if a.Stated == nil && more.Stated != nil {
		a.Stated, deeper = more.Stated, true
	}
	return deeper
}

// best is the weight of the candidate that is looked at hardest, below 0 without any.
func best(a *record.Analysis) int {
	most := -1
	for i := range a.Candidates {
		most = max(most, weight(&a.Candidates[i].Settings, a.Candidates[i].Rollout))
	}
	return most
}

// weight orders judgements: plies, and above all of them rollouts by their trials.
func weight(s *record.Settings, r *record.Rollout) int {
	if rolledOut(r) {
		return 1000 + r.Trials
	}
	return s.Plies
}
