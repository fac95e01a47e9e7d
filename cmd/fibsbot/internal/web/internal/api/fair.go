//go:build !js

package api

import (
	"context"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
)

// While a match is played on a server with Options.Online the engine is silent: every route is
// closed but those of fair, and jobs wait. This file is the only place that decides it.

// quiet are the parts of the API that ask the engine nothing when they are read.
var quiet = []string{"bots", "collections", "jobs", "matches", "me", "names", "trash", "statistics"}

// fair reports whether a route is open while a match is played on a server.
func (r *route) fair() bool {
	part, _, _ := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
	return part == "online" || r.path == "/bots/orders" || r.method == "GET" && slices.Contains(quiet, part)
}

// bots is the status of the running bot, without an opinion on the person's own match, which one
// of its accounts may play.
func (a *API) bots(ctx context.Context) (ops.Status, error) {
	st, err := a.opt.Bots(ctx)
	if a.playing() == "" {
		return st, err
	}
	me := a.desk.State().Account
	for i := range st.Accounts {
		if l := st.Accounts[i].Live; l != nil && l.Table != nil && strings.EqualFold(l.Table.Opponent, me) {
			l.Table.Chances, l.Table.Course, l.Table.Starts = nil, nil, nil
		}
	}
	return st, err
}

// fairness is the desk of Options.Online, or nil, and who watches it.
type fairness struct {
	desk        lobby.Desk
	onlineWatch listeners
}

// beFair watches Options.Online.
func (a *API) beFair() {
	if d, ok := a.opt.Online.(lobby.Desk); ok {
		a.desk = d
		d.Watch(a.onlineWatch.notify)
		a.work.Go(a.keepFair)
	}
}

// keepFair stops the running jobs while a match is played on a server, and lets none begin. It
// returns when the API is closed.
func (a *API) keepFair() {
	changed, leave := a.onlineWatch.join()
	defer leave()
	again := time.NewTicker(time.Second) // a lock may end by time
	defer again.Stop()
	held := false
	for {
		select {
		case <-changed:
		case <-again.C:
		case <-a.ctx.Done():
			return
		}
		switch playing := a.playing() != ""; {
		case playing && !held:
			held = a.silence()
		case !playing && held:
			<-a.jobs.run
			held = false
		}
	}
}

// silence stops the running job and takes its place.
func (a *API) silence() (held bool) {
	for {
		select {
		case a.jobs.run <- struct{}{}:
			return true
		case <-a.ctx.Done():
			return false
		default:
		}
		a.jobs.mu.Lock()
		for _, j := range a.jobs.byID {
			if j.snapshot().State == Running {
				j.stop()
			}
		}
		a.jobs.mu.Unlock()
		select {
		case <-time.After(silenceAgain):
		case <-a.ctx.Done():
			return false
		}
	}
}

// playing is why the engine is silent, or "".
func (a *API) playing() string {
	if a.desk == nil {
		return ""
	}
	return a.desk.Playing()
}
