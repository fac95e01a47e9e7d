package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/notify"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/crash"
	"fibsbot/internal/filename"
	"fibsbot/internal/scrub"
)

// Bounds of the background work.
const (
	filingQueue   = 1024
	analysisQueue = 256
	// oldest is how far back a restart looks for matches that were not analysed.
	oldest = 7 * 24 * time.Hour
	// closing is how long the end of the process waits for rows to be written.
	closing = 15 * time.Second
)

// job is a finished match to be indexed and analysed.
type job struct {
	files []string      // as filed by the account
	match *record.Match // what stands in them; nil when they have to be read
	meta  index.Meta
	seat  *seat // may be nil
	them  string
	told  bool // a failure to file it is logged
	// result is told to the operator when the analysis is there, nil when it has been.
	result *result
}

// filing writes the index and the analyses behind the accounts' backs.
type filing struct {
	h    *Host
	db   *index.Keeper
	jobs chan job
	todo chan job // to be analysed
	once sync.Once

	late []job // could not be filed yet; of run's goroutine

	counting sync.Mutex
	counted  time.Time // when the dice were counted last
}

func newFiling(h *Host, db *index.Keeper) *filing {
	return &filing{h: h, db: db, jobs: make(chan job, filingQueue), todo: make(chan job, analysisQueue)}
}

// add hands a match over. It waits only when a thousand matches wait already.
func (f *filing) add(j job) { f.jobs <- j }

// close ends run when everything handed over has been filed.
func (f *filing) close() { f.once.Do(func() { close(f.jobs) }) }

// run files until close. Analyses stop then or when ctx ends, and the next start
// goes on with them; but a host that ends because its matches are played has no
// next start to count on and finishes those of its own matches first.
func (f *filing) run(ctx context.Context) {
	work, stop := context.WithCancel(ctx)
	defer stop()
	last := make(chan struct{}) // closed: nothing more comes
	idle := make(chan struct{}) // closed by the analyst when nothing is left then
	go func() {
		defer close(idle)
		_ = f.catchUp(work)
		f.countDice(work)
		again := time.NewTicker(f.h.fileAgain)
		defer again.Stop()
		if f.h.opt.Config().Dashboard.Listen != "" {
			for _, s := range f.h.seats {
				f.listEnded(work, s)
			}
		}
		for {
			select {
			case <-work.Done():
				return
			case j := <-f.todo:
				f.h.opt.Metrics.Backlog(len(f.todo) + 1)
				f.judge(work, j)
				f.h.opt.Metrics.Backlog(len(f.todo))
			case <-again.C:
				f.recover(work)
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
			f.settle(ctx, work, j)
		case <-again.C:
			late := f.late
			f.late = nil
			for _, j := range late {
				f.settle(ctx, work, j)
			}
		}
	}
	for _, j := range f.late {
		f.settle(ctx, work, j) // the last chance of this run
	}
	close(last)
	if f.h.opt.MaxMatches > 0 {
		f.await(ctx, idle)
	}
	stop()
	<-idle
}

// catchUpEvery is how often matches that could not be filed or indexed are tried
// again.
const catchUpEvery = 20 * time.Second

// settle files a match and leaves it to the analyst. What cannot be filed is kept
// for later.
func (f *filing) settle(ctx, work context.Context, j job) {
	// What is finished is filed even while the process is ending.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	if err := guarded(func() error { return f.file(end, &j) }); err != nil {
		f.h.opt.Metrics.Archive()
		if !j.told {
			j.told = true
			f.log(err).Error("match not filed with all it has; trying again")
			f.h.notes.Add(notify.Event{Kind: notify.ArchiveFailed, Opponent: j.them, Data: map[string]any{"files": j.files},
				Text: "A match is not filed with all it has, and tried again: " + scrub.Text(err.Error())})
		}
		if len(f.late) < filingQueue {
			f.late = append(f.late, j)
		}
		return
	}
	if j.told {
		f.h.opt.Log.WithField("files", j.files).Info("match filed late")
	}
	if j.seat != nil && f.h.opt.Config().Dashboard.Listen != "" {
		f.listEnded(work, j.seat)
	}
	if f.diceAreOld() {
		f.countDice(work)
	}
	f.queue(j)
}

