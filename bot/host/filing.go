package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/revise"
	"fibsbot/bot/internal/changes"
	"fibsbot/bot/notify"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine/analyse"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/panics"
	"fibsbot/internal/sanitize"
)

// Bounds of the background work.
const (
	filingQueue   = 1024
	analysisQueue = 256
	// oldest is the age up to which a restart analyses matches without an analysis.
	oldest = 7 * 24 * time.Hour
	// closing is how long the end of the process waits for rows to be written.
	closing = 15 * time.Second
)

// job is a finished match to be indexed and analysed.
type job struct {
	files []string      // as filed by the account
	match *record.Match // their content; nil if it must be read
	meta  index.Meta
	seat  *seat // may be nil
	them  string
	told  bool // a failure to file it was logged
	apart bool // its match has not ended: the opponent gets no message
	// ended is the match for the report to the operator, nil once reported.
	ended *sheet.Sheet
}

// filing writes the index and the analyses in the background.
type filing struct {
	h    *Host
	db   *index.Keeper
	jobs chan job
	todo chan job // to be analysed
	once sync.Once

	late []job // not filed yet; owned by run's goroutine

	counting sync.Mutex                // one count of the dice at a time
	counted  atomic.Pointer[time.Time] // when the last one began
}

func newFiling(h *Host, db *index.Keeper) *filing {
	return &filing{h: h, db: db, jobs: make(chan job, filingQueue), todo: make(chan job, analysisQueue)}
}

// add hands a match over. It blocks only if filingQueue matches wait already.
func (f *filing) add(j job) { f.jobs <- j }

// close ends run once all matches handed over are filed.
func (f *filing) close() { f.once.Do(func() { close(f.jobs) }) }

// run files matches until close. Analyses stop then or when ctx ends, and the next start
// resumes them. A host that ends because its matches are played may not start again, so it
// first finishes the analyses of its own matches.
func (f *filing) run(ctx context.Context) {
	work, stop := context.WithCancel(ctx)
	defer stop()
	last := make(chan struct{}) // closed when no more jobs come
	idle := make(chan struct{}) // closed by the analyst when it has finished
	go f.keepViews(work)
	go func() {
		defer close(idle)
		_ = f.catchUp(work)
		f.lateRatings(work)
		f.countDice(work)
		again := time.NewTicker(f.h.fileAgain)
		defer again.Stop()
		for _, s := range f.h.seats {
			f.readView(work, s)
		}
		for {
			select {
			case <-work.Done():
				return
			case j := <-f.todo:
				f.h.opt.Metrics.Backlog.Set(float64(len(f.todo) + 1))
				f.judge(work, j)
				f.h.opt.Metrics.Backlog.Set(float64(len(f.todo)))
			case <-again.C:
				f.recover(work)
				f.lateRatings(work)
			case <-last:
				f.rest(work)
				return
			}
		}
	}()
	again := time.NewTicker(f.h.fileAgain)
	defer again.Stop()
	for open := true; open; {
		var j job
		select {
		case j, open = <-f.jobs:
			if !open {
				continue
			}
			f.fileOrKeep(ctx, work, j)
		case <-again.C:
			late := f.late
			f.late = nil
			for _, j := range late {
				f.fileOrKeep(ctx, work, j)
			}
		}
	}
	for _, j := range f.late {
		f.fileOrKeep(ctx, work, j) // the last chance of this run
	}
	close(last)
	if f.h.opt.MaxMatches > 0 {
		f.await(ctx, idle)
	}
	stop()
	<-idle
}

// catchUpEvery is how often filing and indexing are tried again after a failure.
const catchUpEvery = 20 * time.Second

// fileOrKeep files a match and queues its analysis. A match that cannot be filed is kept for
// another try.
func (f *filing) fileOrKeep(ctx, work context.Context, j job) {
	// A finished match is filed even while the process is ending.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	if err := guarded(func() error { return f.file(end, &j) }); err != nil {
		f.h.opt.Metrics.ArchiveFails.Inc()
		if !j.told {
			j.told = true
			f.log(err).Error("match not completely filed: trying again")
			f.h.notes.Add(notify.Event{Kind: notify.ArchiveFailed, Opponent: j.them, Data: map[string]any{"files": j.files},
				Text: "A match could not be filed completely; the bot tries again: " + sanitize.Text(err.Error())})
		}
		if len(f.late) < filingQueue {
			f.late = append(f.late, j)
		}
		return
	}
	if j.told {
		f.h.opt.Log.WithField("files", j.files).Info("match filed late")
	}
	if j.seat != nil {
		f.readView(work, j.seat)
	}
	if f.diceAreOld() {
		f.countDice(work)
	}
	f.queue(j)
}

// recover updates the index, and everything counted from it, after the index has failed.
func (f *filing) recover(ctx context.Context) {
	if !f.db.Behind() || f.catchUp(ctx) != nil {
		return
	}
	f.db.CaughtUp()
	f.countDice(ctx)
	for _, s := range f.h.seats {
		f.readView(ctx, s)
		s.order(func(*table.Table, time.Time) table.Due {
			if err := s.history.load(ctx, f.db, s.name, s.server); err != nil {
				s.log.WithError(err).Warn("index not read: earlier matches with opponents are not known for now")
			}
			return table.Due{}
		})
	}
	f.h.opt.Log.Info("index caught up with the archive")
}

// lateRatings calls lateRating for every account.
func (f *filing) lateRatings(ctx context.Context) {
	for _, s := range f.h.seats {
		if err := guarded(func() error { return f.lateRating(ctx, s) }); err != nil && ctx.Err() == nil {
			f.log(err).WithField("account", s.name).Warn("rating after the last match not saved")
		}
	}
}

