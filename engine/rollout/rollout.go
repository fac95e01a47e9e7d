package rollout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
	"fibsbot/internal/shard"
)

// ErrSettings is wrapped by errors about impossible settings or arms.
var ErrSettings = errors.New("bad rollout")

// Options are what rollouts are played with; they are shared and immutable. An engine's are its
// RolloutOptions. Otherwise Evaluator and Search must be set: New refuses the zero Options.
type Options struct {
	// Evaluator makes the static evaluator of one goroutine.
	Evaluator func() eval.Evaluator
	// Search decides where settings ask for more than static evaluation; its match
	// equity table is used.
	Search *search.Engine
	// Exact knows two-sided bearoff equities; may be nil.
	Exact search.ExactSource
	// Efficiency is the cube efficiency by class; nil means the usual one.
	Efficiency *cube.Efficiency
	// Nets names the weights of Evaluator, for records of the results.
	Nets string
	// With returns options for another game than Search plays; nil for none.
	With func(context.Context, board.Rules) (Options, error)
}

// Arm is one thing that is rolled out.
type Arm struct {
	// Name identifies the arm in output: a play's notation, "no double".
	Name string
	// start is where its trials begin, spot the cube there, both for the player then on roll;
	// turned if that is the job's opponent.
	start    board.Position
	spot     cube.Spot
	turned   bool
	noDouble bool // no cube decision before the first roll

	number int // place among the arms
	sums   Sums
}

// Sums are the running totals of an arm, for the job's player on roll.
type Sums struct {
	Trials  int              `json:"trials"`
	Sum     [outputs]float64 `json:"sum"`
	Squares [outputs]float64 `json:"squares"`
	Stopped bool             `json:"stopped"`
	// Counts and ByFirst are trials and sums by the first roll.
	Counts  firstRolls              `json:"counts"`
	ByFirst [faces][outputs]float64 `json:"by_first"`
}

func (s *Sums) add(v *sample, first int) {
	s.Trials++
	s.Counts[first]++
	for o, x := range v {
		s.Sum[o] += x
		s.Squares[o] += x * x
		s.ByFirst[first][o] += x
	}
}

// mean returns the mean of output o with its standard error; even is as in standardError.
func (s *Sums) mean(o, even int) (m, e float64) {
	e = standardError(s.Trials, s.Sum[o], s.Squares[o], even, &s.Counts, func(r int) float64 { return s.ByFirst[r][o] })
	return s.Sum[o] / float64(s.Trials), e
}

// Job is a rollout. It is not safe for concurrent use, but its Run uses all
// cores.
type Job struct {
	options  Options
	settings Settings
	state    match.State // for the player to decide
	position board.Position
	ladders  [2]*cube.Ladder // of that player and of the opponent
	sides    [2]Side         // how these two decide
	// answers reports whether a double is answered by other settings than it is offered by:
	// before LatePly and from it on.
	answers [2]bool
	arms    []*Arm
	pairs   map[[2]int]*Pair // by the numbers of two arms, the smaller first
	endgame cube.Known       // exact bearoffs at the score
	rules   board.Rules      // of the search's game
}

// Rules are those of the game that is rolled out.
func (j *Job) Rules() board.Rules { return j.rules }

// Pair is the running total of the difference of two arms in their common trials: the shared
// dice make it far more exact than the two equities.
type Pair struct {
	Arms    [2]int  `json:"arms"`
	Trials  int     `json:"trials"`
	Sum     float64 `json:"sum"` // utility of the first less the second
	Squares float64 `json:"squares"`
	// Counts and ByFirst are trials and sums by the first roll.
	Counts  firstRolls     `json:"counts"`
	ByFirst [faces]float64 `json:"by_first"`
}

func (p *Pair) add(d float64, first int) {
	p.Trials++
	p.Counts[first]++
	p.Sum += d
	p.Squares += d * d
	p.ByFirst[first] += d
}

// difference returns how much arm i is worth more than arm k in their common
// trials, in utility, with its standard error, NaN below two trials.
func (j *Job) difference(i, k int) (d, e float64) {
	sign := 1.0
	if i > k {
		i, k, sign = k, i, -1
	}
	p := j.pairs[[2]int{i, k}]
	if p == nil || p.Trials == 0 {
		return 0, math.NaN()
	}
	d = p.Sum / float64(p.Trials)
	e = standardError(p.Trials, p.Sum, p.Squares, j.settings.even(), &p.Counts, func(r int) float64 { return p.ByFirst[r] })
	return sign * d, e
}

// Extend sets how many trials each arm is played in all; trials already played stay. The
// error wraps ErrSettings.
func (j *Job) Extend(trials int) error {
	s := j.settings
	s.Trials = trials
	if err := s.Validate(); err != nil {
		return err
	}
	j.settings = s
	return nil
}

// errNotNew is the error of a Job that New has not made.
var errNotNew = fmt.Errorf("%w: a Job that New has not made", ErrSettings)

