package bot

import (
	"errors"

	"fibsbot/bot/protocol"
)

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