// diceAge is the age at which the count of the dice is renewed when a match is filed:
// counting reads every row of the index.
const diceAge = 10 * time.Minute

func (f *filing) diceAreOld() bool {
	at := f.counted.Load()
	return at != nil && time.Since(*at) >= diceAge
}

// countDice counts the dice of each account's matches, for players who ask for them.
func (f *filing) countDice(ctx context.Context) {
	now := time.Now()
	f.counted.Store(&now)
	f.counting.Lock()
	defer f.counting.Unlock()
	for _, s := range f.h.seats {
		var sum index.DiceSum
		err := f.db.Use(ctx, func(d *index.DB) (err error) {
			sum, err = d.DiceCount(ctx, index.Filter{Account: s.name, Server: s.server})
			return err
		})
		if err != nil {
			if ctx.Err() == nil {
				f.h.opt.Log.WithError(err).Warn("dice of a match not counted")
			}
			return
		}
		s.filed.dice.Store(&sum)
	}
}

// reportWithoutAnalysis reports the end of a match without an analysis.
func (f *filing) reportWithoutAnalysis(j *job) {
	if j.seat != nil {
		j.seat.reportMatch(j, nil)
	}
}

// judge analyses a match and logs failures.
func (f *filing) judge(ctx context.Context, j job) {
	err := guarded(func() error { return f.analyse(ctx, &j) })
	f.reportWithoutAnalysis(&j) // unless it was reported with its analysis
	if err != nil && ctx.Err() == nil {
		f.h.opt.Metrics.ArchiveFails.Inc()
		f.log(err).WithField("files", j.files).Error("match not analysed")
	}
}

// guarded turns a panic of do into an error: background work must not end an account.
func guarded(do func() error) (err error) {
	defer panics.Recover(&err)
	return do()
}

// log returns the log with an error and, for a panic, its stack.
func (f *filing) log(err error) logrus.FieldLogger {
	log := f.h.opt.Log.WithError(err)
	var fault *panics.Fault
	if errors.As(err, &fault) {
		log = log.WithField("stack", string(fault.Stack))
	}
	return log
}

// rest analyses the waiting matches of this process; those of earlier ones can wait for the
// next start.
func (f *filing) rest(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case j := <-f.todo:
			if j.seat != nil {
				f.judge(ctx, j)
			}
		default:
			return
		}
	}
}

// await waits for the analyst until operations.drain_limit is over or the process must leave.
func (f *filing) await(ctx context.Context, idle <-chan struct{}) {
	limit := time.NewTimer(f.h.opt.Config().Operations.DrainLimit.Std())
	defer limit.Stop()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-f.h.drained:
	case <-limit.C:
		f.h.opt.Log.Warn("operations.drain_limit reached: some matches are not analysed")
	}
}

// queue adds a match to the analyst's queue, unless the queue is full.
func (f *filing) queue(j job) {
	if len(j.files) == 0 || f.h.opt.Config().Archive.Analyse == "off" {
		f.reportWithoutAnalysis(&j)
		return
	}
	select {
	case f.todo <- j:
	default:
		f.reportWithoutAnalysis(&j)
		f.h.opt.Log.WithField("file", j.files[0]).Warn("analysis queue full: match not analysed (use `fibsbot archive analyse`)")
	}
}

// analyse analyses a match, writes the result to its .sgf and the index, and informs the
// account.
func (f *filing) analyse(ctx context.Context, j *job) error {
	c := f.h.opt.Config()
	name := "expert"
	if c.Archive.Analyse == "full" {
		name = "worldclass"
	}
	p, err := preset.ByName(name)
	if err != nil {
		return err
	}
	path := j.files[0]
	if err := j.read(path); err != nil {
		return err
	}
	m := j.match
	file, err := revise.Written(path, m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	judge := analyse.New(f.h.opt.Engine.RolloutOptions(), p)
	judge.Workers, judge.Weaker, judge.Progress = 1, c.Archive.Analyse == "fast", func(int, int) { f.giveWay(ctx) }
	sum, err := judge.Analyse(ctx, m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err = f.change(ctx, func(log *changes.Change) error {
		log.Rows(f.named(path))
		_, err := file.StoreBy(m, revise.Judge(m), func(perm fs.FileMode, data []byte) error { return log.WriteBytes(f.named(path), perm, data) })
		return err
	}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if j.seat != nil {
		// Player 0 of our files is the opponent, player 1 the account.
		var rates [2]figure.Figure // unknown for a player who had nothing to decide or is not judged
		var luck [2]string
		for k, name := range [2]string{"us", "them"} {
			s := &sum.Players[1-k]
			rates[k], luck[k] = figure.Figure(1000*s.Rates().PerDecision), figure.Text("%+.2f", s.Luck.EMG)
			if rates[k].Known() {
				f.h.opt.Metrics.ErrorRate.WithLabelValues(j.seat.label, name).Observe(float64(rates[k]))
				f.h.opt.Metrics.Luck.WithLabelValues(j.seat.label, name).Observe(s.Luck.EMG)
			}
		}
		j.seat.reportMatch(j, rates[:])
		switch us, them := pr(rates[0]), pr(rates[1]); {
		case j.apart || !rates[1].Known():
		case !rates[0].Known():
			j.seat.analysed(j.them, c.T("Your PR: {0} (the lower, the fewer errors). Luck: you {1}, I {2}.", them, luck[1], luck[0]))
		default:
			j.seat.analysed(j.them, c.T("PR: you {0}, I {1} (the lower, the fewer errors). Luck: you {2}, I {3}.", them, us, luck[1], luck[0]))
		}
	}
	return nil
}

// giveWay waits while accounts think: a player must not wait for an analysis.
func (f *filing) giveWay(ctx context.Context) {
	for f.h.thinking.Load() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}
