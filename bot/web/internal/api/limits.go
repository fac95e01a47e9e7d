package api

import (
	"context"
	"time"
)

// Bounds of what one process does for its visitors.
const (
	maxBody    = 64 << 10 // of a JSON request
	maxFile    = 8 << 20  // of a match file
	maxWaiting = 64       // requests that wait for the engine
	maxJobs    = 60       // kept, running or ended
	maxRunning = 8        // jobs queued or running
	maxStreams = 200      // event streams
	maxTrials  = 1 << 20  // of a rollout
	maxArms    = 12       // plays of a rollout
	maxRows    = 1000     // of a list of matches
	heartbeat  = 15 * time.Second
	slowClient = 10 * time.Second // to take one event
)

// turn waits for the right to use the engine; release gives it back. Beyond
// maxWaiting waiting requests it refuses at once, so that a flood costs memory for
// nobody.
func (a *API) turn(ctx context.Context) (release func(), err error) {
	select {
	case a.waiting <- struct{}{}:
	default:
		return nil, errBusy
	}
	defer func() { <-a.waiting }()
	select {
	case a.thinking <- struct{}{}:
		return func() { <-a.thinking }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
