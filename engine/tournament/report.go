package tournament

import (
	"cmp"
	"math"
	"slices"

	"fibsbot/engine/analyse"
	"fibsbot/engine/duel"
	"fibsbot/engine/luck"
	"fibsbot/engine/rating"
	"fibsbot/internal/figure"
)

// Mean is a mean with its standard error; a figure is unknown if there are too few pairs.
type Mean struct {
	Mean   figure.Figure `json:"mean"`
	Stderr figure.Figure `json:"stderr"`
}

// Report is a tournament so far.
type Report struct {
	Length      int        `json:"length"`
	Seed        uint64     `json:"seed"`
	Judge       *string    `json:"judge"`   // who took the luck off and judged errors, or null
	Players     []Standing `json:"players"` // the strongest first
	Meetings    []Score    `json:"meetings"`
	Interrupted bool       `json:"interrupted,omitempty"`
}

// Standing is what one player did in all meetings.
type Standing struct {
	Name  string `json:"name"`
	Plays string `json:"plays"`
	Games int    `json:"games"`
	// Points a game, or matches won less lost a match: with the luck taken off where it was
	// judged, and as played.
	Points Mean `json:"points"`
	Played Mean `json:"as_played"`
	// Rating is how far the player is above the mean of the field, with its 90 % interval: FIBS
	// rating points in matches, points a game in money play.
	Rating *rating.Interval `json:"rating"`
	// PR by the judge: all, of each kind, and of each kind by phase of the game.
	PR    figure.Figure                       `json:"pr"`
	Kinds map[string]figure.Figure            `json:"pr_by_kind,omitempty"`
	Phase map[string]map[string]figure.Figure `json:"pr_by_phase,omitempty"`
	// Milliseconds a decision, and of the slowest; unknown on a farm.
	Milliseconds figure.Figure `json:"ms_per_decision"`
	Longest      figure.Figure `json:"longest_ms"`
	// Faults are answers that were illegal, late, malformed or missing.
	Faults *int `json:"faults"`

	number int // in the header
}

// Score is a meeting, from A's side.
type Score struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Pairs  int    `json:"pairs"`
	Games  int    `json:"games"`
	Points Mean   `json:"points"`
	Played Mean   `json:"as_played"`
	// Test is how far the test is: the log likelihood ratio of high to low, null before a verdict can
	// be, and "high", "low" or "" while neither is shown.
	Test *Trial `json:"sprt,omitempty"`
}

// Trial is a test of a meeting.
type Trial struct {
	duel.Test
	Ratio   figure.Figure `json:"llr"`
	Verdict string        `json:"verdict"`
}

// means are the two means of pairs.
func (t *Tournament) means(pairs []duel.Pair) (points, played Mean, games int) {
	set := duel.Settings{Length: t.Header.Length}
	if t.Header.Judge.Name != "" {
		set.Luck = new(luck.Meter) // it was there
	}
	r := duel.Summarise(pairs, set)
	known := func(mean, stderr float64) Mean {
		return Mean{figure.If(len(pairs) > 0, mean), figure.If(len(pairs) > 1, stderr)}
	}
	played = known(r.PPG, r.Stderr)
	if points = played; r.LuckAdjusted != nil {
		points = known(*r.LuckAdjusted, *r.LuckAdjustedStderr)
	}
	return points, played, r.Games
}

