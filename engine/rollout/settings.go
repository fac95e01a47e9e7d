package rollout

import (
	"fmt"
	"math"
	"math/rand/v2"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	throw "fibsbot/engine/dice"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
)

// Settings say how a rollout is played. Start from Default.
type Settings struct {
	// Trials is the number of games of each arm, 1 to 2^30.
	Trials int
	// Seed makes the dice, the same for all arms.
	Seed uint64
	// Dice is their generator.
	Dice throw.Generator `json:",omitempty"`
	// Cubeful lets both sides use the cube during the trials.
	Cubeful bool
	// VarianceReduction subtracts the luck of the dice.
	VarianceReduction bool
	// PlainDice does not balance the first rolls.
	PlainDice bool
	// InitialPosition never rolls a double first, as at the start of a game; for AddPosition
	// only.
	InitialPosition bool
	// Truncate ends a trial after that many plies with the value of Leaf; 0 plays
	// to the end.
	Truncate int
	// Leaf judges the position at which Truncate ends a trial; at 0 plies without noise by
	// static evaluation. The search gives the chances only; the cube is valued as everywhere.
	Leaf search.Settings
	// TruncateTwoSided ends trials in the two-sided databases (exact for money,
	// where it alone applies, and for cubeless chances), TruncateOneSided cubeless
	// trials in the one-sided ones.
	TruncateTwoSided, TruncateOneSided bool
	// Checker and Cube make plays and cube decisions; fastest at 0 plies without noise. From
	// ply LatePly on (0: never) LateChecker and LateCube do.
	Checker, Cube         search.Settings
	LatePly               int
	LateChecker, LateCube search.Settings
	// Opponent has the settings of the opponent of the player to decide; nil means the same as
	// that player's, above.
	Opponent *Side
	// MinTrials is the number of trials before which no stop rule ends the rollout.
	MinTrials int
	// StopStdErr ends the rollout when no arm's equity (EMG) has a larger standard error; 0 is
	// off.
	StopStdErr float64
	// StopJSD gives up an arm that is that many joint standard deviations worse than the best,
	// and ends the rollout when one is left; 0 is off. The two arms of AddCube end together,
	// when both whether to double and whether to take are that clear.
	StopJSD float64
	// Look is the number of trials between checks of the stop rules, 1 to 144; 0 is 144.
	Look int `json:",omitempty"`
	// Threads is the number to use; 0 is one per CPU. It changes no result.
	Threads int `json:"-"`
}

// Side has the settings of one side: plays and cube, and both from Settings.LatePly on.
type Side struct {
	Checker, Cube         search.Settings
	LateChecker, LateCube search.Settings
}

// side returns the settings of the player to decide.
func (s *Settings) side() Side {
	return Side{Checker: s.Checker, Cube: s.Cube, LateChecker: s.LateChecker, LateCube: s.LateCube}
}

// at returns the early or the late settings.
func (s *Side) at(late bool) (checker, cube *search.Settings) {
	if late {
		return &s.LateChecker, &s.LateCube
	}
	return &s.Checker, &s.Cube
}

// even returns the number of trials in which every first roll comes equally often, or 0.
func (s *Settings) even() int {
	switch {
	case s.PlainDice:
		return 0
	case s.InitialPosition:
		return faces - 6
	}
	return faces
}

// Default is 1296 cubeful static trials to the end, with variance reduction.
func Default() Settings {
	return Settings{Trials: 1296, Seed: 1, Cubeful: true, VarianceReduction: true,
		TruncateTwoSided: true, TruncateOneSided: true, MinTrials: 144,
		Checker: search.Settings{Cubeful: true}, Cube: search.Settings{Cubeful: true}}
}

// Validate reports the first field outside its range; the error wraps ErrSettings.
func (s *Settings) Validate() error {
	switch {
	case s.Trials < 1 || s.Trials > 1<<30:
		return fmt.Errorf("%w: %d trials (use 1 to %d)", ErrSettings, s.Trials, 1<<30)
	case s.Truncate < 0 || s.LatePly < 0 || s.MinTrials < 0:
		return fmt.Errorf("%w: plies and trials must not be negative", ErrSettings)
	case s.Look < 0 || s.Look > batch:
		return fmt.Errorf("%w: check the stop rules every %d trials (use 1 to %d, or 0)", ErrSettings, s.Look, batch)
	case !(s.StopStdErr >= 0) || !(s.StopJSD >= 0):
		return fmt.Errorf("%w: a stop rule is negative (0 is off)", ErrSettings)
	}
	if err := s.Dice.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	if err := s.Leaf.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	sides := []Side{s.side()}
	if s.Opponent != nil {
		sides = append(sides, *s.Opponent)
	}
	for i := range sides {
		d := &sides[i]
		for _, c := range []*search.Settings{&d.Checker, &d.Cube, &d.LateChecker, &d.LateCube} {
			if err := c.Validate(); err != nil {
				return fmt.Errorf("%w: %w", ErrSettings, err)
			}
		}
	}
	return nil
}

