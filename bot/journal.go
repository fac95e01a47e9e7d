package bot

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/protocol"
)

// errJournal marks a journal that cannot be written.
var errJournal = errors.New("journal")

// journalWait is the longest wait between two tries to write the journals: what
// keeps them from being written is on this machine, and asking costs nobody
// anything.
const journalWait = 10 * time.Second

// fileEvery is how often the files of ended matches are tried again while the
// account plays on.
const fileEvery = 10 * time.Second

// openArchive opens the journal, if it is not open, and gives the table what was
// interrupted; later it writes what could not be written before. With an error the
// account must not play: a match could be lost.
func (a *Account) openArchive() reason {
	switch {
	case a.Archive.Dir == "":
		return reason{}
	case a.journal != nil:
		return journalReason(a.retry())
	}
	opt := a.Archive
	opt.Account, opt.Protocol = a.Name, a.Protocol
	opt.Filled = func(opponent string) {
		a.Log.WithFields(logrus.Fields{"opponent": opponent, "bytes": archive.MaxJournal}).
			Warn("the journal of this match is full; only lines of the game are kept from now on")
	}
	opt.Removed = func(opponent string, whole bool) {
		text := "the journal of this match was removed; it is written again"
		if !whole {
			text = "the journal of this match was removed; what was played before is lost"
		}
		a.Log.WithField("opponent", opponent).Warn(text)
	}
	j, err := archive.Open(opt)
	if err != nil {
		a.tellJournal(err)
		return journalReason(err)
	}
	found, err := j.Recover()
	if errors.Is(err, archive.ErrUnread) {
		err = errors.Join(err, j.Close())
		a.tellJournal(err)
		return journalReason(err)
	}
	if err != nil {
		// What could be read is used; the rest was set aside under a new name.
		a.Log.WithError(err).Error("archive not fully recovered")
	}
	a.journal = j
	for _, r := range found {
		if len(r.Filed.Files) > 0 {
			a.recovered(r)
			continue
		}
		if !r.Ended {
			if now := time.Now(); r.Last.After(now) {
				r.Last = now // the clock has been set back since
			}
			a.tbl.Restore(r.Sheet, r.Last)
		}
	}
	return reason{}
}

func journalReason(err error) reason {
	if err == nil {
		return reason{}
	}
	return reason{text: strings.ReplaceAll(err.Error(), "\n", "; "), cause: protocol.CauseJournal, login: true, err: fmt.Errorf("%w: %w", errJournal, err)}
}

// passes tells whether it is worth waiting for the end of what keeps the journal
// from being written. Once it was open, anything may pass. At the start only want
// of space or descriptors does: a folder that is no folder is a mistake to be told.
func (a *Account) passes(err error) bool {
	if a.journal != nil {
		return true
	}
	for _, passing := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE, syscall.EIO, syscall.ENOMEM, archive.ErrUnread} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

// retry writes what could not be written before.
func (a *Account) retry() error {
	list, err := a.journal.Retry()
	for _, r := range list {
		if len(r.Filed.Files) > 0 {
			a.recovered(r)
		}
	}
	a.tellJournal(err)
	if a.journal.Unfiled() > 0 && err != nil && a.journal.Written() {
		return nil // nothing of a match is missing but its files, which can wait
	}
	return err
}

func (a *Account) recovered(r archive.Recovered) {
	text := "match filed after a restart"
	if r.Late {
		text = "match filed late"
	}
	a.Log.WithFields(logrus.Fields{"opponent": r.Sheet.Opponent, "files": r.Filed.Files}).Info(text)
	a.Conduct.Told(LateFile{Sheet: r.Sheet, Filed: r.Filed, Late: r.Late})
}

// tellJournal says when writing begins to fail, when it fails otherwise than
// before, and when it works again.
func (a *Account) tellJournal(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text == a.journalTrouble && err == nil {
		return
	}
	unfiled := 0
	if a.journal != nil {
		unfiled = a.journal.Unfiled()
	}
	switch {
	case err == nil:
		a.Log.Info("journal written again")
	case text != a.journalTrouble:
		a.Log.WithError(err).WithField("unfiled", unfiled).Error("journal not written; trying again")
	}
	a.journalTrouble = text
	a.Conduct.Told(JournalState{Err: err, Unfiled: unfiled})
}

// fileAgain tries the files of ended matches again from time to time.
func (a *Account) fileAgain(now time.Time) {
	if a.journal == nil || a.journal.Unfiled() == 0 || now.Before(a.fileAt) {
		return
	}
	a.fileAt = now.Add(fileEvery)
	_ = a.retry() // told; a journal that fails ends the session with the next line
}
