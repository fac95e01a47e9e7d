package ratings

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/shard"
)

// Measurement says what Measure plays.
type Measurement struct {
	Cells []Cell
	// Interval ends the measurement when every setting's 90 % interval is within so many rating
	// points on either side of the anchor.
	Interval float64
	// MaxPairs bounds the pairs of a cell; 0 means no bound.
	MaxPairs int
	// Jobs is how many blocks are played at once; 0 is one for each processor. Results do not depend
	// on it.
	Jobs int
	// Crew plays the blocks, each a piece; nil is this process, with Jobs threads.
	Crew shard.Crew
	// Errors measures error rates as well (0-ply settings only).
	Errors bool
	// Keep is called with each block, in an order that depends on the store alone.
	Keep func(Block) error
	// Progress, unless nil, is called after each round with the widest interval, in points on either
	// side.
	Progress func(blocks int, widest float64)
}

// ErrMeasurement means an impossible measurement.
var ErrMeasurement = errors.New("no such measurement")

// perRound is how many blocks are planned at a time. It must not depend on the number of jobs, or
// results would.
const perRound = 8

func (o *Measurement) validate() error {
	switch {
	case len(o.Cells) == 0:
		return fmt.Errorf("%w: nothing to play", ErrMeasurement)
	case !(o.Interval > 0):
		return fmt.Errorf("%w: an interval of %v points", ErrMeasurement, o.Interval)
	case o.MaxPairs < 0 || o.Jobs < 0:
		return fmt.Errorf("%w: negative bounds", ErrMeasurement)
	}
	for _, c := range o.Cells {
		if err := c.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// Measure plays blocks of the cells until the intervals are narrow enough, and adds them to the
// store, which it resumes. The error is that of ctx, of Keep, or wraps ErrMeasurement, or
// ErrOtherVersion if a preset of the cells played for the store with other settings.
func Measure(ctx context.Context, eng *Engine, store *Store, o Measurement) error {
	if err := o.validate(); err != nil {
		return err
	}
	for _, c := range o.Cells {
		if err := store.redefined(c, c.Fingerprints()); err != nil {
			return err
		}
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Crew == nil {
		runner := &blockRunner{eng, measureSpec{store.Header, o.Errors}}
		o.Crew = &shard.Local{Threads: o.Jobs, New: func() (shard.Runner, error) { return runner, nil }}
	}
	for {
		due, ahead, widest, err := nextBlocks(store, &o)
		if err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(store.Len(), widest)
		}
		if len(due) == 0 {
			return nil
		}
		if err := playBlocks(ctx, store, &o, due, ahead); err != nil {
			return err
		}
	}
}

type due struct {
	cell  Cell
	index int
}

// playBlock plays one block. In cells with a setting that looks ahead luck is subtracted: beside
// a search it costs next to nothing.
func playBlock(ctx context.Context, eng *Engine, h Header, c Cell, index int, errorRates bool) (Block, error) {
	deep := c.deep()
	out := Block{Cell: c, Index: index, Pairs: h.Pairs(c), Luck: deep, Presets: c.Fingerprints()}
	s, err := newSim(eng, c.A, c.B, c.Length, simOptions{Luck: deep, Errors: errorRates && !deep, Dice: h.Dice})
	if err != nil {
		return out, err
	}
	began := time.Now()
	seed := streamSeed(h.Seed, c)
	for k := range out.Pairs {
		r, err := s.Pair(ctx, seed, uint64(index)*uint64(out.Pairs)+uint64(k))
		if err != nil {
			return out, err
		}
		out.Sum += r.Won
		out.Square += r.Won * r.Won
		if s.options.Errors {
			j := 0.5 + (r.Errors[1].Lost-r.Errors[0].Lost)/2
			out.Judged += j
			out.JudgedSquare += j * j
		}
		out.Games += r.Games
		for i := range out.Errors {
			out.Errors[i].Add(&r.Errors[i])
		}
	}
	out.CPU = math.Round(time.Since(began).Seconds()*1000) / 1000
	return out, nil
}

// streamSeed gives every cell its own dice.
func streamSeed(seed uint64, c Cell) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(c.String()))
	return h.Sum64()
}

// deepCost is how many pairs of one point at 0 plies take as long as what a preset that looks
// ahead adds to a pair of one point.
var deepCost = map[string]float64{"worldclass": 250, "supremo": 500, "champion": 1200, "grandmaster": 5000, "legend": 15000}

