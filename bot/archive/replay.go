package archive

import (
	"fmt"
	"path/filepath"

	"fibsbot/bot/protocol"
	"fibsbot/engine/record"
)

// Replayed is what a journal tells when it is read again.
type Replayed struct {
	Account, Opponent, Server string
	// Watched tells that it is of a match that others play.
	Watched bool
	// Ended tells that the match is over, or the server has it no more.
	Ended bool
	// Match is what is filed, or would be now; nil for a watched match, and Played
	// tells whether anything happened in it.
	Match  *record.Match
	Played bool
}

// JournalOf is where the journal of a filed match lies in the archive in dir, by the
// base name of one of its files.
func JournalOf(dir, file string) string {
	base := filepath.Base(file)
	return filepath.Join(dir, journalDir, base[:len(base)-len(filepath.Ext(base))]+suffix)
}

// Replay reads the journal at path again, as filing does. protocols finds a protocol by
// its name, nil where there is none. A journal that is no journal is ErrDamaged.
func Replay(path string, protocols func(name string) protocol.Protocol) (*Replayed, error) {
	entries, _, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w %s: empty", ErrDamaged, filepath.Base(path))
	}
	h := entries[0]
	out := &Replayed{Account: h.Account, Opponent: h.Opponent, Server: h.Server, Watched: h.Raw != ""}
	if out.Watched {
		return out, nil
	}
	p := protocols(protocolOf(h.Protocol))
	if p == nil {
		return nil, fmt.Errorf("journal %s: protocol %q is not known", filepath.Base(path), protocolOf(h.Protocol))
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
