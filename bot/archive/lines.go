package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/internal/atomicfile"
)

// Lines is a journal of the server's lines about a match between others. LeftLines reads it
// back. It is not safe for concurrent use.
type Lines struct {
	path string
	file *os.File
	size int64 // whole entries in the file
	torn bool  // an incomplete entry follows them
	full bool
}

// Watched describes the match of a journal of Lines.
type Watched struct {
	// Account watched Player against Opponent on Server.
	Account, Player, Opponent, Server string
	Protocol                          string // empty is FIBS
	At                                time.Time
}

// CreateLines creates the journal stem in dir, which is created if missing. The error wraps
// fs.ErrExist if the journal exists.
func CreateLines(dir, stem string, w Watched) (*Lines, error) {
	open := filepath.Join(dir, openDir)
	for _, d := range []string{dir, open} {
		if err := atomicfile.MkdirPrivate(d); err != nil {
			return nil, fmt.Errorf("create journal: %w", err)
		}
	}
	l := &Lines{path: filepath.Join(open, stem+suffix)}
	var err error
	if l.file, err = os.OpenFile(l.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	// readJournal needs both names; Raw marks a watched match.
	err = l.write(entry{Kind: kindHead, At: w.At, Format: journalFormat, Account: w.Account, Opponent: w.Opponent, Server: w.Server, Protocol: named(w.Protocol), Raw: w.Player})
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", errors.Join(err, l.Remove()))
	}
	return l, nil
}

// Add appends a line. When it returns, the operating system has the line, so a killed
// process loses nothing. Beyond MaxJournal bytes it appends a mark, returns an error once,
// and ignores further lines.
func (l *Lines) Add(raw string, at time.Time) error {
	if l.full {
		return nil
	}
	if l.size > MaxJournal {
		l.full = true
		return errors.Join(errFullLines, l.write(entry{Kind: kindFull, At: at}))
	}
	return l.write(entry{Kind: kindLine, At: at, Raw: raw})
}

func (l *Lines) write(e entry) error {
	text, err := e.line()
	if err != nil {
		return err
	}
	if l.torn {
		if err := l.file.Truncate(l.size); err != nil {
			return err
		}
		l.torn = false
	}
	n, err := l.file.Write(text)
	if err != nil {
		l.torn = n > 0
		return err
	}
	l.size += int64(n)
	return nil
}

var errFullLines = fmt.Errorf("the journal of the watched match has reached its limit of %d bytes", MaxJournal)

// Remove closes and deletes the journal. A missing file is not an error.
func (l *Lines) Remove() error {
	err := l.file.Close()
	if gone := os.Remove(l.path); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Left is a journal of Lines from an earlier process.
type Left struct {
	Watched
	Stem  string
	Lines []string
	path  string
}

// Remove deletes the journal.
func (l *Left) Remove() error { return os.Remove(l.path) }

// LeftLines reads the journals in dir that earlier processes of this account on this server
// left, the oldest first. The error reports unreadable journals; a damaged one is renamed to
// *.damaged.
func LeftLines(dir, account, server string) ([]Left, error) {
	paths, err := openJournals(dir)
	if err != nil {
		return nil, fmt.Errorf("journals of watched matches: %w", err)
	}
	var out []Left
	var errs []error
	for _, path := range paths {
		entries, _, err := readJournal(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("journals of watched matches: %w", err))
			if errors.Is(err, ErrDamaged) {
				errs = append(errs, os.Rename(path, path+".damaged"))
			}
			continue
		}
		if len(entries) == 0 || entries[0].Account != account || !sameServer(entries[0].Server, server) {
			continue
		}
		h := entries[0]
		left := Left{Watched: Watched{Account: h.Account, Player: h.Raw, Opponent: h.Opponent, Server: h.Server, Protocol: protocolOf(h.Protocol), At: h.At},
			Stem: strings.TrimSuffix(filepath.Base(path), suffix), path: path}
		for _, e := range entries[1:] {
			if e.Kind == kindLine {
				left.Lines = append(left.Lines, e.Raw)
			}
		}
		out = append(out, left)
	}
	return out, errors.Join(errs...)
}
