package analyse

import (
	"math"
	"slices"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
)

// The performance rating (PR) of eXtreme Gammon is 500 times the mean equity (EMG)
// given up in the decisions that count. Counted are plays with more than one legal
// choice, and cube decisions that are close or wrong; an obvious one would only dilute
// the mean. Sources: the definition by eXtreme Gammon as retold in the manual of
// BackgammonDB, "Performance Rating"; the errors that XG states in its own files agree
// (see pr_test.go).
const PRFactor = 500

// PR is the performance rating of n decisions that count and gave up emg in all, NaN without any.
func PR(emg, n float64) float64 {
	if n == 0 {
		return math.NaN()
	}
	return PRFactor * emg / n
}

// prClose is how far a cube action may be from the other one and still be a decision
// that is worth thinking about. XG does not publish its figure; players know 0.2.
const prClose = 0.2

// PRInterval is the interval of the performance rating of the losses and decisions of r.
func PRInterval(r figure.Ratio) *figure.Interval {
	iv := r.Interval(PRFactor)
	if iv != nil {
		iv[0] = max(0, iv[0])
	}
	return iv
}

// PR is the performance rating over the decisions that count; lower is better. It is NaN
// without any, see Counted.
func (s *Sums) PR() float64 { return PR(s.Error().EMG, float64(s.Counted)) }

// CheckerPR is the performance rating of the plays alone.
func (s *Sums) CheckerPR() float64 { return PR(s.PlayError.EMG, float64(s.CountedPlays)) }

// CubePR is the performance rating of the cube decisions alone.
func (s *Sums) CubePR() float64 { return PR(s.CubeError().EMG, float64(s.Counted-s.CountedPlays)) }

// countsDouble reports whether doubling or not is a decision that counts.
func (e cubeEquities) countsDouble(doubled bool) bool {
	d := e.double() - e.nd // what doubling gains
	return math.Abs(d) < prClose || doubled == (d < 0)
}

// countsAnswer reports whether taking or dropping is a decision that counts.
func (e cubeEquities) countsAnswer(taken bool) bool {
	d := e.dt - e.dp // what dropping saves
	return math.Abs(d) < prClose || taken == (d > 0)
}

// Tally sums up one player's decisions of some kind.
type Tally struct {
	Decisions int         // those that count for PR
	Error     record.Cost // what they gave up
	Luck      record.Cost // of the rolls
	Rolls     int         // whose luck is known
}

// PR is the performance rating of these decisions, NaN without any.
func (t *Tally) PR() float64 { return PR(t.Error.EMG, float64(t.Decisions)) }

// note adds one turn.
func (t *Tally) note(j *Judged, table *match.Table) {
	if j.Counts {
		t.Decisions++
	}
	if j.CubeCounts {
		t.Decisions++
	}
	st := j.Turn.State
	addCost(&t.Error, cost(table, st, j.CubeLoss))
	switch j.Turn.Action.Kind {
	case record.Move:
		if !j.Turn.Forced {
			addCost(&t.Error, cost(table, st, j.Loss))
		}
		if a := j.Turn.Action.Analysis; a != nil && a.Luck != nil {
			t.Rolls++
			addCost(&t.Luck, cost(table, st, j.Luck))
		}
	case record.Take, record.Drop:
		addCost(&t.Error, cost(table, st.Swap(), j.Loss))
	default:
		addCost(&t.Error, cost(table, st, j.Loss))
	}
}

// ByPhase sums up each player's decisions by the phase of the game they fell in.
func (s *Summary) ByPhase(t *match.Table) (out [2][Phases]Tally) {
	s.each(func(j *Judged) { out[j.Turn.Player][j.Phase].note(j, table(t)) })
	return out
}

// ByPlan sums up each player's decisions by the game plan of the position.
func (s *Summary) ByPlan(t *match.Table) (out [2][Plans]Tally) {
	s.each(func(j *Judged) { out[j.Turn.Player][j.Plan].note(j, table(t)) })
	return out
}

func (s *Summary) each(do func(*Judged)) {
	for i := range s.Games {
		for k := range s.Games[i].Decisions {
			do(&s.Games[i].Decisions[k])
		}
	}
}

func table(t *match.Table) *match.Table {
	if t == nil {
		return match.DefaultTable()
	}
	return t
}

// Cost turns a loss of normalised equity in state s, that of the doubler for cube
// decisions, into points (money play) or match winning chance. t nil is the default table.
func Cost(t *match.Table, s match.State, emg float64) record.Cost { return cost(table(t), s, emg) }