// cost is about the time of a pair, in any unit: the choice of blocks must not depend on the
// clock.
func (c Cell) cost() float64 {
	v := math.Pow(float64(c.Length), 0.9)
	for _, s := range [2]tune.Setting{c.A, c.B} {
		v += deepCost[s.Deep] * s.Ahead() * math.Pow(float64(c.Length), 0.7)
	}
	return v
}

// nextBlocks chooses the blocks that narrow the widest interval the most for their cost. An empty
// list means that all intervals are narrow enough or all cells full. ahead are the blocks that
// would be next if these turn out as expected, as many as the crew can use.
func nextBlocks(store *Store, o *Measurement) (list, ahead []due, widest float64, err error) {
	most := perRound + o.Crew.Ahead()
	full := func(c Cell, more int) bool {
		return o.MaxPairs > 0 && (store.played(c)+more+1)*store.Header.Pairs(c) > o.MaxPairs
	}
	taken := map[due]bool{}
	pick := func(c Cell) {
		for i := 0; ; i++ {
			d := due{c, i}
			if !taken[d] && !store.Has(c, i) {
				taken[d] = true
				list = append(list, d)
				return
			}
		}
	}
	// Two blocks of each cell first: without them there is no basis for planning.
	for _, c := range o.Cells {
		for have := store.played(c); have < 2 && len(list) < most && !full(c, have-store.played(c)); have++ {
			pick(c)
		}
	}
	if n := min(perRound, len(list)); n > 0 {
		return list[:n], list[n:], math.Inf(1), nil
	}
	totals := store.Totals()
	if len(totals) == 0 {
		return nil, nil, math.Inf(1), nil
	}
	f, err := Fit(totals, DefaultAnchor)
	if err != nil {
		return nil, nil, 0, err
	}
	g := newGain(f, totals, o.Cells)
	count := map[Cell]int{}
	for len(list) < most {
		c, width, ok := g.next(store.Header.Pairs, o.Interval/tune.Z90, func(c Cell) bool { return full(c, count[c]) })
		if len(list) == 0 {
			widest = width * tune.Z90
		}
		if !ok {
			break
		}
		count[c]++
		pick(c)
	}
	n := min(perRound, len(list))
	return list[:n], list[n:], widest, nil
}

// gain plans blocks: it keeps the covariance that the parameters will have after the blocks
// chosen so far.
type gain struct {
	cov     [][]float64
	ratings []sparse // of the wanted settings
	cells   []Cell
	terms   []sparse
	info    []float64 // of one match of the cell, per squared point
}

type sparse []term

func newGain(f *Fitted, totals []Total, cells []Cell) *gain {
	g := &gain{cells: cells}
	for i := range f.Params {
		row := make([]float64, len(f.Params))
		for j := range row {
			row[j] = f.cov.At(i, j)
		}
		g.cov = append(g.cov, row)
	}
	seen := map[string]bool{}
	vector := func(s tune.Setting, length int, sign float64) (out sparse) {
		for _, p := range paramsOf(s, length) {
			if i, ok := f.index[p.Param]; ok {
				out = append(out, term{i, sign * p.share})
			}
		}
		return out
	}
	byCell := map[Cell]int{}
	for i := range totals {
		if !totals[i].Differences { // which Measure cannot play more of
			byCell[totals[i].Cell] = i
		}
	}
	m := newModel(f, totals)
	m.reweigh(f.Loss)
	for _, c := range cells {
		for _, s := range [2]tune.Setting{c.A, c.B} {
			if key := fmt.Sprint(s, c.Length); !seen[key] {
				seen[key] = true
				if v := vector(s, c.Length, 1); len(v) > 0 {
					g.ratings = append(g.ratings, v)
				}
			}
		}
		g.terms = append(g.terms, append(vector(c.A, c.Length, -1), vector(c.B, c.Length, 1)...))
		info := 0.0
		if i, ok := byCell[c]; ok {
			p := m.share(i, f.Loss)
			info = m.slope[i] * m.slope[i] * p * (1 - p) / m.phi[i]
		}
		g.info = append(g.info, info)
	}
	return g
}