// New prepares a rollout of p, with the player on roll in state st, without any
// arm yet. Errors wrap ErrSettings, match.ErrScore, board.ErrIllegalPosition or ctx.Err().
func New(ctx context.Context, o Options, p board.Position, st match.State, s Settings) (*Job, error) {
	if o.Evaluator == nil || o.Search == nil {
		return nil, fmt.Errorf("%w: Options without an Evaluator or a Search", ErrSettings)
	}
	st = st.Normal()
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Result() != 0 {
		return nil, fmt.Errorf("%w: the game is over", ErrSettings)
	}
	if o.Efficiency == nil {
		e := cube.UsualEfficiency
		o.Efficiency = &e
	}
	l, err := cube.NewLadder(o.Search.Table(), st)
	if err != nil {
		return nil, err
	}
	j := &Job{options: o, settings: s, state: st, position: p, ladders: [2]*cube.Ladder{l, l.Swap()}, pairs: map[[2]int]*Pair{}, rules: o.Search.Rules()}
	if n := j.rules.Each(); p.Me.Count() > n || p.Opp.Count() > n {
		return nil, fmt.Errorf("%w: more than %d checkers a side", board.ErrIllegalPosition, n)
	}
	if o.Exact != nil && j.rules.Checkers == 0 {
		e := cube.NewEndgame(l, cube.MaxEndgame)
		if j.endgame = e.Known(); s.Cubeful && s.TruncateTwoSided {
			j.endgame = e.Prepare(ctx, &p, false, cube.AllPairs) // a few seconds at most
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("prepare the bearoff: %w", err)
			}
		}
	}
	j.sides = [2]Side{s.side(), s.side()}
	if s.Opponent != nil {
		j.sides[1] = *s.Opponent
		j.answers = [2]bool{!reflect.DeepEqual(s.Cube, s.Opponent.Cube), !reflect.DeepEqual(s.LateCube, s.Opponent.LateCube)}
	}
	return j, nil
}

// AddPosition adds the position itself: the player on roll may double, then
// rolls.
func (j *Job) AddPosition(name string) {
	j.arms = append(j.arms, &Arm{Name: name, start: j.position, spot: cube.Spot{Owner: j.state.Owner}})
}

// AddPlay adds the position after a play of the player to decide; the opponent is on roll.
// The error wraps ErrSettings where the play ends the game.
func (j *Job) AddPlay(name string, pl board.Play) error {
	if pl.Result.Result() != 0 {
		return fmt.Errorf("%w: %s ends the game", ErrSettings, name)
	}
	j.arms = append(j.arms, &Arm{Name: name, start: pl.Result.Swap(), spot: cube.Spot{Owner: j.state.Owner}.Swap(), turned: true})
	return nil
}

// AddCube adds the two arms of a cube decision: no double now, and double and
// take. The error wraps ErrSettings where the player may not turn the cube.
func (j *Job) AddCube() error {
	if j.ladders[0] == nil {
		return errNotNew
	}
	here := cube.Spot{Owner: j.state.Owner}
	if !j.ladders[0].Legal(here) {
		return fmt.Errorf("%w: the cube cannot be turned", ErrSettings)
	}
	j.arms = append(j.arms,
		&Arm{Name: "no double", start: j.position, spot: here, noDouble: true},
		&Arm{Name: "double/take", start: j.position, spot: cube.Spot{Rung: 1, Owner: match.Theirs}, noDouble: true})
	return nil
}

// Result is the result of one arm: a table row, and a JSON object in every report of rollouts.
// Equities are normalised (EMG) at the cube of the state the job was made with, for the player
// to decide. Standard errors are unknown below two trials.
type Result struct {
	Name   string `json:"name"`
	Trials int    `json:"trials"` // played so far; without any, all else is 0
	// Probs are the chances in the order of eval.Probs, 0 to 1 but for the noise of few
	// trials.
	Probs    [5]float64       `json:"probs"`
	ProbsErr [5]figure.Figure `json:"probs_stderr"`
	// Equity counts the cube if the settings do.
	Cubeless    float64       `json:"cubeless_equity"`
	CubelessErr figure.Figure `json:"cubeless_stderr"`
	Equity      float64       `json:"equity"`
	EquityErr   figure.Figure `json:"equity_stderr"`
	// MWC is the match winning chance that belongs to Equity, nil in money play.
	MWC    *float64       `json:"mwc,omitempty"`
	MWCErr *figure.Figure `json:"mwc_stderr,omitempty"`
	// Diff is how much worse this arm is than the best in their common trials, JSD the same in
	// units of DiffErr.
	Diff    float64       `json:"diff"`
	DiffErr figure.Figure `json:"diff_stderr"`
	JSD     float64       `json:"jsd"`
	Stopped bool          `json:"stopped"` // given up by StopJSD
}

// Trials returns how many trials the arm with most has.
func (j *Job) Trials() (n int) {
	for _, r := range j.Results() {
		n = max(n, r.Trials)
	}
	return n
}

