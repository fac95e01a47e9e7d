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

// Lines is a journal of what the server said about a match that others play. It
// is written as the journals of our own matches are and read back with
// LeftLines. What the lines mean is for its owner to know. It is not safe for concurrent use.
type Lines struct {
	path string
	file *os.File
	size int64 // whole entries in the file
	torn bool  // a part of an entry lies behind them
	full bool
}

// Watched says what the lines of a journal are about.
type Watched struct {
	// Account is who watched, Player whom, on Server.
	Account, Player, Opponent, Server string
	Protocol                          string // what is spoken there, FIBS when empty
	At                                time.Time
}

// CreateLines begins the journal stem in dir, which is made when missing. The
// error wraps fs.ErrExist when there is one.
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
	// The reader of journals wants both names; the players are told apart by Raw.
	err = l.write(entry{Kind: kindHead, At: w.At, Format: journalFormat, Account: w.Account, Opponent: w.Opponent, Server: w.Server, Protocol: named(w.Protocol), Raw: w.Player})
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", errors.Join(err, l.Remove()))
	}
	return l, nil
}

// Add writes a line. It is handed to the operating system before Add returns, so
// that a killed process loses nothing. Beyond MaxJournal bytes it writes nothing
// more, marks that, and returns an error once.
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

var errFullLines = fmt.Errorf("the journal of the watched match has reached %d bytes and takes no more", MaxJournal)

// Remove deletes the journal: what it was kept for is written elsewhere. A file that is
// already gone is not an error.
func (l *Lines) Remove() error {
	err := l.file.Close()
	if gone := os.Remove(l.path); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Left is a journal of Lines that a process left behind.
type Left struct {
	Watched
	Stem  string
	Lines []string
	path  string
}

// Remove ends the journal.
func (l *Left) Remove() error { return os.Remove(l.path) }

// LeftLines reads the journals that processes of this account on this server left
// behind in dir, the oldest first. Those of others are theirs. A journal that is
// damaged is set aside under the name *.damaged and reported in the error, as is
// one that cannot be read just now.
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
