package config

import (
	"fmt"
	"slices"
	"strings"
)

func (k *checker) preset(field, name string) {
	if _, own := k.c.Presets[name]; !own && !slices.Contains(k.known.Presets, name) {
		k.fail(field, "unknown preset %q%s", name, suggest(name, k.known.Presets))
	}
}

// outside checks the name of an engine of the list engines.
func (k *checker) outside(field, name string) {
	if _, ok := k.c.Outside(name); !ok {
		var names []string
		for _, e := range k.c.Engines {
			names = append(names, e.Name)
		}
		k.fail(field, "no engine %q in the list engines%s", name, suggest(name, names))
	}
}

// check implements checked.
func (e OutsideEngine) check(k *checker, field string) {
	_, own := k.c.Presets[e.Name]
	k.want(e.Name != "" && len(e.Name) <= 20 && !strings.ContainsFunc(e.Name, func(r rune) bool { return r <= ' ' || r > '~' }), field+".name", "want 1 to 20 letters, digits and signs")
	k.want(!own && !slices.Contains(k.known.Presets, e.Name), field+".name", "is a preset (choose another name)")
	first, _ := k.c.Outside(e.Name)
	k.want(first == e, field+".name", "is taken by an engine above")
	k.want(e.Within >= 0, field+".within", "must not be negative")
	if e.Fallback != "" {
		k.preset(field+".fallback", e.Fallback)
	}
	if k.known.Outside != nil {
		if err := k.known.Outside(e); err != nil {
			k.fail(field, "%v", err)
		}
	}
}

// check implements checked.
func (f Filter) check(k *checker, field string) {
	k.want(!slices.Contains(k.known.Filters, strings.TrimPrefix(field, "filters.")), field, "is a built-in filter (choose another name)")
	k.want(len(f.Stages) >= 1 && len(f.Stages) <= 4, field+".stages", "not 1 to 4 stages")
}

// check implements checked.
func (s FilterStage) check(k *checker, field string) {
	k.want(s.Accept >= -1, field+".accept", "below -1 (-1 skips the stage)")
	k.want(s.Extra >= 0 && s.Threshold >= 0, field, "extra and threshold must not be negative")
	k.want(s.Accept < 0 || s.Accept+s.Extra > 0, field, "keeps no play")
}

// check implements checked.
func (p Preset) check(k *checker, field string) {
	name := strings.TrimPrefix(field, "presets.")
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
	if k.known.Strength == nil || slices.ContainsFunc(k.errs, func(e Error) bool { return touches(field, e.Field) }) {
		return
	}
	if err := k.known.Strength(k.c, name); err != nil {
		k.fail(field, "%s", strings.TrimPrefix(err.Error(), "preset "+name+": "))
	}
}

// check implements checked.
func (s Settings) check(k *checker, field string) {
	k.want(s.Reduced == nil || slices.Contains([]int{0, 7, 14}, *s.Reduced), field+".reduced", "must be 0, 7 or 14 rolls")
	k.want(s.Reduced == nil || *s.Reduced == 0 || s.Prune == nil || !*s.Prune, field+".prune", "must be false with reduced rolls")
	if s.Filter != nil {
		if _, own := k.c.Filters[*s.Filter]; !own && !slices.Contains(k.known.Filters, *s.Filter) {
			k.fail(field+".filter", "unknown filter %q%s", *s.Filter, suggest(*s.Filter, k.known.Filters))
		}
	}
}

// check implements checked.
func (s Strength) check(k *checker, _ string) {
	k.preset("strength.preset", s.Preset)
	var above []When
	for i, r := range s.Rules {
		f := fmt.Sprintf("strength.rules[%d]", i)
		switch {
		case r.Engine != "":
			k.outside(f+".engine", r.Engine)
			k.want(r.Preset == "" && r.Rating == 0 && r.Character == "", f+".engine", "does not go with preset, rating and character (use only one)")
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
	k.want(!m.Enabled || s.TargetRating == 0, "strength.target_rating", "does not go with match_opponent (use only one)")
}

// when checks the condition of the rule at field, which the rules with the conditions above
// precede, and returns those with w.
func (k *checker) when(field string, w When, above []When) []When {
	f := field + ".when"
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
