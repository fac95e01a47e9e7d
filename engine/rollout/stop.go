package rollout

import (
	"math"

	"fibsbot/engine/cube"
	"fibsbot/internal/figure"
)

// look returns the number of trials between checks of the stop rules.
func (j *Job) look() int {
	if n := j.settings.Look; n > 0 {
		return n
	}
	return batch
}

// stop applies the stop rules after done trials.
func (j *Job) stop(done int) bool {
	if done < j.settings.MinTrials || done%j.look() != 0 {
		return false // an interrupted rollout stops where it would have without the break
	}
	res := j.Results()
	if limit := j.settings.StopStdErr; limit > 0 {
		small := true
		for i, a := range j.arms {
			small = small && (a.sums.Stopped || res[i].EquityErr <= figure.Figure(limit))
		}
		if small {
			return true
		}
	}
	limit := j.settings.StopJSD
	switch {
	case limit <= 0 || len(j.arms) < 2:
		return false
	case j.decides():
		return j.clear(limit)
	}
	left := 0
	for i, a := range j.arms {
		if res[i].JSD >= limit {
			a.sums.Stopped = true
		}
		if !a.sums.Stopped {
			left++
		}
	}
	return left <= 1
}

// decides reports whether the arms are the two of a cube decision.
func (j *Job) decides() bool { return len(j.arms) == 2 && j.arms[0].noDouble }

// clear reports whether both answers of a cube decision, whether to take and whether to double,
// are clear by that many standard errors. No arm is given up alone: each may have to be
// compared with passing.
func (j *Job) clear(limit float64) bool {
	utility := func(a *Arm) (mean, e float64) { return a.sums.mean(outCubeful, j.settings.even()) }
	pass := j.ladders[0].For(&j.arms[0].start).Pass(cube.Spot{Owner: j.state.Owner})
	taken, takenErr := utility(j.arms[1])
	if math.Abs(taken-pass) < limit*takenErr {
		return false
	}
	gain, gainErr := j.difference(1, 0)
	if taken > pass {
		var roll float64
		roll, gainErr = utility(j.arms[0])
		gain = pass - roll
	}
	return math.Abs(gain) >= limit*gainErr
}