// Results returns the present figures of all arms, in the order they were added.
func (j *Job) Results() []Result {
	out := make([]Result, len(j.arms))
	best := 0
	for i, a := range j.arms {
		out[i] = j.result(a)
		if out[i].Equity > out[best].Equity {
			best = i
		}
	}
	for i := range out {
		if i == best {
			out[i].DiffErr = figure.If(out[i].Trials > 1, 0)
			continue
		}
		d, e := j.difference(best, i)
		scale := j.scale()
		out[i].Diff, out[i].DiffErr = d*scale, figure.Figure(e*scale)
		if e > 0 {
			out[i].JSD = d / e
		}
	}
	return out
}

// scale is how much EMG a unit of utility is.
func (j *Job) scale() float64 {
	if j.state.Length == 0 {
		return 1
	}
	t := j.options.Search.Table()
	return (t.EMG(j.state, 1) - t.EMG(j.state, 0)) / 2
}

func (j *Job) result(a *Arm) Result {
	r := Result{Name: a.Name, Trials: a.sums.Trials, Stopped: a.sums.Stopped}
	mean := func(k int) (float64, figure.Figure) {
		if a.sums.Trials == 0 {
			return 0, figure.Unknown
		}
		m, e := a.sums.mean(k, j.settings.even())
		return m, figure.Figure(e)
	}
	for k := range r.Probs {
		r.Probs[k], r.ProbsErr[k] = mean(k)
	}
	r.Cubeless, r.CubelessErr = mean(outCubeless)
	u, ue := mean(outCubeful)
	r.Equity, r.EquityErr = u, ue
	if j.state.Length == 0 {
		return r
	}
	mwc, off := 0.0, ue/2
	if r.MWC, r.MWCErr = &mwc, &off; a.sums.Trials > 0 {
		t, scale := j.options.Search.Table(), figure.Figure(j.scale())
		mwc = (u + 1) / 2
		r.Equity, r.EquityErr = t.EMG(j.state, mwc), ue*scale
		r.Cubeless, r.CubelessErr = t.EMG(j.state, (r.Cubeless+1)/2), r.CubelessErr*scale
	}
	return r
}

// Pass is the equity of double and pass, 1 by definition of EMG.
const Pass = 1.0

// Decision weighs the two arms of AddCube, which must be the first two; ok is
// false when they are not or have no trial yet.
func (j *Job) Decision() (d cube.Decision, ok bool) {
	if len(j.arms) < 2 || !j.arms[0].noDouble || j.arms[0].sums.Trials == 0 || j.arms[1].sums.Trials == 0 {
		return d, false
	}
	mean := func(a *Arm, k int) float64 { return a.sums.Sum[k] / float64(a.sums.Trials) }
	var pr eval.Probs
	for k := range pr {
		pr[k] = float32(min(max(mean(j.arms[0], k), 0), 1))
	}
	return cube.Settle(j.options.Search.Table(), j.state, j.ladders[0], &j.arms[0].start, pr,
		mean(j.arms[0], outCubeful), mean(j.arms[1], outCubeful)), true
}

const (
	// batch is the most trials between looks at the stop rules; the looks are at fixed
	// numbers, so that they do not depend on threads.
	batch = 144
	// task is the number of trials in a piece that is played in this process.
	task = 6
)

// Run plays trials until the number of the settings, a stop rule or ctx ends it; then the
// results so far count, and ctx's error is returned. report, which may be nil, is called
// after each batch.
func (j *Job) Run(ctx context.Context, report func(done, total int)) error {
	crew := &shard.Local{Threads: j.settings.Threads, New: func() (shard.Runner, error) { return j.Runner(), nil }}
	return j.RunOn(ctx, crew, task, report)
}

// next returns the arms to play and their next trials. All arms play the same trials; one that
// was given up stays behind. If it is resumed, because the rule was relaxed, it catches up
// with the others first.
func (j *Job) next() (open []*Arm, from, to int) {
	from, to = j.settings.Trials, j.settings.Trials
	for _, a := range j.arms {
		if !a.sums.Stopped {
			from = min(from, a.sums.Trials)
		}
	}
	for _, a := range j.arms {
		switch n := a.sums.Trials; {
		case a.sums.Stopped || n >= j.settings.Trials:
		case n == from:
			open = append(open, a)
		default:
			to = min(to, n)
		}
	}
	return open, from, min(to, (from/j.look()+1)*j.look())
}

// play plays one trial and turns it to the job's player.
func (g *player) play(ctx context.Context, a *Arm, seq sequence) (sample, error) {
	g.ladders, g.turned = g.job.ladders, a.turned
	if a.turned {
		g.ladders[0], g.ladders[1] = g.ladders[1], g.ladders[0]
	}
	v, err := g.trial(ctx, a, seq)
	if a.turned {
		v = v.inverted()
	}
	return v, err
}
