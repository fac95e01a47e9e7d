package bot

import (
	"context"
	"time"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// Conduct is what an account does apart from playing: whom it plays, what it says, how it
// reconnects, and who is informed. Its methods are called in the account's goroutine, one at
// a time; only Rest may block. Plain is a simple Conduct that may be embedded.
type Conduct interface {
	// Step gets what is due before it is carried out, and may change it. It answers
	// invitations with Table.Accept and Table.Refuse, or leaves them unanswered. ev is the
	// server's line that led here, or nil. Step returns when it must be called if nothing
	// happens, or zero; an order on Account.Orders calls it at once.
	Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) (wake time.Time)
	// Told receives what was done: an Observation, a LateFile or a JournalState.
	Told(News)
	// Waits returns the bounds of the wait for the next connection. It is called at the end
	// of each connection.
	Waits() Backoff
	// Rest waits between two connections, at most end.Wait and until ctx ends. It may return
	// earlier.
	Rest(ctx context.Context, end Ending)
}

// News is an argument of Conduct.Told: an Observation, a LateFile or a JournalState.
type News interface{ news() }

// Observation is one step of an account after it was carried out.
type Observation struct {
	// Event is the server's line that led here; nil for timers and answers.
	Event *protocol.Event
	// Over is set when a match has ended; Filed lists the files written for it.
	Over  *sheet.Sheet
	Filed []archive.Filed
	// Table is the match at the board, nil in the lobby.
	Table *sheet.Sheet
	At    time.Time
}

// LateFile is a match filed apart from its end: after a crash, because the server no longer
// has it (Filed.Gone), or with Late after an Observation without its files.
type LateFile struct {
	archive.Filed
	Late bool
}

// JournalState is a failure to write the journals or the files of matches. With a nil Err
// writing works again. Unfiled is the number of matches that wait for their files.
type JournalState struct {
	Err     error
	Unfiled int
}

func (Observation) news()  {}
func (LateFile) news()     {}
func (JournalState) news() {}

// Ending is why a connection has ended or failed, and how long the account waits before the
// next one.
type Ending struct {
	Cause Cause
	Text  string
	Wait  time.Duration
}

// Order is a function that another goroutine wants to run at the table.
type Order func(t *table.Table, now time.Time) table.Due
