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
	// Encode returns the lines that carry a command out, as the journal keeps
	// them, or an error for what the server could not understand.
	Encode(Command) ([]string, error)
	// Reader reads the journal of one sitting.
	Reader() Reader
	// Plain makes a text fit for the server.
	Plain(text string) string
	// Dial logs in and makes the settings. An error that wraps ErrBadLogin says
	// that name or password are wrong; CauseOf tells of the others what they are.
	Dial(ctx context.Context, login Login) (Link, error)
	// Knock tells by nil that the server takes connections; nothing is sent to it.
	Knock(ctx context.Context, login Login) error
}

// Reader turns the lines of a journal into what they were when they came. It
// keeps what their meaning depends on and belongs to one sitting.
type Reader interface {
	// Said returns the events of a line of the server. They are valid until the
	// next call.
	Said(raw string) []Event
	// Sent returns the command that a line of ours belongs to; ok is false for a
	// line that says nothing about the match.
	Sent(raw string) (c Command, ok bool)
}

// Rules are the rules of a server, where servers differ.
type Rules struct {
	// RollsItself: the server rolls for a player who may not double.
	RollsItself bool
	// Lists: the server keeps lists of moves (AskMoves).
	Lists bool
	// ResignsAtOnce: whoever resigns has lost; nobody is asked, and no number of
	// games is offered.
	ResignsAtOnce bool
	// Drops says what giving up to a double costs.
	Drops match.DropRule
	// Seat is how long a match waits for a player whose connection is gone and goes on
	// without him as far as it can (see [sheet.Rules]); whoever leaves before loses it.
	// 0: a match that is left is saved, and nothing of it happens meanwhile.
	Seat time.Duration
	// Unlimited tells whether there are matches without end.
	Unlimited bool
	// MaxLength is the longest match in points.
	MaxLength int
	// Opens: matches are opened for whoever comes (Open), nobody is invited. Who has
	// come may be left before the first roll, and asked for a Rematch after the match.
	Opens bool
	// MaxText is the longest text of one line of talk in bytes.
	MaxText int
}

// Sheet is what a score sheet has to know of the rules.
func (r Rules) Sheet() sheet.Rules { return sheet.Rules{Drops: r.Drops, PlaysOn: r.Seat > 0} }

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
	// Plays makes the settings of a player and is ready to be invited; without it
	// those of a spectator are made.
	Plays bool
	// Passive sends nothing after the login but keepalives and what Send is given.
	Passive bool
	// Keepalive is the time without a line of ours after which one is sent,
	// Silence that without one of the server after which the connection is given
	// up, Connect that for a connection to come to be. Zero is the default.
	Keepalive, Silence, Connect time.Duration
	// Gap is the least time between two lines, ChatGap before one of talk. Burst
	// lines may go out at once, and then one more each Every. Zero is the default,
	// negative no bound.
	Gap, ChatGap, Every time.Duration
	Burst               int
	// Transcript, when set, gets every line in both directions, passwords masked,
	// from two goroutines.
	Transcript func(Line)
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
	// Events carries what the server says, in order. It is closed when the
	// connection ends.
	Events() <-chan Event
	// Send queues a command. What the server could not understand is dropped.
	Send(Command) error
	// Err says why Events was closed; nil after Close.
	Err() error
	// Close ends the connection and waits for its goroutines.
	Close() error
}

// QueuedLink is a Link in which commands wait for their turn to be sent.
type QueuedLink interface {
	Link
	// SendWhile queues a command that is thrown away when valid, asked at its
	// turn by another goroutine, reports false.
	SendWhile(c Command, valid func() bool) error
	// Waiting is the number of commands that were queued and not sent yet.
	Waiting() int
	// Drained gets a value, when there is room for one, whenever the last command that
	// waited has been sent or thrown away. It is never closed.
	Drained() <-chan struct{}
}
