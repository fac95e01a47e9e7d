package bot

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/table"
	"fibsbot/fibs/clip"
)

// ErrBadLogin ends Run: the server refused name or password, and asking again
// would not change that.
var ErrBadLogin = errors.New("the server refused the login")

// Link is a logged-in connection as the account sees it.
type Link interface {
	// Events carries the server's lines in order. It is closed when the
	// connection ends.
	Events() <-chan clip.Event
	// Send queues a command.
	Send(clip.Command) error
	// Err says why Events was closed.
	Err() error
	// Close ends the connection and waits for its goroutines.
	Close() error
}

// QueuedLink is a Link in which commands wait for their turn to be sent.
type QueuedLink interface {
	Link
	// SendWhile queues a command that is thrown away when valid, asked at its
	// turn by another goroutine, reports false.
	SendWhile(c clip.Command, valid func() bool) error
	// Waiting is the number of commands that were queued and not sent yet.
	Waiting() int
}

// Account is one bot on one server. Set the exported fields before Run.
type Account struct {
	Name string
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
	Observe func(Moment)
	// Step, when set, sees what is due before it is carried out and may add to
	// it or take from it. ev is the server's line that led here, or nil. It is
	// called in the account's goroutine and must not block.
	Step func(t *table.Table, due *table.Due, ev *clip.Event, now time.Time)
	// Wake returns when Step wants to be called though nothing happens; zero
	// when it does not.
	Wake func() time.Time
	// Orders are carried out in the account's goroutine while it is logged in;
	// what arrives at other times is thrown away at the next login.
	Orders <-chan Order
	// Recovered, when set, is told at the start about matches that had ended
	// before a crash and whose files have been written only now.
	Recovered func(s *table.Sheet, files []string)
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
	brains  *brains
	held    bool // commands waited in the link's queue when last looked at
	stopped bool // MaxMatches reached
}

// Moment is one step of an account, for displays and tests.
type Moment struct {
	Account string
	// Event is the server's line that led here; nil for timers and answers.
	Event *clip.Event
	// Decision is set when the engine's answer was used.
	Decision *table.Decision
	// Over is set when a match has ended, Filed the files it was written to.
	Over  *table.Sheet
	Filed []string
	// Table is the match at the board, nil in the lobby.
	Table *table.Sheet
	At    time.Time
}

// Order is something another goroutine wants done at the table.
type Order func(t *table.Table, now time.Time) table.Due

// Run plays until ctx ends, MaxMatches is reached, the login is refused, or the
// journal cannot be written. It returns nil in the first two cases.
func (a *Account) Run(ctx context.Context) error {
	a.defaults()
	if err := a.openArchive(); err != nil {
		return err
	}
	if a.journal != nil {
		defer func() {
			if err := a.journal.Close(); err != nil {
				a.Log.WithError(err).Error("journal not closed")
			}
		}()
	}
	backoff := a.Backoff.withDefaults()
	var row Failures
	for {
		began := time.Now()
		why := a.session(ctx)
		switch {
		case errors.Is(why.err, errJournal):
			// Going on without a journal could lose a match: stop instead. Who was
			// told to stop anyway wants to know that a match is not written down.
			return why.err
		case ctx.Err() != nil || a.stopped:
			return nil
		case errors.Is(why.err, ErrBadLogin):
			return why.err
		}
		if a.Waits != nil {
			backoff = a.Waits().withDefaults()
		}
		wait := row.wait(backoff, why, time.Since(began))
		a.Log.WithFields(logrus.Fields{"reason": why.text, "wait": wait.Round(time.Millisecond).String()}).Warn("connection ended")
		if a.Ended != nil {
			a.Ended(why.cause, why.text, wait)
		}
		a.hold(ctx, why.cause, wait)
		if ctx.Err() != nil {
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
	a.Table.Name = a.Name
	a.tbl = table.New(a.Table)
	a.matches, a.stopped = 0, false
}

// openArchive opens the journal and gives the table what was interrupted.
func (a *Account) openArchive() error {
	if a.Archive.Dir == "" {
		return nil
	}
	opt := a.Archive
	opt.Account = a.Name
	j, err := archive.Open(opt)
	if err != nil {
		return err
	}
	found, err := j.Recover()
	if err != nil {
		// What could be read is used; the rest was set aside under a new name.
		a.Log.WithError(err).Error("archive not fully recovered")
	}
	for _, r := range found {
		if len(r.Filed) > 0 {
			a.Log.WithFields(logrus.Fields{"opponent": r.Sheet.Opponent, "files": r.Filed}).Info("match filed after a restart")
			if a.Recovered != nil {
				a.Recovered(r.Sheet, r.Filed)
			}
			continue
		}
		a.tbl.Restore(r.Sheet)
	}
	a.journal = j
	return nil
}
