package analyse

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Merge puts into m what other, another record of the same match, has more of: games and
// actions as record.Join does, for each action the deeper analysis of play and cube, luck,
// comments and properties of other programs, and of the match what is empty in m, such as event
// and ratings. It returns how many actions gained an analysis, and whether anything changed at
// all.
//
// The caller knows that both are one match. A game whose actions do not go together is left
// alone, and so is everything where a match is nil.
func Merge(m, other *record.Match, t *match.Table, lim Limits) (analysed int, changed bool) {
	if m == nil || other == nil {
		return 0, false
	}
	before := analyses(m)
	met := m.Join(other)
	if met.Turned {
		other = other.Swapped()
	}
	changed = mergeHead(m, other) || !met.Contained && met.Against == [3]string{}
	record.Beside(m, other, func(g, o *record.Game) {
		changed = fill(&g.Comment, o.Comment) || changed
		if g.EndUnknown && o.GivenUp() && g.Result == o.Result {
			g.EndUnknown, changed = false, true
		}
		changed = mergeProperties(&g.Other, o.Other) || changed
	}, func(a, b *record.Action) {
		changed = mergeComment(&a.Comment, b.Comment) || changed
		changed = mergeProperties(&a.Other, b.Other) || changed
	})
	analysed = mergeAnalyses(m, other, before, t, lim)
	return analysed, changed || analysed > 0
}

// MergeAnalysis is Merge for the analysis alone: what other has deeper.
func MergeAnalysis(m, other *record.Match, t *match.Table, lim Limits) (analysed int) {
	if m == nil || other == nil {
		return 0
	}
	return mergeAnalyses(m, other, analyses(m), t, lim)
}

// mergeAnalyses is MergeAnalysis for a match that had so many analyses before.
func mergeAnalyses(m, other *record.Match, before int, t *match.Table, lim Limits) (analysed int) {
	analysed = analyses(m) - before
	record.Beside(m, other, func(g, o *record.Game) {}, func(a, b *record.Action) {
		if mergeAnalysis(&a.Analysis, b.Analysis, m.Judge.Program) {
			analysed++
		}
	})
	switch by := other.Judge; {
	case analysed == 0 || by == (record.Provenance{}):
	case before == 0:
		m.Judge = by
	case m.Judge.Program != by.Program:
		m.Judge.Program = alsoBy(m.Judge.Program, by.Program)
	}
	if analysed > 0 || before > 0 && slices.ContainsFunc(m.Games, func(g record.Game) bool { return g.Statistics == nil }) {
		Annotate(m, t, lim)
	}
	return analysed
}

// analyses counts the actions that were judged.
func analyses(m *record.Match) (n int) {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if a := m.Games[i].Actions[k].Analysis; a != nil && !a.Own {
				n++
			}
		}
	}
	return n
}

func mergeHead(m, o *record.Match) (changed bool) {
	for _, f := range [][2]*string{
		{&m.Date, &o.Date}, {&m.Time, &o.Time}, {&m.Event, &o.Event}, {&m.Round, &o.Round}, {&m.Place, &o.Place},
		{&m.Annotator, &o.Annotator}, {&m.Comment, &o.Comment},
		{&m.Players[0].Rating, &o.Players[0].Rating}, {&m.Players[1].Rating, &o.Players[1].Rating},
	} {
		changed = fill(f[0], *f[1]) || changed
	}
	if !isDay(m.Date) && isDay(o.Date) {
		m.Date, changed = o.Date, true // m has it as a file writes it, with an order of its own
	}
	for _, t := range o.Tags {
		if !slices.ContainsFunc(m.Tags, func(have record.Tag) bool { return have.Name == t.Name }) {
			m.Tags, changed = append(m.Tags, t), true
		}
	}
	return mergeProperties(&m.Other, o.Other) || changed
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func fill(have *string, more string) bool {
	if *have != "" || more == "" {
		return false
	}
	*have = more
	return true
}

// mergeComment adds the lines of a comment that are not there yet: the files of two
// players of one match have partly the same talk.
func mergeComment(have *string, more string) (changed bool) {
	more = strings.TrimSpace(more)
	if strings.Contains(*have, more) {
		return false
	}
	there := strings.Split(*have, "\n")
	for line := range strings.SplitSeq(more, "\n") {
		if strings.TrimSpace(line) == "" || !slices.Contains(there, line) {
			*have, changed = *have+"\n"+line, true
		}
	}
	*have = strings.TrimSpace(*have)
	return changed
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

// mergeAnalysis takes the parts of more that are deeper than those of have, which by made.
func mergeAnalysis(have **record.Analysis, more *record.Analysis, by string) (deeper bool) {
	if more == nil || more.Own && *have != nil {
		return false
	}
	if *have == nil || (*have).Own {
		*have = more
		return true
	}
	a := *have
	if c := more.Cube; c != nil && (a.Cube == nil || weightOf(&c.Settings, c.Rollout).above(weightOf(&a.Cube.Settings, a.Cube.Rollout))) {
		a.Replace(more, true, by)
		deeper = true
	}
	if len(more.Candidates) > 0 && best(more).above(best(a)) {
		a.Replace(more, false, by)
		deeper = true
	}
	if more.Luck != nil && (a.Luck == nil || a.LuckPlies != nil && more.LuckPlies != nil && *more.LuckPlies > *a.LuckPlies) {
		a.Luck, a.LuckPlies, deeper = more.Luck, more.LuckPlies, true
	}
	if a.Resigned == nil && more.Resigned != nil {
		a.Resigned, deeper = more.Resigned, true
	}
	if a.Stated == nil && more.Stated != nil {
		a.Stated, deeper = more.Stated, true
	}
	return deeper
}

// best is the weight of the candidate that is looked at hardest, below all without any.
func best(a *record.Analysis) weight {
	most := weight{depth: -1}
	for i := range a.Candidates {
		if w := weightOf(&a.Candidates[i].Settings, a.Candidates[i].Rollout); w.above(most) {
			most = w
		}
	}
	return most
}

// weight orders judgements: by plies, and above all of them rollouts by their trials; of
// equals the one with less noise.
type weight struct {
	depth int
	noise float64
}

func (w weight) above(than weight) bool {
	return w.depth > than.depth || w.depth == than.depth && w.noise < than.noise
}

func weightOf(s *record.Settings, r *record.Rollout) weight {
	if rolledOut(r) {
		return weight{depth: 1000 + r.Trials}
	}
	return weight{depth: s.Plies, noise: s.Noise}
}

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
