package host

import "time"

// lastWordsLimit is how long the goodbye waits for what is still to be sent.
const lastWordsLimit = 10 * time.Second

// stay is how long an account stays, and whether it begins matches while it does.
type stay struct {
	paused   bool // by an owner: no new matches
	leaving  bool // asked by an owner, or enough matches are played
	finished int  // matches of this run
	till     time.Time
}

// played counts a match; with limit of them, 0 for any number, the account leaves.
func (s *stay) played(limit int) {
	s.finished++
	s.leaving = s.leaving || limit > 0 && s.finished >= limit
}

// goodbye tells whether the account may go now that it has nothing to finish: at once
// when no words are still to be sent, and otherwise not before wake.
func (s *stay) goodbye(waiting int, now time.Time) (wake time.Time, yes bool) {
	if s.till.IsZero() {
		s.till = now.Add(lastWordsLimit)
	}
	if waiting > 0 && now.Before(s.till) {
		return s.till, false
	}
	return time.Time{}, true
}
