package bot

import (
	"errors"

	"fibsbot/fibs/client"
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
)

// causeOf finds the cause of an error of the client, or returns otherwise.
func causeOf(err error, otherwise Cause) Cause {
	for _, c := range []struct {
		err   error
		cause Cause
	}{
		{ErrBadLogin, CauseRefused}, {client.ErrKicked, CauseKicked}, {client.ErrShutdown, CauseShutdown},
		{client.ErrTimedOut, CauseIdle}, {client.ErrSilent, CauseSilent}, {client.ErrFlood, CauseFlood},
		{client.ErrSettings, CauseSettings}, {telnet.ErrConnect, CauseDial},
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

// dropOrders throws away what was ordered for an earlier connection.
func (a *Account) dropOrders() {
	for {
		select {
		case <-a.Orders:
		default:
			return
		}
	}
}
