package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/record"
	"fibsbot/internal/ctxread"
)

// Replayed is the content of a journal.
type Replayed struct {
	// Watched reports that the journal is of a match between others.
	Watched bool
	// Ended reports that the match is over, or no longer on the server.
	Ended bool
	// Match is what filing writes, nil for a watched match. Played reports whether it has any
	// action.
	Match  *record.Match
	Played bool
}

// JournalOf returns the path of the journal of a filed match in the archive in dir, by the
// name of one of its files.
func JournalOf(dir, file string) string {
	base := filepath.Base(file)
	return filepath.Join(dir, journalDir, base[:len(base)-len(filepath.Ext(base))]+suffix)
}

// Replay reads the journal at path as filing does. protocols returns a protocol by its name,
// or nil. The error wraps ErrDamaged for an invalid journal.
func Replay(path string, protocols func(name string) protocol.Protocol) (*Replayed, error) {
	entries, _, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w %s: empty", ErrDamaged, filepath.Base(path))
	}
	h := entries[0]
	out := &Replayed{Watched: h.Raw != ""}
	if out.Watched {
		return out, nil
	}
	p := protocols(protocolOf(h.Protocol))
	if p == nil {
		return nil, fmt.Errorf("journal %s: unknown protocol %q", filepath.Base(path), protocolOf(h.Protocol))
	}
	sh, err := readAgain(p, entries, path)
	if err != nil {
		return nil, err
	}
	m := recordOf(sh, entries, p.Rules())
	out.Match, out.Played = m, hasPlay(m, hasKind(entries, kindOver))
	switch entries[len(entries)-1].Kind {
	case kindOver, kindGone, kindFiled:
		out.Ended = true
	}
	return out, nil
}

// ErrDamaged means that the content of a journal is invalid.
var ErrDamaged = errors.New("damaged journal")

// ErrFormat means that another version of the program wrote a journal.
var ErrFormat = errors.New("journal of another version")

// readJournal returns the entries of a journal and the length of its whole lines. It ignores
// an incomplete or unreadable last line, which a crash leaves; earlier ones are damage.
func readJournal(path string) ([]entry, int64, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	return readEntries(f, filepath.Base(path))
}

func readEntries(r io.Reader, name string) ([]entry, int64, error) {
	br := bufio.NewReaderSize(r, maxEntry)
	var entries []entry
	var good int64
	for n := 1; ; n++ {
		line, err := br.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return entries, good, nil // incomplete or empty last line
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, 0, fmt.Errorf("%w %s:%d: a line of more than %d bytes", ErrDamaged, name, n, maxEntry)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("journal %s:%d: %w", name, n, err)
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if _, peek := br.Peek(1); errors.Is(peek, io.EOF) {
				return entries, good, nil
			}
			return nil, 0, fmt.Errorf("%w %s:%d: %w", ErrDamaged, name, n, err)
		}
		if n == 1 && (e.Kind != kindHead || e.Account == "" || e.Opponent == "") {
			return nil, 0, fmt.Errorf("%w %s:1: no names of the players", ErrDamaged, name)
		}
		if n == 1 && e.Format != journalFormat {
			return nil, 0, fmt.Errorf("%w: %s has format %d, this fibsbot reads %d (move the file away; fibsbot archive rebuild lists the matches that were filed)", ErrFormat, name, e.Format, journalFormat)
		}
		entries = append(entries, e)
		good += int64(len(line))
	}
}

// rebuild makes the sheet from the lines of a journal, as the table did during play.
func rebuild(proto protocol.Protocol, entries []entry) *sheet.Sheet {
	length := -1
	if entries[0].Length != nil {
		length = *entries[0].Length
	}
	fromStart := true
	for _, e := range entries {
		if e.Kind == kindOpen {
			fromStart = !e.Resumed
			break
		}
	}
	s := sheet.New(entries[0].Opponent, length, fromStart)
	s.Rules, s.Score = proto.Rules().Sheet(), entries[0].Score
	r := proto.Reader()
	for _, e := range entries {
		switch e.Kind {
		case kindLine:
			events := r.FromServer(e.Raw)
			for i := range events {
				protocol.Enter(s, &events[i], entries[0].Account)
			}
		case kindSent:
			if c, ok := r.FromUs(e.Raw); ok {
				protocol.EnterSent(s, c)
			}
		case kindSaid:
			s.Said(clipped(e.Raw))
		case kindSaved, kindOpen:
			if e.Number > 0 {
				s.Number = e.Number
			}
			s.Interrupted()
			r = proto.Reader()
		case kindOver:
			s.ListEnds()
			switch e.Forfeit {
			case "":
				s.Ended()
			case s.Opponent:
				s.Forfeited(sheet.Them)
			default:
				s.Forfeited(sheet.Us)
			}
		}
	}
	s.ListEnds()
	return s
}

// aboutOf is the head of the match file. The opponent is player 0, the bot player 1; their ratings
// come from the first sitting that has them.
func aboutOf(entries []entry, rules protocol.Rules) sheet.About {
	head, ratings := entries[0], entries[0].Ratings
	for _, e := range entries {
		if ratings != [2]string{} {
			break
		}
		ratings = e.Ratings
	}
	return sheet.About{
		Players: [2]record.Player{{Name: head.Opponent, Rating: ratings[0]}, {Name: head.Account, Rating: ratings[1]}},
		Date:    head.At.UTC().Format("2006-01-02"),
		Place:   head.Server,
		Drops:   rules.Drops,
	}
}

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
