package analyse

import (
	"cmp"
	"math"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
)

// Judged is one decision with its verdict, for lists of errors and curves.
type Judged struct {
	Turn record.Turn
	// Loss of the play (Move) or of the cube action (Double, Take, Drop);
	// CubeLoss of a Move is that of not having doubled. EMG, 0 or more. The marks are
	// theirs, by Limits.
	Loss, CubeLoss float64
	Mark, CubeMark record.Mark
	// Fault is the kind of the cube error: record.MissedDoubleBelowCash to record.WrongDrop.
	Fault int
	// Luck of the roll of a Move, EMG, 0 where it was not computed; LuckMark is
	// Limits.LuckMark of it.
	Luck     float64
	LuckMark int8
	// Analysed reports whether the decision has an analysis.
	Analysed bool
	// Counts reports whether the action is a decision that counts for PR, CubeCounts of
	// a Move the same of not having doubled.
	Counts, CubeCounts bool
	// Phase and Plan classify the position, the same for both sides.
	Phase Phase
	Plan  Plan
}

// judge adds one turn to a player's sums. opening marks the first roll of a game, before
// which no one may double.
func judge(turn *record.Turn, t *match.Table, lim Limits, sum *Sums, opening bool) Judged {
	j := Judged{Turn: *turn}
	a := Judgement(turn.Action.Analysis)
	switch turn.Action.Kind {
	case record.Move:
		if (a == nil || a.Cube == nil) && decidesCube(turn.State) && !opening {
			sum.CubesUnjudged++
		}
		judgeMove(&j, a, t, lim, sum)
	case record.Double, record.Take, record.Drop:
		judgeCube(&j, a, t, lim, sum)
	}
	return j
}

func judgeMove(j *Judged, a *record.Analysis, t *match.Table, lim Limits, sum *Sums) {
	turn := &j.Turn
	sum.Moves++
	if !turn.Forced {
		sum.Unforced++
	}
	if a != nil && a.Played >= 0 && a.Played < len(a.Candidates) {
		if !turn.Forced {
			j.Counts = true
			sum.Counted++
			sum.CountedPlays++
		}
		j.Analysed = true
		j.Loss = math.Max(0, a.Candidates[0].Outcome.Cubeful-a.Candidates[a.Played].Outcome.Cubeful)
		j.Mark = lim.Mark(j.Loss)
		if !turn.Forced {
			addCost(&sum.PlayError, cost(t, turn.State, j.Loss))
		}
	}
	switch j.Mark {
	case record.VeryBad:
		sum.PlayVeryBad++
	case record.Bad:
		sum.PlayBad++
	case record.Doubtful:
		sum.PlayDoubtful++
	default:
		sum.PlayUnmarked++
	}
	if a != nil && a.Luck != nil {
		judgeLuck(j, *a.Luck, t, lim, sum)
	}
	if a != nil && a.Cube != nil && turn.State.MayDouble() {
		judgeNoDouble(j, a.Cube, t, lim, sum)
	}
}

func judgeLuck(j *Judged, luck float64, t *match.Table, lim Limits, sum *Sums) {
	j.Luck, j.LuckMark = luck, lim.LuckMark(luck)
	sum.Rolls++
	addCost(&sum.Luck, cost(t, j.Turn.State, luck))
	switch j.LuckMark {
	case 2:
		sum.VeryLucky++
	case 1:
		sum.Lucky++
	case 0:
		sum.Ordinary++
	case -1:
		sum.Unlucky++
	case -2:
		sum.VeryUnlucky++
	}
}

// judgeNoDouble judges that the player rolled without doubling.
func judgeNoDouble(j *Judged, c *record.CubeAnalysis, t *match.Table, lim Limits, sum *Sums) {
	state := j.Turn.State
	j.Analysed = true
	sum.CubeDecisions++
	sum.Cubes++
	e := equities(c, &j.Turn, t)
	if e.close() {
		sum.Close++
		sum.CloseJudged++
	}
	if j.CubeCounts = e.countsDouble(false); j.CubeCounts {
		sum.Counted++
	}
	if loss := e.double() - e.nd; loss > 0 {
		j.Fault = record.MissedDoubleBelowCash
		if e.dt > e.dp {
			j.Fault = record.MissedDoubleAboveCash
		}
		j.CubeLoss, j.CubeMark = loss, lim.Mark(loss)
		sum.fault(j.Fault, cost(t, state, loss))
	}
}

