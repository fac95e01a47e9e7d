package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrCorrupt marks an index whose file is damaged. It holds nothing that the match
// files do not: set it aside and rebuild it.
var ErrCorrupt = errors.New("the index is damaged")

// ErrAway is returned by a Keeper whose index could not be opened just before.
var ErrAway = errors.New("the index is away")

// Corrupt tells whether an error of an index means that its file is damaged.
func Corrupt(err error) bool {
	var e *sqlite.Error
	if errors.As(err, &e) {
		code := e.Code() & 0xff
		return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
	}
	return errors.Is(err, ErrCorrupt)
}

// setAside renames the SQLite index of the archive in dir, so that a new one can be
// made, and returns its new name. Nobody may have it open.
func setAside(dir string) (string, error) {
	from := filepath.Join(dir, FileName)
	to := fmt.Sprintf("%s.damaged-%s", from, time.Now().UTC().Format("20060102-150405"))
	for i := 2; ; i++ {
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s.damaged-%s-%d", from, time.Now().UTC().Format("20060102-150405"), i)
	}
	if err := os.Rename(from, to); err != nil {
		return "", fmt.Errorf("set index aside: %w", err)
	}
	for _, ext := range []string{"-wal", "-shm", "-journal"} {
		// They belong to the damaged file and would damage the new one.
		if err := os.Remove(from + ext); err != nil && !errors.Is(err, os.ErrNotExist) {
			return to, fmt.Errorf("set index aside: %w", err)
		}
	}
	return to, nil
}

// Check reads the whole index and returns an error that is Corrupt when a page of
// it is damaged. PostgreSQL looks after its own pages.
func (d *DB) Check(ctx context.Context) error {
	if d.postgres {
		return nil
	}
	var text string
	if err := d.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&text); err != nil {
		return fmt.Errorf("check index: %w", err)
	}
	if text != "ok" {
		return fmt.Errorf("%w: %s", ErrCorrupt, strings.TrimSpace(text))
	}
	return nil
}

// OpenSound opens the index of an archive as Open does. A damaged SQLite file is set
// aside, under the name returned, and the index is then empty.
func OpenSound(ctx context.Context, dir, dsn string) (d *DB, aside string, err error) {
	d, err = Open(ctx, dir, dsn)
	if err == nil {
		if err = d.Check(ctx); err != nil {
			d.Close()
		}
	}
	if err == nil || dsn != "" || !Corrupt(err) {
		return d, "", err
	}
	if aside, err = setAside(dir); err != nil {
		return nil, "", err
	}
	d, err = Open(ctx, dir, dsn)
	return d, aside, err
}

// Keeper keeps the index of an archive open for a process that can do without it:
// one that is damaged is set aside and made anew, one that is away is tried again.
// It is safe for concurrent use.
type Keeper struct {
	// Dir and DSN are those of Open.
	Dir, DSN string
	// Told, when set, is told of every failure, of an index set aside under a new
	// name, and with neither that the index works again: that it has caught up, for one
	// on a full disk is still read well. Calls do not overlap; it may ask the Keeper.
	Told func(err error, aside string)
	// Every is how often an index that is away is tried again; 5 s by default.
	Every time.Duration

	mu      sync.Mutex // no disk and no callback under it
	db      *DB
	busy    chan struct{} // while the index is opened or closed: closed when that is done, db is nil till then
	file    os.FileInfo   // of the open SQLite file
	tried   time.Time
	last    error // of the last failure, until it has caught up
	fine    bool  // the last use was
	behind  bool
	news    []news // not told yet
	telling bool   // somebody tells them

	// For tests, nil otherwise.
	open func(ctx context.Context, dir, dsn string) (*DB, string, error)
	now  func() time.Time
}

// news is one call of Told.
type news struct {
	err   error
	aside string
}

// openLimit bounds a try to open an index: a database host that is gone does not
// answer at all.
const openLimit = 10 * time.Second

// Use runs do with the index. Its error is do's, or says that there is no index.
func (k *Keeper) Use(ctx context.Context, do func(*DB) error) error {
	db, err := k.get(ctx)
	if err != nil {
		return err
	}
	err = do(db)
	if ctx.Err() != nil {
		return err
	}
	k.note(err)
	if err != nil && Corrupt(err) {
		_ = k.drop(db, true) // opened anew it is found damaged, and set aside
	}
	return err
}