// recover brings the index up to the archive after it has failed, and what was
// counted from it.
func (f *filing) recover(ctx context.Context) {
	if !f.db.Behind() || f.catchUp(ctx) != nil {
		return
	}
	f.db.CaughtUp()
	f.countDice(ctx)
	for _, s := range f.h.seats {
		if f.h.opt.Config().Dashboard.Listen != "" {
			f.listEnded(ctx, s)
		}
		s.order(func(*table.Table, time.Time) table.Due {
			if err := s.loadPast(ctx, f.db); err != nil {
				s.log.WithError(err).Warn("earlier matches with the opponents are not known for now")
			}
			return table.Due{}
		})
	}
	f.h.opt.Log.Info("the index has caught up with the archive")
}

// diceAge is how old the count of the dice may be when a match is filed: counting
// reads every row of the index.
const diceAge = 10 * time.Minute

func (f *filing) diceAreOld() bool {
	f.counting.Lock()
	defer f.counting.Unlock()
	return !f.counted.IsZero() && time.Since(f.counted) >= diceAge
}

// countDice counts the dice of each account's matches for those who ask for them.
func (f *filing) countDice(ctx context.Context) {
	f.counting.Lock()
	defer f.counting.Unlock()
	f.counted = time.Now()
	for _, s := range f.h.seats {
		var sum index.DiceSum
		err := f.db.Use(ctx, func(d *index.DB) (err error) {
			sum, err = d.DiceCount(ctx, index.Filter{Account: s.name, Server: s.server})
			return err
		})
		if err != nil {
			if ctx.Err() == nil {
				f.h.opt.Log.WithError(err).Warn("dice not counted")
			}
			return
		}
		s.dice.Store(&sum)
	}
}

// toldWithout tells how a match has ended that gets no analysis.
func (f *filing) toldWithout(j *job) {
	if j.seat != nil {
		j.seat.matchTold(j, nil)
	}
}

// judge analyses a match and says when that did not work.
func (f *filing) judge(ctx context.Context, j job) {
	err := guarded(func() error { return f.analyse(ctx, &j) })
	f.toldWithout(&j) // unless it has been told with its errors
	if err != nil && ctx.Err() == nil {
		f.h.opt.Metrics.Archive()
		f.log(err).WithField("files", j.files).Error("match not analysed")
	}
}

// guarded is do with a fault of this program as an error: what is done in the
// background ends no account.
func guarded(do func() error) (err error) {
	defer crash.To(&err)
	return do()
}

// log is the log with an error, and with the stack of a fault of this program.
func (f *filing) log(err error) logrus.FieldLogger {
	log := f.h.opt.Log.WithError(err)
	var fault *crash.Fault
	if errors.As(err, &fault) {
		log = log.WithField("stack", string(fault.Stack))
	}
	return log
}

// rest analyses what still waits of the matches played by this process; what an
// earlier one left behind can wait for another.
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

// await waits for the analyst until operations.drain_limit is over or somebody
// wants the process to leave.
func (f *filing) await(ctx context.Context, idle <-chan struct{}) {
	limit := time.NewTimer(f.h.opt.Config().Operations.DrainLimit.Std())
	defer limit.Stop()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-f.h.drained:
	case <-limit.C:
		f.h.opt.Log.Warn("operations.drain_limit reached; matches are left without their analysis")
	}
}

// queue puts a match on the list of the analyst, unless the list is full.
func (f *filing) queue(j job) {
	if len(j.files) == 0 || f.h.opt.Config().Archive.Analyse == "off" {
		f.toldWithout(&j)
		return
	}
	select {
	case f.todo <- j:
	default:
		f.toldWithout(&j)
		f.h.opt.Log.WithField("file", j.files[0]).Warn("too many matches wait for their analysis; this one is left to `fibsbot analyse`")
	}
}

