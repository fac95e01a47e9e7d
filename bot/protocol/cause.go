package protocol

import "errors"

// ErrBadLogin: the server refused name or password, and asking again would not
// change that.
var ErrBadLogin = errors.New("the server refused the login")

// ErrQueueFull: too many commands wait to be sent.
var ErrQueueFull = errors.New("send queue is full")

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
	CauseJournal  Cause = "journal"  // the journals cannot be written
)

// Causes are all causes.
func Causes() []Cause {
	return []Cause{CauseDial, CauseLocal, CauseRefused, CauseKicked, CauseShutdown, CauseIdle, CauseSilent, CauseLost, CauseFlood, CauseSettings,
		CauseStuck, CauseCrash, CauseJournal}
}

// Failure is an error of a connection with its cause.
type Failure struct {
	Cause Cause
	Err   error
}

// Failed returns err with its cause, nil for nil.
func Failed(cause Cause, err error) error {
	if err == nil {
		return nil
	}
	return &Failure{Cause: cause, Err: err}
}

// Error implements error: the cause is for programs.
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
