package server

import (
	"sync"
	"time"
)

// zoneBook caches time zones. One is read from the disk, without the server's mutex.
type zoneBook struct {
	mu    sync.RWMutex
	known map[string]*time.Location
}

var zones = zoneBook{known: map[string]*time.Location{"UTC": time.UTC}}

// load reads a time zone and reports whether it exists.
func (z *zoneBook) load(name string) bool {
	if len(name) == 0 || len(name) > 40 || name == "Local" {
		return false
	}
	z.mu.RLock()
	at := z.known[name]
	z.mu.RUnlock()
	if at != nil {
		return true
	}
	at, err := time.LoadLocation(name)
	if err != nil {
		return false
	}
	z.mu.Lock()
	z.known[name] = at // bounded by the files of the system
	z.mu.Unlock()
	return true
}

// get returns a loaded zone, or UTC.
func (z *zoneBook) get(name string) *time.Location {
	z.mu.RLock()
	defer z.mu.RUnlock()
	if at := z.known[name]; at != nil {
		return at
	}
	return time.UTC
}
