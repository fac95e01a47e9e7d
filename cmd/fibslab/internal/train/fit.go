package train

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
)

// Source is one set of labelled positions and its share of the samples.
type Source struct {
	Name    string
	Records []Record
	Share   float64

	rng  *rand.Rand
	next int
}

// Fit is one run of mini-batch training.
type Fit struct {
	Shape   Shape   `json:"shape"`
	Batch   int     `json:"batch"`
	Rate    float64 `json:"rate"`     // peak learning rate
	EndRate float64 `json:"end_rate"` // at the end of the cosine
	WarmUp  int     `json:"warm_up"`  // samples with a rising rate
	Samples int     `json:"samples"`  // length of the run
	Threads int     `json:"threads"`
	Seed    uint64  `json:"seed"`
	// Sync is how many batches each thread takes before the threads' weights are averaged.
	Sync int `json:"sync"`
	// Last fits the output layer alone: a few labels without bias move the level of the values and
	// leave what tells positions apart as it is.
	Last bool `json:"last,omitempty"`

	Sources []*Source `json:"-"`
	// Report is called every ReportEvery samples with the averaged weights.
	Report      func(f *Fit, done int, trainLoss float64, perSecond float64, avg Params) error `json:"-"`
	ReportEvery int                                                                            `json:"-"`
	// Progress, unless nil, is called with the number of samples done.
	Progress func(done int) `json:"-"`
	// Checkpoint, unless empty, is the file in which the run is saved every CheckEvery.
	Checkpoint string        `json:"-"`
	CheckEvery time.Duration `json:"-"`

	state fitState
}

// fitState is the content of a checkpoint.
type fitState struct {
	Shape   Shape
	Weights []float32
	Average []float32
	Mean    []float32
	Square  []float32
	Steps   int
	Done    int
}

// ErrBadCheckpoint means a checkpoint that cannot be used.
var ErrBadCheckpoint = errors.New("bad checkpoint")

// errDiverged ends a run whose weights are no longer numbers.
var errDiverged = errors.New("the loss is not a number")

// loadParams reads the averaged weights of a checkpoint.
func loadParams(path string) (Shape, Params, error) {
	st, err := loadState(path)
	if err != nil {
		return Shape{}, Params{}, err
	}
	p := newParams(st.Shape)
	copy(p.All, st.Average)
	return st.Shape, p, nil
}

func loadState(path string) (fitState, error) {
	var st fitState
	f, err := os.Open(path)
	if err != nil {
		return st, fmt.Errorf("checkpoint: %w", err)
	}
	defer f.Close()
	if err := gob.NewDecoder(io.LimitReader(f, 1<<30)).Decode(&st); err != nil {
		return st, fmt.Errorf("%w %s: %w", ErrBadCheckpoint, path, err)
	}
	if err := st.Shape.Validate(); err != nil {
		return st, fmt.Errorf("%w %s: %w", ErrBadCheckpoint, path, err)
	}
	n := len(newParams(st.Shape).All)
	for _, v := range [][]float32{st.Weights, st.Average, st.Mean, st.Square} {
		if len(v) != n {
			return st, fmt.Errorf("%w %s: %d weights, want %d", ErrBadCheckpoint, path, len(v), n)
		}
		for _, x := range v {
			if x != x || math.IsInf(float64(x), 0) {
				return st, fmt.Errorf("%w %s: a weight is not a number", ErrBadCheckpoint, path)
			}
		}
	}
	return st, nil
}

func (st *fitState) save(path string) error {
	return atomicfile.Write(path, 0o644, func(f *os.File) error {
		return gob.NewEncoder(f).Encode(st)
	})
}

// StartFrom begins with the averaged weights of another run of the same shape instead of random
// ones.
func (f *Fit) StartFrom(shape Shape, p Params) error {
	if shape != f.Shape {
		return fmt.Errorf("start weights have shape %+v, want %+v", shape, f.Shape)
	}
	f.state.Weights = append([]float32(nil), p.All...)
	return nil
}

// rate is the learning rate after done samples: a rise, then half a cosine.
func (f *Fit) rate(done int) float64 {
	if done < f.WarmUp {
		return f.Rate * (0.05 + 0.95*float64(done)/float64(f.WarmUp))
	}
	x := float64(done-f.WarmUp) / float64(max(f.Samples-f.WarmUp, 1))
	return f.EndRate + (f.Rate-f.EndRate)*(1+math.Cos(math.Pi*min(x, 1)))/2
}

