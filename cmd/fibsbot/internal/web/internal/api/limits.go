package api

import (
	"context"
	"runtime"
	"time"
)

// Limits of one process.
const (
	maxBody    = 64 << 10  // of a JSON request
	maxFile    = 8 << 20   // of a match file
	maxSet     = 256 << 20 // of the files of one import
	maxWaiting = 64        // requests that wait in a lane
	fileSlots  = 2         // match files read at a time; one of maxFile takes up to 100 MB
	maxJobs    = 60        // kept, running or ended
	maxRunning = 8         // jobs queued or running
	maxStreams = 200       // event streams
	maxTrials  = 1 << 20   // of a rollout
	maxArms    = 12        // plays of a rollout
	maxRows    = 1000      // of a list of matches
	heartbeat  = 15 * time.Second
	slowClient = 10 * time.Second // to take one event
	fileTime   = 30 * time.Second // to send a match file
	setTime    = 20 * time.Minute // to send and import files
	maxWait    = 20 * time.Second // for a place in a lane
	shortTime  = time.Minute      // for a play, a hint or a cube decision
	longTime   = 3 * time.Minute  // for all rolls, all scores or a match file
)

// lane bounds the requests at work; the others wait.
type lane struct {
	waiting, running chan struct{}
	patience, within time.Duration // for the wait; for the wait and the work together
}

func newLane(slots int, within time.Duration) *lane {
	return &lane{waiting: make(chan struct{}, maxWaiting), running: make(chan struct{}, slots), patience: maxWait, within: within}
}

// lanes keep long requests from delaying a person at a board.
type lanes struct {
	short *lane // plays, hints, cube decisions
	long  *lane // a position at all rolls or all scores
	files *lane // reading and writing match files
	sets  *lane // imports
}

func newLanes() lanes {
	slots := max(2, runtime.GOMAXPROCS(0))
	return lanes{newLane(slots, shortTime), newLane(slots, longTime), newLane(fileSlots, longTime), newLane(fileSlots, setTime)}
}

// turn waits for a place in the lane; done releases it. The context ends with the time of
// the request. With maxWaiting requests waiting it refuses at once, so a flood costs no
// memory; a request that waits too long is refused too.
func (l *lane) turn(ctx context.Context) (in context.Context, done func(), err error) {
	select {
	case l.waiting <- struct{}{}:
	default:
		return nil, nil, errBusy
	}
	defer func() { <-l.waiting }()
	in, cancel := context.WithTimeoutCause(ctx, l.within, errTooLong)
	done = func() { cancel(); <-l.running }
	select {
	case l.running <- struct{}{}:
		return in, done, nil
	default:
	}
	late := time.NewTimer(l.patience)
	defer late.Stop()
	select {
	case l.running <- struct{}{}:
		return in, done, nil
	case <-late.C:
		cancel()
		return nil, nil, errWaited
	case <-in.Done():
		defer cancel()
		return nil, nil, context.Cause(in)
	}
}

// FileTurn waits for a place to read or write a match file; done releases it.
func (a *API) FileTurn(ctx context.Context) (done func(), err error) {
	_, done, err = a.files.turn(ctx)
	return done, err
}
