package train

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fibsbot/engine/board"
)

// SelfPlay generates positions by playing many games at once, all plays of all
// games being judged by the teacher in one batch a turn. What it keeps are
// positions a chooser has to judge: the play made, the best plays, and a thinner
// sample of the worse ones, each labelled and none twice.
type SelfPlay struct {
	// Teacher judges the plays; Plies is its depth.
	Teacher Teacher
	Plies   int
	// Weights are the relative numbers of games of each plan.
	Weights [numPlans]float64
	// Games is how many games run at once; 1000 when zero.
	Games int
	// Seed makes the run repeatable.
	Seed uint64
	// Keep thins what is kept: 1 keeps as described, 0.5 half of it.
	Keep float64
	// Seen, when not nil, holds positions that must not be produced (validation
	// sets); produced positions are added.
	Seen *KeySet
	// MaxTurns ends games that started from a plan's board; 24 when zero.
	// Natural games are played to their end.
	MaxTurns int
	// Progress, when not nil, is called now and then with the count so far.
	Progress func(n int)
	// Group is the number of the last decision; records carry it (Record.Group). A
	// run that goes on sets it to the highest number there is.
	Group uint32
	// Within, when above 0, keeps every play within so many points of the best of
	// a decision and nothing of the others: whole decisions to measure by. Groups of
	// one are left out.
	Within float32
}

// KeySet is a compact set of positions: it remembers 64 bits of each key, so
// that with 100 million positions a new one is taken for a known one about once
// in 10^11 questions. Not safe for concurrent use.
type KeySet struct {
	slots []uint64
	n     int
}

// NewKeySet returns an empty set with room for about n keys before it grows.
func NewKeySet(n int) *KeySet {
	size := 1024
	for size < n*2 {
		size *= 2
	}
	return &KeySet{slots: make([]uint64, size)}
}

func hashKey(k board.Key) uint64 {
	h := binary.LittleEndian.Uint64(k[:8])*0x9e3779b97f4a7c15 ^ uint64(binary.LittleEndian.Uint16(k[8:]))*0xc2b2ae3d27d4eb4f
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	if h == 0 {
		h = 1
	}
	return h
}

// Add puts k into the set and tells whether it was not there before.
func (s *KeySet) Add(k board.Key) bool {
	if s.n*4 >= len(s.slots)*3 {
		old := s.slots
		s.slots, s.n = make([]uint64, 2*len(old)), 0
		for _, h := range old {
			if h != 0 {
				s.add(h)
			}
		}
	}
	return s.add(hashKey(k))
}

func (s *KeySet) add(h uint64) bool {
	mask := uint64(len(s.slots) - 1)
	i := h & mask
	for s.slots[i] != 0 {
		if s.slots[i] == h {
			return false
		}
		i = (i + 1) & mask
	}
	s.slots[i] = h
	s.n++
	return true
}

// Len returns how many positions are in the set.
func (s *KeySet) Len() int { return s.n }

// game is one of the games in progress.
type game struct {
	pos   board.Position
	plan  Plan
	turn  int
	noise float64
	first float64 // noise of the first two turns
	plays []board.Play
	at    int // where its keys begin in the batch
}

// Run produces n positions and hands each to keep with the plan of its game. It
// stops early with ctx's error when ctx ends.
func (sp *SelfPlay) Run(ctx context.Context, n int, keep func(Plan, Record) error) error {
	r := selfPlaying{SelfPlay: sp, rng: rand.New(rand.NewPCG(sp.Seed, 0x5e1f)), games: make([]game, cmp.Or(sp.Games, 1000)), keep: keep}
	for _, w := range sp.Weights {
		r.total += w
	}
	if r.total <= 0 {
		return errors.New("self-play: no plan has a weight above 0")
	}
	for i := range r.games {
		r.begin(&r.games[i])
		r.games[i].turn = -r.rng.IntN(8) // spreads the ends of the first games
	}
	if sp.Seen == nil {
		sp.Seen = NewKeySet(n)
	}
	reported := 0
	for r.got < n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.turn(); err != nil {
			return err
		}
		if sp.Progress != nil && r.got-reported >= 100000 {
			reported = r.got
			sp.Progress(r.got)
		}
	}
	return nil
}

// selfPlaying is a run of a SelfPlay.
type selfPlaying struct {
	*SelfPlay
	rng    *rand.Rand
	total  float64 // of the plans' weights
	games  []game
	keys   []board.Key // after all plays of all games of a turn
	labels []Label     // of keys
	keep   func(Plan, Record) error
	got    int // positions kept
}

// begin draws a plan and its board for g, and how wildly it is played.
func (r *selfPlaying) begin(g *game) {
	x := r.rng.Float64() * r.total
	g.plan = Natural
	for i, w := range r.Weights {
		if x < w {
			g.plan = Plan(i)
			break
		}
		x -= w
	}
	g.pos = StartOf(g.plan, r.rng)
	g.turn = 0
	g.noise = [...]float64{0, 0, 0, 0.02, 0.04, 0.08, 0.15, 0.3}[r.rng.IntN(8)]
	g.first = g.noise
	if g.plan == Natural && r.rng.IntN(2) == 0 {
		g.first = 0.3
	}
}

