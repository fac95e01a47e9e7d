package analyse

import (
	"math"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Judged is one decision with its verdict, for lists of errors and curves.
type Judged struct {
	Turn record.Turn
	// Loss of the play (Move) or of the cube action (Double, Take, Drop);
	// CubeLoss of a Move is that of not having doubled. EMG, 0 or more. The marks are
	// theirs, by Limits.
	Loss, CubeLoss float64
	Mark, CubeMark record.Mark
	// Luck of the roll of a Move, EMG, 0 where it was not computed; LuckMark is
	// Limits.LuckMark of it.
	Luck     float64
	LuckMark int8
	// Analysed tells whether there was anything to judge by.
	Analysed bool
	// Counts tells whether the action is a decision that counts for PR, CubeCounts of
	// a Move the same of not having doubled.
	Counts, CubeCounts bool
	// Phase and Plan tell what kind of position it was, for either side.
	Phase Phase
	Plan  Plan
}

// judge adds one turn to a player's sums.
func judge(turn *record.Turn, t *match.Table, lim Limits, sum *Sums) Judged {
	j := Judged{Turn: *turn}
	a := turn.Action.Analysis
	switch turn.Action.Kind {
	case record.Move:
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
	if a == nil {
		return
	}
	if a.Luck != nil {
		j.Luck = *a.Luck
		j.LuckMark = lim.LuckMark(j.Luck)
		sum.Rolls++
		addCost(&sum.Luck, cost(t, turn.State, j.Luck))
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
	if a.Cube != nil && turn.State.MayDouble() {
		j.Analysed = true
		sum.CubeDecisions++
		sum.Cubes++
		e := equities(a.Cube, turn.State, t)
		if e.close() {
			sum.Close++
		}
		if j.CubeCounts = e.countsDouble(false); j.CubeCounts {
			sum.Counted++
		}
		if loss := e.double() - e.nd; loss > 0 {
			fault := record.MissedDoubleBelowCash
			if e.dt > 1 {
				fault = record.MissedDoubleAboveCash
			}
			j.CubeLoss = loss
			j.CubeMark = lim.Mark(loss)
			sum.fault(fault, cost(t, turn.State, loss))
		}
	}
}

func judgeCube(j *Judged, a *record.Analysis, t *match.Table, lim Limits, sum *Sums) {
	turn := &j.Turn
	// A beaver is not counted as a double, but the answer to it as a take or drop;
	// neither has an analysis of its own in files. So gnubg does it.
	if turn.Action.Kind == record.Double && turn.Pending > 0 {
		return
	}
	sum.CubeDecisions++
	sum.Close++
	switch turn.Action.Kind {
	case record.Double:
		sum.Doubles++
	case record.Take:
		sum.Takes++
	case record.Drop:
		sum.Drops++
	}
	if a == nil || a.Cube == nil || turn.Pending > 1 {
		return
	}
	j.Analysed = true
	sum.Cubes++
	doubler := turn.State
	if turn.Action.Kind != record.Double {
		doubler = doubler.Swap()
	}
	e := equities(a.Cube, doubler, t)
	j.Counts = e.countsDouble(true)
	if turn.Action.Kind != record.Double {
		j.Counts = e.countsAnswer(turn.Action.Kind == record.Take)
	}
	if j.Counts {
		sum.Counted++
	}
	fault := record.WrongDoubleBelowDP
	switch turn.Action.Kind {
	case record.Double:
		j.Loss = e.nd - e.double()
		if e.nd >= tooGoodFrom {
			fault = record.WrongDoubleAboveTG
		}
	case record.Take:
		j.Loss, fault = e.dt-1, record.WrongTake
	case record.Drop:
		j.Loss, fault = 1-e.dt, record.WrongDrop
	}
	if j.Loss <= 0 {
		j.Loss = 0
		return
	}
	j.Mark = lim.Mark(j.Loss)
	sum.fault(fault, cost(t, doubler, j.Loss))
}

// tooGoodFrom is the equity without a double from which a wrong double is one of
// a position too good rather than not good enough (manual, "cube statistics").
const tooGoodFrom = 0.95

func (s *Sums) fault(kind int, c record.Cost) {
	s.Cube[kind].Count++
	addCost(&s.Cube[kind].Cost, c)
}

// cubeEquities are the doubler's three equities in EMG; double/pass is 1.
type cubeEquities struct{ nd, dt float64 }

func equities(a *record.CubeAnalysis, doubler match.State, t *match.Table) cubeEquities {
	nd, dt := a.NoDouble.Cubeful, a.DoubleTake.Cubeful
	if doubler.Length > 0 {
		nd, dt = t.EMG(doubler, nd), t.EMG(doubler, dt)
	}
	return cubeEquities{nd: nd, dt: dt}
}

// double is what turning the cube is worth when it is answered well.
func (e cubeEquities) double() float64 { return math.Min(e.dt, 1) }

// closeFrom is how much worse than the best a double may be and still count as a
// decision that somebody had to think about. The manual says 0.25; the counts of
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
