package sgf

import (
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/record"
)

// marks reads the judgements of a node.
func (r *reader) marks(n *node, a *record.Action) {
	grade := func(bad, doubtful string) record.Mark {
		if v, ok := n.one(bad); ok {
			if strings.TrimSpace(v) == "2" {
				return record.VeryBad
			}
			return record.Bad
		}
		if n.get(doubtful) != nil {
			return record.Doubtful
		}
		return record.Unmarked
	}
	a.Marks.Action = grade("BM", "DO")
	a.Marks.NoDouble = grade("BC", "DC")
	for player, name := range []string{"GW", "GB"} {
		v, ok := n.one(name)
		if !ok {
			continue
		}
		luck := int8(1)
		if strings.TrimSpace(v) == "2" {
			luck = 2
		}
		if player != a.Player {
			luck = -luck
		}
		a.Marks.Luck = luck
	}
}

// analysis reads DA, A, MR, CR and LU.
func (r *reader) analysis(n *node, a *record.Action) {
	an := &record.Analysis{Played: -1}
	found := false
	if v, ok := n.one("DA"); ok {
		c, err := parseCube(v)
		if err != nil {
			r.warn(n, "cube analysis: %v", err)
		} else {
			an.Cube, found = c, true
		}
	}
	if v := n.get("A"); len(v) > 0 {
		if err := parseCandidates(an, a.Player, v); err != nil {
			r.warn(n, "analysis: %v", err)
		} else {
			found = true
		}
	}
	if v, ok := n.one("MR"); ok {
		for f := range strings.FieldsSeq(v) {
			if k, err := strconv.Atoi(f); err == nil && k >= 1 && k <= len(an.Candidates) {
				an.RolloutMarks = append(an.RolloutMarks, k-1)
			}
		}
	}
	if n.get("CR") != nil {
		an.CubeMarked, found = true, true
	}
	if v, ok := n.one("LU"); ok {
		l, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		switch {
		case err != nil:
			r.warn(n, "luck %q", clip(v))
		case finite(l):
			an.Luck, found = &l, true
		}
		// gnubg 1.08 writes -inf for a roll whose luck it could not find: none.
	}
	if r.foreign(n, a.Player, an) {
		found = true
	}
	if found {
		a.Analysis = an
		r.analysed = r.analysed || !an.Own
	}
}

func parseCube(v string) (*record.CubeAnalysis, error) {
	c, x := codec{in: v}, &record.CubeAnalysis{}
	c.cube(x)
	return x, c.err
}

func parseCandidate(player int, v string) (x record.Candidate, err error) {
	c := codec{in: v}
	c.candidate(player, &x)
	return x, c.err
}

func parseCandidates(an *record.Analysis, player int, values []string) error {
	played, err := strconv.Atoi(strings.TrimSpace(values[0]))
	if err != nil {
		return fmt.Errorf("%q where the number of the play should be", clip(values[0]))
	}
	an.Candidates = make([]record.Candidate, len(values)-1)
	for i, v := range values[1:] {
		if an.Candidates[i], err = parseCandidate(player, v); err != nil {
			an.Candidates = nil
			return err
		}
	}
	if played >= 0 && played < len(an.Candidates) {
		an.Played = played
	}
	return nil
}

func playCounts(s *record.Statistics) []*int {
	return []*int{&s.Unforced, &s.Moves, &s.PlayVeryBad, &s.PlayBad, &s.PlayDoubtful, &s.PlayUnmarked}
}

func cubeCounts(s *record.Statistics) []*int {
	out := []*int{&s.CubeDecisions, &s.Doubles, &s.Takes, &s.Drops}
	for i := range s.Cube {
		out = append(out, &s.Cube[i].Count)
	}
	return out
}

func luckCounts(s *record.Statistics) []*int {
	return []*int{&s.VeryUnlucky, &s.Unlucky, &s.Ordinary, &s.Lucky, &s.VeryLucky}
}

func playCosts(s *record.Statistics) []*record.Cost { return []*record.Cost{&s.PlayError} }

func cubeCosts(s *record.Statistics) []*record.Cost {
	var out []*record.Cost
	for i := range s.Cube {
		out = append(out, &s.Cube[i].Cost)
	}
	return out
}

func luckCosts(s *record.Statistics) []*record.Cost { return []*record.Cost{&s.Luck} }

type statisticPart struct {
	letter string
	counts func(*record.Statistics) []*int
	costs  func(*record.Statistics) []*record.Cost
}

// statisticParts are the parts of GS in the order they are written.
var statisticParts = []statisticPart{
	{"M", playCounts, playCosts},
	{"C", cubeCounts, cubeCosts},
	{"D", luckCounts, luckCosts},
}

func parseStatistics(values []string) (*[2]record.Statistics, error) {
	s := &[2]record.Statistics{}
	for _, v := range values {
		letter, rest, _ := strings.Cut(v, ":")
		for _, part := range statisticParts {
			if part.letter != strings.TrimSpace(letter) {
				continue
			}
			c := codec{in: rest, sums: true}
			if c.statistics(s, &part); c.err != nil {
				return nil, fmt.Errorf("statistics: %w", c.err)
			}
		}
	}
	return s, nil
}
