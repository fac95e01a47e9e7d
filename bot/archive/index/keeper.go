package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// ErrCorrupt means that the file of the index is damaged. It can be rebuilt from the match
// files.
var ErrCorrupt = errors.New("the index is damaged")

// ErrAway means that the index could not be opened a moment ago and is not tried again yet.
var ErrAway = errors.New("the index cannot be opened")

// Corrupt reports whether an error means that the file of the index is damaged.
func Corrupt(err error) bool { return damagedFile(err) || errors.Is(err, ErrCorrupt) }

// setAside renames the SQLite index of the archive in dir and returns its new name. The index
// must be closed.
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
		return "", fmt.Errorf("rename damaged index: %w", err)
	}
	for _, ext := range []string{"-wal", "-shm", "-journal"} {
		// They would damage the new index.
		if err := os.Remove(from + ext); err != nil && !errors.Is(err, os.ErrNotExist) {
			return to, fmt.Errorf("rename damaged index: %w", err)
		}
	}
	return to, nil
}

// Check reads the whole index and returns an error that is Corrupt if a part is damaged.
func (d *DB) Check(ctx context.Context) error { return d.rows.check(ctx) }

// openSound is Open, but renames a damaged SQLite file to the name returned and opens an
// empty index.
func openSound(ctx context.Context, dir, dsn string) (d *DB, aside string, err error) {
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

// OpenReadable is Open for a program that ends soon. A damaged SQLite file is renamed to the name
// returned. Where nothing can be written, as on a full disk, the index can only be read.
func OpenReadable(ctx context.Context, dir, dsn string) (d *DB, aside string, err error) {
	d, aside, err = openSound(ctx, dir, dsn)
	if err == nil || dsn != "" {
		return d, aside, err
	}
	r, err := readRows(ctx, dir, err)
	if err != nil {
		return nil, "", err
	}
	return newDB(r, dir), "", nil
}

// Keeper keeps an index open for a process that can work without it: it replaces a damaged
// index and reopens one that was unavailable. It is safe for concurrent use.
type Keeper struct {
	// Dir and DSN are those of Open.
	Dir, DSN string
	// Told, if set, is called with every failure, with the new name of a damaged index, and
	// with neither once the index has caught up. (A successful read does not prove that the
	// index works: its disk may be full.) Calls do not overlap; they must not call Use.
	Told func(err error, aside string)
	// Every is the time between two attempts to open the index; 5 s by default.
	Every time.Duration

	once sync.Once
	turn chan struct{} // holds a value while a call opens or closes the index: of it are db, file and tried
	db   *DB
	file os.FileInfo // of the open SQLite file
	// tried is when the last attempt to open it ended: an attempt may take longer than Every.
	tried time.Time

	behind atomic.Bool

	mu      sync.Mutex // not held during disk access or callbacks
	last    error      // the last failure, nil after catching up
	fine    bool       // the last use succeeded
	telling sync.Mutex // held during a call of Told

	// For tests, nil otherwise.
	open func(ctx context.Context, dir, dsn string) (*DB, string, error)
	now  func() time.Time
}

// openLimit bounds an attempt to open an index, as a missing host does not answer.
const openLimit = 10 * time.Second

// Use runs do with the index. It returns the error of do, or of opening the index.
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
		k.behind.Store(true)
		_ = k.close(db) // opening it again finds and replaces the damaged file
	}
	return err
}

// enter waits until no other call opens or closes the index; leave ends that.
func (k *Keeper) enter(ctx context.Context) error {
	k.once.Do(func() { k.turn = make(chan struct{}, 1) })
	select {
	case k.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (k *Keeper) leave() { <-k.turn }

// get returns the index and opens it if needed, or waits while another call opens it.
func (k *Keeper) get(ctx context.Context) (*DB, error) {
	if err := k.enter(ctx); err != nil {
		return nil, err
	}
	db, aside, err := k.opened(ctx)
	if aside != "" || err != nil && !errors.Is(err, ErrAway) && ctx.Err() == nil {
		k.tell(err, aside)
	}
	return db, err
}

func (k *Keeper) clock() time.Time {
	if k.now != nil {
		return k.now()
	}
	return time.Now()
}

// opened returns the index, which it opens if needed. It leaves the turn of its caller.
func (k *Keeper) opened(ctx context.Context) (db *DB, aside string, err error) {
	defer k.leave()
	if k.db != nil && !k.gone(k.file) {
		return k.db, "", nil
	}
	if k.db != nil {
		// The file was removed or replaced, so writes to it are lost; the index at its path has
		// to catch up.
		_ = k.db.Close()
		k.db = nil
		k.behind.Store(true)
	}
	every := k.Every
	if every <= 0 {
		every = 5 * time.Second
	}
	k.mu.Lock()
	last := k.last
	k.mu.Unlock()
	if last != nil && !k.tried.IsZero() && k.clock().Sub(k.tried) < every && !Corrupt(last) {
		return nil, "", fmt.Errorf("%w: %w", ErrAway, last)
	}
	open, short := k.open, ctx
	if open == nil {
		open = openSound
	}
	if k.DSN != "" {
		var cancel context.CancelFunc
		short, cancel = context.WithTimeout(ctx, openLimit)
		defer cancel()
	}
	db, aside, err = open(short, k.Dir, k.DSN)
	k.tried = k.clock()
	if aside != "" {
		k.behind.Store(true)
	}
	if err != nil {
		if ctx.Err() == nil {
			k.failed(err)
		}
		return nil, aside, err
	}
	k.db = db
	k.file, _ = os.Stat(filepath.Join(k.Dir, FileName)) // nil without a file
	return db, aside, nil
}

// close closes the index, after a call that is opening it; with db, only if it is still that.
func (k *Keeper) close(db *DB) (err error) {
	_ = k.enter(context.Background()) // which does not end
	defer k.leave()
	if k.db != nil && (db == nil || k.db == db) {
		err = k.db.Close()
		k.db = nil
	}
	return err
}

// gone reports whether the open SQLite file was removed or replaced.
func (k *Keeper) gone(file os.FileInfo) bool {
	if k.DSN != "" || file == nil {
		return false
	}
	now, err := os.Stat(filepath.Join(k.Dir, FileName))
	return err != nil && errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(now, file)
}

// note records whether the last use succeeded.
func (k *Keeper) note(err error) {
	if err != nil {
		k.failed(err)
		k.tell(err, "")
		return
	}
	k.mu.Lock()
	k.fine = true
	k.mu.Unlock()
}

// failed records a failure, after which the index may lack matches.
func (k *Keeper) failed(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.fine = err, false
	k.behind.Store(true)
}

// tell calls Told, after a call that is running.
func (k *Keeper) tell(err error, aside string) {
	if k.Told != nil {
		k.telling.Lock()
		defer k.telling.Unlock()
		k.Told(err, aside)
	}
}

// Behind reports whether the index may lack matches, after a failure or a new start.
func (k *Keeper) Behind() bool { return k.behind.Load() }

// CaughtUp records that the index has all matches again. It has no effect right after a
// failure.
func (k *Keeper) CaughtUp() {
	k.mu.Lock()
	had, fine := k.last, k.fine
	if fine {
		k.last = nil
		k.behind.Store(false)
	}
	k.mu.Unlock()
	if fine && had != nil {
		k.tell(nil, "")
	}
}

// Close closes the index, after a call that is opening it.
func (k *Keeper) Close() error { return k.close(nil) }
