package server

import (
	"cmp"
	"sync"
)

// turns lets a few connections at a time hash a password. Addresses take turns, so that none waits
// for the many attempts of another. Many users share the address of a proxy: there the connection
// with the fewest failed attempts goes first and, of equal ones, the newest and the oldest in
// alternation, so that neither a newcomer nor an old one waits for ever.
type turns struct {
	mu      sync.Mutex
	free    int
	given   uint64 // turns so far
	waiting []*attempt
	last    map[string]uint64 // the last turn of an address that waits
}

// attempt is a password that waits to be hashed.
type attempt struct {
	site  string
	tries int           // failed ones of the same connection; -1 for a user on line
	turn  chan struct{} // closed when it is its turn
}

func newTurns(places int) *turns { return &turns{free: places, last: map[string]uint64{}} }

// ask asks for a turn, which may be given at once. The caller ends it with done, or stops waiting
// with leave.
func (t *turns) ask(site string, tries int) *attempt {
	a := &attempt{site: site, tries: tries, turn: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, a)
	t.next()
	return a
}

// leave stops waiting. A turn that was given meanwhile goes to another.
func (t *turns) leave(a *attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, w := range t.waiting {
		if w == a {
			t.remove(i)
			return
		}
	}
	t.free++
	t.next()
}

// done ends a turn.
func (t *turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	t.next()
}

// next gives out free turns. The caller holds the mutex.
func (t *turns) next() {
	for t.free > 0 && len(t.waiting) > 0 {
		best := 0
		for i, w := range t.waiting {
			b := t.waiting[best]
			order := cmp.Or(cmp.Compare(t.last[w.site], t.last[b.site]), cmp.Compare(w.tries, b.tries))
			if order < 0 || order == 0 && t.given%2 == 0 { // the newest at every second turn
				best = i
			}
		}
		a := t.waiting[best]
		t.free--
		t.given++
		t.last[a.site] = t.given
		t.remove(best)
		close(a.turn)
	}
}

// remove removes an attempt from the queue. The caller holds the mutex.
func (t *turns) remove(i int) {
	site := t.waiting[i].site
	t.waiting = append(t.waiting[:i], t.waiting[i+1:]...)
	for _, w := range t.waiting {
		if w.site == site {
			return
		}
	}
	delete(t.last, site)
}
