package names

import (
	"os"
	"strings"
	"sync"
	"time"

	"fibsbot/config"
)

// Set is a set of names and patterns with * and ?, without regard to case. The zero
// value is empty. A Set is never changed and safe for concurrent use.
type Set struct {
	exact    map[string]bool // in lower case
	patterns []string
}

// Of returns the set of the names and patterns in list.
func Of(list ...string) Set {
	s := Set{exact: make(map[string]bool, len(list))}
	for _, name := range list {
		if strings.ContainsAny(name, `*?[\`) {
			s.patterns = append(s.patterns, name)
		} else {
			s.exact[strings.ToLower(name)] = true
		}
	}
	return s
}

// Has reports whether name is in the set or matches a pattern of it.
func (s Set) Has(name string) bool {
	return s.exact[strings.ToLower(name)] || config.MatchAny(s.patterns, name)
}

// Len returns the number of names and patterns.
func (s Set) Len() int { return len(s.exact) + len(s.patterns) }

// Every is how often a File is read.
const Every = time.Second

// Content is the known content of a file of names.
type Content struct {
	Set
	// Err is why the last look failed; Set is that of the last that did not.
	Err error
}

// File is a file of names, one a line, # starts a comment (see [config.ReadNames]).
// The zero value has not read a file. It is safe for concurrent use: only the caller that
// rereads the file waits for the disk.
type File struct {
	mu      sync.Mutex
	have    Content
	path    string    // that have is of
	asked   string    // the path of the last look
	at      time.Time // of the file
	size    int64
	next    time.Time // of the next look
	looking bool
}

// Look returns the content of the file at path. It rereads the file if that is due at now.
func (f *File) Look(path string, now time.Time) Content {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.looking || path == f.asked && now.Before(f.next) {
		return f.have
	}
	f.looking = true
	f.asked, f.next = path, now.Add(Every)
	same, at, size := path == f.path, f.at, f.size

	f.mu.Unlock()
	st, err := os.Stat(path)
	fresh := err == nil && same && st.ModTime().Equal(at) && st.Size() == size
	var list []string
	if err == nil && !fresh {
		list, err = config.ReadNames(path)
	}
	var set Set
	if err == nil && !fresh {
		set = Of(list...)
	}
	f.mu.Lock()

	f.looking = false
	f.have.Err = err
	if err != nil {
		return f.have
	}
	if !fresh {
		f.have.Set, f.path, f.at, f.size = set, path, st.ModTime(), st.Size()
	}
	return f.have
}
