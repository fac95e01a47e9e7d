package bot

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// ErrBadLogin ends Run: the server refused name or password, and asking again
// would not change that.
var ErrBadLogin = protocol.ErrBadLogin

// Link is a logged-in connection as the account sees it.
type Link = protocol.Link

// QueuedLink is a Link in which commands wait for their turn to be sent.
type QueuedLink = protocol.QueuedLink

// Account is one bot on one server. Set the exported fields before Run.
type Account struct {
	Name string
	// Protocol is that of the server.
	Protocol protocol.Protocol
	// Dial logs in and returns the connection with the settings made. An error
	// that wraps ErrBadLogin ends Run.
	Dial func(ctx context.Context) (Link, error)
	// Decider plays; table.Simple by default.
	Decider table.Decider
	// Policy says with whom; Range{1, 13} by default.
	Policy Policy
	// Table holds the table's options; its Name is set from the account.
	Table table.Options
	// Archive says where matches are kept. An empty Dir keeps nothing.
	Archive archive.Options
	// Pace returns how long an answer should seem to take; nil answers at once.
	Pace func(table.Situation, table.Decision) time.Duration
	// MaxMatches ends Run after so many finished matches; 0 goes on.
	MaxMatches int
	// Backoff bounds the waits between connections: 5 s to 5 min by default.
	Backoff Backoff
	// Observe, when set, is told about every step in the account's goroutine.
	Observe func(Observation)
	// Step, when set, sees what is due before it is carried out and may add to
	// it or take from it. ev is the server's line that led here, or nil. It is
	// called in the account's goroutine and must not block.
	Step func(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time)
	// Wake returns when Step wants to be called though nothing happens; zero
	// when it does not.
	Wake func() time.Time
	// Orders are carried out in the account's goroutine while it is logged in;
	// what arrives at other times is thrown away at the next login.
	Orders <-chan Order
	// Recovered, when set, is told about matches whose files have been written
	// only now: at the start those that had ended before a crash, and with late
	// those of this run, which Observe has seen end without files.
	Recovered func(s *sheet.Sheet, filed archive.Filed, late bool)
	// Journal, when set, is told of every failure to write the journals or the
	// files of matches, and with nil that everything is written again. unfiled is
	// the number of matches that wait for their files.
	Journal func(err error, unfiled int)
	// Waits, when set, replaces Backoff and is asked anew each time.
	Waits func() Backoff
	// Ended, when set, is told why a connection ended and how long the account
	// waits before the next one.
	Ended func(cause Cause, text string, wait time.Duration)
	// Hold, when set, waits between two connections, at most for wait and until
	// ctx ends. It may come back sooner when there is reason to.
	Hold func(ctx context.Context, cause Cause, wait time.Duration)
	// Log receives logins, matches and trouble; silent by default.
	Log logrus.FieldLogger

	tbl     *table.Table
	state   atomic.Uint64 // the table's generation, for the sending goroutine
	journal *archive.Journal
	matches int
	thinker *thinker
	held    bool // commands waited in the link's queue when last looked at
	stopped bool // MaxMatches reached

	reading string // the line being acted on

	left   int       // commands left out because too many waited
	leftAt time.Time // when that was said

	journalTrouble string    // the failure told last
	fileAt         time.Time // when to try again to write the files of ended matches
}

// Observation is one step of an account, for displays and tests.
type Observation struct {
	Account string
	// Event is the server's line that led here; nil for timers and answers.
	Event *protocol.Event
	// Decision is set when the engine's answer was used.
	Decision *table.Decision
	// Over is set when a match has ended, Filed what was written of it.
	Over  *sheet.Sheet
	Filed []archive.Filed
	// Table is the match at the board, nil in the lobby.
	Table *sheet.Sheet
	At    time.Time
}

// Order is something another goroutine wants done at the table.
type Order func(t *table.Table, now time.Time) table.Due

// Run plays until ctx ends, MaxMatches is reached or the login is refused. It
// returns nil in the first two cases, unless something of a match could not be
// written down. While the journals cannot be written, for want of space or for
// another reason that may pass, it does not play, and tries again.
func (a *Account) Run(ctx context.Context) error {
	if a.Protocol == nil {
		return errors.New("account " + a.Name + ": no protocol")
	}
	a.defaults()
	defer func() {
		if a.journal == nil {
			return
		}
		if err := a.journal.Close(); err != nil {
			a.Log.WithError(err).Error("journal not closed")
		}
	}()
	backoff := a.Backoff.withDefaults()
	var row Failures
	for {
		began := time.Now()
		why := a.attempt(ctx)
		broken := errors.Is(why.err, errJournal)
		switch {
		case ctx.Err() != nil || a.stopped:
			if broken && a.retry() != nil {
				// Who was told to stop wants to know that a match is not written down.
				return why.err
			}
			return nil
		case errors.Is(why.err, ErrBadLogin), broken && !a.passes(why.err):
			return why.err
		}
		if a.Waits != nil {
			backoff = a.Waits().withDefaults()
		}
		wait := row.wait(backoff, why, time.Since(began))
		if broken {
			wait = min(wait, journalWait)
		}
		if !broken || !why.login { // tellJournal has said it once
			a.Log.WithFields(logrus.Fields{"reason": why.text, "wait": wait.Round(time.Millisecond).String()}).Warn("connection ended")
		}
		if a.Ended != nil {
			a.Ended(why.cause, why.text, wait)
		}
		a.hold(ctx, why.cause, wait)
		if ctx.Err() != nil && !broken {
			return nil
		}
	}
}

// hold waits between two connections.
func (a *Account) hold(ctx context.Context, cause Cause, wait time.Duration) {
	if a.Hold != nil {
		a.Hold(ctx, cause, wait)
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

func (a *Account) defaults() {
	if a.Decider == nil {
		a.Decider = table.Simple{}
	}
	if a.Policy == nil {
		a.Policy = Range{Min: 1, Max: 13}
	}
	if a.Log == nil {
		l := logrus.New()
		l.SetOutput(io.Discard)
		a.Log = l
	}
	a.Log = a.Log.WithField("account", a.Name)
	a.Table.Name, a.Table.Protocol = a.Name, a.Protocol
	a.tbl = table.New(a.Table)
	a.matches, a.stopped = 0, false
	a.journal, a.journalTrouble, a.fileAt = nil, "", time.Time{}
}
