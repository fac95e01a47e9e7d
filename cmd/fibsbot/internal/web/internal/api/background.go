package api

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
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
	Job   string `json:"job"`
	Match string `json:"match"`
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
	busy bool
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
		if len(d.ids) < maxDue && !known[id] && id != d.now.Match {
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
			d.ids, d.busy, d.now.Job, d.now.Match = nil, false, "", ""
			d.mu.Unlock()
			return
		}
		id := d.ids[0]
		d.ids = d.ids[1:]
		d.now.Match = id
		d.mu.Unlock()
		if !a.analyseOne(id) {
			d.mu.Lock()
			d.now.Failed++
			d.mu.Unlock()
		}
	}
}

// analyseOne analyses a match that has no analysis yet. It reports false if the analysis
// failed; a job that a person stopped has not failed.
func (a *API) analyseOne(id string) bool {
	row, err := a.opt.Archive.Show(a.ctx, id)
	if err != nil || row.Pruned || row.Plies >= 0 {
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
	changed, leave := j.watch()
	defer leave()
	for v = j.snapshot(); v.State == Queued || v.State == Running; v = j.snapshot() {
		select {
		case <-changed:
		case <-a.ctx.Done():
			return true
		}
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
	known, found := map[string]bool{}, map[string]bool{} // decided about; found at the last look
	size := -1
	for first := true; ; first = false {
		n, err := a.archiveSize(a.ctx)
		if err == nil && (n != size || len(found) > 0) {
			var ids []string
			if ids, err = a.unanalysed(a.ctx); err == nil {
				now, next := map[string]bool{}, map[string]bool{}
				for i, id := range ids {
					switch now[id] = true; {
					case known[id]:
					case first && i >= dueAtStart:
						known[id] = true // older ones wait for "analyse all"
					case first || found[id]:
						known[id] = true
						a.analyseLater(id)
					default:
						next[id] = true
					}
				}
				maps.DeleteFunc(known, func(id string, _ bool) bool { return !now[id] })
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
func (a *API) analyseAll(r *http.Request, _ any) (any, error) {
	if a.opt.Archive == nil {
		return nil, errNoArchive
	}
	ids, err := a.unanalysed(r.Context())
	if err != nil {
		return nil, err
	}
	a.queue(ids...)
	return a.analysing(r, nil)
}

// stopAnalysing empties the queue and stops the job that runs.
func (a *API) stopAnalysing(r *http.Request, _ any) (any, error) {
	a.due.mu.Lock()
	a.due.ids = nil
	id := a.due.now.Job
	a.due.mu.Unlock()
	a.jobs.mu.Lock()
	j := a.jobs.byID[id]
	a.jobs.mu.Unlock()
	if j != nil {
		j.mu.Lock()
		cancel := j.cancel
		j.mu.Unlock()
		cancel()
	}
	return a.analysing(r, nil)
}

// unanalysed returns the matches without an analysis, the newest first.
func (a *API) unanalysed(ctx context.Context) ([]string, error) {
	var ids []string
	err := a.opt.Archive.List(ctx, index.Filter{}, func(m *index.Match) error {
		if m.Plies < 0 && !m.Pruned {
			ids = append(ids, m.ID)
		}
		return nil
	})
	return slices.Clip(ids), err
}
