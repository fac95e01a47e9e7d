// Package optout keeps the names of players who asked not to be commented on, in one list
// on disk for all accounts.
//
// The file has one name on a line; # starts a comment, so operators may read and edit it.
// Names are added at its end and synced at once. Several processes and accounts may share
// it: a name that one adds is read by the others within a second.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package optout

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/internal/names"
	"fibsbot/internal/atomicfile"
)

// most bounds the names from the network; FIBS never had as many users.
const most = 100_000

// File returns the path of an archive's list.
func File(archive string) string { return filepath.Join(archive, "state", "optout.txt") }

// List is the list of one file, or with an empty file name a list in memory. It is safe for
// concurrent use.
type List struct {
	file string
	seen names.File

	mu sync.Mutex
	// own are the names added here that no look at the file has found yet, in lower
	// case (FIBS names differ in case, people do not), with the number of the look
	// that will; unwritten where the file does not have them.
	own map[string]uint64
}

// unwritten is the look that finds a name that the file does not have.
const unwritten = math.MaxUint64

// Open reads the file; a missing one is an empty list. After an error the list is usable and
// has the names that could be read.
func Open(file string) (*List, error) {
	l := &List{file: file, own: map[string]uint64{}}
	if err := l.look().Err; err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l, fmt.Errorf("list of opt-outs: %w", err)
	}
	return l, nil
}

// look returns the content of the file. If the file has become unreadable, the names read
// before stay in force; Open and Add report that.
func (l *List) look() names.Content {
	if l.file == "" {
		return names.Content{}
	}
	return l.seen.Look(l.file, time.Now())
}

// Has reports whether name has opted out.
func (l *List) Has(name string) bool {
	c := l.look()
	if c.Has(name) {
		return true
	}
	key := strings.ToLower(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.own[key]
	if ok && c.Look >= found {
		// The name was in the file and has been removed.
		delete(l.own, key)
		return false
	}
	return ok
}

// Add adds a name. After an error the name counts, too, but only until the process ends.
func (l *List) Add(name string) error {
	key := strings.ToLower(name)
	if key == "" || strings.ContainsAny(name, "#*?[\\ \t\r\n") || l.Has(name) || !l.enter(key, l.look().Len()) || l.file == "" {
		return nil
	}
	if err := l.append(name); err != nil {
		return fmt.Errorf("%s opted out, which is remembered for this run only: %w", name, err)
	}
	next := l.seen.Begun() + 1
	l.mu.Lock()
	defer l.mu.Unlock()
	l.own[key] = next
	return nil
}

// enter makes a name count before it is written, unless it does or the list is full.
func (l *List) enter(key string, inFile int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, there := l.own[key]; there || inFile+len(l.own) >= most {
		return false
	}
	l.own[key] = unwritten
	return true
}

func (l *List) append(name string) error {
	if err := atomicfile.MkdirPrivate(filepath.Dir(l.file)); err != nil {
		return err
	}
	f, err := os.OpenFile(l.file, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	line := name + "\n"
	if open, err := openLine(f); err != nil {
		return errors.Join(err, f.Close())
	} else if open {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Sync(), f.Close())
}

// openLine reports whether the last line has no end, because of an editor or a full disk. A
// name appended to it would destroy both names.
func openLine(f *os.File) (bool, error) {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], st.Size()-1)
	return last[0] != '\n', err
}
