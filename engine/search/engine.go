package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/internal/panics"
)

// DefaultCacheBytes is the size of the cache when Options leave it open.
const DefaultCacheBytes = 32 << 20

// Options are what an Engine is made of.
type Options struct {
	// NewEvaluator makes an evaluator for one goroutine. It must be safe for
	// concurrent use.
	NewEvaluator func() Evaluator
	// Exact knows exact equities with the cube; may be nil.
	Exact ExactSource
	// Table is the match equity table, match.DefaultTable when nil.
	Table *match.Table
	// Efficiency is the cube efficiency by class, cube.UsualEfficiency when nil.
	Efficiency *cube.Efficiency
	// CacheBytes bounds the cache: 0 is DefaultCacheBytes, negative none.
	CacheBytes int
	// Threads is how many goroutines one decision may use; 0 is one per CPU.
	Threads int
	// Rules are those of the game; the evaluator and Exact must know it.
	Rules board.Rules
}

// Engine makes decisions. It is safe for concurrent use; each call uses up to
// Threads goroutines and none is left running when the call returns.
type Engine struct {
	newEvaluator func() Evaluator
	exact        ExactSource
	rules        board.Rules
	table        *match.Table
	efficiency   cube.Efficiency
	// learned: the net of cube efficiencies refines the usual ones.
	learned     bool
	cache       *cache
	threads     atomic.Int32
	nodes, hits atomic.Uint64

	// last is what the last state was worth: most decisions have the state of the one before.
	last atomic.Pointer[worth]

	mu   sync.Mutex
	idle []*worker
	// endgames are exact bearoffs by the score, seen from either player; some scores
	// are kept.
	endgames map[cube.Ladder]*cube.Endgame
}

const (
	// endgameLimit bounds the bearoffs, in pairs of boards, that a search from outside
	// works out at a score, each when it meets it.
	endgameLimit = 8000
	// staticLimit bounds those that are worked out at 0 plies before the search: 10 to 75 ms
	// for the largest, once.
	staticLimit = 200_000
	maxEndgames = 16
)

