package collection

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/position"
)

// Import puts the positions of a match file into the collection named after the file, each with
// its analysis as note, and returns that name.
func (s *Store) Import(path string, positions []*record.Match, now time.Time) (name string, err error) {
	base := filepath.Base(path)
	if name = strings.TrimSpace(strings.TrimSuffix(base, filepath.Ext(base))); name == "" {
		name = base
	}
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	for _, m := range positions {
		g := &m.Games[0]
		sit, _ := position.Last(m, g)
		it := Item{XGID: sit.XGID(), Rules: m.Rules.Board(), Note: strings.ToValidUTF8(cut(analysis(m)), "")}
		if a, b := m.Players[1].Name, m.Players[0].Name; a != "" && b != "" {
			it.Name = strings.ToValidUTF8((a + " - " + b)[:min(len(a+b)+3, maxName)], "")
		}
		if _, err := s.Add(name, it, now); err != nil {
			return name, err
		}
	}
	return name, nil
}

func cut(text string) string { return text[:min(len(text), maxNote)] }

// analysis is what a file says about a position: the plays or the cube decision with their
// equities and depths, else the text beside it.
func analysis(m *record.Match) string {
	var b strings.Builder
	sit, _ := position.Last(m, &m.Games[0])
	for i := range m.Games[0].Actions {
		a := m.Games[0].Actions[i].Analysis
		if a == nil {
			continue
		}
		for k := range a.Candidates {
			c := &a.Candidates[k]
			fmt.Fprintf(&b, "%d. %s  %+.3f  %s\n", k+1, board.FormatSteps(sit.Position, c.Steps), c.Outcome.Cubeful, c.Settings.Level)
		}
		if c := a.Cube; c != nil && c.Equities != nil {
			fmt.Fprintf(&b, "no double %+.3f, double/take %+.3f, double/pass %+.3f  %s\n", c.Equities[0], c.Equities[1], c.Equities[2], c.Settings.Level)
		}
	}
	if b.Len() > 0 && m.Judge.Program != "" {
		return m.Judge.Program + "\n" + b.String()
	}
	if b.Len() > 0 {
		return b.String()
	}
	return strings.TrimSpace(m.Comment + "\n" + m.Games[0].Comment)
}
