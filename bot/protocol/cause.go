package protocol

import "errors"

// ErrBadLogin: the server refused the name or password; trying again does not help.
var ErrBadLogin = errors.New("the server refused the login")

// ErrNoReason: the server refused the login, an ErrBadLogin, without a reason. It may have another
// one than name and password.
var ErrNoReason = errors.New("no reason given")

// ErrQueueFull: too many commands wait to be sent.
var ErrQueueFull = errors.New("send queue is full")

// Cause is one constant word for why a connection ended or could not be made.
type Cause string

// The causes.
const (
	CauseDial     Cause = "dial"     // no connection could be made
	CauseLocal    Cause = "local"    // not tried: for example, the password could not be read
	CauseRefused  Cause = "refused"  // the login was refused
	CauseKicked   Cause = "kicked"   // the account logged in elsewhere
	CauseShutdown Cause = "shutdown" // the server announced a restart or shutdown
	CauseIdle     Cause = "idle"     // the server logged us out for being idle
	CauseSilent   Cause = "silent"   // the server said nothing for too long
	CauseLost     Cause = "lost"     // the connection broke
	CauseFlood    Cause = "flood"    // the server sent a line without end, or too many lines
	CauseSettings Cause = "settings" // the server refused a setting we need
	CauseStuck    Cause = "stuck"    // commands had no effect
	CauseCrash    Cause = "crash"    // a fault of this program
	CauseJournal  Cause = "journal"  // the journals cannot be written
)

// Causes returns all causes.
func Causes() []Cause {
	return []Cause{CauseDial, CauseLocal, CauseRefused, CauseKicked, CauseShutdown, CauseIdle, CauseSilent, CauseLost, CauseFlood, CauseSettings,
		CauseStuck, CauseCrash, CauseJournal}
}

// Failure is an error of a connection with its cause.
type Failure struct {
	Cause Cause
	Err   error
}

// Failed returns err with its cause, or nil for nil.
func Failed(cause Cause, err error) error {
	if err == nil {
		return nil
	}
	return &Failure{Cause: cause, Err: err}
}

// Error implements error, without the cause.
func (f *Failure) Error() string {
	if f.Err == nil {
		return string(f.Cause)
	}
	return f.Err.Error()
}

// Unwrap returns the error itself.
func (f *Failure) Unwrap() error { return f.Err }

// CauseOf finds the cause of an error of Dial or Link.Err, or returns otherwise;
// an empty one is CauseLost.
func CauseOf(err error, otherwise Cause) Cause {
	if errors.Is(err, ErrBadLogin) {
		return CauseRefused
	}
	var f *Failure
	if errors.As(err, &f) {
		return f.Cause
	}
	if otherwise == "" {
		return CauseLost
	}
	return otherwise
}
