package host

import (
	"time"

	"fibsbot/bot/archive/index"
)

// sitter is what a seat remembers of the match at the board and of those just ended.
type sitter struct {
	here    bool                 // met the opponent at the board on this connection
	resumed map[string]time.Time // last welcome to who came back
	idle    idleWatch
	filings []waitingJob
	after   [2]float64            // ratings of opponent and account told since the match at the board was over, 0 not
	unfiled map[string]index.Meta // matches without files, by opponent
	began   map[string]time.Time  // matches of this process, by opponent
	endless endless
}

func newSitter() sitter {
	return sitter{resumed: map[string]time.Time{}, unfiled: map[string]index.Meta{}, began: map[string]time.Time{}}
}

// begins takes note of when a match began.
func (s *sitter) begins(opponent string, now time.Time) {
	if len(s.began) >= maxRecall {
		clear(s.began)
	}
	s.began[opponent] = now
}

// welcomes tells whether an opponent who comes back is greeted again: on a bad line
// matches are resumed every minute.
func (s *sitter) welcomes(opponent string, now time.Time) bool {
	if last, again := s.resumed[opponent]; again && now.Sub(last) <= resumeQuiet {
		return false
	}
	if len(s.resumed) >= maxRecall {
		clear(s.resumed)
	}
	s.resumed[opponent] = now
	return true
}

// rated notes a who line of one of the players for the matches whose ratings are
// waited for, and for the one with opponent, or "", whose end is just being looked into;
// ours tells that it is the account's own.
func (s *sitter) rated(name string, ours bool, rating float64, opponent string) {
	switch {
	case opponent == "":
	case ours:
		s.after[1] = rating
	case name == opponent:
		s.after[0] = rating
	}
	for i := range s.filings {
		f := &s.filings[i]
		switch {
		case name == f.job.them:
			f.job.meta.RatingAfter[0], f.seen[0] = rating, true
		case ours:
			f.job.meta.RatingAfter[1], f.seen[1] = rating, true
		}
	}
}

// ready takes out the matches whose ratings are told, or have been waited for long
// enough; all takes every one. wake is when the next one has been.
func (s *sitter) ready(all bool, now time.Time) (list []waitingJob, wake time.Time) {
	kept := s.filings[:0]
	for _, f := range s.filings {
		if all || f.seen == [2]bool{true, true} || !now.Before(f.till) {
			list = append(list, f)
			continue
		}
		if wake.IsZero() || f.till.Before(wake) {
			wake = f.till
		}
		kept = append(kept, f)
	}
	s.filings = kept
	return list, wake
}

// leaves takes note of a match whose files are still to be written.
func (s *sitter) leaves(opponent string, meta index.Meta) {
	if len(s.unfiled) < maxRecall {
		s.unfiled[opponent] = meta
	}
}

// found takes out what leaves has noted.
func (s *sitter) found(opponent string) (meta index.Meta, ok bool) {
	meta, ok = s.unfiled[opponent]
	delete(s.unfiled, opponent)
	return meta, ok
}
