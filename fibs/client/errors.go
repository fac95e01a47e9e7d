package client

import (
	"errors"
	"fmt"
	"io"

	"fibsbot/fibs/telnet"
)

// Why a connection ended, or never came to be. Errors of Dial and Run wrap
// one of these; errors.Is tells which.
var (
	// ErrBadLogin: the server does not take the name or the password. Do not
	// try again with the same ones. FIBS also refuses logins in the last ten
	// minutes before a shutdown without saying why; see ErrShutdown.
	ErrBadLogin = errors.New("login refused")
	// ErrKicked: the account logged in somewhere else and this session was
	// ended. Coming back at once would kick the other one. A server may close
	// the old session without a word; that is ErrLost here, and Replaced in
	// the Welcome of the next login tells that somebody else was on.
	ErrKicked = errors.New("account logged in elsewhere")
	// ErrSilent: the server said nothing for too long, or did not answer.
	ErrSilent = errors.New("server is silent")
	// ErrShutdown: the server announced a restart or shutdown.
	ErrShutdown = errors.New("server shuts down")
	// ErrTimedOut: the server logged us out for being idle.
	ErrTimedOut = errors.New("logged out for being idle")
	// ErrLost: the connection broke or was closed by the server.
	ErrLost = errors.New("connection lost")
	// ErrFlood: the server sent what no server sends: a line without end, or
	// more events than anybody read.
	ErrFlood = errors.New("server floods")
	// ErrSettings: the server would not take a setting that a bot cannot play
	// without.
	ErrSettings = errors.New("setting refused")
	// ErrClosed: the client was closed on our side.
	ErrClosed = errors.New("client closed")
)

// ErrCrash ends Dial or Run: a fault of this program in reading a line. The error has the
// line, without the password.
var ErrCrash = errors.New("fault in reading a line of the server")

// ErrQueueFull is an error of Send: too many commands wait to be sent.
var ErrQueueFull = errors.New("send queue is full")

// Errors of Register that a person can mend.
var (
	// ErrNameTaken: somebody else has the name.
	ErrNameTaken = errors.New("name is taken")
	// ErrNameRefused: the server does not like the name.
	ErrNameRefused = errors.New("name is refused")
	// ErrPasswordRefused: the server does not like the password.
	ErrPasswordRefused = errors.New("password is refused")
)

// lineError turns the end of the line stream into one of the errors above.
func lineError(err error) error {
	switch {
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
