package host

import (
	"sync/atomic"
	"time"
)

// lastWordsLimit is how long the logout waits for the send queue.
const lastWordsLimit = 10 * time.Second

// stay is whether an account begins new matches, and whether it is leaving. Orders may come from
// any goroutine; the rest belongs to the account's.
type stay struct {
	paused   atomic.Bool // by order: no new matches
	leaving  atomic.Bool // by order, or because enough matches are played
	finished int         // matches of this run
	till     time.Time   // when it logs out at the latest; zero if it is not logging out
}

// ending reports whether the account only waits for its last words before the logout.
func (s *stay) ending() bool { return !s.till.IsZero() }

// resume continues with new matches.
func (s *stay) resume() {
	s.paused.Store(false)
	s.leaving.Store(false)
}

// played counts a match. After limit matches (0 for no limit) the account leaves.
func (s *stay) played(limit int) {
	s.finished++
	if limit > 0 && s.finished >= limit {
		s.leaving.Store(true)
	}
}

// goodbye reports whether the account may log out now: at once if the send queue is empty,
// otherwise at wake.
func (s *stay) goodbye(waiting int, now time.Time) (wake time.Time, yes bool) {
	if !s.ending() {
		s.till = now.Add(lastWordsLimit)
	}
	if waiting > 0 && now.Before(s.till) {
		return s.till, false
	}
	return time.Time{}, true
}
