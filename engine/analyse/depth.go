package analyse

import (
	"fmt"
	"strings"

	"fibsbot/engine/record"
)

// Depth returns how deep m was analysed: "2-ply", "mostly 4-ply" if that is the most frequent
// of several depths, "rollouts"; empty without an analysis.
func Depth(m *record.Match) string {
	if m == nil {
		return ""
	}
	counts, all := map[string]int{}, 0
	count := func(s *record.Settings, r *record.Rollout) {
		counts[depthOf(s, r)]++
		all++
	}
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
	most := ""
	for name, n := range counts {
		if most == "" || n > counts[most] || n == counts[most] && name < most {
			most = name
		}
	}
	if counts[most] < all {
		return "mostly " + most
	}
	return most
}

func depthOf(s *record.Settings, r *record.Rollout) string {
	switch {
	case rolledOut(r):
		return "rollouts"
	case s.Level != "":
		return s.Level
	}
	return fmt.Sprintf("%d-ply", s.Plies)
}

// JudgeLines returns the lines in the head of a report on who analysed m, one or two.
func JudgeLines(m *record.Match) []string {
	by := By(m)
	if by == "" {
		return []string{"Not analysed"}
	}
	out := []string{"Analysed by " + by}
	var names []string
	for p, same := range m.Judge.SameDepth {
		if same {
			names = append(names, m.Players[p].Name)
		}
	}
	if len(names) > 0 {
		out = append(out, strings.Join(names, " and ")+" searched as deep while playing: this analysis finds few of their errors.")
	}
	return out
}

// By returns a line on who judged m and how deep: "fibsbot v1.2, worldclass, mostly 2-ply,
// nets fibsbot-12, match equities Kazaross XG2, 2026-11-26". It is empty for a match
// without judgements.
func By(m *record.Match) string {
	depth := Depth(m)
	if depth == "" {
		return ""
	}
	j := &m.Judge
	out := j.Program
	if out == "" {
		out = "an unnamed program"
	}
	for _, part := range [][2]string{{"", j.Preset}, {"", depth}, {"nets ", j.Nets}, {"match equities ", j.Table}, {"", j.Date}} {
		if part[1] != "" {
			out += ", " + part[0] + part[1]
		}
	}
	return out
}
