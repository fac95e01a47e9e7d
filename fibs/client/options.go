package client

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
)

// Line is a line on the wire, for transcripts. Passwords in it are masked.
type Line struct {
	// Sent is true for our lines, false for the server's.
	Sent bool
	// Time is when it was sent or complete.
	Time time.Time
	// Text is the line without its end.
	Text string
}

// Pace says how fast commands may go out. FIBS loses commands that follow
// each other too closely.
type Pace struct {
	// Gap is the shortest time between two lines; default 150 ms, negative for
	// none.
	Gap time.Duration
	// ChatGap is the shortest time between a line and the chat line after it;
	// default 1.5 s, negative for none.
	ChatGap time.Duration
	// Burst is how many lines may go out at once after a quiet time, whatever they
	// are, and Every the time in which one more may follow (a token bucket that
	// begins full): within any time t at most Burst + t/Every. The defaults are 40
	// and 250 ms. A negative Burst means no bound.
	Burst int
	Every time.Duration
}

// Options say where to log in and how to behave there. Zero values mean the
// defaults.
type Options struct {
	// Address is host:port.
	Address string
	// Name and Password of the account.
	Name     string
	Password clip.Secret
	// Program is the client name that all users see in who lists, at most 20
	// characters without a blank; default "fibsbot".
	Program string
	// Switches is the wanted state of the server's toggles by name; nil means
	// DefaultSwitches. "ready" is left out of it: see Ready.
	Switches map[string]bool
	// Redoubles is the wanted value of the variable: "none" (default), a
	// number, or "unlimited".
	Redoubles string
	// Email is the address shown to others, none when empty.
	Email string
	// Ready switches ready on as the last step of setting up. When false,
	// ready is switched off.
	Ready bool
	// Store keeps the settings that Dial changes as it found them, until Bye, sent with Send,
	// has put them back; after a killed process the next Bye does. Nil leaves them changed.
	Store Store
	// Passive leaves the account as it is: after the login nothing is sent but
	// keepalives and what Send is given.
	Passive bool
	// Deliver, when set, gets the events in place of Events, one after the other, and nil after
	// the last one. An error ends the connection and is its Err. Until it returns nothing is
	// read, and Close waits.
	Deliver func(*clip.Event) error
	// Transcript, when set, gets every line in both directions, masked. Our
	// lines and the server's come from two goroutines, at times at once.
	Transcript func(Line)
	// Login is the longest time for each step of the login, default 60 s.
	Login time.Duration
	// Answer is the longest wait for the answer to a command while setting
	// up, before it is repeated; default 8 s.
	Answer time.Duration
	// Keepalive is the time without sending after which a line is sent, default 2 minutes;
	// negative for never.
	Keepalive time.Duration
	// Goodbye is the longest wait for the server to close after bye, default
	// 3 s.
	Goodbye time.Duration
	// Pace of our lines.
	Pace Pace
	// Telnet are the limits of the connection. Its Idle defaults to two
	// keepalives and a minute here.
	Telnet telnet.Options
}

// DefaultSwitches is the state a bot wants: boards after every roll and move,
// no automatic play, a question before doubling, the Crawford rule, quiet.
func DefaultSwitches() map[string]bool {
	return map[string]bool{
		"allowpip": true, "autoboard": true, "autodouble": false, "automove": false, "bell": false,
		"crawford": true, "double": true, "greedy": false, "moreboards": true, "moves": false,
		"notify": true, "report": false, "silent": true,
	}
}

// essential are the switches without which a bot cannot play: it decides from
// boards alone.
var essential = map[string]bool{"autoboard": true, "moreboards": true}

func (o Options) withDefaults() Options {
	o.Program = cmp.Or(o.Program, "fibsbot")
	if o.Switches == nil {
		o.Switches = DefaultSwitches()
	}
	o.Redoubles = cmp.Or(o.Redoubles, "none")
	orDefault(&o.Login, time.Minute)
	orDefault(&o.Answer, 8*time.Second)
	orDefault(&o.Keepalive, 2*time.Minute)
	orDefault(&o.Goodbye, 3*time.Second)
	orDefault(&o.Pace.Gap, 150*time.Millisecond)
	orDefault(&o.Pace.ChatGap, 1500*time.Millisecond)
	orDefault(&o.Pace.Every, 250*time.Millisecond)
	o.Pace.Burst = cmp.Or(o.Pace.Burst, 40)
	if o.Telnet.Idle == 0 && o.Keepalive > 0 {
		o.Telnet.Idle = 2*o.Keepalive + time.Minute
	}
	return o
}

func orDefault(d *time.Duration, otherwise time.Duration) {
	if *d == 0 {
		*d = otherwise
	}
}

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
