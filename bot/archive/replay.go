package archive

import (
	"fmt"
	"path/filepath"

	"fibsbot/bot/protocol"
	"fibsbot/engine/record"
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
	sh, err := (&Journal{kind: p}).readAgain(entries, path)
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
