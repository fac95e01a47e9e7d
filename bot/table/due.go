package table

import (
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Invitation is another player's invitation, for the policy to consider.
type Invitation struct {
	From      string
	Length    int // 0 unlimited; meaningless when Resume
	Unlimited bool
	Resume    bool
	// Replace, set by the policy, accepts a new match although one is saved, which it erases.
	Replace bool
	// Saved reports whether a match with the inviter is saved. Accepting resumes it,
	// whatever length the invitation has.
	Saved bool
}

// NoteKind is the kind of a Note.
type NoteKind uint8

// The notes for the journal, in the order in which they must be written.
const (
	NoteOpen    NoteKind = iota + 1 // a match begins or is resumed
	NoteLine                        // the server said Raw
	NoteSent                        // the bot says Raw
	NoteSaved                       // the match is interrupted
	NoteOver                        // the match, or a game of an unlimited one, has a winner and a complete sheet
	NoteDiscard                     // the saved match with Opponent no longer exists
	NoteThought                     // what the bot thought about the decision that follows
	NoteSaid                        // Raw was said at the board, in game Game
)

// Note is an entry that the journal must hold before anything acts on it.
type Note struct {
	Kind     NoteKind
	Opponent string
	Length   int  // for NoteOpen; 0 unlimited, -1 not known yet
	Resumed  bool // for NoteOpen
	Number   int  // for NoteOpen: Sheet.Number
	Raw      string
	// Forfeit, for NoteOver, is the winner's name if the other player was away at the end;
	// empty if the match was played out.
	Forfeit string
	// Next, for NoteOpen, means that an unlimited match continues with its next game, which
	// is filed separately.
	Next bool
	// Score, for NoteOpen, is the score by sheet.Side, as far as it is known.
	Score [2]int
	// Minor means that the match can be rebuilt without this line.
	Minor bool
	// Ratings, for NoteOpen, are those of opponent and bot in the last who lines.
	Ratings [2]string
	Thought *Thought // for NoteThought
	Game    int      // for NoteSaid: counted from 1, 0 before the first
}

// Due is what must be done now, in this order: write the Notes to the journal and sync it,
// send the commands, ask the engine.
type Due struct {
	Notes []Note
	Send  []protocol.Command
	// Ask is a new question; it replaces any older one.
	Ask *Situation
	// Invitations must be answered with Accept or Refuse.
	Invitations []Invitation
	// Over is set when a match has ended and its sheet is complete.
	Over *sheet.Sheet
	// Failed, if not nil, is a player whose invitation we could not accept.
	Failed *Failed
	// Warn, if not empty, is a warning for the operator.
	Warn string
	// Reconnect, if not empty, is the reason to give up the connection.
	Reconnect string
	// Silent, with Reconnect: the server says nothing at all.
	Silent bool
}

// Failed is a player who waits in vain for a match with us.
type Failed struct {
	With string
	// Why is the server's sentence; empty if the saved match cannot be played on
	// (Table.Void).
	Why string
}

// Add appends what another call of the table made due. Its question, finished match and
// messages replace the present ones.
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
		d.Reconnect, d.Silent = more.Reconnect, more.Silent
	}
	if more.Failed != nil {
		d.Failed = more.Failed
	}
	if more.Warn != "" {
		d.Warn = more.Warn
	}
}
