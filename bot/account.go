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
	// Name is the account's name on the server.
	Name string
	// Protocol is that of the server.
	Protocol protocol.Protocol
	// Dial logs in and returns the connection with the settings made. An error
	// that wraps ErrBadLogin ends Run.
	Dial func(ctx context.Context) (Link, error)
	// Decider plays; table.Simple by default.
	Decider table.Decider
	// Conduct is everything beside playing; a Plain for 1 to 13 points by default.
	Conduct Conduct
	// Table holds the table's options; its Name is set from the account.
	Table table.Options
	// Archive says where matches are kept. An empty Dir keeps nothing.
	Archive archive.Options
	// Talk says, at every line, what is kept of the talk at the board; nil keeps nothing.
	Talk func() Talk
	// Mask hides secrets in what is kept of talk; nil hides none.
	Mask func(string) string
	// Pace returns how long an answer should seem to take; nil answers at once.
	Pace func(table.Situation, table.Answer) time.Duration
	// MaxMatches ends Run after so many finished matches; 0 goes on.
	MaxMatches int
	// Orders are carried out in the account's goroutine while it is logged in, each
	// followed by a step; what arrives at other times is thrown away at the next login.
	Orders <-chan Order
	// Log receives logins, matches and trouble; silent by default.
	Log logrus.FieldLogger

	tbl     *table.Table
	state   atomic.Uint64 // the table's generation, for the sending goroutine
	journal *archive.Journal
	matches int
	thinker *thinker
	held    bool // commands waited in the link's queue when last looked at
	stopped bool // MaxMatches reached
	leaving bool // the connection is ending: nothing is sent any more

	reading string    // the line being acted on
	wake    time.Time // when Conduct wants a step

	left   int       // commands left out because too many waited
	leftAt time.Time // when that was said

	journalTrouble string    // the failure told last
	fileAt         time.Time // when to try again to write the files of ended matches
}

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
	var failures Failures
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
		wait := failures.wait(a.Conduct.Waits().withDefaults(), why, time.Since(began))
		if broken {
			wait = min(wait, journalWait)
		}
		if !broken || !why.login { // tellJournal has said it once
			a.Log.WithFields(logrus.Fields{"reason": why.text, "wait": wait.Round(time.Millisecond).String()}).Warn("connection ended")
		}
		a.Conduct.Rest(ctx, Ending{Cause: why.cause, Text: why.text, Wait: wait})
		if ctx.Err() != nil && !broken {
			return nil
		}
	}
}

func (a *Account) defaults() {
	if a.Decider == nil {
		a.Decider = table.Simple{}
	}
	if a.Conduct == nil {
		a.Conduct = &Plain{Min: 1, Max: 13}
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