func judgeCube(j *Judged, a *record.Analysis, t *match.Table, lim Limits, sum *Sums) {
	turn := &j.Turn
	sum.CubeDecisions++
	sum.Close++
	switch {
	case turn.Action.Kind == record.Take:
		sum.Takes++
	case turn.Action.Kind == record.Drop:
		sum.Drops++
	case turn.Pending == 0:
		sum.Doubles++ // beavers are not counted as doubles, as gnubg does it
	}
	if a == nil || a.Cube == nil {
		sum.CubesUnjudged++
		return
	}
	j.Analysed = true
	sum.Cubes++
	sum.CloseJudged++
	_, doubler := turn.Doubler()
	e := equities(a.Cube, turn, t)
	j.Fault = record.WrongDoubleBelowDP
	switch kind := turn.Action.Kind; {
	case turn.Pending > 1 || turn.Pending == 1 && kind == record.Double:
		j.Loss, j.Fault = e.beaverLoss(turn)
		j.Counts = j.Loss > 0
	case kind == record.Double:
		j.Counts, j.Loss = e.countsDouble(true), e.nd-e.double()
		if e.nd >= e.dp-tooGoodBy {
			j.Fault = record.WrongDoubleAboveTG
		}
	case kind == record.Take:
		j.Counts, j.Loss, j.Fault = e.countsAnswer(true), e.dt-e.dp, record.WrongTake
	case kind == record.Drop:
		j.Counts, j.Loss, j.Fault = e.countsAnswer(false), e.dp-e.dt, record.WrongDrop
	}
	if j.Counts {
		sum.Counted++
	}
	if j.Loss <= 0 {
		j.Loss = 0
		return
	}
	j.Mark = lim.Mark(j.Loss)
	sum.fault(j.Fault, cost(t, doubler, j.Loss))
}

// beaverLoss is what a beaver, a raccoon or the answer to one gave up, 0 or more, and the
// kind of error it is. Each turn of the cube doubles the value of the game after the first
// double, whoever holds the cube. The choices are to take, to pass, and the beaver that was
// made; a missed beaver is not an error, as in gnubg and eXtreme Gammon.
func (e cubeEquities) beaverLoss(turn *record.Turn) (loss float64, fault int) {
	sign := 1.0 // of the equities, which are those of the first doubler, for who acts
	if turn.First() != turn.Player {
		sign = -1
	}
	stake := math.Ldexp(1, turn.Pending-1) // what the pending double is worth when passed
	price := func(of *board.Checkers) float64 { return stake * float64(turn.State.Drops.Level(of)) }
	take, pass := sign*stake*e.dt, -price(&turn.Position.Me)
	best, made := math.Max(take, pass), pass
	fault = record.WrongDrop
	switch turn.Action.Kind {
	case record.Take:
		made, fault = take, record.WrongTake
	case record.Double:
		// The other side takes the cube back up, or passes it where that is cheaper.
		made = math.Min(2*take, 2*price(&turn.Position.Opp))
		best = math.Max(best, made)
		if fault = record.WrongDoubleBelowDP; take < pass {
			fault = record.WrongTake
		}
	}
	return best - made, fault
}

// tooGoodBy is how far the equity without a double may be below that of a pass for a wrong double
// to be one of a position too good rather than not good enough (manual, "cube statistics").
const tooGoodBy = 0.05

func (s *Sums) fault(kind int, c record.Cost) {
	s.Cube[kind].Count++
	addCost(&s.Cube[kind].Cost, c)
}

// cubeEquities are the doubler's three equities in EMG: no double, double/take, double/pass.
type cubeEquities struct{ nd, dt, dp float64 }

func equities(a *record.CubeAnalysis, turn *record.Turn, t *match.Table) cubeEquities {
	p, doubler := turn.Doubler()
	nd, dt := a.NoDouble.Cubeful, a.DoubleTake.Cubeful
	if doubler.Length > 0 {
		nd, dt = t.EMG(doubler, nd), t.EMG(doubler, dt)
	}
	if v := a.Equities; v != nil {
		nd, dt = v[0], v[1] // another table may be behind the winning chances
	}
	return cubeEquities{nd: nd, dt: dt, dp: t.Passed(doubler, &p)}
}

// double is what turning the cube is worth when it is answered well.
func (e cubeEquities) double() float64 { return math.Min(e.dt, e.dp) }

// closeFrom is how much worse than the best a double may be and still count as a
// decision worth thinking about. The manual says 0.25; the counts of
// gnubg 1.07 over the matches in testdata agree with 0.16 and with no other limit
// between 0.12 and 0.20.
const closeFrom = 0.16

func (e cubeEquities) close() bool {
	return math.Max(e.nd, e.double())-e.double() < closeFrom
}

// cost turns a difference of normalised equity into points or match winning
// chance at the present cube.
func cost(t *match.Table, s match.State, emg float64) record.Cost {
	if s.Length == 0 {
		return record.Cost{EMG: emg, Value: emg * float64(s.Cube)}
	}
	return record.Cost{EMG: emg, Value: t.MWC(s, emg) - t.MWC(s, 0)}
}

// maxThoughts is the number of plays kept of a decision while playing, beside the one made.
const maxThoughts = 8