// GameResults are the results of player 0 in each game of m, and the same with the luck
// of both taken out: points in money play, change of match winning chance in a match. A
// last game without a result is counted in the latter by what its last position is worth.
// It is NaN where that or the luck is not known. t nil is the default table.
func (s *Summary) GameResults(m *record.Match, t *match.Table) (actual, without []float64) {
	t = table(t)
	for i := range s.Games {
		g := &m.Games[i]
		var v float64
		switch {
		case !g.Result.Finished():
		case m.Length == 0:
			v = float64(g.Result.Points)
			if g.Result.Winner == 1 {
				v = -v
			}
		default:
			score := g.Score
			score[g.Result.Winner&1] += g.Result.Points
			after := *m
			after.Games = m.Games[:i+1]
			v = standing(&after, score, t) - beginning(m, i, t)
		}
		p := &s.Games[i].Players
		actual = append(actual, v)
		without = append(without, adjusted(v+s.open(m, i, t), &p[0], &p[1]))
	}
	return actual, without
}

// open is what the last position of game i changed player 0's results by since the game began
// if the record ends with it: 0 where the game has a result, no play or a game behind it, NaN
// where its last play was not judged.
func (s *Summary) open(m *record.Match, i int, t *match.Table) float64 {
	if i != len(m.Games)-1 || m.Games[i].Result.Finished() {
		return 0
	}
	luck := 0.0 // of rolls without a choice since the last judged play
	for _, j := range slices.Backward(s.Games[i].Decisions) {
		if j.Turn.Action.Kind != record.Move {
			continue
		}
		v, ok := valueAfter(&j, t)
		if ok {
			if m.Length > 0 {
				v -= beginning(m, i, t)
			}
			return v + luck
		}
		a := Judgement(j.Turn.Action.Analysis)
		if a == nil || a.Luck == nil {
			return math.NaN()
		}
		own := cost(t, j.Turn.State, j.Luck).Value
		if j.Turn.Player == 1 {
			own = -own
		}
		luck += own
	}
	return 0
}

// PhaseResults are the results of player 0 in each phase, and the same with the luck of both
// taken out (Zare), in the units of GameResults; the other player's are their negatives.
// The result of a phase is what his equity, or match winning chance, rose by over the turns
// that belong to it: from after the turn before to after the play made; the last turn of a
// game leads to the game's result. So the phases of a match add up to its results. A turn
// belongs to the phase of who moves, for one side may bear off while the other does not.
// In a game without a result nothing is won; without luck, a last game counts as far as its
// last position, as in GameResults. game, from 1, asks for one
// game alone, 0 for all. t nil is the default table. Without judged
// plays all are NaN, without the luck of rolls the adjusted ones.
func (s *Summary) PhaseResults(m *record.Match, t *match.Table, game int) (actual, without [Phases]float64) {
	t = table(t)
	results, _ := s.GameResults(m, t)
	var both [2]Sums
	for i := range s.Games {
		g := &s.Games[i]
		if game > 0 && i != game-1 {
			continue
		}
		both[0].Add(&g.Players[0])
		both[1].Add(&g.Players[1])
		last := Phase(0)
		finished := g.Result.Finished()
		counted := finished || i == len(s.Games)-1
		start := 0.0
		if m.Length > 0 {
			start = beginning(m, i, t)
		}
		now := start
		for k := range g.Decisions {
			j := &g.Decisions[k]
			if j.Turn.Action.Kind != record.Move {
				continue
			}
			last = j.Phase
			luck := cost(t, j.Turn.State, j.Luck).Value
			if j.Turn.Player == 1 {
				luck = -luck
			}
			then, ok := valueAfter(j, t)
			switch {
			case !counted:
				then = now
			case !ok:
				then = now + luck // nothing was there to choose
			}
			if finished {
				actual[last] += then - now
			}
			without[last] += then - now - luck
			now = then
		}
		if !finished && counted {
			continue
		}
		rest := start + results[i] - now
		actual[last] += rest
		without[last] += rest
	}
	for i := range actual {
		if !both[0].PlaysKnown() && !both[1].PlaysKnown() {
			actual[i], without[i] = math.NaN(), math.NaN()
		}
		if math.IsNaN(adjusted(0, &both[0], &both[1])) {
			without[i] = math.NaN()
		}
	}
	return actual, without
}

// valueAfter is what the game is worth to player 0 after the play made: points, or match
// winning chance; false where the play was not judged.
func valueAfter(j *Judged, t *match.Table) (float64, bool) {
	a := Judgement(j.Turn.Action.Analysis)
	if a == nil || a.Played < 0 || a.Played >= len(a.Candidates) {
		return 0, false
	}
	st := j.Turn.State
	v := a.Candidates[a.Played].Outcome.Cubeful
	switch {
	case st.Length == 0 && j.Turn.Player == 1:
		return -v * float64(st.Cube), true
	case st.Length == 0:
		return v * float64(st.Cube), true
	}
	if v = t.MWC(st, v); j.Turn.Player == 1 {
		v = 1 - v
	}
	return v, true
}