// file moves and converts the files as configured and writes meta and index.
func (f *filing) file(ctx context.Context, j *job) error {
	if len(j.files) == 0 {
		return nil // a match without a move
	}
	c := f.h.opt.Config()
	at := slices.IndexFunc(j.files, func(p string) bool { return filepath.Ext(p) == ".sgf" })
	if at < 0 {
		return nil
	}
	path := j.files[at]
	if dir := group(c, j); dir != "" {
		moved, err := moveAll(j.files, filepath.Join(c.Archive.Dir, dir))
		if err != nil {
			return err
		}
		j.files, path = moved, moved[at]
	}
	if err := j.read(path); err != nil {
		return err
	}
	if err := formats(c, path, j.match); err != nil {
		return err
	}
	j.files = []string{path}
	if err := index.WriteMeta(path, j.meta); err != nil {
		return fmt.Errorf("write meta: %w", err)
	}
	if err := f.addMatch(ctx, path, j.match, j.meta); errors.Is(err, index.ErrUnreadable) {
		return err
	}
	return nil // an index that does not work has said so, and catches up
}

// addMatch puts a match that stands in a file into the index.
func (f *filing) addMatch(ctx context.Context, path string, rec *record.Match, meta index.Meta) error {
	m, err := index.Known(f.db.Dir, path, rec, meta)
	if err != nil {
		return err
	}
	return f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
}

// read reads the match of a job from its file, unless it came along.
func (j *job) read(path string) (err error) {
	if j.match == nil {
		j.match, _, err = sgf.ReadFile(path)
	}
	return err
}

// group is the subfolder of a match.
func group(c *config.Config, j *job) string {
	switch c.Archive.Group {
	case "day":
		return j.meta.Finished.UTC().Format("2006-01-02")
	case "opponent":
		return filename.Clean(j.them, "", '-')
	}
	return ""
}

func moveAll(files []string, dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var moved []string
	for _, p := range files {
		to := filepath.Join(dir, filepath.Base(p))
		if err := os.Rename(p, to); err != nil {
			if _, there := os.Stat(to); !errors.Is(err, fs.ErrNotExist) || there != nil {
				return nil, err
			}
			// Moved by an earlier try.
		}
		moved = append(moved, to)
	}
	return moved, nil
}

