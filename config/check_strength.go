package config

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

func (k *checker) preset(field, name string) {
	if _, own := k.c.Presets[name]; !own && !slices.Contains(k.known.Presets, name) {
		k.fail(field, "unknown preset %q%s", name, suggest(name, k.known.Presets))
	}
}

func (k *checker) presets() {
	for _, name := range sortedKeys(k.c.Filters) {
		f := k.c.Filters[name]
		field := "filters." + name
		k.want(!slices.Contains(k.known.Filters, name), field, "is a built-in filter (choose another name)")
		k.want(len(f.Stages) >= 1 && len(f.Stages) <= 4, field+".stages", "not 1 to 4 stages")
		for i, s := range f.Stages {
			at := fmt.Sprintf("%s.stages[%d]", field, i)
			k.want(s.Accept >= -1, at+".accept", "below -1 (-1 skips the stage)")
			k.want(s.Extra >= 0 && s.Threshold >= 0, at, "extra and threshold must not be negative")
			k.want(s.Accept < 0 || s.Accept+s.Extra > 0, at, "keeps no play")
		}
	}
	for _, name := range sortedKeys(k.c.Presets) {
		p, before := k.c.Presets[name], len(k.errs)
		field := "presets." + name
		k.want(!slices.Contains(k.known.Presets, name), field, "is a built-in preset (choose another name)")
		if p.Base != "" {
			k.preset(field+".base", p.Base)
		}
		for hops, base := 0, p.Base; base != ""; base = k.c.Presets[base].Base {
			if hops++; base == name || hops > len(k.c.Presets) {
				k.fail(field+".base", "refers back to itself")
				break
			}
		}
		k.want(p.Character == "" || p.Style == "human", field+".character", "needs style human")
		k.settings(field+".checker", p.Checker)
		k.settings(field+".cube", p.Cube)
		r := p.Rollout
		k.want(r.Trials == nil || *r.Trials >= 0 && *r.Trials <= 100_000, field+".rollout.trials", "must be 0 to 100000")
		k.want(r.Plays == nil || *r.Plays >= 2, field+".rollout.plays", "must be at least 2")
		k.want(r.Within == nil || *r.Within >= 0 && *r.Within <= 10, field+".rollout.within", "must be 0 to 10")
		k.want(r.Truncate == nil || *r.Truncate >= 0, field+".rollout.truncate", "must not be negative")
		k.want(r.Search == nil || *r.Search >= 0 && *r.Search <= 1, field+".rollout.search", "must be 0 to 1")
		k.want(r.Early == nil || *r.Early >= 0, field+".rollout.early", "must not be negative")
		k.want(r.Plies == nil || *r.Plies >= 0 && *r.Plies <= 2, field+".rollout.plies", "must be 0 to 2")
		k.want(r.CubeTrials == nil || *r.CubeTrials >= 0 && *r.CubeTrials <= 100_000, field+".rollout.cube_trials", "must be 0 to 100000")
		k.want(r.CubeWithin == nil || *r.CubeWithin >= 0 && *r.CubeWithin <= 10, field+".rollout.cube_within", "must be 0 to 10")
		if k.known.Strength == nil || len(k.errs) > before {
			continue
		}
		if err := k.known.Strength(k.c, name); err != nil {
			k.fail(field, "%s", strings.TrimPrefix(err.Error(), "preset "+name+": "))
		}
	}
}

func (k *checker) settings(field string, s Settings) {
	k.want(s.Plies == nil || (*s.Plies >= 0 && *s.Plies <= 4), field+".plies", "must be 0 to 4")
	k.want(s.Share == nil || (*s.Share >= 0 && *s.Share <= 1), field+".share", "must be 0 to 1")
	k.want(s.Noise == nil || (*s.Noise >= 0 && *s.Noise <= 1), field+".noise", "must be 0 to 1")
	k.want(s.Efficiency == nil || (*s.Efficiency >= 0 && *s.Efficiency <= 1), field+".efficiency", "must be 0 (dead) to 1 (live)")
	k.want(s.Reduced == nil || slices.Contains([]int{0, 7, 14}, *s.Reduced), field+".reduced", "must be 0, 7 or 14 rolls")
	k.want(s.Reduced == nil || *s.Reduced == 0 || s.Prune == nil || !*s.Prune, field+".prune", "must be false with reduced rolls")
	if s.Filter != nil {
		if _, own := k.c.Filters[*s.Filter]; !own && !slices.Contains(k.known.Filters, *s.Filter) {
			k.fail(field+".filter", "unknown filter %q%s", *s.Filter, suggest(*s.Filter, k.known.Filters))
		}
	}
}

