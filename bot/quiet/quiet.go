// Package quiet keeps the names of those who asked not to be commented on: one
// list for everything that speaks, on disk, for ever.
//
// The file holds one name a line; # starts a comment, so an operator may read and
// edit it. Names are added at its end and brought to the disk at once. Several
// processes and accounts may share it: what one adds the others read within a
// second.
package quiet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fibsbot/config"
)

// Names of files and bounds.
const (
	// look is how often the file is looked at for what others have added.
	look = time.Second
	// most bounds the names taken from the network; FIBS never had so many users.
	most = 100_000
)

// File is where the list of an archive lies.
func File(archive string) string { return filepath.Join(archive, "state", "quiet.txt") }

// List is the list of one file, or with an empty file name a list that is
// forgotten at the end. It is safe for concurrent use.
type List struct {
	file string

	mu    sync.Mutex
	names map[string]bool // in lower case: FIBS names differ in case, people do not
	at    time.Time       // of the file
	size  int64
	next  time.Time // of the next look
}

// Open reads the file; a missing one is an empty list. With an error the list is
// usable and holds what could be read.
func Open(file string) (*List, error) {
	l := &List{file: file, names: map[string]bool{}}
	return l, l.read()
}

// read takes in what the file has and we have not.
func (l *List) read() error {
	if l.file == "" {
		return nil
	}
	l.next = time.Now().Add(look)
	st, err := os.Stat(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && st.ModTime().Equal(l.at) && st.Size() == l.size {
		return nil
	}
	var names []string
	if err == nil {
		names, err = config.ReadNames(l.file)
	}
	if err != nil {
		return fmt.Errorf("list of those who want no comments: %w", err)
	}
	l.at, l.size = st.ModTime(), st.Size()
	clear(l.names) // a name that was taken out counts no more
	for _, n := range names {
		l.names[strings.ToLower(n)] = true
	}
	return nil
}

// Has tells whether name asked for silence. A file that has become unreadable
// leaves the names in force that were read before.
func (l *List) Has(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Now().After(l.next) {
		_ = l.read() // said by Open, and by Add when it matters
	}
	return l.names[strings.ToLower(name)]
}

// Add enters a name. It counts from now on even when the error tells that it
// could not be written down.
func (l *List) Add(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := strings.ToLower(name)
	if key == "" || strings.ContainsAny(name, "#*?[\\ \t\r\n") || l.names[key] || len(l.names) >= most {
		return nil
	}
	l.names[key] = true
	if l.file == "" {
		return nil
	}
	if err := l.append(name); err != nil {
		return fmt.Errorf("%s asked for silence, which is remembered for this run only: %w", name, err)
	}
	return nil
}

func (l *List) append(name string) error {
	if err := os.MkdirAll(filepath.Dir(l.file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(l.file, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
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

// openLine tells whether the last line has no end: an editor or a full disk left
// it so, and a name written behind it would be lost together with the one there.
func openLine(f *os.File) (bool, error) {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], st.Size()-1)
	return last[0] != '\n', err
}
