package bot

import (
	"errors"
	"fibsbot/bot/protocol"
)

// Cause says in one constant word why a connection ended or did not come to be.
type Cause = protocol.Cause

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
	return reason{text: err.Error(), cause: protocol.CauseOf(err, r.cause), err: err}
}

// foretold is the reason for an end of the connection that the server announces.
func foretold(ev *protocol.Event) (reason, bool) {
	return reason{text: ev.Text, cause: ev.Ends}, ev.Kind == protocol.Ending
}

// ofError is the reason for an end that we have made ourselves, by an error.
func ofError(err error) reason {
	r := reason{text: err.Error(), err: err}
	if errors.Is(err, errJournal) {
		r.cause = protocol.CauseJournal
	}
	return r
}
