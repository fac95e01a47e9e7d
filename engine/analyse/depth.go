package analyse

import (
	"fmt"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// Depth returns how deep m was analysed: "2-ply", "mostly 4-ply" if that is the most frequent
// of several depths, "rollouts"; empty without an analysis.
func Depth(m *record.Match) string {
	if m == nil {
		return ""
	}
	var counts mostOften
	count := func(s *record.Settings, r *record.Rollout) { counts.add(depthOf(s, r)) }
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			a := Judgement(m.Games[i].Actions[k].Analysis)
			if a == nil {
				continue
			}
			// Of one play alone nothing was compared.
			if len(a.Candidates) > 1 {
				count(&a.Candidates[0].Settings, a.Candidates[0].Rollout)
			}
			if a.Cube != nil {
				count(&a.Cube.Settings, a.Cube.Rollout)
			}
		}
	}
	return counts.name()
}

// LuckDepth returns how deep the luck of the rolls of m was judged: "1-ply", "mostly 0-ply",
// "as stated in the file" where the source does not give a depth; empty without luck.
func LuckDepth(m *record.Match) string {
	if m == nil {
		return ""
	}
	var counts mostOften
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			switch a := m.Games[i].Actions[k].Analysis; {
			case a == nil || a.Luck == nil:
			case a.LuckPlies == nil:
				counts.add(texts.Key("as stated in the file"))
			default:
				counts.add(fmt.Sprintf("%d-ply", *a.LuckPlies))
			}
		}
	}
	return counts.name()
}

// mostOften counts names.
type mostOften map[string]int

func (c *mostOften) add(name string) {
	if *c == nil {
		*c = mostOften{}
	}
	(*c)[name]++
}

// name returns the most frequent name, with "mostly" before it if there are others, or nothing
// without any.
func (c mostOften) name() string {
	most := ""
	for name, n := range c {
		if most == "" || n > c[most] || n == c[most] && name < most {
			most = name
		}
	}
	if len(c) > 1 {
		return "mostly " + most
	}
	return most
}

func depthOf(s *record.Settings, r *record.Rollout) string {
	switch {
	case rolledOut(r):
		return texts.Key("rollouts")
	case s.Level != "":
		return s.Level
	}
	return fmt.Sprintf("%d-ply", s.Plies)
}

// JudgeLines returns the lines in the head of a report on who analysed m, one or two, in the
// language of c.
func JudgeLines(m *record.Match, c *texts.Catalogue) []string {
	by := byIn(m, c)
	if by == "" {
		return []string{c.T("Not analysed")}
	}
	out := []string{c.T("Analysed by {0}", by)}
	var names []string
	for p, same := range m.Judge.SameDepth {
		if same {
			names = append(names, m.Players[p].Name)
		}
	}
	if len(names) > 0 {
		out = append(out, c.T("{0} searched as deep while playing: this analysis finds few of their errors.", strings.Join(names, c.T(" and "))))
	}
	return out
}

// Outdated reports whether the analysis of a match of the given length, judged as by, a line of
// By, says, is of this program but of other nets or another match equity table than a's.
func (a *Analyst) Outdated(by string, length int) bool {
	ours, _, _ := strings.Cut(a.Judge.Program, " ")
	if ours == "" || !strings.HasPrefix(by, ours+" ") {
		return false
	}
	names := func(what, name string) bool { return strings.Contains(by+",", ", "+what+" "+name+",") }
	return !names("nets", a.Judge.Nets) || length > 0 && !names("match equities", a.Engine.Table().Name)
}

// By returns a line on who judged m and how deep: "fibsbot v1.2, worldclass, mostly 2-ply,
// luck 1-ply, nets fibsbot-12, match equities Kazaross XG2, 2026-11-26". It is empty for a match
// without judgements.
func By(m *record.Match) string { return byIn(m, nil) }

func byIn(m *record.Match, c *texts.Catalogue) string {
	depth, luck := depthIn(Depth(m), c), depthIn(LuckDepth(m), c)
	if depth == "" && luck == "" {
		return ""
	}
	j := &m.Judge
	out, other, two := strings.Cut(j.Program, someBy)
	if out == "" {
		out = c.T("an unnamed program")
	}
	if two {
		out += ", " + c.T("some decisions by {0}", other)
	}
	for _, part := range []struct{ text, value string }{
		{"{0}", c.T(j.Preset)}, {"{0}", depth}, {"luck {0}", luck}, {texts.Key("nets {0}"), j.Nets}, {texts.Key("match equities {0}"), j.Table}, {"{0}", c.Date(j.Date)},
	} {
		if part.value != "" {
			out += ", " + c.T(part.text, part.value)
		}
	}
	return out
}

// depthIn translates what Depth and LuckDepth return.
func depthIn(depth string, c *texts.Catalogue) string {
	most, mostly := strings.CutPrefix(depth, "mostly ")
	if most = c.Counted(most); mostly {
		most = c.T("mostly {0}", most)
	}
	return most
}
