package bot

import (
	"context"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// Conduct is what an account does beside playing: whom it plays, what it says, how it
// comes back, and who is told of it. Its methods are called in the account's
// goroutine, one at a time; only Rest may block. Plain is a simple one, and made to be
// embedded.
type Conduct interface {
	// Step sees what is due before it is carried out, and may add to it or take from
	// it. It answers the invitations among it by Table.Accept and Table.Refuse; what it
	// leaves unanswered stays so. ev is the server's line that led here, or nil. Step
	// returns when it wants to be called though nothing happens, zero for never;
	// Account.Orders is the way to have it called at once.
	Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) (wake time.Time)
	// Told hears what has been done: an Observation, a GoneFile, a LateFile or a JournalState.
	Told(News)
	// Waits bounds the wait for the next connection; it is asked at the end of each.
	Waits() Backoff
	// Rest waits between two connections, for end.Wait at most and until ctx ends. It
	// may come back sooner when there is reason to.
	Rest(ctx context.Context, end Ending)
}

// News is what a Conduct is told: an Observation, a GoneFile, a LateFile or a JournalState.
type News interface{ news() }

// Observation is one step of an account, carried out.
type Observation struct {
	Account string
	// Event is the server's line that led here; nil for timers and answers.
	Event *protocol.Event
	// Decision is set when the engine's answer was used.
	Decision *table.Answer
	// Over is set when a match has ended, Filed what was written of it.
	Over  *sheet.Sheet
	Filed []archive.Filed
	// Table is the match at the board, nil in the lobby.
	Table *sheet.Sheet
	At    time.Time
}

// LateFile is a match whose files have been written only now: at the start one that
// had ended before a crash, and with Late one of this run, which an Observation has told of
// without files.
type LateFile struct {
	Sheet *sheet.Sheet
	Filed archive.Filed
	Late  bool
}

// GoneFile is a match without an end that was filed because the server does not have it
// any more.
type GoneFile struct {
	Sheet *sheet.Sheet
	Filed archive.Filed
	At    time.Time
}

// JournalState is a failure to write the journals or the files of matches; with a nil
// Err everything is written again. Unfiled is the number of matches that wait for
// their files.
type JournalState struct {
	Err     error
	Unfiled int
}

func (Observation) news()  {}
func (GoneFile) news()     {}
func (LateFile) news()     {}
func (JournalState) news() {}

// Ending says why a connection has ended, or did not come to be, and how long the
// account waits before the next one.
type Ending struct {
	Cause Cause
	Text  string
	Wait  time.Duration
}

// Order is something another goroutine wants done at the table.
type Order func(t *table.Table, now time.Time) table.Due
