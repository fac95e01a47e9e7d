package archive

import (
	"encoding/json"
	"fmt"
	"time"
)

const (
	openDir    = "open"
	journalDir = "journal"
	suffix     = ".journal"
)

// maxEntry bounds one line of a journal when it is read back.
const maxEntry = 64 << 10

// maxRaw is how much of what a server said an entry keeps, at most, where all of it would
// be too much: six bytes of JSON for each of these fit into an entry.
const maxRaw = maxEntry / 8

// line is the entry as it stands in a journal. Nothing that belongs to a game is longer
// than an entry may be; what a server says beyond that is cut off, for with such a line
// the journal could not be read again.
func (e entry) line() ([]byte, error) {
	text, err := json.Marshal(e)
	if err == nil && len(text) >= maxEntry && len(e.Raw) > maxRaw {
		e.Raw = e.Raw[:maxRaw]
		text, err = json.Marshal(e)
	}
	if err != nil {
		return nil, fmt.Errorf("entry %q: %w", e.Kind, err)
	}
	return append(text, '\n'), nil
}

// journalFormat is the version of the form of a journal, which its first entry names.
const journalFormat = 1

// entry is one line of a journal.
type entry struct {
	Kind string    `json:"k"`
	At   time.Time `json:"t"`
	Raw  string    `json:"raw,omitempty"`
	// The rest belongs to the first entry and to those that open a sitting.
	Format   int    `json:"format,omitempty"` // of the first entry
	Account  string `json:"account,omitempty"`
	Opponent string `json:"opponent,omitempty"`
	Server   string `json:"server,omitempty"`
	// Protocol is what the lines are written in; empty is FIBS's.
	Protocol string    `json:"protocol,omitempty"`
	Length   *int      `json:"length,omitempty"`
	Resumed  bool      `json:"resumed,omitempty"`
	Number   int       `json:"number,omitempty"`
	Ratings  [2]string `json:"ratings,omitzero"`
	// Forfeit is the winner's name in a kindOver of a match whose loser was away.
	Forfeit string `json:"forfeit,omitempty"`
	// Score, of the first entry, is that at which the journal begins, by sheet.Side.
	Score [2]int `json:"score,omitzero"`
	// Thought is a table.Thought.
	Thought json.RawMessage `json:"thought,omitempty"`
	// Game is that of a kindSaid, counted from 1, 0 before the first.
	Game int `json:"game,omitempty"`
}

// The kinds of entry.
const (
	kindHead    = "match"   // first line: who, where
	kindOpen    = "open"    // a sitting begins
	kindLine    = "<"       // the server said
	kindSent    = ">"       // we said
	kindThought = "thought" // we thought, before we said
	kindSaid    = "said"    // somebody said Raw at the board
	kindFull    = "full"    // from here on only lines of the game are kept
	kindSaved   = "saved"   // interrupted
	kindOver    = "over"    // has a winner
	kindGone    = "gone"    // the server has it no more
	kindFiled   = "filed"   // the files are written
)
