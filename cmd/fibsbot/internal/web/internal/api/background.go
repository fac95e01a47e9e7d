package api

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/internal/http"
)

// Bounds of the queue of matches that are analysed in the background.
const (
	maxDue     = 100_000
	dueAtStart = 100 // newest ones without an analysis
)

// usualLook is how often the archive is searched for matches that other processes filed.
// A match is queued at the second look, so that who filed it can analyse it first.
const usualLook = 30 * time.Second

// Analysing is the state of the analysis in the background.
type Analysing struct {
	// Job analyses Match now; both are empty while nothing is analysed.
	Job   string `json:"job,omitempty"`
	Match string `json:"match,omitempty"`
	// Left are the matches that wait, Failed those that could not be analysed.
	Left   int `json:"left"`
	Failed int `json:"failed"`
	// Automatic reports whether new matches are analysed without being asked for.
	Automatic bool `json:"automatic"`
	// Matches is the number of matches in the archive, which other processes change too.
	Matches int `json:"matches"`
}

// due is the queue. One match at a time becomes a job, so that jobs of a person run between
// two of them.
type due struct {
	mu   sync.Mutex
	ids  []string
	now  Analysing
	stop context.CancelFunc // stops the analysis of now.Match
	busy bool
	// decided has the matches that later looks at the archive leave alone: they were queued
	// before, and perhaps a person stopped that, or they wait for "analyse all".
	decided map[string]bool
}

// analyseLater queues matches that have no analysis, unless analysing is off.
func (a *API) analyseLater(ids ...string) {
	if !a.opt.Analyse || a.opt.Archive == nil {
		return
	}
	a.queue(ids...)
}

func (a *API) queue(ids ...string) {
	d := &a.due
	d.mu.Lock()
	defer d.mu.Unlock()
	known := make(map[string]bool, len(d.ids))
	for _, id := range d.ids {
		known[id] = true
	}
	for _, id := range ids {
		d.decided[id] = true
		if len(d.ids) < maxDue && !known[id] && (id != d.now.Match || a.playing() != "") {
			d.ids = append(d.ids, id)
		}
	}
	if d.busy || len(d.ids) == 0 || a.ctx.Err() != nil {
		return
	}
	d.busy = true
	a.work.Go(a.analyseDue)
}

// analyseDue analyses the queue until it is empty.
func (a *API) analyseDue() {
	d := &a.due
	for {
		d.mu.Lock()
		if len(d.ids) == 0 || a.ctx.Err() != nil {
			d.ids, d.busy, d.stop, d.now.Job, d.now.Match = nil, false, nil, "", ""
			d.mu.Unlock()
			return
		}
		id := d.ids[0]
		d.ids = d.ids[1:]
		ctx, stop := context.WithCancel(a.ctx)
		d.stop, d.now.Job, d.now.Match = stop, "", id
		d.mu.Unlock()
		ok := a.analyseOne(ctx, id)
		if ctx.Err() == nil && a.playing() != "" { // stopped for a match, not by a person
			a.queue(id)
		}
		stop()
		if !ok {
			d.mu.Lock()
			d.now.Failed++
			d.mu.Unlock()
		}
	}
}

// analyseOne analyses a match that has no analysis yet, until ctx ends. It reports false if
// the analysis failed; a job that a person stopped has not failed.
func (a *API) analyseOne(ctx context.Context, id string) bool {
	row, err := a.opt.Archive.Show(ctx, id)
	if err != nil || row.Pruned || row.Plies.Known() {
		return true
	}
	j, err := a.reviewRow(row)
	if err != nil {
		return false
	}
	v := j.snapshot()
	a.due.mu.Lock()
	a.due.now.Job = v.ID
	a.due.mu.Unlock()
	changed, leave := j.watchers.join()
	defer leave()
	defer context.AfterFunc(ctx, j.stop)()
	for v = j.snapshot(); v.State == Queued || v.State == Running; v = j.snapshot() {
		<-changed
	}
	return v.State != Failed
}

