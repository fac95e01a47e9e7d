package client

import (
	"errors"
	"fmt"
	"io"

	"fibsbot/fibs/telnet"
)

// Why a connection ended or could not be made. Errors of Dial and Err wrap one of these.
var (
	// ErrBadLogin: the server refused the name or the password. Do not try the same ones
	// again. FIBS also refuses logins, without a reason, in the last ten minutes before a
	// shutdown; see ErrShutdown.
	ErrBadLogin = errors.New("login refused")
	// ErrNoReason: the server refused the login, an ErrBadLogin, without a reason, as FIBS also
	// does before a shutdown.
	ErrNoReason = errors.New("no reason given")
	// ErrKicked: the account logged in elsewhere, which ended this session. Logging in at once
	// would end the other one. A server may close the old session without a word: that is
	// ErrLost, and Replaced in the Welcome of the next login shows it.
	ErrKicked = errors.New("account logged in elsewhere")
	// ErrSilent: the server said nothing for too long, or did not answer.
	ErrSilent = errors.New("server is silent")
	// ErrShutdown: the server announced a restart or shutdown.
	ErrShutdown = errors.New("server shuts down")
	// ErrTimedOut: the server logged us out for being idle.
	ErrTimedOut = errors.New("logged out for being idle")
	// ErrLost: the connection broke or was closed by the server.
	ErrLost = errors.New("connection lost")
	// ErrFlood: the server sent a line without end, or too many lines during the login.
	ErrFlood = errors.New("server floods")
	// ErrSettings: the server refused a setting that a bot needs.
	ErrSettings = errors.New("setting refused")
	// ErrClosed: the client was closed on our side.
	ErrClosed = errors.New("client closed")
)

// ErrCrash: a fault of this program while it read a line. The error has the line, without the
// password.
var ErrCrash = errors.New("program fault while reading a line of the server")

// ErrQueueFull is an error of Send: too many commands wait to be sent.
var ErrQueueFull = errors.New("send queue is full")

// lineError turns an error of the connection into one of the errors above.
func lineError(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrLost), errors.Is(err, ErrSilent), errors.Is(err, ErrFlood), errors.Is(err, ErrCrash):
		return err
	case errors.Is(err, telnet.ErrSilent), errors.Is(err, telnet.ErrStuck):
		return fmt.Errorf("%w: %w", ErrSilent, err)
	case errors.Is(err, telnet.ErrLineTooLong), errors.Is(err, telnet.ErrNegotiation):
		return fmt.Errorf("%w: %w", ErrFlood, err)
	case errors.Is(err, telnet.ErrClosed):
		return ErrClosed
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: server closed the connection", ErrLost)
	default:
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
}
