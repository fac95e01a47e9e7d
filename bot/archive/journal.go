package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fibsbot/bot/internal/changes"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/internal/atomicfile"
)

// Journal writes the matches of one account on one server. It is not safe for concurrent use.
// Accounts and programs may share a directory.
type Journal struct {
	opt      Options
	protocol string // the name of opt.Protocol
	log      changes.Log
	release  func() error     // releases the lock
	open     map[string]*book // by opponent
	current  *book
	unfiled  []*book // ended, but files not written yet
	repair   bool    // a write failed; folders may be missing
}

// Options configure a Journal.
type Options struct {
	// Dir is the archive's directory; it is created if missing.
	Dir string
	// Account is the bot's name, Server its address, Protocol the server's protocol, which
	// also reads journals. Together they identify the account's journals.
	Account, Server string
	Protocol        protocol.Protocol
	// Now is the clock for file names; time.Now by default.
	Now func() time.Time
	// NoSync skips syncing: kill -9 loses nothing, a power failure may. For tests.
	NoSync bool
	// Before, if set, is called before each step of filing a match and may refuse it, as the
	// end of the process would. For tests.
	Before func(step string) error
	// Filled, if set, is called when a journal has reached MaxJournal.
	Filled func(opponent string)
	// Removed, if set, is called when a removed journal of a match in progress was written
	// again: whole, or without the earlier entries.
	Removed func(opponent string, whole bool)
}

