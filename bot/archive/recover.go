package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fibsbot/bot/sheet"
)

// Recovered is what a restart finds of a match.
type Recovered struct {
	Sheet *sheet.Sheet
	// Filed holds the files written just now, when the match had ended but its
	// files were not there yet.
	Filed Filed
	// Ended tells that the match is over or gone, filed or not, and Late that it
	// ended since the journal was opened.
	Ended, Late bool
	// Last is when the last entry was written.
	Last time.Time
}

// Recover reads the journals that were left open. Matches of this account on this
// server that had ended are filed; the others are returned for the table to go on
// with. A journal that is damaged is set aside under the name *.damaged and
// reported in the error, which does not keep the others from being recovered. One
// that cannot be read just now is left where it is, and the error wraps ErrUnread:
// without it the account would begin its match anew.
func (j *Journal) Recover() ([]Recovered, error) {
	paths, err := openJournals(j.dir)
	if err != nil {
		return nil, fmt.Errorf("recover archive: %w: %w", ErrUnread, err)
	}
	var out []Recovered
	var errs []error
	for _, path := range paths {
		r, err := j.recoverOne(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("recover archive: %w", err))
		}
		out = append(out, r...)
	}
	return out, errors.Join(errs...)
}

// openJournals are the paths of the open journals of all accounts in dir, by name. That
// the folder cannot be listed is an error, and no empty folder: in it may be the match
// that goes on.
func openJournals(dir string) ([]string, error) {
	dir = filepath.Join(dir, openDir)
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var paths []string
	for _, e := range list {
		if strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

// ErrUnread marks a journal that is there and could not be read, for a reason that
// may pass.
var ErrUnread = errors.New("journal not read")

// recoverOne is Recover for one journal. Its match may take the place of an older one with
// the same opponent, which is filed then.
func (j *Journal) recoverOne(path string) ([]Recovered, error) {
	entries, good, err := readJournal(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil // another account has filed it since we looked
	case errors.Is(err, ErrDamaged):
		return nil, errors.Join(err, os.Rename(path, path+".damaged"))
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	if len(entries) == 0 {
		// Created, and not a byte of it survived: nothing had happened yet. A file
		// of this very moment may be another account's.
		if st, err := os.Stat(path); err == nil && j.now().Sub(st.ModTime()) > time.Minute && strings.Contains(filepath.Base(path), "_"+safe(j.account)+"-") {
			return nil, os.Remove(path)
		}
		return nil, nil
	}
	if !j.owns(entries[0]) {
		return nil, nil
	}
	stem := strings.TrimSuffix(filepath.Base(path), suffix)
	b := &book{path: path, head: entries[0], stem: stem, base: stem, size: good, full: hasKind(entries, kindFull), talk: talkOf(entries)}
	// A torn last line is cut off, or the next entry would be glued to it.
	if err := os.Truncate(path, good); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	kept, err := j.readAgain(entries, path)
	if err != nil {
		return nil, errors.Join(err, os.Rename(path, path+".damaged"))
	}
	switch entries[len(entries)-1].Kind {
	case kindOver, kindGone, kindFiled:
		_, filed, err := j.file(b)
		if err != nil {
			b.left = true
			j.unfiled = append(j.unfiled, b)
		}
		return []Recovered{{Sheet: kept, Filed: filed, Ended: true}}, err
	}
	var out []Recovered
	if old := j.open[kept.Opponent]; old != nil {
		var filed Filed
		if filed, err = j.discard(old); len(filed.Files) > 0 {
			out = append(out, Recovered{Sheet: filed.Sheet, Filed: filed, Ended: true})
		}
	}
	j.open[kept.Opponent] = b
	return append(out, Recovered{Sheet: kept, Last: entries[len(entries)-1].At}), err
}

// owns reports whether a journal is this account's on this server.
func (j *Journal) owns(head entry) bool {
	return head.Account == j.account && sameServer(head.Server, j.server) && protocolOf(head.Protocol) == j.protocol
}

func hasKind(entries []entry, kind string) bool {
	for _, e := range entries {
		if e.Kind == kind {
			return true
		}
	}
	return false
}

// Retry writes and files what could not be written or filed before. It returns
// the matches whose files have been written just now.
func (j *Journal) Retry() ([]Recovered, error) {
	var errs []error
	if j.repair {
		if err := j.makeDirs(); err != nil {
			return nil, fmt.Errorf("write the journals again: %w", err)
		}
	}
	for opponent, b := range j.open {
		if len(b.waits) > 0 || b.torn || b.dirty {
			err := j.flush(b)
			if err == nil {
				err = j.syncBook(b)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("journal %s: %w", opponent, err))
			}
		}
	}
	var out []Recovered
	kept := j.unfiled[:0]
	for _, b := range j.unfiled {
		sh, filed, err := j.file(b)
		if err != nil {
			errs = append(errs, fmt.Errorf("file %s: %w", b.base, err))
			kept = append(kept, b)
			continue
		}
		if sh != nil {
			out = append(out, Recovered{Sheet: sh, Filed: filed, Ended: true, Late: !b.left})
		}
	}
	clear(j.unfiled[len(kept):])
	j.unfiled = kept
	err := errors.Join(errs...)
	j.repair = err != nil
	return out, err
}

// Unfiled is the number of matches that have ended and whose files could not be
// written yet.
func (j *Journal) Unfiled() int { return len(j.unfiled) }

// Written tells whether every entry is in its journal; files may be missing still.
func (j *Journal) Written() bool {
	for _, b := range j.open {
		if len(b.waits) > 0 || b.torn {
			return false
		}
	}
	for _, b := range j.unfiled {
		if len(b.waits) > 0 || b.torn {
			return false
		}
	}
	return true
}

// readAgain is rebuild for lines that may have led to a fault of this program: it must
// not happen again at every start.
func (j *Journal) readAgain(entries []entry, name string) (s *sheet.Sheet, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w %s: fault of this program in reading it again: %v", ErrDamaged, name, p)
		}
	}()
	return rebuild(j.kind, entries), nil
}
