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

// SetAside renames the SQLite index of the archive in dir, so that a new one can be
// made, and returns its new name. Nobody may have it open.
func SetAside(dir string) (string, error) {
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
	if aside, err = SetAside(dir); err != nil {
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
	// on a full disk is still read well. Calls do not overlap.
	Told func(err error, aside string)
	// Every is how often an index that is away is tried again; 5 s by default.
	Every time.Duration

	mu     sync.Mutex
	db     *DB
	file   os.FileInfo // of the open SQLite file
	tried  time.Time
	last   error // of the last failure, until it has caught up
	fine   bool  // the last use was
	behind bool

	// For tests, nil otherwise.
	open func(ctx context.Context, dir, dsn string) (*DB, string, error)
	now  func() time.Time
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
	k.mu.Lock()
	defer k.mu.Unlock()
	k.note(err)
	if err != nil && Corrupt(err) && k.db == db {
		db.Close()
		k.db = nil // opened anew it is found damaged, and set aside
	}
	return err
}

func (k *Keeper) get(ctx context.Context) (*DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db != nil && !k.gone() {
		return k.db, nil
	}
	every := k.Every
	if every <= 0 {
		every = 5 * time.Second
	}
	open, now := OpenSound, time.Now
	if k.open != nil {
		open, now = k.open, k.now
	}
	if k.last != nil && !k.tried.IsZero() && now().Sub(k.tried) < every && !Corrupt(k.last) {
		return nil, fmt.Errorf("%w: %w", ErrAway, k.last)
	}
	short := ctx
	if k.DSN != "" {
		var cancel context.CancelFunc
		short, cancel = context.WithTimeout(ctx, openLimit)
		defer cancel()
	}
	db, aside, err := open(short, k.Dir, k.DSN)
	// A try may take longer than the time between two: whoever waited for it must not
	// begin the next at once, one after the other.
	k.tried = now()
	if err != nil {
		if ctx.Err() == nil {
			k.note(err)
		}
		return nil, err
	}
	k.db = db
	if k.file, err = os.Stat(filepath.Join(k.Dir, FileName)); err != nil {
		k.file = nil
	}
	if aside != "" {
		k.behind = true
		if k.Told != nil {
			k.Told(nil, aside)
		}
	}
	return db, nil
}

// gone tells whether the open SQLite file has been removed or replaced: what is
// written to it is written nowhere. It is closed then, and the one in its place, or a
// new one, has to catch up.
func (k *Keeper) gone() bool {
	if k.DSN != "" || k.file == nil {
		return false
	}
	now, err := os.Stat(filepath.Join(k.Dir, FileName))
	if err == nil && os.SameFile(now, k.file) || err != nil && !errors.Is(err, os.ErrNotExist) {
		return false
	}
	_ = k.db.Close() // nothing of it can be kept
	k.db, k.behind = nil, true
	return true
}

// note remembers how the last use went. Whoever could not write has left the index
// behind the archive.
func (k *Keeper) note(err error) {
	if k.fine = err == nil; k.fine {
		return
	}
	k.last, k.behind = err, true
	if k.Told != nil {
		k.Told(err, "")
	}
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
	defer k.mu.Unlock()
	if !k.fine {
		return
	}
	had := k.last
	k.last, k.behind = nil, false
	if had != nil && k.Told != nil {
		k.Told(nil, "")
	}
}

// Close closes the index.
func (k *Keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil {
		return nil
	}
	db := k.db
	k.db = nil
	return db.Close()
}
