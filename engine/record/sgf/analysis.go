package sgf

import (
	"fmt"
	"math"
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

// finite reports whether v is a number.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// words goes through the blank-separated words of a value and keeps the first
// error.
type words struct {
	rest string
	err  error
	sums bool // of statistics: a sum with something infinite in it counts as 0
}

func (w *words) next() string {
	w.rest = strings.TrimLeft(w.rest, " \t\n")
	i := strings.IndexAny(w.rest, " \t\n")
	if i < 0 {
		i = len(w.rest)
	}
	word := w.rest[:i]
	w.rest = w.rest[i:]
	return word
}

func (w *words) want(what string) {
	if got := w.next(); got != what && w.err == nil {
		w.err = fmt.Errorf("%q where %q should be", clip(got), what)
	}
}

func (w *words) float() float64 {
	word := w.next()
	v, err := strconv.ParseFloat(word, 64)
	if err == nil && !finite(v) && w.sums {
		return 0
	}
	if (err != nil || !finite(v)) && w.err == nil {
		w.err = fmt.Errorf("%q is not a number", clip(word))
	}
	return v
}

func (w *words) int() int {
	word := w.next()
	v, err := strconv.Atoi(word)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("%q is not a number", clip(word))
	}
	return v
}

func (w *words) outcome() (o record.Outcome) {
	for i := range o.Probs {
		o.Probs[i] = w.float()
	}
	o.Cubeless = w.float()
	o.Cubeful = w.float()
	return o
}

// plies reads a word such as 2C.
func (w *words) plies(s *record.Settings) {
	word := w.next()
	digits, cubeful := strings.CutSuffix(word, "C")
	n, err := strconv.Atoi(digits)
	if (err != nil || n < 0 || n > 99) && w.err == nil {
		w.err = fmt.Errorf("%q where the plies should be", clip(word))
	}
	s.Plies, s.Cubeful = n, cubeful
}

const version = "3"

func parseCube(v string) (*record.CubeAnalysis, error) {
	w := &words{rest: v}
	c := &record.CubeAnalysis{}
	switch kind := w.next(); kind {
	case "E":
		w.want("ver")
		w.want(version)
		w.plies(&c.Settings)
		c.Settings.Deterministic = w.int() != 0
		c.Settings.Noise = w.float()
		c.Settings.Prune = w.int() != 0
		c.NoDouble = w.outcome()
		c.DoubleTake = w.outcome()
	case "X":
		w.want("ver")
		w.want(version)
		w.want("Eq")
		w.want("Trials")
		ro := &record.Rollout{Trials: w.int()}
		for i, name := range []string{"NoDouble", "DoubleTake"} {
			w.want(name)
			w.want("Output")
			o := w.outcome()
			w.want("StdDev")
			ro.StdErr[i] = w.outcome()
			if i == 0 {
				c.NoDouble = o
			} else {
				c.DoubleTake = o
			}
		}
		ro.Settings = strings.TrimSpace(w.rest)
		c.Rollout = ro
	default:
		return nil, fmt.Errorf("kind %q", clip(kind))
	}
	return c, w.err
}

func parseCandidates(an *record.Analysis, player int, values []string) error {
	played, err := strconv.Atoi(strings.TrimSpace(values[0]))
	if err != nil {
		return fmt.Errorf("%q where the number of the play should be", clip(values[0]))
	}
	an.Candidates = make([]record.Candidate, 0, len(values)-1)
	for _, v := range values[1:] {
		c, err := parseCandidate(player, v)
		if err != nil {
			an.Candidates = nil
			return err
		}
		an.Candidates = append(an.Candidates, c)
	}
	if played >= 0 && played < len(an.Candidates) {
		an.Played = played
	}
	return nil
}

func parseCandidate(player int, v string) (record.Candidate, error) {
	w := &words{rest: v}
	var c record.Candidate
	steps, err := parseSteps(player, w.next())
	if err != nil {
		return c, err
	}
	c.Steps = steps
	switch kind := w.next(); kind {
	case "E":
		w.want("ver")
		w.want(version)
		for i := range c.Outcome.Probs {
			c.Outcome.Probs[i] = w.float()
		}
		c.Outcome.Cubeful = w.float()
		w.plies(&c.Settings)
		w.int() // always 0
		c.Settings.Deterministic = w.int() != 0
		c.Settings.Noise = w.float()
		c.Settings.Prune = w.int() != 0
	case "X":
		w.want("ver")
		w.want(version)
		w.want("Score")
		c.Score = [2]float64{w.float(), w.float()}
		w.want("Trials")
		ro := &record.Rollout{Trials: w.int()}
		w.want("Output")
		c.Outcome = w.outcome()
		// In a match the output is a winning chance; the score, by which plays are
		// ranked, is the equity that evaluations have too.
		ro.Output, c.Outcome.Cubeful = c.Outcome.Cubeful, c.Score[0]
		w.want("StdDev")
		ro.StdErr[0] = w.outcome()
		ro.Settings = strings.TrimSpace(w.rest)
		c.Rollout = ro
	default:
		return c, fmt.Errorf("kind %q", clip(kind))
	}
	return c, w.err
}

// pair visits the numbers that files give for White and Black alternating.
func pairs(s *[2]record.Statistics, get func(*record.Statistics) []*int) []*int {
	a, b := get(&s[0]), get(&s[1])
	out := make([]*int, 0, 2*len(a))
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
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

// statisticParts are the parts of GS in the order they are written.
var statisticParts = []struct {
	letter string
	counts func(*record.Statistics) []*int
	costs  func(*record.Statistics) []*record.Cost
}{
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
			w := &words{rest: rest, sums: true}
			for _, p := range pairs(s, part.counts) {
				*p = w.int()
			}
			for player := range s {
				for _, c := range part.costs(&s[player]) {
					c.EMG, c.Value = w.float(), w.float()
				}
			}
			if w.err != nil {
				return nil, fmt.Errorf("statistics: %w", w.err)
			}
		}
	}
	return s, nil
}