// Run trains until Samples are seen or ctx ends, and returns the averaged weights. It
// resumes a Checkpoint that exists. The same seed, sources and threads give the same
// weights, in one run and in several.
func (f *Fit) Run(ctx context.Context) (Params, error) {
	if err := f.start(); err != nil {
		return Params{}, err
	}
	total, err := f.shares()
	if err != nil {
		return Params{}, err
	}
	st := &f.state
	p := newParams(f.Shape)
	team := make([]*trainee, f.Threads)
	for i := range team {
		team[i] = f.newTrainee(st)
	}
	pick := rand.New(rand.NewPCG(f.Seed, 5))
	f.skip(ctx, team, pick, total)
	tell := reporting{begin: time.Now(), beganAt: st.Done, next: st.Done/max(f.ReportEvery, 1) + 1}
	lastSave := time.Now()
	for st.Done < f.Samples && ctx.Err() == nil {
		f.lap(team, pick, total)
		for _, t := range team {
			tell.loss += t.loss
			tell.n += len(t.work)
		}
		if tell.loss != tell.loss { // the checkpoint keeps the last good weights
			return Params{}, fmt.Errorf("%w at %d samples (lower the learning rate)", errDiverged, st.Done)
		}
		if f.Progress != nil {
			f.Progress(min(st.Done, f.Samples))
		}
		if err := tell.due(f, p); err != nil {
			return Params{}, err
		}
		if f.Checkpoint != "" && time.Since(lastSave) >= f.CheckEvery {
			if err := st.save(f.Checkpoint); err != nil {
				return Params{}, err
			}
			lastSave = time.Now()
		}
	}
	if f.Checkpoint != "" {
		if err := st.save(f.Checkpoint); err != nil {
			return Params{}, err
		}
	}
	copy(p.All, st.Average)
	return p, ctx.Err()
}

