package archive

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Recovered is a match found by a restart.
type Recovered struct {
	Sheet *sheet.Sheet
	// Filed are the files just written, if the match had ended without them.
	Filed Filed
	// Ended reports that the match is over or gone, filed or not; Late that it ended since
	// the Journal was opened.
	Ended, Late bool
	// Last is the time of the last entry.
	Last time.Time
}

// Recover reads the open journals of this account on this server. It files matches that have
// ended and returns the others for the table to resume. It renames a damaged journal to
// *.damaged and reports it in the error; the others are still recovered. A journal that
// cannot be read now stays, and the error wraps ErrUnread: the account must wait, or it
// would start the match again.
func (j *Journal) Recover() ([]Recovered, error) {
	paths, err := openJournals(j.opt.Dir)
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

// openJournals returns the paths of the open journals of all accounts in dir, by name. A
// folder that cannot be listed is an error, as it may have a match in progress.
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

// ErrUnread means that a journal exists and cannot be read now.
var ErrUnread = errors.New("unreadable journal")

// recoverOne is Recover for one journal. It files an older match against the same opponent,
// which this one replaces.
func (j *Journal) recoverOne(path string) ([]Recovered, error) {
	entries, good, err := readJournal(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil // another account has just filed it
	case errors.Is(err, ErrDamaged):
		return nil, errors.Join(err, os.Rename(path, path+".damaged"))
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	if len(entries) == 0 {
		// Nothing was written yet. A file of the last minute may be another account's.
		if st, err := os.Stat(path); err == nil && j.opt.Now().Sub(st.ModTime()) > time.Minute && strings.Contains(filepath.Base(path), "_"+safe(j.opt.Account)+"-") {
			return nil, os.Remove(path)
		}
		return nil, nil
	}
	if !j.owns(entries[0]) {
		return nil, nil
	}
	stem := strings.TrimSuffix(filepath.Base(path), suffix)
	b := &book{path: path, head: entries[0], stem: stem, base: stem, size: good, full: hasKind(entries, kindFull), talk: talkOf(entries)}
	// Cut off an incomplete last line, or the next entry would be appended to it.
	if err := os.Truncate(path, good); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	kept, err := readAgain(j.opt.Protocol, entries, path)
	if err != nil {
		return nil, errors.Join(err, os.Rename(path, path+".damaged"))
	}
	switch entries[len(entries)-1].Kind {
	case kindOver, kindGone, kindFiled:
		filed, err := j.file(b)
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
	return head.Account == j.opt.Account && sameServer(head.Server, j.opt.Server) && protocolOf(head.Protocol) == j.protocol
}

func hasKind(entries []entry, kind string) bool {
	return slices.ContainsFunc(entries, func(e entry) bool { return e.Kind == kind })
}

// Retry writes and files what failed before. It returns the matches just filed.
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
		filed, err := j.file(b)
		if err != nil {
			errs = append(errs, fmt.Errorf("file %s: %w", b.base, err))
			kept = append(kept, b)
			continue
		}
		out = append(out, Recovered{Sheet: filed.Sheet, Filed: filed, Ended: true, Late: !b.left})
	}
	clear(j.unfiled[len(kept):])
	j.unfiled = kept
	err := errors.Join(errs...)
	j.repair = err != nil
	return out, err
}

// Unfiled returns the number of ended matches whose files are not written yet.
func (j *Journal) Unfiled() int { return len(j.unfiled) }

// Written reports whether every entry is in its journal; match files may be missing.
func (j *Journal) Written() bool {
	all := slices.AppendSeq(slices.Clone(j.unfiled), maps.Values(j.open))
	return !slices.ContainsFunc(all, func(b *book) bool { return len(b.waits) > 0 || b.torn })
}

// readAgain is rebuild with panics turned into ErrDamaged, or a line that causes one would
// stop every start.
func readAgain(kind protocol.Protocol, entries []entry, name string) (s *sheet.Sheet, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w %s: reading it panicked: %v", ErrDamaged, name, p)
		}
	}()
	return rebuild(kind, entries), nil
}
