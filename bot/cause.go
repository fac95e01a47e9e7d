package bot

import (
	"errors"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
)

// Cause says in one constant word why a connection ended or did not come to be.
type Cause string

// The causes.
const (
	CauseDial     Cause = "dial"     // no connection
	CauseLocal    Cause = "local"    // nothing was tried: the password, say, could not be read
	CauseRefused  Cause = "refused"  // wrong name or password
	CauseKicked   Cause = "kicked"   // the account logged in elsewhere
	CauseShutdown Cause = "shutdown" // the server announced a restart or shutdown
	CauseIdle     Cause = "idle"     // the server found us idle
	CauseSilent   Cause = "silent"   // the server said nothing for too long
	CauseLost     Cause = "lost"     // the connection broke
	CauseFlood    Cause = "flood"    // the server sent what no server sends
	CauseSettings Cause = "settings" // the server refused a setting we need
	CauseStuck    Cause = "stuck"    // commands had no effect
	CauseCrash    Cause = "crash"    // a fault of this program
	CauseJournal  Cause = "journal"  // what the server says could not be written down
)

// causeOf finds the cause of an error of the client, or returns otherwise.
func causeOf(err error, otherwise Cause) Cause {
	for _, c := range []struct {
		err   error
		cause Cause
	}{
		{ErrBadLogin, CauseRefused}, {client.ErrKicked, CauseKicked}, {client.ErrShutdown, CauseShutdown},
		{client.ErrTimedOut, CauseIdle}, {client.ErrSilent, CauseSilent}, {client.ErrFlood, CauseFlood},
		{client.ErrSettings, CauseSettings}, {client.ErrCrash, CauseCrash}, {telnet.ErrConnect, CauseDial},
	} {
		if errors.Is(err, c.err) {
			return c.cause
		}
	}
	if otherwise == "" || errors.Is(err, client.ErrLost) {
		return CauseLost
	}
	return otherwise
}

// reason says why a connection ended, for the wait before the next one.
type reason struct {
	text  string
	cause Cause
	err   error
	login bool // it ended before it was logged in
}

// with is r for a connection that ended by err, nil when nobody knows why.
func (r reason) with(err error) reason {
	if err == nil {
		return r
	}
	return reason{text: err.Error(), cause: causeOf(err, r.cause), err: err}
}

// foretold is the reason for an end of the connection that a line announces.
func foretold(ev clip.Event) (reason, bool) {
	switch ev.Kind {
	case clip.Attention:
		return reason{text: "the server is going to " + ev.Text, cause: CauseShutdown}, true
	case clip.SecondLogin:
		return reason{text: "the account logged in elsewhere", cause: CauseKicked}, true
	case clip.YouTimedOut:
		return reason{text: "we were idle too long", cause: CauseIdle}, true
	}
	return reason{}, false
}

// ofError is the reason for an end that we have made ourselves, by an error.
func ofError(err error) reason {
	r := reason{text: err.Error(), err: err}
	if errors.Is(err, errJournal) {
		r.cause = CauseJournal
	}
	return r
}
