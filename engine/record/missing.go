package record

import "fmt"

// Format is a text format as far as what it can hold.
type Format uint8

// The formats that hold less than SGF.
const (
	MatText Format = iota
	OldmovesText
	// XGText is .mat with the head that eXtreme Gammon and the servers write, which
	// names rules and the position that a game begins with.
	XGText
)

// Missing lists in words what m has and the format cannot hold, each kind once,
// with how often it occurs.
func Missing(m *Match, f Format) []string {
	var out []string
	note := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, one)
		case n > 1:
			out = append(out, fmt.Sprintf("%d %s", n, many))
		}
	}
	var cubes, setUps, comments, analyses, marks, raw, statistics int
	for i := range m.Games {
		g := &m.Games[i]
		if g.Cube > 1 {
			cubes++
		}
		if g.Statistics != nil && analysed(g) {
			statistics++
		}
		if g.Comment != "" && f != OldmovesText {
			comments++
		}
		for k := range g.Actions {
			a := &g.Actions[k]
			// A roll that is not the last action belongs to a position set up.
			if a.Kind == SetUp || a.Kind == Roll && k < len(g.Actions)-1 {
				if begin, _ := Begins(m, g); f != XGText || k >= begin && !(k > 0 && g.Actions[k-1].Illegal) {
					setUps++
				}
			}
			if a.Comment != "" {
				comments++
			}
			if a.Analysis != nil {
				analyses++
			}
			if a.Marks != (Marks{}) {
				marks++
			}
			if a.Raw != "" {
				raw++
			}
		}
	}
	note(cubes, "an automatic double", "automatic doubles")
	note(setUps, "a set-up position or dice", "set-up positions, cubes or dice")
	note(comments, "a comment on a play", "comments on plays")
	note(analyses, "the analysis of an action", "analysed actions")
	note(statistics, "the statistics of a game", "games' statistics")
	note(marks, "a mark", "marks")
	note(raw, "an illegal play that is no steps", "illegal plays that are no steps")
	if m.Rules.NoCube && f != XGText {
		out = append(out, "the rule that there is no cube")
	}
	switch {
	case m.Length == 0 && !m.Rules.Jacoby && f == MatText:
		out = append(out, "the rule that gammons count without a double (no Jacoby)")
	case m.Length == 0 && m.Rules.Jacoby && f == OldmovesText:
		out = append(out, "the Jacoby rule")
	}
	if f == OldmovesText {
		if m.Rules.Variation != "" {
			out = append(out, "the variation "+string(m.Rules.Variation))
		}
		if m.Length > 0 && !m.Rules.Crawford {
			out = append(out, "the rule that there is no Crawford game")
		}
		if m.Players[0].Rating != "" || m.Players[1].Rating != "" {
			out = append(out, "the ratings")
		}
		if m.Date != "" || m.Event != "" || m.Round != "" || m.Place != "" || m.Annotator != "" || m.Comment != "" {
			out = append(out, "date, event, round, place, annotator or comment of the match")
		}
	}
	return out
}

// analysed tells whether statistics come from an analysis: without one, gnubg
// counts the moves all the same.
func analysed(g *Game) bool {
	for _, s := range g.Statistics {
		if s.Unforced > 0 || s.CubeDecisions > 0 || s.PlayError != (Cost{}) || s.Luck != (Cost{}) {
			return true
		}
	}
	return false
}
