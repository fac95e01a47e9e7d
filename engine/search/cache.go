package search

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
	"unsafe"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/internal/kernel"
)

// value is what a node is worth to its player on roll: chances and the utility
// of each spot of its layer. Utilities are rounded to float32 when a node is
// finished, cached or not, so that the cache cannot change a result.
type value struct {
	pr eval.Probs
	u  [maxSpots]float32
}

// cache remembers finished nodes. It is split into shards with a lock each: a
// node takes a fraction of a millisecond to make, so the locks cost nothing. Its bound is
// fixed when it is made; memory is taken as nodes come.
type cache struct {
	shards [cacheShards]shard
	sets   uint64 // of a shard
}

type shard struct {
	mu     sync.Mutex
	blocks []*block // nil: nothing was remembered there
}

// block is the sets for which memory is taken together: 8 KiB.
type block [23]set

// set holds a few entries of the same index; the newest pushes out the oldest.
type set [4]entry

type entry struct {
	a, b uint64
	v    value
}

const cacheShards = 64

// newCache makes a cache of at most bytes of memory; 0 disables it.
func newCache(bytes int) *cache {
	n := bytes / int(unsafe.Sizeof(block{})) / cacheShards
	if n == 0 {
		return nil
	}
	c := &cache{sets: uint64(n * len(block{}))}
	for i := range c.shards {
		c.shards[i].blocks = make([]*block, n)
	}
	return c
}

// find returns the shard of a node, its block there and the set in that.
func (c *cache) find(a uint64) (sh *shard, held **block, set uint64) {
	sh = &c.shards[a%cacheShards]
	k, each := a/cacheShards%c.sets, uint64(len(block{}))
	return sh, &sh.blocks[k/each], k % each
}

func (c *cache) get(a, b uint64, out *value) bool {
	if c == nil {
		return false
	}
	sh, held, set := c.find(a)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if *held == nil {
		return false
	}
	s := &(*held)[set]
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
	sh, held, set := c.find(a)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if *held == nil {
		*held = new(block)
	}
	s := &(*held)[set]
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

// The shape of the small net: inputs, hidden units, and how many of those look
// at the position before the play too.
const (
	SmallInputs  = 2 * 25 * smallCounts
	SmallHidden  = 128
	SmallContext = 64
)

// smallCounts is how many checkers on a point the small net tells apart.
const smallCounts = kernel.RankCounts

// Small is a net that only has to say which few plays of a roll could be the
// best. Its inputs are nothing but the checkers on each point after the play,
// each a row of weights, so that the plays of a roll differ in a handful of rows
// from the position before. One hidden layer of rectified units; three linear
// outputs: the chances to win, to win a gammon and to lose one, each up to a
// constant that is the same for all plays of the roll.
//
// What a unit is worth depends on the position before the play: Gate says how.
// That is computed once a roll and so costs next to nothing, and it halves what
// is lost by trusting the net. It is made by fibslab train small.
type Small struct {
	// Rows holds the first layer, SmallHidden floats for each side (mover,
	// opponent), point and number of checkers there, seven counting for more.
	Rows [SmallInputs * SmallHidden]float32
	Bias [SmallHidden]float32
	// Gate holds for each of the first SmallContext units, as it is before the play, what it
	// adds to the factor on each unit's weight in the outputs; the factor is 1 otherwise.
	Gate [SmallContext * SmallHidden]float32
	Out  [3][SmallHidden]float32
}

//go:embed small.bin
var smallFile []byte

// SmallNet is the net in the program. It must not be changed.
func SmallNet() *Small { return smallNet() }

// smallNet decodes it once; a test reads it.
var smallNet = sync.OnceValue(func() *Small {
	n, err := ReadSmall(smallFile)
	if err != nil {
		panic(err)
	}
	return n
})

// ReadSmall decodes a file written by Bytes; it refuses any other size.
func ReadSmall(b []byte) (*Small, error) {
	n := new(Small)
	if want := binary.Size(n); len(b) != want {
		return nil, fmt.Errorf("small net: %d bytes, want %d", len(b), want)
	}
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, n); err != nil {
		return nil, fmt.Errorf("small net: %w", err)
	}
	return n, nil
}

// Bytes encodes the net: its fields in order, little-endian floats.
func (n *Small) Bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, n); err != nil {
		return nil, fmt.Errorf("small net: %w", err)
	}
	return b.Bytes(), nil
}

// smallRow is where the row for count checkers of a side on a point starts.
func smallRow(side, point int, count uint8) uint32 {
	return uint32(((side*25+point)*smallCounts + min(int(count), smallCounts-1)) * SmallHidden)
}

// MaxSmallRows bounds the rows of a position, and those that a play changes: up
// to eight points of the mover and five of the opponent, a row off and one on.
const MaxSmallRows = 50

// AppendSmallRows appends the rows of the first layer that are on in p, the
// mover being Me.
func AppendSmallRows(dst []kernel.Row, p *board.Position) []kernel.Row {
	for i := range p.Me {
		dst = append(dst,
			kernel.Row{Offset: smallRow(0, i, p.Me[i]), Scale: 1},
			kernel.Row{Offset: smallRow(1, i, p.Opp[i]), Scale: 1})
	}
	return dst
}

// AppendSmallChanges appends the rows that play takes off the position p and
// puts on: what lies between the rows of p and those of play.Result.
func AppendSmallChanges(dst []kernel.Row, p *board.Position, play *board.Play) []kernel.Row {
	me, opp := touched(p, play)
	for ; me != 0; me &= me - 1 {
		i := bits.TrailingZeros32(me)
		dst = appendChange(dst, 0, i, p.Me[i], play.Result.Me[i])
	}
	for ; opp != 0; opp &= opp - 1 {
		i := bits.TrailingZeros32(opp)
		dst = appendChange(dst, 1, i, p.Opp[i], play.Result.Opp[i])
	}
	return dst
}

// touched are the points of either side, as that side counts them, on which a play may
// have changed something.
func touched(p *board.Position, play *board.Play) (me, opp uint32) {
	for _, s := range play.Steps[:play.N] {
		me |= 1 << uint(s.From)
		if s.To >= 0 {
			me |= 1 << uint(s.To)
		}
	}
	if p.Opp[board.Bar] != play.Result.Opp[board.Bar] {
		opp = bits.Reverse32(me&(1<<board.Bar-1))>>8 | 1<<board.Bar
	}
	return me, opp
}

func appendChange(dst []kernel.Row, side, point int, from, to uint8) []kernel.Row {
	a, b := smallRow(side, point, from), smallRow(side, point, to)
	if a == b {
		return dst
	}
	return append(dst, kernel.Row{Offset: a, Scale: -1}, kernel.Row{Offset: b, Scale: 1})
}

// Narrowing says how many of a roll's plays go on to the full net: those within
// Margin of the best, where a single game is worth 1 in money, but no fewer than Least
// and at most Most, which is at most 8.
type Narrowing struct {
	Least, Most int
	Margin      float32
}

// First is the narrowing of plays to choose from at 0 plies with contact.
var First = Narrowing{Least: 3, Most: pruneMost, Margin: 0.10}

// Replies is the narrowing inside the tree of a search, Leaves that of its last replies. There a worse
// one counts less: all candidates have much the same of them.
var (
	Replies = Narrowing{Least: 2, Most: pruneMost, Margin: 0.06}
	Leaves  = Narrowing{Least: 1, Most: 4, Margin: 0.03}
)

// pruneMost bounds any narrowing.
const pruneMost = 8
