package policy

import (
	"maps"
	"strconv"
	"time"

	"fibsbot/config"
	"fibsbot/engine/pace"
)

// Mark is a way to behave that the bot remembers about a person.
type Mark string

// The marks.
const (
	Stalls   Mark = "stalls"               // the bot left because this player did not move
	Drops    Mark = "drops"                // matches this player left unfinished
	Resigned Mark = "instant_resignations" // matches resigned after hardly a play
	Ignored  Mark = "ignored_resumes"      // our requests to resume since the last match, not answered
	Refused  Mark = "refusals"             // our invitations to a new match since the last one, not accepted
)

// Count is how often a mark was set.
type Count struct {
	N    int       `json:"n"`
	Last time.Time `json:"last"`
}

// Standing is how the bot stands with a person. The zero value is that of a stranger.
type Standing struct {
	Marks map[Mark]Count `json:"marks,omitempty"`
	// Blocked is the operator's reason not to play this person, empty without one. Stopped
	// is when this person asked to be left alone, Quiet when not to be commented on.
	Blocked string    `json:"blocked,omitempty"`
	Stopped time.Time `json:"stopped,omitzero"`
	Quiet   time.Time `json:"quiet,omitzero"`
}

// forgiven is how long ago a mark counts no more.
const forgiven = 30 * 24 * time.Hour

// Mark changes a count by n. The maps of copies of s stay as they are.
func (s *Standing) Mark(m Mark, n int, now time.Time) {
	was := s.Marks[m]
	if m != Drops && past(now, was.Last, forgiven) {
		was.N = 0 // drops are a share of all matches
	}
	if n > 0 {
		was.Last = now
	}
	was.N += n
	s.Clear(m)
	if was.N > 0 {
		if s.Marks == nil {
			s.Marks = map[Mark]Count{}
		}
		s.Marks[m] = was
	}
}

// Clear removes marks.
func (s *Standing) Clear(marks ...Mark) {
	s.Marks = maps.Clone(s.Marks)
	for _, m := range marks {
		delete(s.Marks, m)
	}
}

// spared is how many marks of a kind have no consequence: anyone may be called away once.
var spared = map[Mark]int{Stalls: 1, Resigned: 2}

// Pause returns how long the bot still does not play a person because of opponents.pause, and
// the mark that is the reason; 0 if it does.
func (s Standing) Pause(c *config.Config, now time.Time) (wait time.Duration, why Mark) {
	for m := range spared {
		if left := s.left(c, m, now); left > wait {
			wait, why = left, m
		}
	}
	return wait, why
}

// left returns how long the pause because of a mark still lasts.
func (s Standing) left(c *config.Config, m Mark, now time.Time) time.Duration {
	last, pause := s.Marks[m].Last, s.pause(c, m)
	if past(now, last, pause) {
		return 0
	}
	return last.Add(pause).Sub(now)
}

// pause returns the length of the pause because of a mark. A saved match may be asked for
// again sooner than a new one: both players want to finish it.
func (s Standing) pause(c *config.Config, m Mark) time.Duration {
	n := s.Marks[m].N
	switch m {
	case Ignored:
		return grown(max(c.Saved.WaitAfterLeave.Std(), c.Matchmaking.Timeout.Std()), longestResume, n)
	case Refused:
		return grown(c.Matchmaking.DeclinePause.Std(), longestInvite, n)
	}
	if p := c.Opponents.Pause; p.First > 0 && n > spared[m] {
		return grown(p.First.Std(), p.Most.Std(), n-spared[m])
	}
	return 0
}

// Longest pauses between our requests to one person.
const (
	longestResume = 24 * time.Hour
	longestInvite = 30 * 24 * time.Hour
)

// grown returns the n-th of growing pauses, counted from 1: each is twice the one before, up
// to most.
func grown(first, most time.Duration, n int) time.Duration {
	d := first
	for ; n > 1 && d < most; n-- {
		d *= 2
	}
	return max(first, min(d, most))
}

// Words describes for the operator why a person is left alone, with the end of a pause; empty
// if he is not.
func (s Standing) Words(c *config.Config, now time.Time) (why string, until time.Time) {
	switch {
	case s.Blocked != "":
		return "blocked: " + s.Blocked, until
	case !s.Stopped.IsZero():
		return "asked to be left alone", until
	}
	for _, m := range []Mark{Stalls, Resigned, Ignored, Refused} {
		if left := s.left(c, m, now); left > 0 {
			return words[m] + ", " + itoa(s.Marks[m].N) + " in all", now.Add(left)
		}
	}
	if !s.Quiet.IsZero() {
		return "asked for no comments", until
	}
	return "", until
}

// words are the marks for the operator.
var words = map[Mark]string{Stalls: "matches left because he did not move", Resigned: "matches resigned at once",
	Ignored: "requests to resume without an answer", Refused: "invitations without an answer"}

func itoa(n int) string { return strconv.Itoa(n) }

// Pace returns how long the bot should seem to think, within the limits of the
// configuration. u is drawn uniformly from [0,1).
func Pace(p config.Pacing, d pace.Difficulty, u float64) time.Duration {
	lo, hi := p.Min.Std(), p.Max.Std()
	switch {
	case p.By == "none":
		return 0
	case d.Forced:
		return min(p.Forced.Std(), hi)
	case p.By == "fixed":
		return lo
	}
	return d.Time(lo, hi, u)
}