// Open locks the journals of an account. Recover returns its interrupted matches.
func Open(opt Options) (*Journal, error) {
	if opt.Account == "" {
		return nil, errors.New("open archive: no account name")
	}
	if opt.Protocol == nil {
		return nil, errors.New("open archive: no protocol")
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	j := &Journal{opt: opt, protocol: protocolOf(opt.Protocol.Name()), log: changes.Log{Dir: opt.Dir, NoSync: opt.NoSync, Before: opt.Before}, open: map[string]*book{}}
	if err := j.makeDirs(); err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	var err error
	if j.release, err = take(j.opt.Dir, j.opt.Account, j.opt.Server, j.protocol); err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	if err := j.finish(context.Background()); err != nil {
		return nil, errors.Join(fmt.Errorf("open archive: %w", err), j.release())
	}
	return j, nil
}

// finish finishes the filing of a match that was interrupted.
func (j *Journal) finish(ctx context.Context) error {
	c, err := j.log.Begin(ctx)
	if errors.Is(err, changes.ErrBusy) {
		return nil // that program has finished it
	}
	if err != nil {
		return err
	}
	return c.Close()
}

func (j *Journal) makeDirs() error {
	for _, d := range []string{j.opt.Dir, filepath.Join(j.opt.Dir, openDir), filepath.Join(j.opt.Dir, journalDir)} {
		if err := atomicfile.MkdirPrivate(d); err != nil {
			return err
		}
	}
	return nil
}

// Write appends the notes of one event, in order, and returns the matches that ended. When it
// returns, the operating system has everything, so a killed process loses nothing; Sync
// writes it to disk.
//
// After an error nothing is lost: the rest waits in memory, in order, for the next note or
// Retry. Match files that cannot be written are not an error here; Unfiled counts those
// matches and Retry files them.
func (j *Journal) Write(notes []table.Note, at time.Time) (filed []Filed, err error) {
	for _, n := range notes {
		f, e := j.write(n, at)
		if len(f.Files) > 0 {
			filed = append(filed, f)
		}
		if e != nil && err == nil {
			err = fmt.Errorf("journal %s: %w", n.Opponent, e)
			j.repair = true
		}
	}
	return filed, err
}

func (j *Journal) write(n table.Note, at time.Time) (Filed, error) {
	switch n.Kind {
	case table.NoteOpen:
		return j.begin(n, at)
	case table.NoteLine, table.NoteSent:
		kind := kindLine
		if n.Kind == table.NoteSent {
			kind = kindSent
		}
		if n.Minor && j.isFull(n.Opponent, at) {
			return Filed{}, nil
		}
		return Filed{}, j.append(j.current, entry{Kind: kind, At: at, Raw: n.Raw})
	case table.NoteThought:
		e, ok := thought(n)
		if !ok || j.isFull(n.Opponent, at) {
			return Filed{}, nil
		}
		e.At = at
		return Filed{}, j.append(j.current, e)
	case table.NoteSaid:
		return Filed{}, j.said(n, at)
	case table.NoteSaved:
		b := j.current
		j.current = nil
		if err := j.append(b, entry{Kind: kindSaved, At: at}); err != nil {
			return Filed{}, err
		}
		return Filed{}, j.closeBook(b)
	case table.NoteOver:
		b := j.current
		if b == nil {
			return Filed{}, nil
		}
		j.current = nil
		delete(j.open, n.Opponent)
		return j.end(b, entry{Kind: kindOver, At: at, Forfeit: n.Forfeit})
	case table.NoteDiscard:
		b := j.open[n.Opponent]
		if b == nil {
			return Filed{}, nil
		}
		delete(j.open, n.Opponent)
		if b == j.current {
			j.current = nil
		}
		return j.discard(b)
	}
	return Filed{}, nil
}

// isFull reports whether the journal of the match at the board takes only lines of the game.
// The first time it adds an entry and calls Filled.
func (j *Journal) isFull(opponent string, at time.Time) bool {
	b := j.current
	if b == nil || b.size <= MaxJournal {
		return false
	}
	if !b.full {
		b.full = true
		_ = j.append(b, entry{Kind: kindFull, At: at}) // the next entry reports a failure
		if j.opt.Filled != nil {
			j.opt.Filled(opponent)
		}
	}
	return true
}

// begin opens the journal of a match; a resumed match continues its old one.
func (j *Journal) begin(n table.Note, at time.Time) (Filed, error) {
	var filed Filed
	var errs []error
	b := j.open[n.Opponent]
	if b != nil && !n.Resumed {
		files, err := j.discard(b)
		errs = append(errs, err)
		filed, b = files, nil
	}
	length := n.Length
	if b == nil {
		b = &book{base: fmt.Sprintf("%s_%s-%s_%s", j.opt.Now().UTC().Format("2006-01-02_150405"), safe(j.opt.Account), safe(n.Opponent), lengthWord(n.Length))}
		j.open[n.Opponent] = b
		b.head = entry{Kind: kindHead, At: at, Format: journalFormat, Account: j.opt.Account, Opponent: n.Opponent, Server: j.opt.Server, Protocol: named(j.protocol), Length: &length, Ratings: n.Ratings, Score: n.Score}
		errs = append(errs, j.append(b, b.head))
	}
	j.current = b
	errs = append(errs, j.append(b, entry{Kind: kindOpen, At: at, Length: &length, Resumed: n.Resumed, Number: n.Number, Ratings: n.Ratings}))
	return filed, cmp.Or(errs...) // the others have the same cause
}

// Sync writes everything so far to disk. The bot calls it before it acts on it.
func (j *Journal) Sync() error {
	if j.current == nil {
		return nil
	}
	if err := j.syncBook(j.current); err != nil {
		j.repair = true
		return fmt.Errorf("sync journal: %w", err)
	}
	return nil
}

// Close syncs and closes all journals and releases the lock. Interrupted matches stay in
// open.
func (j *Journal) Close() error {
	var errs []error
	for _, b := range j.open {
		errs = append(errs, j.closeBook(b))
	}
	for _, b := range j.unfiled {
		errs = append(errs, j.closeBook(b)) // a restart files it
	}
	j.current = nil
	if j.release != nil {
		errs = append(errs, j.release())
	}
	return errors.Join(errs...)
}

// discard files a match that cannot be finished.
func (j *Journal) discard(b *book) (Filed, error) {
	return j.end(b, entry{Kind: kindGone, At: j.opt.Now()})
}

// end writes the last entry of a match and files it. What fails is left to Retry.
func (j *Journal) end(b *book, last entry) (Filed, error) {
	if err := j.append(b, last); err != nil {
		j.unfiled = append(j.unfiled, b)
		return Filed{}, err
	}
	filed, err := j.file(b)
	if err != nil {
		j.unfiled, j.repair = append(j.unfiled, b), true
	}
	return filed, nil
}