// endgame returns the exact bearoffs at l's score, or nil if there are no such bearoffs. other
// reports whether l is the ladder of the player that the bearoffs call the other one.
func (e *Engine) endgame(l *cube.Ladder) (known *cube.Endgame, other bool) {
	if e.exact == nil || e.rules.Checkers != 0 {
		return nil, false // without gammons
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if known := e.endgames[*l]; known != nil {
		return known, false
	}
	if known := e.endgames[*l.Swap()]; known != nil {
		return known, true
	}
	if known = cube.NewEndgame(l, endgameLimit); known == nil {
		return nil, false
	}
	if len(e.endgames) >= maxEndgames || e.endgames == nil {
		e.endgames = map[cube.Ladder]*cube.Endgame{}
	}
	e.endgames[*l] = known
	return known, false
}

// bearoffs is what a search knows of bearoffs at the score of its root, exactly. other:
// the player on roll is the one whom known calls so.
type bearoffs struct {
	known cube.Known
	other bool
}

// swap is b with the other player on roll.
func (b bearoffs) swap() bearoffs { return bearoffs{b.known, !b.other} }

// bearoffs returns the exact bearoffs that a search from p may use, the player of l being on
// roll in state st. They are all that p can lead to if p is a bearoff of at most six checkers a
// side, at 0 plies one within staticLimit.
func (j *job) bearoffs(p *board.Position, l *cube.Ladder, st *match.State, s *Settings, plies int, cubeful bool) bearoffs {
	if st.Length == 0 || !cubeful || s.Efficiency != nil || s.Noise > 0 {
		return bearoffs{}
	}
	endgame, other := j.engine.endgame(l)
	limit := cube.AllPairs
	if plies == 0 {
		limit = staticLimit
	}
	return bearoffs{endgame.Prepare(j.ctx, p, other, limit), other}
}

// worth is what a state of the match is worth to the player on roll and to the other one. Searches
// share it: ladders and standings do not change once they are made.
type worth struct {
	state        match.State
	mover, other *cube.Ladder
	standings    [2]atomic.Pointer[standing] // cubeless, cubeful
}

// standing is what all rankings of plays in a state of the match share.
type standing struct {
	spots []cube.Spot // of the opponent's node after a play
	top   link        // from the spots to the mover's utility
	plain [6]float64  // what the chances are worth to the mover without a cube
	reply [6]float32  // the cubeless values by which the mover chooses plays
	// static is the plan at 0 plies without noise, a fixed efficiency or exact bearoffs.
	static *plan
}

// worth returns what st is worth.
func (e *Engine) worth(st match.State) (*worth, error) {
	if l := e.last.Load(); l != nil && l.state == st {
		return l, nil
	}
	mover, err := cube.NewLadder(e.table, st)
	if err != nil {
		return nil, err
	}
	l := &worth{state: st, mover: mover, other: mover.Swap()}
	e.last.Store(l)
	return l, nil
}

// ladders returns the ladder of st and the opponent's view of it.
func (e *Engine) ladders(st match.State) (mover, other *cube.Ladder, err error) {
	l, err := e.worth(st)
	if err != nil {
		return nil, nil, err
	}
	return l.mover, l.other, nil
}

// standing returns what rankings at l share.
func (e *Engine) standing(l *worth, cubeful bool) *standing {
	place := &l.standings[0]
	if cubeful {
		place = &l.standings[1]
	}
	if s := place.Load(); s != nil {
		return s
	}
	s := &standing{plain: l.mover.PlainWeights(), top: link{roll: 0, double: -1}}
	s.reply = replyWeights(l.mover, []cube.Spot{{Owner: l.state.Owner}}, cubeful)
	after := cube.Spot{Owner: l.state.Owner}.Swap()
	s.spots = []cube.Spot{after}
	if cubeful && l.other.MayDouble(after) {
		s.spots = append(s.spots, cube.Spot{Rung: 1, Owner: match.Theirs})
		s.top.double = 1
		s.top.passes(l.other, after)
	}
	q := question{mover: l.other, other: l.mover, spots: s.spots, settings: &Settings{}, cubeful: cubeful, money: l.state.Length == 0}
	s.static = e.newPlan(q, 0)
	place.Store(s)
	return s
}

var errNoEvaluator = errors.New("search engine without an evaluator")

// New makes an engine; it fails only when there is no evaluator.
func New(o Options) (*Engine, error) {
	if o.NewEvaluator == nil {
		return nil, errNoEvaluator
	}
	e := &Engine{newEvaluator: o.NewEvaluator, exact: o.Exact, rules: o.Rules, table: o.Table, efficiency: cube.UsualEfficiency}
	e.learned = o.Efficiency == nil && o.Rules.Checkers == 0 // the net knows games of 15 checkers
	if e.table == nil {
		e.table = match.DefaultTable()
	}
	if o.Efficiency != nil {
		e.efficiency = *o.Efficiency
	}
	switch {
	case o.CacheBytes == 0:
		e.cache = newCache(DefaultCacheBytes)
	case o.CacheBytes > 0:
		e.cache = newCache(o.CacheBytes)
	}
	e.SetThreads(o.Threads)
	return e, nil
}

// SetThreads changes how many goroutines later decisions may use; 0 is one per
// CPU. Results do not depend on it.
func (e *Engine) SetThreads(n int) {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	e.threads.Store(int32(n))
}

// Threads returns how many goroutines a decision may use.
func (e *Engine) Threads() int { return int(e.threads.Load()) }

// Rules returns those of the game that it plays.
func (e *Engine) Rules() board.Rules { return e.rules }

// Table returns the match equity table that decisions use.
func (e *Engine) Table() *match.Table { return e.table }

// borrow takes a worker from the idle ones or makes one.
func (e *Engine) borrow(ctx context.Context, p *plan) *worker {
	e.mu.Lock()
	var w *worker
	if n := len(e.idle); n > 0 {
		w, e.idle = e.idle[n-1], e.idle[:n-1]
	}
	e.mu.Unlock()
	if w == nil {
		w = &worker{engine: e, ev: e.newEvaluator(), small: NewRanker(smallNet())}
	}
	w.plan, w.ctx = p, ctx
	return w
}

func (e *Engine) giveBack(w *worker) {
	w.plan, w.ctx = nil, nil
	e.mu.Lock()
	e.idle = append(e.idle, w)
	e.mu.Unlock()
}

// check refuses what no search can answer.
func (e *Engine) check(p *board.Position, st *match.State, s *Settings) error {
	if e == nil || e.newEvaluator == nil {
		return errNoEvaluator
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if err := st.Validate(); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if n := e.rules.Each(); p.Me.Count() > n || p.Opp.Count() > n {
		return fmt.Errorf("%w: more than %d checkers a side", board.ErrIllegalPosition, n)
	}
	return nil
}

// job is one decision being made, and what ends it early.
type job struct {
	engine *Engine
	ctx    context.Context // ends at the budget or when the caller's does
	caller context.Context
	cancel context.CancelFunc // of the budget; nil without one
}

// begin starts a job under the caller's context and the settings' budget.
func (e *Engine) begin(ctx context.Context, s *Settings) job {
	j := job{engine: e, caller: ctx, ctx: ctx}
	if s.Budget > 0 {
		j.ctx, j.cancel = context.WithTimeout(ctx, s.Budget)
	}
	return j
}

func (j *job) end() {
	if j.cancel != nil {
		j.cancel()
	}
}

// failed wraps the caller's own cancellation; running out of budget is no
// failure.
func (j *job) failed() error {
	if err := j.caller.Err(); err != nil {
		return fmt.Errorf("search stopped: %w", err)
	}
	return nil
}

// nodes values positions, all with depth plies to go under plan p, into out. It
// reports whether it finished; when it did not, out is meaningless.
func (j *job) nodes(p *plan, depth int, positions []board.Position, out []value) bool {
	threads := j.engine.Threads()
	if depth < 1 || threads == 1 || (depth == 1 && len(positions) == 1) {
		w := j.engine.borrow(j.ctx, p)
		defer j.engine.giveBack(w)
		for i := range positions {
			if !w.node(&positions[i], depth, &out[i]) {
				return false
			}
		}
		return true
	}
	if depth == 1 {
		return j.parallel(p, len(positions), func(w *worker, i int) bool {
			return w.node(&positions[i], depth, &out[i])
		})
	}
	return j.split(p, depth, positions, out)
}

// split shares the rolls of all positions out among the workers and adds them up
// in a fixed order, just as a single worker would.
func (j *job) split(p *plan, depth int, positions []board.Position, out []value) bool {
	y := &p.layers[depth]
	rolls := len(p.rolls)
	open := make([]int, 0, len(positions))
	probe := j.engine.borrow(j.ctx, p)
	for i := range positions {
		a, b := hashPosition(&positions[i])
		if !probe.known(&positions[i], depth, &out[i]) && !j.engine.remembered(mix(a, y.context, 0), b, &out[i]) {
			open = append(open, i)
		}
	}
	j.engine.giveBack(probe)
	parts := make([]value, len(open)*rolls)
	if !j.parallel(p, len(parts), func(w *worker, i int) bool {
		w.danced[depth].known = false // the worker comes from another position
		return w.roll(&positions[open[i/rolls]], depth, i%rolls, &parts[i])
	}) {
		return false
	}
	for k, i := range open {
		var sum accumulator
		for r := range rolls {
			sum.add(&parts[k*rolls+r], p.rolls[r].weight, len(y.spots))
		}
		sum.finish(&out[i], len(y.spots))
		a, b := hashPosition(&positions[i])
		j.engine.remember(mix(a, y.context, 0), b, &out[i])
	}
	return true
}

// parallel runs do for 0..n-1 on the engine's threads, the calling goroutine being one of
// them. It reports whether every call did. A panic in any of them is raised again in the
// calling goroutine, where the caller can recover it.
func (j *job) parallel(p *plan, n int, do func(w *worker, i int) bool) bool {
	var next atomic.Int64
	var stopped atomic.Bool
	var fault atomic.Pointer[panics.Fault]
	loop := func() {
		w := j.engine.borrow(j.ctx, p)
		defer func() {
			if p := recover(); p != nil {
				fault.CompareAndSwap(nil, panics.Of(p))
				stopped.Store(true)
				return // the worker may be in any state
			}
			j.engine.giveBack(w)
		}()
		for !stopped.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if !do(w, i) {
				stopped.Store(true)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(j.engine.Threads(), n) - 1 {
		wg.Go(loop)
	}
	loop()
	wg.Wait()
	if f := fault.Load(); f != nil {
		panic(f)
	}
	return !stopped.Load()
}
