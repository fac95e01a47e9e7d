package farm

import (
	"hash/maphash"
	"maps"
	"time"

	"fibsbot/internal/shard"
)

// checking is what is known of the pieces that run a second time. Crew.mu guards it.
type checking struct {
	check int           // one piece in this many is run a second time
	salt  maphash.Seed  // of the choice, so that no machine can predict it
	due   chan struct{} // holds a value when a piece is to be checked
	// measure returns what a result adds to the job, or is nil; then no piece can be seen to
	// decide it.
	measure func(ask, data []byte) shard.Share
	// ending means that all pieces were taken: then the judge makes the checks that are due.
	ending bool
	checks map[string]*check
	proofs []proof         // of the results taken
	again  map[string]bool // pieces that ran again with the same result
	audit  Audit
	passed map[string]int // number of results found right in this and earlier jobs, by the id of the worker's key
	taken  map[string]int // number of results taken, by the id of the worker's key
}

func newChecking(measure func(ask, data []byte) shard.Share) checking {
	return checking{check: 100, measure: measure, salt: maphash.MakeSeed(), due: make(chan struct{}, 1), checks: map[string]*check{}, again: map[string]bool{},
		audit: Audit{Again: map[string]int{}}, taken: map[string]int{}}
}

// check is a piece that runs a second time. Its task in the queue looks like any other and does
// not count against the window.
type check struct {
	ask    []byte
	first  outcome
	second *outcome
	sent   time.Time // when it was last queued, or zero
	tries  int       // times it was queued
	must   bool      // the job does not end without it
	here   bool      // this process runs it or will
}

// choose selects pieces for a check: a key's first result, ever fewer of the next ones, and one
// in c.check of all. Results that were right in earlier jobs count as earlier ones. alone means
// that fewer than two keys work: this process makes the checks then, fewer of them.
func (c *checking) choose(p shard.Piece, out outcome, alone bool) {
	c.audit.Pieces++
	if c.check <= 0 {
		return
	}
	taken := proof{key: p.Key, ask: p.Ask, outcome: out}
	if taken.data = nil; c.measure != nil {
		taken.Share = c.measure(p.Ask, out.data)
	}
	c.proofs = append(c.proofs, taken)
	c.taken[out.id]++
	n := uint64(c.taken[out.id] + c.passed[out.id])
	if out.id == "" || c.checks[p.Key] != nil {
		return
	}
	room := mostChecks
	if alone {
		room = mostHere
	}
	if dice := maphash.String(c.salt, p.Key); dice%(n*n) != 0 && (dice%uint64(c.check) != 0 || len(c.checks) >= room) {
		return
	}
	c.checks[p.Key] = &check{ask: p.Ask, first: taken.outcome}
	c.hurry()
}

// hurry makes watch queue the checks that are due.
func (c *checking) hurry() {
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// confirm ends a check with an equal result of the machine name.
func (c *checking) confirm(key string, ch *check, name string) {
	delete(c.checks, key)
	c.again[key] = true
	c.passed[ch.first.id]++
	c.audit.Again[name]++
	c.hurry()
}

// report is the audit so far, which later checks do not change.
func (c *checking) report() Audit {
	a := c.audit
	a.Again = maps.Clone(a.Again)
	return a
}

// end makes checks of the pieces that must run again before the results count.
func (c *checking) end() {
	c.ending = true
	due, deciding := audit(c.proofs, c.passed, c.salt)
	c.audit.Deciding = deciding
	for i := range due {
		p := &c.proofs[i]
		switch ch := c.checks[p.key]; {
		case ch != nil:
			ch.must = true
		case !c.again[p.key]:
			c.checks[p.key] = &check{ask: p.ask, first: p.outcome, must: true}
		}
	}
}

// left returns how many checks are under way, and how many must be done.
func (c *checking) left() (left, must int) {
	for _, ch := range c.checks {
		if ch.must || ch.tries > 0 || ch.here || ch.second != nil {
			left++
		}
		if ch.must {
			must++
		}
	}
	return left, must
}

// next returns the checks to queue now, by key, and those that this process is to make: without
// another key than that of the first result, after some tries, and at the end of the job. keys are
// the live workers by their keys; judge is whether this process can make checks; again is the
// time after which a check is queued again.
func (c *checking) next(keys map[string]int, judge bool, again time.Duration) (queue map[string][]byte, here []string) {
	now := time.Now()
	queue = map[string][]byte{}
	for key, ch := range c.checks {
		others := len(keys)
		if keys[ch.first.id] > 0 {
			others--
		}
		switch {
		case ch.second != nil || ch.here:
		case judge && (others == 0 || ch.tries >= mostTries || c.ending && ch.tries >= 2):
			ch.here = true
			here = append(here, key)
		case others > 0 && len(queue) < checksAtOnce && now.Sub(ch.sent) >= again:
			ch.sent, queue[key] = now, ch.ask
		}
	}
	return queue, here
}
