package table

import (
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Invitation is somebody's wish to play, for the policy to consider.
type Invitation struct {
	From      string
	Length    int // 0 unlimited; meaningless when Resume
	Unlimited bool
	Resume    bool
	// Saved tells that a match with the inviter is saved: accepting will resume
	// it, whatever length was asked for.
	Saved bool
}

// NoteKind says what a Note is about.
type NoteKind uint8

// The notes for the journal, in the order in which they must be written.
const (
	NoteOpen    NoteKind = iota + 1 // a match begins or is resumed
	NoteLine                        // the server said Raw
	NoteSent                        // the bot says Raw
	NoteSaved                       // the match is interrupted
	NoteOver                        // the match, or a game of an unlimited one, has a winner and its sheet is whole
	NoteDiscard                     // the saved match with Opponent exists no more
	NoteThought                     // what the bot thought about the decision that follows
	NoteSaid                        // Raw was said at the board, in game Game
)

// Note is one thing the journal has to hold before anybody acts on it.
type Note struct {
	Kind     NoteKind
	Opponent string
	Length   int  // for NoteOpen; 0 unlimited, -1 not told yet
	Resumed  bool // for NoteOpen
	Number   int  // for NoteOpen: Sheet.Number
	Raw      string
	// Forfeit is, for NoteOver, the name of who has won because the other player was away at
	// the end, empty for a match that was played out.
	Forfeit string
	// Next marks, for NoteOpen, that an unlimited match continues with its next game, which
	// is filed apart.
	Next bool
	// Score, for NoteOpen, is that by sheet.Side, as far as it is known.
	Score [2]int
	// Minor tells that nothing of the match is lost without this line.
	Minor bool
	// Ratings of opponent and bot as who lines showed them, for NoteOpen.
	Ratings [2]string
	Thought *Thought // for NoteThought
	Game    int      // for NoteSaid: counted from 1, 0 before the first
}

// Due is what has to be done now, in this order: write the Notes to the journal
// and sync it, send the commands, put the question to the engine.
type Due struct {
	Notes []Note
	Send  []protocol.Command
	// Ask is a new question; it replaces any older one.
	Ask *Situation
	// Invitations have to be answered with Accept or Refuse.
	Invitations []Invitation
	// Over is set when a match has ended and its sheet is complete.
	Over *sheet.Sheet
	// Warn, when not empty, is what an operator should read.
	Warn string
	// Reconnect, when not empty, says why the connection is of no more use.
	Reconnect string
}

// Add adds what another call of the table made due; its question, end and trouble
// take the place of those that are there.
func (d *Due) Add(more Due) {
	d.Notes = append(d.Notes, more.Notes...)
	d.Send = append(d.Send, more.Send...)
	d.Invitations = append(d.Invitations, more.Invitations...)
	if more.Ask != nil {
		d.Ask = more.Ask
	}
	if more.Over != nil {
		d.Over = more.Over
	}
	if more.Reconnect != "" {
		d.Reconnect = more.Reconnect
	}
	if more.Warn != "" {
		d.Warn = more.Warn
	}
}