// turn rolls in every game, has the teacher judge all plays at once, and moves.
func (r *selfPlaying) turn() error {
	r.keys = r.keys[:0]
	for i := range r.games {
		g := &r.games[i]
		d := board.Dice{A: uint8(1 + r.rng.IntN(6)), B: uint8(1 + r.rng.IntN(6))}
		g.plays = board.AppendPlays(g.plays[:0], g.pos, d)
		g.at = len(r.keys)
		for j := range g.plays {
			r.keys = append(r.keys, g.plays[j].Result.Swap().Key())
		}
	}
	if cap(r.labels) < len(r.keys) {
		r.labels = make([]Label, len(r.keys)+len(r.keys)/2)
	}
	r.labels = r.labels[:len(r.keys)]
	if err := r.Teacher.Label(r.keys, r.Plies, r.labels); err != nil {
		return err
	}
	maxTurns := cmp.Or(r.MaxTurns, 24)
	for i := range r.games {
		g := &r.games[i]
		if len(g.plays) == 0 {
			g.pos = g.pos.Swap()
		} else {
			best, chosen := r.choose(g)
			if err := r.keepPlays(g, best, chosen); err != nil {
				return err
			}
			g.pos = g.plays[chosen].Result.Swap()
		}
		g.turn++
		if g.pos.Result() != 0 || g.plan != Natural && g.turn >= maxTurns || g.turn > 400 {
			r.begin(g)
		}
	}
	return nil
}

// equity is what play j of g is worth to the mover.
func (r *selfPlaying) equity(g *game, j int) float32 { return equityAfter(r.labels[g.at+j]) }

// choose returns the best play of g by the labels, and the one that is made with noise.
func (r *selfPlaying) choose(g *game) (best, chosen int) {
	bestV, chosenV := float32(-9), -9.0
	noise := g.noise
	if g.turn < 2 {
		noise = g.first
	}
	for j := range g.plays {
		v := r.equity(g, j)
		if v > bestV {
			best, bestV = j, v
		}
		if x := float64(v) + noise*r.rng.NormFloat64(); x > chosenV {
			chosen, chosenV = j, x
		}
	}
	return best, chosen
}

// keepPlays keeps the plays of g that are worth it, as one decision.
func (r *selfPlaying) keepPlays(g *game, best, chosen int) error {
	r.Group++
	for j := range g.plays {
		if !r.wanted(g, j, best, chosen) {
			continue
		}
		k := r.keys[g.at+j]
		if !r.Seen.Add(k) {
			continue
		}
		if err := r.keep(g.plan, Record{Key: k, Label: r.labels[g.at+j], Group: r.Group}); err != nil {
			return err
		}
		r.got++
	}
	return nil
}

// wanted tells whether play j of g is to be kept: see SelfPlay.
func (r *selfPlaying) wanted(g *game, j, best, chosen int) bool {
	loss := r.equity(g, best) - r.equity(g, j)
	if r.Within > 0 {
		if loss > r.Within || len(g.plays) < 2 {
			return false
		}
	} else if j != best && j != chosen && r.rng.Float64() > share(loss) {
		return false
	}
	if g.plays[j].Result.Result() != 0 || r.Keep > 0 && r.Keep < 1 && r.rng.Float64() > r.Keep {
		return false
	}
	return g.plays[j].Result.Contact() || g.plan == LongRace || r.rng.IntN(4) == 0
}

// share is the probability to keep a play that gives up loss points: siblings
// near the top are what decisions are made of.
func share(loss float32) float64 {
	switch {
	case loss < 0.03:
		return 0.6
	case loss < 0.1:
		return 0.35
	case loss < 0.25:
		return 0.15
	}
	return 0.05
}

// Shards writes records with their groups to one growing file for each plan:
// dir/PREFIX-PLAN.grp.
type Shards struct {
	dir, prefix string
	files       [numPlans]*os.File
	bufs        [numPlans]*bufio.Writer
	scratch     []byte
}

// NewShards appends to the files with that prefix in dir.
func NewShards(dir, prefix string) (*Shards, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &Shards{dir: dir, prefix: prefix}, nil
}

// Write adds one record to the file of its plan. A record left incomplete by a
// crash is cut off when the file is opened.
func (s *Shards) Write(p Plan, r Record) error {
	if s.bufs[p] == nil {
		f, err := os.OpenFile(filepath.Join(s.dir, s.prefix+"-"+p.String()+".grp"), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		st, err := f.Stat()
		if err != nil {
			return err
		}
		whole := st.Size() / GroupedSize * GroupedSize
		if err := f.Truncate(whole); err != nil {
			return err
		}
		if _, err := f.Seek(whole, 0); err != nil {
			return err
		}
		s.files[p], s.bufs[p] = f, bufio.NewWriterSize(f, 1<<18)
	}
	s.scratch = r.AppendSized(s.scratch[:0], GroupedSize)
	_, err := s.bufs[p].Write(s.scratch)
	return err
}

// Close flushes and closes all files.
func (s *Shards) Close() error {
	var first error
	for i, b := range s.bufs {
		if b == nil {
			continue
		}
		if err := b.Flush(); err != nil && first == nil {
			first = err
		}
		if err := s.files[i].Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Has tells whether k is in the set.
func (s *KeySet) Has(k board.Key) bool {
	h, mask := hashKey(k), uint64(len(s.slots)-1)
	for i := h & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i] == h {
			return true
		}
	}
	return false
}

// Without returns recs, in place, without those in the set.
func (s *KeySet) Without(recs []Record) []Record {
	out := recs[:0]
	for _, r := range recs {
		if !s.Has(r.Key) {
			out = append(out, r)
		}
	}
	return out
}