// start checks the settings and makes the state: from the checkpoint, from StartFrom, or at
// random.
func (f *Fit) start() error {
	if err := f.Shape.Validate(); err != nil {
		return err
	}
	f.Threads, f.Sync, f.Batch = max(f.Threads, 1), max(f.Sync, 1), max(f.Batch, 1)
	if f.Checkpoint != "" {
		st, err := loadState(f.Checkpoint)
		if err == nil && st.Shape != f.Shape {
			return fmt.Errorf("%w %s: another shape", ErrBadCheckpoint, f.Checkpoint)
		}
		if err == nil {
			f.state = st
		} else if !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	st := &f.state
	if st.Weights == nil {
		p := newParams(f.Shape)
		p.Randomise(f.Shape, rand.New(rand.NewPCG(f.Seed, 1)))
		st.Weights = p.All
	}
	st.Shape = f.Shape
	if st.Mean == nil {
		n := len(st.Weights)
		st.Mean, st.Square = make([]float32, n), make([]float32, n)
		st.Average = append([]float32(nil), st.Weights...)
	}
	return nil
}

// shares prepares the sources for drawing and returns the sum of their shares.
func (f *Fit) shares() (total float64, err error) {
	for i, s := range f.Sources {
		if len(s.Records) == 0 {
			return 0, fmt.Errorf("source %s has no records", s.Name)
		}
		s.rng = rand.New(rand.NewPCG(f.Seed, uint64(i)+77))
		s.next = 0
		total += s.Share
	}
	if total <= 0 {
		return 0, errors.New("no source has a share above 0")
	}
	return total, nil
}

// perLap is how many samples all threads together take between two averagings.
func (f *Fit) perLap() int { return f.Batch * f.Sync * f.Threads }

// skip draws and drops the samples that the run drew before its checkpoint: their order is
// that of the sources' shuffles, which no checkpoint could hold. It takes less than a tenth
// of the time of learning from them.
func (f *Fit) skip(ctx context.Context, team []*trainee, pick *rand.Rand, total float64) {
	if f.state.Done >= f.Samples {
		return // nothing will be drawn
	}
	for done := 0; done < f.state.Done && ctx.Err() == nil; done += f.perLap() {
		for _, t := range team {
			f.fill(t.work, pick, total)
		}
	}
}

// lap gives every thread its batches, waits for them, and averages their weights.
func (f *Fit) lap(team []*trainee, pick *rand.Rand, total float64) {
	st := &f.state
	for _, t := range team {
		f.fill(t.work, pick, total)
	}
	rate := f.rate(st.Done)
	var wg sync.WaitGroup
	for _, t := range team {
		wg.Go(func() { t.round(f, st, rate) })
	}
	wg.Wait()
	f.merge(team, st)
	st.Done += f.perLap()
}

// reporting collects the arguments of Fit.Report.
type reporting struct {
	begin   time.Time
	beganAt int // samples
	next    int // report, counted from 1
	loss    float64
	n       int // samples that loss is the sum of
}

// due calls f.Report when it is time; avg is space for the averaged weights.
func (r *reporting) due(f *Fit, avg Params) error {
	done := f.state.Done
	if f.Report == nil || f.ReportEvery <= 0 || done/f.ReportEvery < r.next && done < f.Samples {
		return nil
	}
	r.next = done/f.ReportEvery + 1
	copy(avg.All, f.state.Average)
	rate := float64(done-r.beganAt) / time.Since(r.begin).Seconds()
	loss := r.loss / float64(r.n)
	r.loss, r.n = 0, 0
	return f.Report(f, done, loss, rate, avg)
}

// trainee is one thread's copy of the net.
type trainee struct {
	w    *worker
	opt  *optimiser
	work []Record
	loss float64
}

func (f *Fit) newTrainee(st *fitState) *trainee {
	t := &trainee{w: newWorker(f.Shape), opt: newOptimiser(len(st.Weights)), work: make([]Record, f.Batch*f.Sync)}
	t.w.p, t.w.g = newParams(f.Shape), newParams(f.Shape)
	return t
}

// round takes the thread's share of batches from the common weights.
func (t *trainee) round(f *Fit, st *fitState, rate float64) {
	copy(t.w.p.All, st.Weights)
	t.w.midTFresh = false
	copy(t.opt.mean, st.Mean)
	copy(t.opt.square, st.Square)
	t.opt.step = st.Steps
	t.loss = 0
	for at := 0; at < len(t.work); at += f.Batch {
		batch := t.work[at : at+f.Batch]
		for len(batch) > 0 {
			part := batch[:min(tile, len(batch))]
			batch = batch[len(part):]
			for i := range part {
				p := part[i].Position()
				t.w.encode(i, &p)
			}
			t.loss += t.w.learn(part)
		}
		if f.Last {
			clear(t.w.g.All[:len(t.w.g.All)-len(t.w.g.Out)-len(t.w.g.OutB)])
		}
		t.opt.apply(t.w.p.All, t.w.g.All, rate, f.Batch)
		t.w.midTFresh = false
	}
}

// merge averages the threads' weights into the state and moves the running average. The
// average forgets slower as the run proceeds, so that the first weights do not stay in it.
func (f *Fit) merge(team []*trainee, st *fitState) {
	st.Steps = team[0].opt.step
	k := 1 / float32(len(team))
	span := max(float64(f.Samples)*0.03, 1) // samples the average looks back
	span = min(span, max(float64(st.Done)*0.1, 1))
	keep := float32(math.Exp(-float64(f.Batch*f.Sync*len(team)) / span))
	for i := range st.Weights {
		var w, m, s float32
		for _, t := range team {
			w += t.w.p.All[i]
			m += t.opt.mean[i]
			s += t.opt.square[i]
		}
		st.Weights[i], st.Mean[i], st.Square[i] = w*k, m*k, s*k
		st.Average[i] = keep*st.Average[i] + (1-keep)*st.Weights[i]
	}
}

// draw returns the next record, shuffling at the end of each pass.
func (s *Source) draw() *Record {
	if s.next == len(s.Records) {
		s.next = 0
	}
	if s.next == 0 {
		s.rng.Shuffle(len(s.Records), func(i, j int) {
			s.Records[i], s.Records[j] = s.Records[j], s.Records[i]
		})
	}
	s.next++
	return &s.Records[s.next-1]
}

// fill draws the samples of a round from the sources by their shares.
func (f *Fit) fill(work []Record, pick *rand.Rand, total float64) {
	for i := range work {
		x := pick.Float64() * total
		k := 0
		for k < len(f.Sources)-1 && x >= f.Sources[k].Share {
			x -= f.Sources[k].Share
			k++
		}
		work[i] = *f.Sources[k].draw()
	}
}

// Keep returns the records of the net's kind: races for a race net, contact for
// a contact net. Finished games are dropped.
func (k Kind) Keep(recs []Record) []Record {
	return filter(recs, func(p *board.Position) bool { return p.Result() == 0 && p.Contact() == (k == KindContact) })
}

// ClassOf returns the class, as in nn.Classes, of the net that judges a position where every
// plan has a net; "" when the game is over.
func ClassOf(p *board.Position) string {
	switch eval.ClassOf(p) {
	case eval.Over:
		return ""
	case eval.Contact:
		return nn.ClassOfPlan(nn.PlanOf(p))
	case eval.Crashed:
		if eval.CrashedTheirs(p) {
			return nn.ClassCrashedTheirs
		}
		return nn.ClassCrashed
	}
	return nn.ClassRace
}

// KeepClass returns the records whose positions the net of a class judges: contact means all
// of contact that are not crashed, others are as in nn.Classes.
func KeepClass(recs []Record, class string) ([]Record, error) {
	switch {
	case class == nn.ClassContact:
		return filter(recs, func(p *board.Position) bool { return eval.ClassOf(p) == eval.Contact }), nil
	case class == nn.ClassRace || !slices.Contains(nn.Classes(), class):
		return nil, fmt.Errorf("unknown class of contact nets %q", class)
	}
	return filter(recs, func(p *board.Position) bool { return ClassOf(p) == class }), nil
}

// filter keeps, in place, the records for whose positions keep returns true.
func filter(recs []Record, keep func(p *board.Position) bool) []Record {
	return slices.DeleteFunc(recs, func(r Record) bool {
		p := r.Position()
		return !keep(&p)
	})
}
