package bot

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"time"

	"fibsbot/bot/protocol"
)

// Backoff bounds the waits between two connections. A zero field takes its default.
// It has the fields of config.Reconnect, because this package does not need a
// configuration file; host.Waits converts one into the other.
type Backoff struct {
	// Min is the wait after the first failure (default 5 s). Each further failure doubles
	// it, up to Max (default 5 min).
	Min, Max time.Duration
	// Kicked is the wait after another client logged in with our name (default Max / 2).
	Kicked time.Duration
	// Jitter is the random share that lengthens a wait (default 0.5). Max is the longest still.
	Jitter float64
}

func (b Backoff) withDefaults() Backoff {
	b.Min = cmp.Or(b.Min, 5*time.Second)
	b.Max = cmp.Or(b.Max, 5*time.Minute)
	b.Kicked = cmp.Or(b.Kicked, b.Max/2)
	if b.Jitter <= 0 || b.Jitter > 1 {
		b.Jitter = 0.5
	}
	return b
}

// wait returns the n-th wait, counted from 0.
func (b Backoff) wait(n int) time.Duration {
	d := b.Min
	for range min(n, 20) {
		d = min(2*d, b.Max)
	}
	return b.jitter(d, b.Max)
}

// jitter returns a wait of d or longer by up to the random share, but most at most, for which d
// may be shortened, to Min. It keeps bots from returning to a restarted server all at once.
func (b Backoff) jitter(d, most time.Duration) time.Duration {
	longer := func(d time.Duration) time.Duration { return d + time.Duration(b.Jitter*float64(d)) }
	if longer(d) > most {
		d = max(min(d, b.Min), time.Duration(float64(most)/(1+b.Jitter)))
	}
	return d + time.Duration(rand.Float64()*float64(min(most, longer(d))-d))
}

// Failures counts consecutive connections that ended and consecutive failures to connect.
// The zero value is ready to use.
type Failures struct{ ended, away int }

// Wait counts a connection that was made without an Account and returns the wait before
// the next one. err is the client's error, login whether the login had failed, lasted the
// connection's duration.
func (f *Failures) Wait(b Backoff, err error, login bool, lasted time.Duration) time.Duration {
	return f.wait(b.withDefaults(), reason{cause: protocol.CauseOf(err, protocol.CauseLost), login: login}, lasted)
}

// wait counts a connection that ended for the reason why and returns the next wait.
func (f *Failures) wait(b Backoff, why reason, lasted time.Duration) time.Duration {
	if lasted > b.Max {
		f.ended = 0 // the connection worked for a while
	}
	if why.cause == protocol.CauseDial {
		// An outage does not slow down the next login.
		wait := b.wait(f.away)
		f.away++
		return wait
	}
	wait := b.wait(f.ended)
	f.ended++
	f.away = 0
	switch {
	case why.cause == protocol.CauseKicked:
		// An immediate return would disconnect the other client.
		wait = max(wait, b.jitter(b.Kicked, 2*b.Kicked))
	case (why.cause == protocol.CauseShutdown || why.cause == protocol.CauseRefused) && why.login:
		// The server may refuse logins until it stops. From then on, failures to
		// connect set the wait.
		wait = max(wait, b.jitter(b.Max/2, b.Max))
	}
	return wait
}

// Cause is one constant word for why a connection ended or failed.
type Cause = protocol.Cause

// reason is why a connection ended. It decides the wait before the next one.
type reason struct {
	text  string
	cause Cause
	err   error
	login bool // the connection ended before the login was complete
}

// with returns the reason for a connection that ended with err, or r if err is nil.
func (r reason) with(err error) reason {
	if err == nil {
		return r
	}
	return reason{text: err.Error(), cause: protocol.CauseOf(err, r.cause), err: err}
}

// foretold returns the reason that the server announces for the end of the connection.
func foretold(ev *protocol.Event) (reason, bool) {
	return reason{text: ev.Text, cause: ev.Ends}, ev.Kind == protocol.Ending
}

// ofError returns the reason for ending the connection ourselves after an error.
func ofError(err error) reason {
	r := reason{text: err.Error(), err: err}
	if errors.Is(err, errJournal) {
		r.cause = protocol.CauseJournal
	}
	return r
}
