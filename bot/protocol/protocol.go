package protocol

import (
	"context"
	"time"

	"fibsbot/bot/sheet"
	"fibsbot/engine/match"
)

// Protocol is a kind of server. Its methods may be called by any goroutine.
type Protocol interface {
	// Name is the word for it in bot.yaml and in the head of a journal.
	Name() string
	// Rules are those in force on its servers.
	Rules() Rules
	// Encode returns the lines that carry out a command, as the journal keeps them, or an
	// error if the server has no such command.
	Encode(Command) ([]string, error)
	// Reader reads the journal of one sitting.
	Reader() Reader
	// Plain makes a text fit for the server.
	Plain(text string) string
	// Dial logs in and makes the settings. The error wraps ErrBadLogin for a wrong name or
	// password; CauseOf returns the cause of any other.
	Dial(ctx context.Context, login Login) (Link, error)
	// Knock returns nil if the server accepts connections. It sends nothing.
	Knock(ctx context.Context, login Login) error
}

// Registrar is a Protocol whose servers register new accounts over a connection.
type Registrar interface {
	// Register registers the account of a login. The error wraps ErrBadLogin if the server
	// refuses name or password.
	Register(ctx context.Context, login Login) error
}

// Reader turns the lines of a journal into the events and commands that they were. It keeps
// what their meaning depends on and reads one connection.
type Reader interface {
	// FromServer returns the events of a line of the server. They are valid until the
	// next call.
	FromServer(raw string) []Event
	// FromUs returns the command of a line that we sent; ok is false if the line does not
	// concern the match.
	FromUs(raw string) (c Command, ok bool)
}

// Rules are the rules of a server, where servers differ.
type Rules struct {
	// RollsItself: the server rolls for a player who may not double.
	RollsItself bool
	// KeepsMoveLists: the server keeps lists of moves (AskMoves).
	KeepsMoveLists bool
	// ResignsAtOnce: a resignation ends the game at once. The opponent is not asked, and no
	// number of games is offered.
	ResignsAtOnce bool
	// Drops says what passing a double costs.
	Drops match.DropRule
	// SeatKept is how long a match waits for a player whose connection broke; meanwhile it goes
	// on as far as it can (see [sheet.Rules]). The opponent loses it by leaving before. 0: an
	// interrupted match is saved, and nothing happens in it.
	SeatKept time.Duration
	// Opens: matches are opened for any player (Open), and no one is invited. The bot may
	// leave a player before the first roll, and offer a Rematch after the match.
	Opens bool
	// MaxText is the longest text of one line of talk in bytes.
	MaxText int
}

// Sheet returns the rules that a score sheet needs.
func (r Rules) Sheet() sheet.Rules { return sheet.Rules{Drops: r.Drops, PlaysOn: r.SeatKept > 0} }

// Secret is a password that does not print itself.
type Secret interface{ Reveal() string }

// Login says where and how to log in.
type Login struct {
	Address string // host:port
	// Name and Password are those of the account.
	Name     string
	Password Secret
	// Program is the name of the client that others see.
	Program string
	// Plays makes the settings of a player who can be invited, otherwise those of a
	// spectator.
	Plays bool
	// Store keeps the settings of the account that a login changes, until Bye has put them back.
	// Nil leaves them changed.
	Store Store
	// Passive sends nothing after the login but keepalives and what Send is given.
	Passive bool
	// Keepalive is the time without sending after which a line is sent. Silence is the time
	// without a line from the server after which the connection counts as dead. Connect is
	// the longest time to connect. Zero means the default.
	Keepalive, Silence, Connect time.Duration
	// Gap is the shortest time between two lines, ChatGap before a line of talk. Burst lines
	// may go out at once, then one more each Every. Zero means the default, negative no
	// bound.
	Gap, ChatGap, Every time.Duration
	Burst               int
	// Transcript, when set, gets every line in both directions, passwords masked,
	// from two goroutines.
	Transcript func(Line)
}

// Store keeps a small text for an account. Its methods may be called by any goroutine, one at a
// time.
type Store interface {
	// Load returns what was saved last, or nil.
	Load() []byte
	// Save keeps data, or nothing if it is nil. A failure is the store's to report.
	Save(data []byte)
}

// Line is a line on the wire.
type Line struct {
	Sent bool // ours
	Time time.Time
	Text string
}

// Link is a logged-in connection. Its methods may be used by any goroutine, Close
// once.
type Link interface {
	// Events carries the server's events in order. It is closed when the connection ends.
	Events() <-chan Event
	// Send queues a command. If valid is not nil, another goroutine calls it at the command's
	// turn, and false drops the command. A command that the server does not have is dropped.
	Send(c Command, valid func() bool) error
	// Waiting returns the number of queued commands.
	Waiting() int
	// Drained gets a value, if there is room for one, when the last queued command has been
	// sent or dropped. It is never closed.
	Drained() <-chan struct{}
	// Err returns why Events was closed, or nil after Close.
	Err() error
	// Close ends the connection and waits for its goroutines.
	Close() error
}