// dice deals the rolls of numbered trials.
//
// With a the number of the trial modulo 36, b the number of its block of 36 and
// c that of its block of 1296, the first roll is number a of a shuffled list of
// the 36 throws, the second a+b, the third a+5b+c, each of its own list. So 36
// trials from a multiple of 36 on hold every throw once as first, once as second
// and once as third roll; 1296 trials hold every pair of first and second and
// every pair of first and third; 46656 every triple. Later rolls are random. In
// initial mode the first roll is not a double and a counts modulo 30.
type dice struct {
	seed    uint64
	initial bool
	plain   bool // no balancing
	from    throw.Generator
	lists   [3][]board.Dice
}

func newDice(s *Settings) *dice {
	d := &dice{seed: s.Seed, initial: s.InitialPosition, plain: s.PlainDice, from: s.Dice}
	r := s.Dice.New(s.Seed, 0x726f6c6c6f7574)
	for k := range d.lists {
		for a := uint8(1); a <= 6; a++ {
			for b := uint8(1); b <= 6; b++ {
				if k == 0 && d.initial && a == b {
					continue
				}
				d.lists[k] = append(d.lists[k], board.Dice{A: a, B: b})
			}
		}
		l := d.lists[k]
		r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	}
	return d
}

// deal starts the sequence of one trial.
func (d *dice) deal(trial uint64) sequence {
	s := sequence{d: d}
	if s.random.Seed(d.seed, trial); d.from != throw.PCG {
		s.other = d.from.Source(d.seed, trial)
	}
	n := uint64(len(d.lists[0]))
	a, b, c := trial%n, trial/n%36, trial/n/36
	s.first = [3]uint64{a, (a + b) % 36, (a + 5*b + c) % 36}
	return s
}

// sequence is the rolls of one trial, the same for all arms.
type sequence struct {
	d      *dice
	random rand.PCG
	other  rand.Source // instead of random; nil for the usual generator
	first  [3]uint64
}

// roll returns the roll of the given ply; plies must be asked for in order.
func (s *sequence) roll(ply int) board.Dice {
	// The generator advances at balanced rolls too, so that later rolls are the same with and
	// without them.
	var v uint64
	if s.other != nil {
		v = s.other.Uint64()
	} else {
		v = s.random.Uint64()
	}
	k := v >> 32 * 36 >> 32
	if ply < len(s.first) && !s.d.plain {
		return s.d.lists[ply][s.first[ply]]
	}
	if ply == 0 && s.d.initial {
		return s.d.lists[0][v>>32*30>>32]
	}
	return board.Dice{A: uint8(k/6) + 1, B: uint8(k%6) + 1}
}

// faces is how many rolls there are, counted as two dice.
const faces = 36

// firstRolls is how many trials had each first roll, by its place in the
// shuffled list.
type firstRolls [faces]int

// fewest is how many trials it takes before the first roll is taken out of a
// standard error: with less there is too little left to estimate it from.
const fewest = 4 * faces

// standardError is that of the mean of n trials with that sum and sum of squares.
// Where even is not 0, the first roll is dealt evenly within every even trials:
// what varies only with it varies between trials and not between rollouts, so it
// is taken out, as in an analysis of variance with one factor. of gives the sum of
// the trials with the first roll number r. Trials beyond the last full round
// are not dealt evenly and count whole.
//
// The second and third rolls are dealt evenly too. Their part is left in: the three
// cannot be told apart before 1296 trials are full, and subtracting them as if they
// could gave errors a third too small. So the error is a little too large where the
// outcome hangs on those rolls and no variance reduction has removed their luck.
func standardError(n int, sum, squares float64, even int, counts *firstRolls, of func(r int) float64) float64 {
	if n < 2 {
		return math.NaN() // nothing to estimate a spread from
	}
	all := float64(n)
	mean := sum / all
	total := max(squares-all*mean*mean, 0)
	variance := total / (all - 1)
	if even > 0 && n >= fewest {
		within, groups := squares, 0
		for r, m := range counts {
			if m > 0 {
				s := of(r)
				within -= s * s / float64(m)
				groups++
			}
		}
		full := float64(n - n%even)
		variance = (full*max(within, 0)/float64(n-groups) + (all-full)*variance) / all
	}
	return math.Sqrt(variance / all)
}

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
