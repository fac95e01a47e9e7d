package report

import (
	"errors"
	"fmt"
	"slices"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// Part is what a report is of: one game, one player, or with zeros all of the match.
type Part struct {
	Game   int // from 1
	Player int // 1 or 2
}

// ErrPart is wrapped by the errors of a game or player that a match does not have.
var ErrPart = errors.New("not in the match")

// errNoMatch is the answer to a report of nothing.
var errNoMatch = errors.New("report: no match")

// summaryOf returns the summary for a report of m: s, or if s is nil a summary of the analysis
// in m. It refuses a summary whose number of games is not that of m.
func summaryOf(m *record.Match, s *analyse.Summary) (*analyse.Summary, error) {
	switch {
	case m == nil:
		return nil, errNoMatch
	case s == nil:
		return analyse.Summarise(m, nil, analyse.DefaultLimits), nil
	case len(s.Games) != len(m.Games):
		return nil, fmt.Errorf("report: a summary of %d games for a match of %d", len(s.Games), len(m.Games))
	}
	return s, nil
}

// fitting is summaryOf for those who have no error to return: of no match nothing is
// told, and a summary of another match counts as none.
func fitting(m *record.Match, s *analyse.Summary) (*record.Match, *analyse.Summary) {
	if m == nil {
		m = &record.Match{}
	}
	fits, err := summaryOf(m, s)
	if err != nil {
		fits, _ = summaryOf(m, nil)
	}
	return m, fits
}

// Check refuses a game or player that m does not have.
func (p Part) Check(m *record.Match) error {
	if m == nil {
		return errNoMatch
	}
	if p.Game < 0 || p.Game > len(m.Games) {
		return fmt.Errorf("%w: game %d (the match has %d)", ErrPart, p.Game, len(m.Games))
	}
	if p.Player < 0 || p.Player > 2 {
		return fmt.Errorf("%w: player %d (use 1 or 2)", ErrPart, p.Player)
	}
	return nil
}

// summary is that of the whole match, or of the one game.
func (p Part) summary(m *record.Match, s *analyse.Summary) *analyse.Summary {
	if p.Game == 0 {
		return s
	}
	return s.OfGame(m, p.Game-1, nil)
}

// shows reports whether game i, from 0, and decisions of player belong to the part.
func (p Part) shows(i, player int) bool {
	return (p.Game == 0 || i == p.Game-1) && (p.Player == 0 || player == p.Player-1)
}

// BuildPart is Build for a part of the match: the players' figures are those of the game,
// and only the player's decisions and figures are there. The error wraps ErrPart, or says
// that there is no match or that the summary is of another one.
func BuildPart(m *record.Match, s *analyse.Summary, p Part) (Document, error) {
	if err := p.Check(m); err != nil {
		return Document{}, err
	}
	s, err := summaryOf(m, s)
	if err != nil {
		return Document{}, err
	}
	d := Build(m, s)
	if p.Game > 0 {
		d.Players = players(m, s, p)
		d.Games = d.Games[p.Game-1 : p.Game]
	}
	if p.Player == 0 {
		return d, nil
	}
	d.Players = d.Players[p.Player-1 : p.Player]
	for i := range d.Games {
		g := &d.Games[i]
		g.Errors = only(g.Errors, func(e *Mistake) bool { return e.Player == p.Player-1 })
		g.Decisions = only(g.Decisions, func(e *Row) bool { return e.Player == p.Player-1 })
	}
	return d, nil
}

// LimitPlays leaves at most n plays of each decision; the one made is always among them.
func (d *Document) LimitPlays(n int) {
	for i := range d.Games {
		for k := range d.Games[i].Decisions {
			row := &d.Games[i].Decisions[k]
			row.Candidates = limited(row.Candidates, row.shown, n)
			for b := range row.Beside {
				v := &row.Beside[b]
				v.Candidates = limited(v.Candidates, v.shown, n)
			}
		}
	}
}

// limited are the first n plays and the one made.
func limited(list []Candidate, made, n int) []Candidate {
	if len(list) <= n {
		return list
	}
	out := slices.Clone(list[:n])
	if made >= n {
		out = append(out, list[made])
	}
	return out
}

func only[T any](list []T, keep func(*T) bool) []T {
	out := []T{}
	for i := range list {
		if keep(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}