// formats writes and removes the files beside the .sgf as archive.formats says.
// The .sgf always stays: the index is made from it.
func formats(c *config.Config, path string, m *record.Match) error {
	stem := strings.TrimSuffix(path, ".sgf")
	if slices.Contains(c.Archive.Formats, "mat") {
		var b bytes.Buffer
		if err := mat.Write(&b, m); err != nil {
			return fmt.Errorf("write %s.mat: %w", stem, err)
		}
		if err := atomicfile.WriteBytes(stem+".mat", 0o644, b.Bytes()); err != nil {
			return err
		}
	}
	if !slices.Contains(c.Archive.Formats, "oldmoves") {
		if err := os.Remove(stem + ".fibs"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// analyse judges a match, writes what it found into its .sgf and the index, and
// tells the account.
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
	judge := analyse.New(f.h.opt.Engine.RolloutOptions(), p)
	judge.Workers, judge.Progress = 1, func(int, int) { f.giveWay(ctx) }
	sum, err := judge.Analyse(ctx, m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := atomicfile.WriteBytes(path, 0o644, b.Bytes()); err != nil {
		return err
	}
	meta, err := index.ReadMeta(path)
	if err == nil {
		err = f.addMatch(ctx, path, m, meta)
	}
	if err != nil && ctx.Err() == nil {
		// The analysis is in the file; the index catches up.
		f.h.opt.Log.WithError(err).Warn("analysis not indexed yet")
	}
	if j.seat != nil {
		// Player 0 of our files is the opponent, player 1 the account.
		them, us := sum.Players[0].Rates(), sum.Players[1].Rates()
		f.h.opt.Metrics.Judged(j.seat.label, "us", 1000*us.PerDecision, sum.Players[1].Luck.EMG)
		f.h.opt.Metrics.Judged(j.seat.label, "them", 1000*them.PerDecision, sum.Players[0].Luck.EMG)
		j.seat.matchTold(j, []float64{1000 * us.PerDecision, 1000 * them.PerDecision})
		j.seat.analysed(j.them, fmt.Sprintf("Average error per decision: you %.1f, I %.1f thousandths of a point; luck: you %+.2f, I %+.2f.",
			1000*them.PerDecision, 1000*us.PerDecision, sum.Players[0].Luck.EMG, sum.Players[1].Luck.EMG))
	}
	return nil
}

// giveWay waits while accounts think: a player must never wait for an analysis.
func (f *filing) giveWay(ctx context.Context) {
	for f.h.thinking.Load() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// catchUp indexes the matches that are filed and not in the index, after a crash or
// an outage of the index, and goes on with analyses that were interrupted.
func (f *filing) catchUp(ctx context.Context) error {
	known := map[string]bool{}
	var waiting []string
	since := time.Now().Add(-oldest)
	err := f.db.Use(ctx, func(d *index.DB) error {
		return d.List(ctx, index.Filter{}, func(m *index.Match) error {
			known[m.File] = true
			if m.Plies < 0 && !m.Pruned && m.Started.After(since) && len(waiting) < analysisQueue/2 {
				waiting = append(waiting, m.File)
			}
			return nil
		})
	})
	if err != nil {
		return err // the keeper has said so
	}
	dir := f.db.Dir
	started, failed, young := f.h.started, error(nil), false
	if f.db.Behind() {
		started = time.Now().Add(-settling)
	}
	// A folder that cannot be read is passed over: the rest still counts.
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil || failed != nil {
			return fs.SkipAll
		}
		if err != nil || e.IsDir() || filepath.Ext(path) != ".sgf" || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || known[filepath.ToSlash(rel)] {
			return nil
		}
		if st, err := e.Info(); err != nil || st.ModTime().After(started) {
			young = true
			return nil // being filed just now
		}
		m, err := f.indexed(ctx, path)
		switch {
		case err == nil && m.Plies < 0 && m.Started.After(since):
			waiting = append(waiting, m.File)
		case errors.Is(err, index.ErrUnreadable), errors.As(err, new(*crash.Fault)):
			f.log(err).WithField("file", path).Warn("match file not indexed")
		case err != nil:
			failed = err
		}
		return nil
	})
	for _, file := range waiting {
		f.queue(job{files: []string{filepath.Join(dir, filepath.FromSlash(file))}})
	}
	if failed == nil {
		failed = f.pruned(ctx, known)
	}
	if failed == nil && young && f.db.Behind() {
		return errYoung
	}
	return failed
}

// pruned gives an index that was made anew the rows of matches without files.
func (f *filing) pruned(ctx context.Context, known map[string]bool) error {
	bad, err := index.ReadPruned(f.db.Dir, func(m *index.Match) error {
		if known[m.File] {
			return nil
		}
		return f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
	})
	for _, e := range bad {
		f.h.opt.Log.WithError(e).Warn("the result of a pruned match cannot be read")
	}
	return err
}

// settling is how long a match may take to come to its place in the archive.
const settling = time.Second

// errYoung says that the index has all but what is being filed just now.
var errYoung = errors.New("matches are being filed")

// indexed puts a match file into the index and returns its row.
func (f *filing) indexed(ctx context.Context, path string) (m *index.Match, err error) {
	err = guarded(func() (err error) {
		m, err = index.Read(f.db.Dir, path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, f.db.Use(ctx, func(d *index.DB) error { return d.Add(ctx, m) })
}
