package host

import "time"

// lastWordsLimit is how long the logout waits for the send queue.
const lastWordsLimit = 10 * time.Second

// stay is whether an account begins new matches, and whether it is leaving.
type stay struct {
	paused   bool      // by an owner: no new matches
	leaving  bool      // an owner's order, or enough matches are played
	finished int       // matches of this run
	till     time.Time // when it logs out at the latest; zero if it is not logging out
}

// ending reports whether the account only waits for its last words before the logout.
func (s *stay) ending() bool { return !s.till.IsZero() }

// resume continues with new matches.
func (s *stay) resume() { s.paused, s.leaving, s.till = false, false, time.Time{} }

// played counts a match. After limit matches (0 for no limit) the account leaves.
func (s *stay) played(limit int) {
	s.finished++
	s.leaving = s.leaving || limit > 0 && s.finished >= limit
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