func (k *checker) strength() {
	s := &k.c.Strength
	k.preset("strength.preset", s.Preset)
	k.want(s.Within > 0, "strength.within", "must be above 0")
	var above []When
	for i, r := range s.Rules {
		f := fmt.Sprintf("strength.rules[%d]", i)
		switch {
		case r.Rating == 0:
			k.preset(f+".preset", r.Preset)
			k.want(r.Character == "", f+".character", "needs a rating (presets err in their own way)")
		default:
			k.want(r.Rating > 0 && r.Rating <= 4000, f+".rating", "must be above 0 and at most 4000")
			k.want(r.Preset == "", f+".rating", "does not go with preset (use only one)")
			k.want(r.Character == "" || s.Style == "human", f+".character", "needs strength.style human")
		}
		above = k.when(f, r.When, above)
	}
	k.want(s.Character == "" || s.Style == "human", "strength.character", "needs strength.style human")
	m := &s.MatchOpponent
	k.want(m.Max >= m.Min, "strength.match_opponent", "max %v is below min %v", m.Max, m.Min)
	k.want(m.Hysteresis >= 0, "strength.match_opponent.hysteresis", "must not be negative")
	k.want(!m.Enabled || s.TargetRating == 0, "strength.target_rating", "does not go with match_opponent (use only one)")
	k.want(s.TargetRating >= 0, "strength.target_rating", "must not be negative")
}

// when checks the condition of the rule at field, which the rules with the conditions above
// precede, and returns those with w.
func (k *checker) when(field string, w When, above []When) []When {
	f := field + ".when"
	k.patternsOf(f+".name", w.Name)
	k.rating(f+".rating", w.Rating)
	k.ints(f+".experience", w.Experience)
	k.ints(f+".length", w.Length)
	k.ints(f+".won_against_us", w.Won)
	k.hours(f+".hours", w.Hours)
	if n := w.Length; n != (IntRange{}) && (n.Max == 0 || n.Max >= n.Min) && !k.played(n) {
		k.fail(f+".length", "never applies: invitations.length refuses such matches")
	}
	if i := slices.IndexFunc(above, func(a When) bool { return covers(a, w) }); i >= 0 {
		k.fail(field, "never applies: rule %d above covers it", i+1)
	}
	return append(above, w)
}

// played reports whether matches of some length in r are accepted or offered.
func (k *checker) played(r IntRange) bool {
	in := func(n int) bool { return n >= r.Min && (r.Max == 0 || n <= r.Max) }
	l := k.c.Invitations.Length
	for n := max(1, l.Min); n <= min(99, l.Max); n++ {
		if in(n) && !slices.Contains(l.Deny, n) {
			return true
		}
	}
	return k.c.Invitations.Unlimited && in(0) || k.c.Matchmaking.Enabled && slices.ContainsFunc(k.c.Matchmaking.Lengths, in)
}

func (k *checker) patternsOf(field, p string) {
	if p != "" {
		_, err := path.Match(p, "x")
		k.want(err == nil, field, "%q is not a name or pattern with * and ?", p)
	}
}

// covers reports whether every opponent that fits b fits a too. It compares
// condition by condition, which is exact except for overlapping name patterns.
func covers(a, b When) bool {
	ints := func(a, b IntRange) bool {
		return a.Min <= b.Min && (a.Max == 0 || (b.Max != 0 && b.Max <= a.Max))
	}
	rating := func(a, b RatingGap) bool {
		return a.Min <= b.Min && (a.Max == 0 || (b.Max != 0 && b.Max <= a.Max)) &&
			(a.Difference == 0 || (b.Difference != 0 && b.Difference <= a.Difference))
	}
	return (a.Name == "" || a.Name == "*" || a.Name == b.Name) && (a.Hours == "" || a.Hours == b.Hours) &&
		rating(a.Rating, b.Rating) && ints(a.Experience, b.Experience) && ints(a.Length, b.Length) && ints(a.Won, b.Won)
}