// reviewRow starts the review that every match gets without being asked, wherever it was
// played: that of review.Automatic.
func (a *API) reviewRow(row *index.Match) (*job, error) {
	return a.add(Job{Kind: "analysis", Match: row.ID}, nil, func(ctx context.Context, _ *job, progress func(int, int)) error {
		r, err := review.Automatic(a.opt.Archive, a.opt.Engine.RolloutOptions(), "")
		if err != nil {
			return err
		}
		if err := a.assign(r.Analyst); err != nil {
			return err
		}
		r.Analyst.Progress = progress
		var failed error
		r.Done = func(_ *index.Match, _, _ int, err error) { failed = err }
		_, err = r.Matches(ctx, row.ID)
		return cmp.Or(err, failed)
	})
}

// watchArchive queues matches without an analysis: the newest at once, and later those that
// other processes file, such as a bot or `fibsbot play`.
func (a *API) watchArchive() {
	every := cmp.Or(a.opt.Look, usualLook)
	found := map[string]bool{} // at the last look, and not decided about
	size := -1
	for first := true; ; first = false {
		n, err := a.archiveSize(a.ctx)
		if err == nil && (n != size || len(found) > 0) {
			a.due.mu.Lock()
			before := maps.Clone(a.due.decided)
			a.due.mu.Unlock()
			var ids []string
			if ids, err = a.unanalysed(a.ctx); err == nil {
				due, next := a.undecided(ids, before, first, found)
				a.analyseLater(due...)
				found, size = next, n
			}
		} // a request meets the error too
		select {
		case <-a.ctx.Done():
			return
		case <-time.After(every):
		}
	}
}

// undecided returns which of the matches without an analysis, the newest first, are due: the
// newest ones at the first look, and those that the look before found. next has those that only
// this look found. Of what was decided before they were listed, it forgets the others: analysed
// matches, and those that are gone.
func (a *API) undecided(ids []string, before map[string]bool, first bool, found map[string]bool) (due []string, next map[string]bool) {
	d := &a.due
	d.mu.Lock()
	defer d.mu.Unlock()
	now := map[string]bool{}
	next = map[string]bool{}
	for i, id := range ids {
		switch now[id] = true; {
		case d.decided[id]:
		case first && i >= dueAtStart:
			d.decided[id] = true
		case first || found[id]:
			due = append(due, id)
		default:
			next[id] = true
		}
	}
	maps.DeleteFunc(d.decided, func(id string, _ bool) bool { return before[id] && !now[id] })
	return due, next
}

// archiveSize is the number of matches in the archive.
func (a *API) archiveSize(ctx context.Context) (n int, err error) {
	if a.opt.Archive == nil {
		return 0, nil
	}
	accounts, err := a.opt.Archive.Accounts(ctx)
	for _, m := range accounts {
		n += m
	}
	return n, err
}

func (a *API) analysing(r *http.Request, _ any) (any, error) {
	matches, err := a.archiveSize(r.Context())
	if err != nil {
		return nil, err
	}
	a.due.mu.Lock()
	defer a.due.mu.Unlock()
	v := a.due.now
	v.Left, v.Matches, v.Automatic = len(a.due.ids), matches, a.opt.Analyse
	return v, nil
}

// analyseAll queues every match without an analysis, the newest first.
func (a *API) analyseAll(r *http.Request, _ struct{}) (any, error) {
	ids, err := a.unanalysed(r.Context())
	if err != nil {
		return nil, err
	}
	a.queue(ids...)
	return a.analysing(r, nil)
}

// stopAnalysing empties the queue and stops what is analysed now. Neither is begun again until
// a person asks.
func (a *API) stopAnalysing(r *http.Request, _ any) (any, error) {
	a.due.mu.Lock()
	a.due.ids = nil
	if a.due.stop != nil {
		a.due.stop()
	}
	a.due.mu.Unlock()
	return a.analysing(r, nil)
}

// unanalysed returns the matches without an analysis, the newest first.
func (a *API) unanalysed(ctx context.Context) ([]string, error) {
	var ids []string
	err := a.opt.Archive.List(ctx, index.Filter{}, func(m *index.Match) error {
		if !m.Plies.Known() && !m.Pruned {
			ids = append(ids, m.ID)
		}
		return nil
	})
	return slices.Clip(ids), err
}
