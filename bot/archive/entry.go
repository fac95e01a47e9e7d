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

// maxEntry bounds a line of a journal in bytes.
const maxEntry = 64 << 10

// maxRaw is how many bytes of a server's line an entry keeps if the whole would exceed
// maxEntry: in JSON a byte takes up to six.
const maxRaw = maxEntry / 8

// line encodes the entry as a line of a journal. It truncates a server's line that would make
// the journal unreadable; no line of a game is that long.
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
	// The rest is in the first entry and in those that open a sitting.
	Format   int    `json:"format,omitempty"` // of the first entry
	Account  string `json:"account,omitempty"`
	Opponent string `json:"opponent,omitempty"`
	Server   string `json:"server,omitempty"`
	// Protocol is that of the lines; empty is FIBS.
	Protocol string    `json:"protocol,omitempty"`
	Length   *int      `json:"length,omitempty"`
	Resumed  bool      `json:"resumed,omitempty"`
	Number   int       `json:"number,omitempty"`
	Ratings  [2]string `json:"ratings,omitzero"`
	// Forfeit, of a kindOver, is the winner's name if the loser was away.
	Forfeit string `json:"forfeit,omitempty"`
	// Score, of the first entry, is the score at the start of the journal, by sheet.Side.
	Score [2]int `json:"score,omitzero"`
	// Thought is a table.Thought.
	Thought json.RawMessage `json:"thought,omitempty"`
	// Game, of a kindSaid, counts from 1; 0 is before the first game.
	Game int `json:"game,omitempty"`
}

// The kinds of entry.
const (
	kindHead    = "match"   // first line: who, where
	kindOpen    = "open"    // a sitting begins
	kindLine    = "<"       // a line of the server
	kindSent    = ">"       // a command of the bot
	kindThought = "thought" // the bot's thoughts before a command
	kindSaid    = "said"    // someone said Raw at the board
	kindFull    = "full"    // from here on only lines of the game
	kindSaved   = "saved"   // interrupted
	kindOver    = "over"    // has a winner
	kindGone    = "gone"    // no longer on the server
	kindFiled   = "filed"   // files written
)
