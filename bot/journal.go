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
	"fibsbot/bot/table"
)

// errJournal is wrapped by errors about a journal that cannot be written.
var errJournal = errors.New("journal")

// journalWait is the longest wait between two attempts to write the journals. The cause is
// on this machine, so frequent attempts cost little.
const journalWait = 10 * time.Second

// fileEvery is how often the account tries again to write the files of ended matches while
// it plays.
const fileEvery = 10 * time.Second

// openArchive opens the journal and gives the table the interrupted matches. If the journal
// is open, it writes what could not be written before. After an error the account must not
// play, because a match could be lost.
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
			Warn("journal full: only lines of the game are kept from now on")
	}
	opt.Removed = func(opponent string, whole bool) {
		text := "journal removed: written again from memory"
		if !whole {
			text = "journal removed: earlier moves are lost"
		}
		a.Log.WithField("opponent", opponent).Warn(text)
	}
	j, err := archive.Open(opt)
	if err != nil {
		a.reportJournal(err)
		return journalReason(err)
	}
	found, err := j.Recover()
	if errors.Is(err, archive.ErrUnread) {
		err = errors.Join(err, j.Close())
		a.reportJournal(err)
		return journalReason(err)
	}
	if err != nil {
		// The readable part is used; the rest was renamed.
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
				r.Last = now // the clock was set back
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

// passes reports whether the cause of a journal error may pass, so that waiting makes sense.
// Once the journal was open, any cause may. At the start only a lack of space, descriptors
// or memory and I/O errors may: others, such as a path that is not a folder, are mistakes
// to report.
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
	a.reportJournal(err)
	if a.journal.Unfiled() > 0 && err != nil && a.journal.Written() {
		return nil // only the files of matches are missing, which can wait
	}
	return err
}

func (a *Account) recovered(r archive.Recovered) {
	text := "match filed after a restart"
	if r.Late {
		text = "match filed late"
	}
	a.Log.WithFields(logrus.Fields{"opponent": r.Sheet.Opponent, "files": r.Filed.Files}).Info(text)
	a.Conduct.Told(LateFile{Filed: r.Filed, Late: r.Late})
}

// reportJournal logs when writing begins to fail, fails with another error, and works again.
func (a *Account) reportJournal(err error) {
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

// fileAgain tries again to write the files of ended matches, every fileEvery.
func (a *Account) fileAgain(now time.Time) {
	if a.journal == nil || a.journal.Unfiled() == 0 || now.Before(a.fileAt) {
		return
	}
	a.fileAt = now.Add(fileEvery)
	_ = a.retry() // already logged; a failing journal ends the session with the next line
}

// Talk is which talk at the board is kept.
type Talk uint8

// The degrees of Talk. Each includes the one before.
const (
	TalkNone   Talk = iota
	TalkKibitz      // kibitzes of players and watchers
	TalkAll         // also what the players say to each other
)

// listen adds talk at the board to the journal: by others in ev, by the account in due.
func (a *Account) listen(due *table.Due, ev *protocol.Event) {
	s := a.tbl.Sheet()
	if s == nil || a.Talk == nil || a.journal == nil {
		return
	}
	keep := a.Talk()
	note := func(needs Talk, who, how, text string) {
		if keep < needs || text == "" {
			return
		}
		text = who + " " + how + ": " + text
		if a.Mask != nil {
			text = a.Mask(text)
		}
		due.Notes = append(due.Notes, table.Note{Kind: table.NoteSaid, Opponent: s.Opponent, Game: len(s.Games) - s.Filed, Raw: text})
	}
	if ev != nil && ev.Name != protocol.You && ev.Name != a.Name {
		switch {
		case ev.Kind == protocol.Kibitzes:
			note(TalkKibitz, ev.Name, "kibitzes", ev.Text)
		case ev.Kind == protocol.Says && ev.Name == s.Opponent:
			note(TalkAll, ev.Name, "says", ev.Text)
		}
	}
	for _, c := range due.Send {
		switch c := c.(type) {
		case protocol.Kibitz:
			note(TalkKibitz, a.Name, "kibitzes", c.Text)
		case protocol.Tell:
			if c.Name == s.Opponent {
				note(TalkAll, a.Name, "says", c.Text)
			}
		}
	}
}
