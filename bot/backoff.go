package bot

import (
	"fibsbot/bot/protocol"
	"math/rand/v2"
	"time"
)

// Backoff bounds the waits between two connections. A zero field takes its default.
type Backoff struct {
	// Min is the wait after the first failure, 5 s by default; each further one doubles it,
	// up to Max, 5 min by default.
	Min, Max time.Duration
	// Kicked is the wait after somebody else logged in with our name; half of
	// Max when 0.
	Kicked time.Duration
	// Jitter is the share of a wait that is drawn at random; a half when 0.
	Jitter float64
}

func (b Backoff) withDefaults() Backoff {
	if b.Min <= 0 {
		b.Min = 5 * time.Second
	}
	if b.Max <= 0 {
		b.Max = 5 * time.Minute
	}
	if b.Kicked <= 0 {
		b.Kicked = b.Max / 2
	}
	if b.Jitter <= 0 || b.Jitter > 1 {
		b.Jitter = 0.5
	}
	return b
}

// wait returns the n-th wait (from 0): doubling, bounded, with a jitter, so that
// a server that restarts is not met by all its bots at once.
func (b Backoff) wait(n int) time.Duration {
	d := b.Min
	for range min(n, 20) {
		d = min(2*d, b.Max)
	}
	return b.jitter(d)
}

func (b Backoff) jitter(d time.Duration) time.Duration {
	return d - time.Duration(rand.Float64()*b.Jitter*float64(d))
}

// Failures counts, in a row, the connections that ended and those that did not
// come to be. The zero value has counted none.
type Failures struct{ ended, away int }

// Wait is for connections that no Account makes. It counts one that lasted so long
// and ended by an error of the client, before it was logged in or after, and
// returns how long to wait before the next one.
func (f *Failures) Wait(b Backoff, err error, login bool, lasted time.Duration) time.Duration {
	return f.wait(b.withDefaults(), reason{cause: protocol.CauseOf(err, protocol.CauseLost), login: login}, lasted)
}

// wait counts a connection that lasted so long and ended for that reason.
func (f *Failures) wait(b Backoff, why reason, lasted time.Duration) time.Duration {
	if lasted > b.Max {
		f.ended = 0 // it worked for a while
	}
	if why.cause == protocol.CauseDial {
		// An outage, however long, says nothing against the next login.
		wait := b.wait(f.away)
		f.away++
		return wait
	}
	wait := b.wait(f.ended)
	f.ended++
	f.away = 0
	switch {
	case why.cause == protocol.CauseKicked:
		// Coming back at once would throw the other one out.
		wait = max(wait, b.jitter(b.Kicked))
	case why.cause == protocol.CauseShutdown && why.login:
		// It refuses logins until it goes. Once it has gone, it is the wait
		// for its return that counts.
		wait = max(wait, b.jitter(b.Max/2))
	}
	return wait
}
