package search

import (
	"sync"
	"unsafe"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
)

// value is what a node is worth to its player on roll: chances and the utility
// of each spot of its layer. Utilities are rounded to float32 when a node is
// finished, cached or not, so that the cache cannot change a result.
type value struct {
	pr eval.Probs
	u  [maxSpots]float32
}

// cache remembers finished nodes. It is split into shards with a lock each: a
// node takes a fraction of a millisecond to make, so the locks cost nothing, and
// its size is fixed when it is made.
type cache struct {
	shards []shard
}

type shard struct {
	mu   sync.Mutex
	sets []set
}

// set holds a few entries of the same index; the newest pushes out the oldest.
type set [4]entry

type entry struct {
	a, b uint64
	v    value
}

const cacheShards = 64

// newCache makes a cache of at most bytes of memory; 0 disables it.
func newCache(bytes int) *cache {
	n := bytes / int(unsafe.Sizeof(set{})) / cacheShards
	if n == 0 {
		return nil
	}
	c := &cache{shards: make([]shard, cacheShards)}
	// Some at a go: allocated one by one, garbage would be looked for after each few, and
	// all at once they take in memory that was used before, so that all is cleared.
	const together = 8
	for i := 0; i < cacheShards; i += together {
		sets := make([]set, together*n)
		for k := range together {
			c.shards[i+k].sets = sets[k*n:][:n:n]
		}
	}
	return c
}

func (c *cache) find(a uint64) (*shard, *set) {
	sh := &c.shards[a%cacheShards]
	return sh, &sh.sets[(a/cacheShards)%uint64(len(sh.sets))]
}

func (c *cache) get(a, b uint64, out *value) bool {
	if c == nil {
		return false
	}
	sh, s := c.find(a)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for i := range s {
		if s[i].a == a && s[i].b == b {
			*out = s[i].v
			return true
		}
	}
	return false
}

func (c *cache) put(a, b uint64, v *value) {
	if c == nil {
		return
	}
	sh, s := c.find(a)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	copy(s[1:], s[:len(s)-1])
	s[0] = entry{a, b, *v}
}

// Counters are what searches have done since the engine was made.
type Counters struct {
	// Nodes are the positions with plies below them whose rolls were searched, without
	// static evaluations.
	Nodes uint64
	// Hits are the positions with plies below them that the cache knew.
	Hits uint64
}

// Counters returns how much was searched so far, and how much of it the cache saved.
func (e *Engine) Counters() Counters { return Counters{Nodes: e.nodes.Load(), Hits: e.hits.Load()} }

// remembered asks the cache for a node, and counts what it knew.
func (e *Engine) remembered(a, b uint64, out *value) bool {
	known := e.cache.get(a, b, out)
	if known {
		e.hits.Add(1)
	}
	return known
}

// remember counts a finished node and puts it into the cache.
func (e *Engine) remember(a, b uint64, v *value) {
	e.nodes.Add(1)
	e.cache.put(a, b, v)
}

// Evaluator judges positions statically, one goroutine at a time. Its answers
// must depend on its arguments alone.
type Evaluator = eval.Evaluator

// ExactSource knows exact money equities with the cube of some positions; ok is
// false for all others. It is safe for concurrent use.
type ExactSource interface {
	Exact(p *board.Position) (e cube.Exact, ok bool)
}