// get returns the index, opened if need be. Who comes while it is opened waits for that.
func (k *Keeper) get(ctx context.Context) (*DB, error) {
	for {
		k.mu.Lock()
		db, file, busy := k.db, k.file, k.busy
		if db == nil && busy == nil {
			if err := k.resting(); err != nil {
				k.mu.Unlock()
				return nil, err
			}
			k.busy = make(chan struct{})
			k.mu.Unlock()
			return k.openNow(ctx)
		}
		k.mu.Unlock()
		switch {
		case db == nil:
			select {
			case <-busy:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case k.gone(file):
			// What is written to it is written nowhere; nothing of it can be kept. The one in
			// its place, or a new one, has to catch up.
			_ = k.drop(db, true)
		default:
			return db, nil
		}
	}
}

// resting is the error of an index that was away just now and is not tried again yet.
// The caller holds the mutex.
func (k *Keeper) resting() error {
	every := k.Every
	if every <= 0 {
		every = 5 * time.Second
	}
	if k.last == nil || k.tried.IsZero() || k.clock().Sub(k.tried) >= every || Corrupt(k.last) {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrAway, k.last)
}

func (k *Keeper) clock() time.Time {
	if k.now != nil {
		return k.now()
	}
	return time.Now()
}

// openNow opens the index for the caller who has set busy, and for those who wait.
func (k *Keeper) openNow(ctx context.Context) (*DB, error) {
	open := OpenSound
	if k.open != nil {
		open = k.open
	}
	short := ctx
	if k.DSN != "" {
		var cancel context.CancelFunc
		short, cancel = context.WithTimeout(ctx, openLimit)
		defer cancel()
	}
	var db *DB
	var file os.FileInfo
	var aside string
	err := errors.New("the index was not opened") // by a fault of this program
	defer func() {
		k.mu.Lock()
		k.db, k.file = db, file
		// A try may take longer than the time between two: whoever waited for it must not
		// begin the next at once, one after the other.
		k.tried = k.clock()
		k.behind = k.behind || aside != ""
		failed := err != nil && ctx.Err() == nil
		if failed {
			k.failed(err)
		}
		k.finish()
		k.mu.Unlock()
		if failed || aside != "" {
			k.tell(err, aside)
		}
	}()
	if db, aside, err = open(short, k.Dir, k.DSN); err != nil {
		db = nil
		return nil, err
	}
	if st, statErr := os.Stat(filepath.Join(k.Dir, FileName)); statErr == nil {
		file = st
	}
	return db, nil
}

// finish lets those go on who wait for what busy stood for. The caller holds the mutex.
func (k *Keeper) finish() {
	close(k.busy)
	k.busy = nil
}

// drop closes an index that is of no use any more, unless that was done meanwhile.
func (k *Keeper) drop(db *DB, behind bool) error {
	k.mu.Lock()
	if k.db != db {
		k.mu.Unlock()
		return nil
	}
	k.db, k.busy, k.behind = nil, make(chan struct{}), k.behind || behind
	k.mu.Unlock()
	err := db.Close()
	k.mu.Lock()
	k.finish()
	k.mu.Unlock()
	return err
}

// gone tells whether the SQLite file that was opened has been removed or replaced.
func (k *Keeper) gone(file os.FileInfo) bool {
	if k.DSN != "" || file == nil {
		return false
	}
	now, err := os.Stat(filepath.Join(k.Dir, FileName))
	return err != nil && errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(now, file)
}

// note remembers how the last use went.
func (k *Keeper) note(err error) {
	k.mu.Lock()
	if k.fine = err == nil; !k.fine {
		k.failed(err)
	}
	k.mu.Unlock()
	if err != nil {
		k.tell(err, "")
	}
}

// failed remembers a failure: whoever could not write has left the index behind the
// archive. The caller holds the mutex.
func (k *Keeper) failed(err error) {
	k.last, k.fine, k.behind = err, false, true
}

// tell calls Told. While a call runs, what is new waits for it to end, and is told by
// who made it.
func (k *Keeper) tell(err error, aside string) {
	if k.Told == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.news = append(k.news, news{err, aside})
	if k.telling {
		return
	}
	k.telling = true
	for len(k.news) > 0 {
		n := k.news[0]
		k.news = k.news[1:]
		k.mu.Unlock()
		k.Told(n.err, n.aside)
		k.mu.Lock()
	}
	k.telling = false
}

// Behind tells whether the index may lack matches of the archive, since it has
// failed or been made anew.
func (k *Keeper) Behind() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.behind
}

// CaughtUp says that the index has all matches again. It is not believed right after a
// failure.
func (k *Keeper) CaughtUp() {
	k.mu.Lock()
	had, fine := k.last, k.fine
	if fine {
		k.last, k.behind = nil, false
	}
	k.mu.Unlock()
	if fine && had != nil {
		k.tell(nil, "")
	}
}

// Close closes the index, when nobody opens it any more.
func (k *Keeper) Close() error {
	for {
		k.mu.Lock()
		db, busy := k.db, k.busy
		k.mu.Unlock()
		switch {
		case busy != nil:
			<-busy
		case db == nil:
			return nil
		default:
			return k.drop(db, false)
		}
	}
}
