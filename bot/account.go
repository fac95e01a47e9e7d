package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/internal/panics"
	"fibsbot/internal/sanitize"
)

// ErrBadLogin ends Run: the server refused name or password, so another try is useless.
var ErrBadLogin = protocol.ErrBadLogin

// Link is a logged-in connection as the account sees it.
type Link = protocol.Link

// Account is one bot on one server. Set the exported fields before Run.
type Account struct {
	// Name is the account's name on the server.
	Name string
	// Protocol is the server's protocol.
	Protocol protocol.Protocol
	// Dial logs in and returns the connection after the settings are made. An error that
	// wraps ErrBadLogin ends Run.
	Dial func(ctx context.Context) (Link, error)
	// Decider plays; table.Simple by default.
	Decider table.Decider
	// Conduct does everything apart from playing; by default a Plain for 1 to 13 points.
	Conduct Conduct
	// Table holds the table's options; its Name is overwritten by Account.Name.
	Table table.Options
	// Archive says where matches are kept. An empty Dir keeps nothing.
	Archive archive.Options
	// Talk returns which talk at the board is kept, and is called at every line; nil keeps
	// none.
	Talk func() Talk
	// Mask hides secrets in kept talk; nil hides none.
	Mask func(string) string
	// Pace returns how long an answer should seem to take; nil answers at once.
	Pace func(table.Situation, table.Answer) time.Duration
	// MaxMatches ends Run after that many finished matches; 0 means no limit.
	MaxMatches int
	// Orders are carried out in the account's goroutine while it is logged in, each
	// followed by a step. Orders that arrive at other times are dropped at the next login.
	Orders <-chan Order
	// Log receives logins, matches and troubles; silent by default.
	Log logrus.FieldLogger

	tbl     *table.Table
	state   atomic.Uint64 // the table's generation, for the sending goroutine
	journal *archive.Journal
	matches int
	thinker *thinker
	held    bool // commands waited in the link's queue at the last check
	stopped bool // MaxMatches reached
	leaving bool // the connection is ending: nothing more is sent

	reading string    // the line being processed
	wake    time.Time // when Conduct wants a step

	left   int       // commands dropped because the queue was full
	leftAt time.Time // last warning about that

	journalTrouble string    // the last reported failure
	fileAt         time.Time // when to try again to write the files of ended matches
}

// Run plays until ctx ends, MaxMatches is reached or the login is refused. In the first two
// cases it returns nil, unless part of a match could not be written. While the journals
// cannot be written, because the disk is full for example, it does not play and tries again.
func (a *Account) Run(ctx context.Context) error {
	if a.Protocol == nil {
		return errors.New("account " + a.Name + ": no protocol")
	}
	a.defaults()
	defer a.closeJournal()
	var failures Failures
	for {
		began := time.Now()
		why := a.attempt(ctx)
		broken := errors.Is(why.err, errJournal)
		switch {
		case ctx.Err() != nil || a.stopped:
			if broken && a.retry() != nil {
				// The caller must learn that part of a match is not written.
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
		if !broken || !why.login { // otherwise reportJournal has logged it
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

// Dialer returns an Account.Dial that calls login before each connection and logs in with
// its result.
func Dialer(p protocol.Protocol, login func() (protocol.Login, error)) func(context.Context) (Link, error) {
	return func(ctx context.Context) (Link, error) {
		l, err := login()
		if err != nil {
			return nil, err
		}
		l.Plays = true
		return p.Dial(ctx, l)
	}
}

// guarded serves a connection like loop. A panic ends only this connection: the server saves
// the match, the log has the line that caused the panic, and a new table is built from the
// journal, because the old one may be in any state.
func (a *Account) guarded(ctx context.Context, link Link) (why reason) {
	defer a.rescue(&why)
	return a.loop(ctx, link)
}

// attempt makes one connection, from opening the archive to its end. A panic anywhere has
// the same effect as in guarded.
func (a *Account) attempt(ctx context.Context) (why reason) {
	defer a.rescue(&why)
	if why = a.openArchive(); why.err != nil {
		return why
	}
	return a.session(ctx)
}

// rescue turns a panic of the function that defers it into the reason why a connection ended.
func (a *Account) rescue(why *reason) {
	p := recover()
	if p == nil {
		return
	}
	fault := panics.Of(p)
	a.Log.WithFields(logrus.Fields{"panic": fmt.Sprint(fault.Value), "line": sanitize.Text(a.reading), "stack": string(fault.Stack)}).
		Error("a fault of this program: connection closed; the match resumes from its journal")
	a.closeJournal()
	a.tbl = table.New(a.Table)
	*why = reason{text: fault.Error(), cause: protocol.CauseCrash}
}

func (a *Account) closeJournal() {
	if a.journal == nil {
		return
	}
	if err := a.journal.Close(); err != nil {
		a.Log.WithError(err).Error("journal not closed")
	}
	a.journal = nil
}
