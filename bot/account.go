package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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

// WhileLink is a Link that can throw a queued command away: valid is asked when
// its turn to be sent has come, by another goroutine.
type WhileLink interface {
	Link
	SendWhile(c clip.Command, valid func() bool) error
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

// Backoff bounds the waits between two connections.
type Backoff struct {
	Min, Max time.Duration
	// Kicked is the wait after somebody else logged in with our name; half of
	// Max when 0.
	Kicked time.Duration
	// Jitter is the share of a wait that is drawn at random; a half when 0.
	Jitter float64
}

func (b Backoff) withDefaults() Backoff {
	if b.Min <= 0 {
		b.Min = 5 * time.Second
	}
	if b.Max <= 0 {
		b.Max = 5 * time.Minute
	}
	if b.Kicked <= 0 {
		b.Kicked = b.Max / 2
	}
	if b.Jitter <= 0 || b.Jitter > 1 {
		b.Jitter = 0.5
	}
	return b
}

// wait returns the n-th wait (from 0): doubling, bounded, with a jitter, so that
// a server that restarts is not met by all its bots at once.
func (b Backoff) wait(n int, r *rand.Rand) time.Duration {
	d := b.Min
	for range min(n, 20) {
		d = min(2*d, b.Max)
	}
	return b.jitter(d, r)
}

func (b Backoff) jitter(d time.Duration, r *rand.Rand) time.Duration {
	return d - time.Duration(r.Float64()*b.Jitter*float64(d))
}

// reason says why a connection ended, for the wait before the next one.
type reason struct {
	text  string
	cause Cause
	err   error
	login bool // it ended before it was logged in
}

// Run plays until ctx ends, MaxMatches is reached, or the login is refused. It
// returns nil in the first two cases.
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
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	failures, away := 0, 0 // in a row: connections that ended, and that did not come to be
	for {
		began := time.Now()
		why := a.session(ctx)
		switch {
		case ctx.Err() != nil || a.stopped:
			return nil
		case errors.Is(why.err, ErrBadLogin):
			return why.err
		case errors.Is(why.err, errJournal):
			// Going on without a journal could lose a match: stop instead.
			return why.err
		}
		if a.Waits != nil {
			backoff = a.Waits().withDefaults()
		}
		if time.Since(began) > backoff.Max {
			failures = 0 // it worked for a while
		}
		var wait time.Duration
		if why.cause == CauseDial {
			// An outage, however long, says nothing against the next login.
			wait = backoff.wait(away, rng)
			away++
		} else {
			wait = backoff.wait(failures, rng)
			failures++
			away = 0
		}
		switch {
		case why.cause == CauseKicked:
			// Coming back at once would throw the other one out.
			wait = max(wait, backoff.jitter(backoff.Kicked, rng))
		case why.cause == CauseShutdown && why.login:
			// It refuses logins until it goes. Once it has gone, it is the wait
			// for its return that counts.
			wait = max(wait, backoff.jitter(backoff.Max/2, rng))
		}
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

// errJournal marks a journal that cannot be written.
var errJournal = errors.New("journal")

// session runs one connection from login to its end.
func (a *Account) session(ctx context.Context) reason {
	link, err := a.Dial(ctx)
	if err != nil {
		return reason{text: err.Error(), cause: causeOf(err, CauseLocal), err: err, login: true}
	}
	a.dropOrders()
	a.Log.Info("logged in")
	a.brains = newBrains(ctx, a.Decider, a.Pace)
	defer a.brains.stop()
	why := a.loop(ctx, link)
	a.brains.stop()
	if err := link.Close(); err != nil && why.text == "" {
		why.text = err.Error()
	}
	// What the table does on a lost connection is only book-keeping.
	due := a.tbl.Lost()
	due.Send = nil
	if err := a.carryOut(link, due, Moment{}); err != nil && why.err == nil {
		why.err = err
	}
	return why
}

func (a *Account) loop(ctx context.Context, link Link) reason {
	var why reason
	if err := a.carryOut(link, a.tbl.Ready(time.Now()), Moment{}); err != nil {
		return reason{text: err.Error(), err: err}
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for !a.stopped {
		wait := time.Hour
		if at := a.tbl.Wake(); !at.IsZero() {
			wait = max(0, time.Until(at))
		}
		if a.tbl.Free() {
			wait = min(wait, partnerPoll)
		}
		if a.Wake != nil {
			if at := a.Wake(); !at.IsZero() {
				wait = min(wait, max(0, time.Until(at)))
			}
		}
		if a.held {
			wait = max(wait, heldPoll)
		}
		timer.Reset(wait)
		var due table.Due
		var m Moment
		now := time.Now()
		select {
		case <-ctx.Done():
			return a.sayGoodbye(link)
		case ev, ok := <-link.Events():
			if !ok {
				if why.text == "" {
					why.text, why.cause = "connection lost", CauseLost
				}
				if err := link.Err(); err != nil {
					why.err = err
					why.text = err.Error()
					why.cause = causeOf(err, why.cause)
				}
				return why
			}
			now = time.Now()
			m.Event = &ev
			due = a.tbl.Event(ev, now)
			switch ev.Kind {
			case clip.Attention:
				why = reason{text: "the server is going to " + ev.Text, cause: CauseShutdown}
			case clip.SecondLogin:
				why = reason{text: "the account logged in elsewhere", cause: CauseKicked}
			case clip.YouTimedOut:
				why = reason{text: "we were idle too long", cause: CauseIdle}
			}
		case ans := <-a.brains.answers:
			now = time.Now()
			if ans.err != nil {
				if !errors.Is(ans.err, context.Canceled) {
					a.Log.WithError(ans.err).Error("no decision")
				}
				continue
			}
			if ans.trouble != nil {
				a.Log.WithError(ans.trouble).Error("the engine failed; playing by rules of thumb")
			}
			m.Decision = &ans.decision
			due = a.tbl.Decided(ans.generation, ans.decision, now)
		case order := <-a.Orders:
			due = order(a.tbl, now)
		case <-timer.C:
			now = time.Now()
			if !a.late(link, now) {
				due = a.tbl.Tick(now)
			}
		}
		if err := a.carryOut(link, due, m); err != nil {
			return reason{text: err.Error(), err: err}
		}
		a.seekPartner(link)
		if due.Reconnect != "" {
			return reason{text: due.Reconnect, cause: CauseStuck}
		}
	}
	return a.sayGoodbye(link)
}

// sayGoodbye leaves in order: a running match is saved by the server, and the
// opponent is told so.
func (a *Account) sayGoodbye(link Link) reason {
	if err := link.Send(clip.Bye{}); err != nil {
		return reason{text: err.Error()}
	}
	limit := time.NewTimer(goodbyeLimit)
	defer limit.Stop()
	for {
		select {
		case ev, ok := <-link.Events():
			if !ok {
				return reason{text: "stopped"}
			}
			// The journal still wants to know how the match was left.
			due := a.tbl.Event(ev, time.Now())
			due.Send, due.Ask, due.Invitations = nil, nil, nil
			if err := a.carryOut(link, due, Moment{Event: &ev}); err != nil {
				return reason{text: err.Error(), err: err}
			}
		case <-limit.C:
			return reason{text: "stopped"}
		}
	}
}

// partnerPoll is how often a free bot asks its policy for a partner when nothing
// happens: a policy may wait for a time of day as well as for a person.
const partnerPoll = 500 * time.Millisecond

// heldPoll is how often a table that is late is looked at while commands wait to go
// out.
const heldPoll = 200 * time.Millisecond

// goodbyeLimit is how long a logout may take before the socket is closed anyway.
const goodbyeLimit = 700 * time.Millisecond

// carryOut does what is due, in the order that makes a crash harmless: journal,
// sync, commands, question.
func (a *Account) carryOut(link Link, due table.Due, m Moment) error {
	now := time.Now()
	a.state.Store(a.tbl.Generation())
	if a.Step != nil {
		a.Step(a.tbl, &due, m.Event, now)
	}
	if a.journal != nil && len(due.Notes) > 0 {
		filed, err := a.journal.Write(due.Notes, now)
		if err == nil && len(due.Send) > 0 {
			err = a.journal.Sync()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errJournal, err)
		}
		m.Filed = filed
	}
	a.state.Store(a.tbl.Generation()) // Step may have changed it
	for _, c := range due.Send {
		if err := a.send(link, c); err != nil {
			return fmt.Errorf("send: %w", err)
		}
	}
	if due.Ask != nil {
		a.brains.think(*due.Ask)
	} else {
		a.brains.forget(a.tbl.Generation())
	}
	if due.Over != nil {
		a.matchOver(due.Over, m.Filed, now)
	}
	if a.Observe != nil {
		m.Account, m.Over, m.Table, m.At = a.Name, due.Over, a.tbl.Sheet(), now
		a.Observe(m)
	}
	for _, inv := range due.Invitations {
		if err := a.answer(link, inv, now); err != nil {
			return err
		}
	}
	return nil
}

// late tells whether the table has to wait before it judges that something it sent
// had no effect: while commands are held back by the limit on what is sent, and
// for its patience after the last of them has gone.
func (a *Account) late(link Link, now time.Time) bool {
	l, ok := link.(interface{ Waiting() int })
	held := ok && l.Waiting() > 0
	if held || a.held {
		a.tbl.Underway(now)
	}
	a.held = held
	return held
}

// send queues a command. What was decided for the present state of a match is not
// sent any more when the state has moved on before its turn comes.
func (a *Account) send(link Link, c clip.Command) error {
	l, ok := link.(WhileLink)
	switch c.(type) {
	case clip.Roll, clip.Move, clip.Double, clip.Accept, clip.Reject, clip.Resign:
	default:
		ok = false
	}
	if !ok {
		return link.Send(c)
	}
	state := a.tbl.Generation()
	return l.SendWhile(c, func() bool { return a.state.Load() == state })
}

func (a *Account) answer(link Link, inv table.Invitation, now time.Time) error {
	v := a.Policy.Consider(inv, now)
	if a.stopped {
		v = Verdict{Rule: "stopping", Say: "Sorry, I am about to leave."}
	}
	a.Log.WithFields(logrus.Fields{"opponent": inv.From, "length": inv.Length, "resume": inv.Resume,
		"accept": v.Accept, "rule": v.Rule}).Info("invitation")
	if v.Accept {
		return a.carryOut(link, a.tbl.Accept(inv, now), Moment{})
	}
	return a.carryOut(link, a.tbl.Refuse(inv, v.Say), Moment{})
}

// seekPartner invites whom the policy names, while the table is free.
func (a *Account) seekPartner(link Link) {
	if a.stopped || !a.tbl.Free() {
		return
	}
	now := time.Now()
	name, length, ok := a.Policy.Partner(a.tbl.Who, now)
	if !ok {
		return
	}
	if err := a.carryOut(link, a.tbl.Invite(name, length, now), Moment{}); err != nil {
		a.Log.WithError(err).Warn("invitation not sent")
	}
}

func (a *Account) matchOver(s *table.Sheet, filed []string, now time.Time) {
	a.matches++
	a.Log.WithFields(logrus.Fields{"opponent": s.Opponent, "length": s.Length, "won": s.Winner == table.Us,
		"us": s.Score[table.Us], "them": s.Score[table.Them], "files": filed}).Info("match over")
	a.Policy.MatchOver(s, now)
	if a.MaxMatches > 0 && a.matches >= a.MaxMatches {
		a.stopped = true
	}
}
