package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
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
	// index works: its disk may be full.) Calls do not overlap and may use the Keeper.
	Told func(err error, aside string)
	// Every is the time between two attempts to open the index; 5 s by default.
	Every time.Duration

	mu      sync.Mutex // not held during disk access or callbacks
	db      *DB
	busy    chan struct{} // non-nil while the index is being opened or closed, then closed; db is nil meanwhile
	file    os.FileInfo   // of the open SQLite file
	tried   time.Time
	last    error // the last failure, nil after catching up
	fine    bool  // the last use succeeded
	behind  bool
	news    []news // calls of Told to make
	telling bool   // a goroutine makes them

	// For tests, nil otherwise.
	open func(ctx context.Context, dir, dsn string) (*DB, string, error)
	now  func() time.Time
}

// news is one call of Told.
type news struct {
	err   error
	aside string
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
		_ = k.drop(db, true) // opening it again finds and replaces the damaged file
	}
	return err
}

// get returns the index and opens it if needed, or waits while another call opens it.
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
			// The file was removed or replaced, so writes to it are lost; the index at its
			// path has to catch up.
			_ = k.drop(db, true)
		default:
			return db, nil
		}
	}
}

// resting returns the last error if it is too early for another attempt. The caller holds the
// mutex.
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

// openNow opens the index for the caller, who has set busy, and for those who wait.
func (k *Keeper) openNow(ctx context.Context) (*DB, error) {
	open := openSound
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
	err := errors.New("the index was not opened") // unless changed below: a fault of this program
	defer func() {
		k.mu.Lock()
		k.db, k.file = db, file
		// An attempt may take longer than Every: those who waited must not start the next at
		// once.
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

// finish wakes those who wait on busy. The caller holds the mutex.
func (k *Keeper) finish() {
	close(k.busy)
	k.busy = nil
}

// drop closes db unless another call has done so.
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
	k.mu.Lock()
	if k.fine = err == nil; !k.fine {
		k.failed(err)
	}
	k.mu.Unlock()
	if err != nil {
		k.tell(err, "")
	}
}

// failed records a failure, after which the index may lack matches. The caller holds the
// mutex.
func (k *Keeper) failed(err error) {
	k.last, k.fine, k.behind = err, false, true
}

// tell calls Told. If a call is running, the goroutine that makes it makes this one next.
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

// Behind reports whether the index may lack matches, after a failure or a new start.
func (k *Keeper) Behind() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.behind
}

// CaughtUp records that the index has all matches again. It has no effect right after a
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

// Close closes the index, after a call that is opening it.
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