// covariance of two linear combinations of parameters.
func (g *gain) covariance(a, b sparse) (v float64) {
	for _, x := range a {
		for _, y := range b {
			v += x.sign * y.sign * g.cov[x.param][y.param]
		}
	}
	return v
}

// next chooses the cell whose next block narrows the widest rating the most for its cost. ok is
// false when the widest standard error is at most goal, or when nothing helps.
func (g *gain) next(pairs func(Cell) int, goal float64, full func(Cell) bool) (c Cell, widest float64, ok bool) {
	type wide struct {
		width  float64
		rating sparse
	}
	var over []wide
	for _, r := range g.ratings {
		v := math.Sqrt(math.Max(0, g.covariance(r, r)))
		widest = max(widest, v)
		if v > goal {
			over = append(over, wide{v, r})
		}
	}
	// If no block can narrow the widest, narrow the next widest.
	slices.SortStableFunc(over, func(a, b wide) int { return cmp.Compare(b.width, a.width) })
	best, top := -1, 0.0
	for k := 0; k < len(over) && best < 0; k++ {
		for i, t := range g.terms {
			if full(g.cells[i]) || g.info[i] == 0 {
				continue
			}
			w := g.info[i] * 2 * float64(pairs(g.cells[i]))
			cross := g.covariance(over[k].rating, t)
			value := cross * cross * w / (1 + w*g.covariance(t, t)) / (g.cells[i].cost() * float64(pairs(g.cells[i])))
			if value > top {
				best, top = i, value
			}
		}
	}
	if best < 0 {
		return c, widest, false
	}
	g.observe(g.terms[best], g.info[best]*2*float64(pairs(g.cells[best])))
	return g.cells[best], widest, true
}

// observe updates the covariance for an observation of t with information w
// (Sherman and Morrison 1950).
func (g *gain) observe(t sparse, w float64) {
	n := len(g.cov)
	ct := make([]float64, n)
	for i := range n {
		for _, x := range t {
			ct[i] += g.cov[i][x.param] * x.sign
		}
	}
	k := w / (1 + w*g.covariance(t, t))
	for i := range n {
		for j := range n {
			g.cov[i][j] -= k * ct[i] * ct[j]
		}
	}
}

// Signature is a checksum of the engine's play: the positions of a few short matches at 0 plies,
// with noise and with human-like errors, the model of human errors, and a few rankings at 2 plies.
// Results of engines with different signatures must not be mixed.
func Signature(ctx context.Context, eng *Engine) (string, error) {
	return signature(ctx, eng, human.ModelVersion())
}

// signature is Signature with the version of the model of human errors: a few matches do not show
// every coefficient.
func signature(ctx context.Context, eng *Engine, model string) (string, error) {
	h := fnv.New64a()
	fmt.Fprint(h, model)
	for _, x := range [...]tune.Setting{{Style: tune.Noise, Checker: 0.03, Cube: 0.03}, {Style: tune.Human, Checker: 0.05, Cube: 0.05}} {
		s, err := newSim(eng, tune.Expert, x, 5, simOptions{Errors: true})
		if err != nil {
			return "", err
		}
		s.trace = func(p *board.Position) { k := p.Key(); h.Write(k[:]) }
		for pair := range uint64(2) {
			r, err := s.Pair(ctx, 20240607, pair)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%v %d %.6f %.6f", r.Won, r.Games, r.Errors[1].MoveLoss, r.Errors[1].CubeLoss)
		}
	}
	if err := lookAhead(ctx, eng, h); err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// lookAhead writes worldclass's values of some plays and doubles.
func lookAhead(ctx context.Context, eng *Engine, w io.Writer) error {
	deep, err := preset.ByName("worldclass")
	if err != nil {
		return err
	}
	st := match.State{Length: 3, Cube: 1}
	p := board.Start
	for _, d := range [...]board.Dice{{A: 3, B: 1}, {A: 6, B: 4}, {A: 5, B: 5}} {
		list, err := eng.Search.Plays(ctx, p, d, st, deep.Checker)
		if err != nil {
			return err
		}
		for _, c := range list {
			fmt.Fprintf(w, "%d %.6f", c.Plies, c.Equity)
		}
		if p = list[0].Play.Result.Swap(); d.Double() {
			break
		}
		cube, err := eng.Search.Cube(ctx, p, st, deep.Cube)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%.6f %.6f", cube.NoDouble, cube.DoubleTake)
	}
	return nil
}