// Thought returns what a player with settings s thought about the plays of a roll while
// playing, for the record of the match; nil without a choice. list is ranked, with the play
// made first; equities are the mover's, normalised. rolled are the plays rolled out within the
// decision, which an analysis keeps. If the play made is not one of them, they are recorded at
// the depth of the search, so that an analysis judges them again: an error must not compare a
// rollout with a search.
func Thought(list []search.Candidate, s search.Settings, rolled []record.Candidate) *record.Analysis {
	if len(list) < 2 {
		return nil
	}
	chosen := list[0].Play.Result
	// A preset with human-like errors puts its choice before better plays.
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y search.Candidate) int {
		return cmp.Or(cmp.Compare(min(1, y.Trials), min(1, x.Trials)), cmp.Compare(y.Plies, x.Plies), cmp.Compare(y.Equity, x.Equity))
	})
	of := func(c *search.Candidate) int {
		return slices.IndexFunc(rolled, func(r record.Candidate) bool {
			return c.Trials > 0 && slices.Equal(r.Steps, c.Play.Steps[:c.Play.N])
		})
	}
	made := slices.IndexFunc(list, func(c search.Candidate) bool { return c.Play.Result == chosen })
	if of(&list[made]) < 0 {
		rolled = nil
	}
	out := &record.Analysis{Played: -1, Own: true}
	for i := range list {
		c := &list[i]
		own := c.Play.Result == chosen
		if i >= maxThoughts && !own {
			continue
		}
		if own {
			out.Played = len(out.Candidates)
		}
		if k := of(c); k >= 0 {
			r := rolled[k]
			r.Outcome = rounded(r.Outcome)
			out.Candidates = append(out.Candidates, r)
			continue
		}
		out.Candidates = append(out.Candidates, record.Candidate{
			Steps: slices.Clone(c.Play.Steps[:c.Play.N]), Settings: settings(s, c.Plies),
			Outcome: rounded(record.Outcome{Probs: doubles(c.Probs), Cubeless: c.Cubeless, Cubeful: c.Equity}),
		})
	}
	return out
}

// ThoughtCube is Thought for a cube decision; st is the doubler's state, rolled the rollout
// within the decision or nil. It returns nil if the cube could not be turned.
func ThoughtCube(d *cube.Decision, st match.State, s search.Settings, rolled *record.CubeAnalysis) *record.Analysis {
	if d == nil || !d.Available() || d.Dead {
		return nil
	}
	c := cubeRecord(d, st, settings(s, d.Plies))
	if rolled != nil {
		c = rolled
	}
	c.NoDouble, c.DoubleTake = rounded(c.NoDouble), rounded(c.DoubleTake)
	return &record.Analysis{Cube: c, Played: -1, Own: true}
}

// rounded keeps six decimals, more than any file shows: thoughts are recorded with each
// decision.
func rounded(o record.Outcome) record.Outcome {
	round := func(v float64) float64 { return math.Round(v*1e6) / 1e6 }
	for i, v := range o.Probs {
		o.Probs[i] = round(v)
	}
	o.Cubeless, o.Cubeful = round(o.Cubeless), round(o.Cubeful)
	return o
}

// Judgement returns the part of an analysis that judges its action, or nil: all of it, or what
// was rolled out of the player's own thoughts.
func Judgement(a *record.Analysis) *record.Analysis {
	if a == nil || !a.Own {
		return a
	}
	out := &record.Analysis{Played: -1, CubeMarked: a.CubeMarked, Resigned: a.Resigned, Luck: a.Luck, LuckPlies: a.LuckPlies}
	if a.Cube != nil && rolledOut(a.Cube.Rollout) {
		out.Cube = a.Cube
	}
	if list := a.Candidates; a.Played >= 0 && a.Played < len(list) && rolledOut(list[0].Rollout) && rolledOut(list[a.Played].Rollout) {
		out.Candidates, out.Played, out.Rank, out.RolloutMarks = list, a.Played, a.Rank, a.RolloutMarks
	}
	if out.Cube == nil && len(out.Candidates) == 0 && out.Luck == nil && out.Resigned == nil && !out.CubeMarked {
		return nil
	}
	return out
}

// Bare returns m without any analysis; m is unchanged and shares the rest.
func Bare(m *record.Match) *record.Match {
	if m == nil {
		return nil
	}
	judged := func(a record.Action) bool { return a.Analysis != nil }
	if !slices.ContainsFunc(m.Games, func(g record.Game) bool { return slices.ContainsFunc(g.Actions, judged) }) {
		return m
	}
	out := *m
	out.Games = slices.Clone(m.Games)
	for i := range out.Games {
		g := &out.Games[i]
		g.Actions = slices.Clone(g.Actions)
		for k := range g.Actions {
			g.Actions[k].Analysis = nil
		}
	}
	return &out
}