// Report returns the result so far.
func (t *Tournament) Report() *Report {
	h := &t.Header
	out := &Report{Length: h.Length, Seed: h.Seed}
	if h.Judge.Name != "" {
		out.Judge = &h.Judge.Name
	}
	all := make([][]duel.Pair, len(h.Players)) // from each player's side
	var list []rating.Meeting
	for k, m := range t.meetings {
		s := Score{A: h.Players[m.A].Name, B: h.Players[m.B].Name, Pairs: len(t.played[k])}
		s.Points, s.Played, s.Games = t.means(t.played[k])
		if t.Test != nil {
			s.Test = &Trial{*t.Test, t.tests[k].Ratio(), t.tests[k].Verdict()}
		}
		for _, p := range t.played[k] {
			all[m.A], all[m.B] = append(all[m.A], p), append(all[m.B], p.Turned())
		}
		out.Meetings = append(out.Meetings, s)
		if stderr := t.doubt(&s); s.Pairs > 0 && stderr > 0 {
			one := rating.Meeting{A: m.A, B: m.B, Mean: float64(s.Points.Mean), Stderr: stderr}
			if h.Length > 0 { // of matches won less lost, the share won
				one.Mean, one.Stderr = (one.Mean+1)/2, one.Stderr/2
			}
			list = append(list, one)
		}
	}
	ratings := rating.Field(len(h.Players), h.Length, list)
	for i, p := range h.Players {
		s := Standing{Name: p.Name, Plays: p.Plays, number: i}
		s.Points, s.Played, s.Games = t.means(all[i])
		if !math.IsNaN(ratings[i].Estimate) {
			s.Rating = &ratings[i]
		}
		s.judged(all[i])
		s.asked(all[i], p.Settings != "")
		out.Players = append(out.Players, s)
	}
	slices.SortStableFunc(out.Players, func(a, b Standing) int {
		return cmp.Compare(b.strength(), a.strength())
	})
	return out
}

// strength orders players; who has played nothing comes last.
func (s *Standing) strength() float64 {
	if s.Rating == nil {
		return math.Inf(-1)
	}
	return s.Rating.Estimate
}

// imagined is how many pairs of the usual spread are added to those of a meeting where its error
// weighs in ratings: a few pairs may agree by chance.
const imagined = 10

// doubt is the standard error of a meeting as ratings use it: its own spread, mixed with that of
// all meetings. It is 0 if no spread is known at all.
func (t *Tournament) doubt(s *Score) float64 {
	spread, pairs := 0.0, 0.0
	for k := range t.played {
		if n := float64(len(t.played[k])); n > 1 {
			points, _, _ := t.means(t.played[k])
			spread += n * n * float64(points.Stderr*points.Stderr)
			pairs += n
		}
	}
	if pairs == 0 {
		return 0
	}
	n, own := float64(s.Pairs), 0.0
	if s.Pairs > 1 {
		own = n * n * float64(s.Points.Stderr*s.Points.Stderr)
	}
	return math.Sqrt((own + imagined*spread/pairs) / (n + imagined) / n)
}

// judged sets the error profile.
func (s *Standing) judged(pairs []duel.Pair) {
	var sum analyse.Profile
	s.PR = figure.Unknown
	for i := range pairs {
		if pairs[i].Profile == nil {
			return
		}
		sum.Add(&pairs[i].Profile[0])
	}
	if len(pairs) == 0 {
		return
	}
	pr := func(want func(analyse.Kind, analyse.Phase) bool) figure.Figure {
		return figure.Figure(sum.Sum(want).PR())
	}
	s.PR = pr(func(analyse.Kind, analyse.Phase) bool { return true })
	s.Kinds, s.Phase = map[string]figure.Figure{}, map[string]map[string]figure.Figure{}
	for k := range analyse.Kind(analyse.Kinds) {
		name := k.String()
		s.Kinds[name] = pr(func(kind analyse.Kind, _ analyse.Phase) bool { return kind == k })
		s.Phase[name] = map[string]figure.Figure{}
		for p := range analyse.Phase(analyse.Phases) {
			s.Phase[name][p.String()] = pr(func(kind analyse.Kind, phase analyse.Phase) bool { return kind == k && phase == p })
		}
	}
}

// asked sets times and faults; players of this program have no faults.
func (s *Standing) asked(pairs []duel.Pair, own bool) {
	s.Milliseconds, s.Longest = figure.Unknown, figure.Unknown
	if own {
		s.Faults = new(int)
	}
	var sum duel.Asked
	for i := range pairs {
		if pairs[i].Asked == nil {
			return
		}
		sum.Add(pairs[i].Asked[0])
	}
	if sum.Decisions > 0 {
		s.Milliseconds = figure.Figure(1000 * sum.Seconds / float64(sum.Decisions))
		s.Longest, s.Faults = figure.Figure(1000*sum.Longest), &sum.Faults
	}
}
