package train

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
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
	rng := rand.New(rand.NewPCG(sp.Seed, 0x5e1f))
	games := make([]game, cmpOr(sp.Games, 1000))
	total := 0.0
	for _, w := range sp.Weights {
		total += w
	}
	if total <= 0 {
		return fmt.Errorf("self-play: no plan has a weight above 0")
	}
	maxTurns := cmpOr(sp.MaxTurns, 24)
	begin := func(g *game) {
		x := rng.Float64() * total
		g.plan = Natural
		for i, w := range sp.Weights {
			if x < w {
				g.plan = Plan(i)
				break
			}
			x -= w
		}
		g.pos = StartOf(g.plan, rng)
		g.turn = 0
		g.noise = [...]float64{0, 0, 0, 0.02, 0.04, 0.08, 0.15, 0.3}[rng.IntN(8)]
		g.first = g.noise
		if g.plan == Natural && rng.IntN(2) == 0 {
			g.first = 0.3
		}
	}
	for i := range games {
		begin(&games[i])
		games[i].turn = -rng.IntN(8) // spreads the ends of the first games
	}
	if sp.Seen == nil {
		sp.Seen = NewKeySet(n)
	}
	thin := sp.Keep
	if thin <= 0 {
		thin = 1
	}
	var keys []board.Key
	var labels []Label
	got, reported := 0, 0
	for got < n {
		if err := ctx.Err(); err != nil {
			return err
		}
		keys = keys[:0]
		for i := range games {
			g := &games[i]
			d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
			g.plays = board.AppendPlays(g.plays[:0], g.pos, d)
			g.at = len(keys)
			for j := range g.plays {
				keys = append(keys, g.plays[j].Result.Swap().Key())
			}
		}
		if cap(labels) < len(keys) {
			labels = make([]Label, len(keys)+len(keys)/2)
		}
		labels = labels[:len(keys)]
		if err := sp.Teacher.Label(keys, sp.Plies, labels); err != nil {
			return err
		}
		for i := range games {
			g := &games[i]
			if len(g.plays) == 0 {
				g.pos = g.pos.Swap()
			} else {
				best, bestV, chosen, chosenV := 0, float32(-9), 0, -9.0
				noise := g.noise
				if g.turn < 2 {
					noise = g.first
				}
				for j := range g.plays {
					v := -labels[g.at+j].Probs().Money()
					if v > bestV {
						best, bestV = j, v
					}
					if x := float64(v) + noise*rng.NormFloat64(); x > chosenV {
						chosen, chosenV = j, x
					}
				}
				sp.Group++
				for j := range g.plays {
					loss := bestV + labels[g.at+j].Probs().Money()
					if sp.Within > 0 {
						if loss > sp.Within || len(g.plays) < 2 {
							continue
						}
					} else if j != best && j != chosen && rng.Float64() > share(loss) {
						continue
					}
					if g.plays[j].Result.Result() != 0 || thin < 1 && rng.Float64() > thin {
						continue
					}
					if !g.plays[j].Result.Contact() && g.plan != LongRace && rng.IntN(4) != 0 {
						continue
					}
					k := keys[g.at+j]
					if !sp.Seen.Add(k) {
						continue
					}
					if err := keep(g.plan, Record{Key: k, Label: labels[g.at+j], Group: sp.Group}); err != nil {
						return err
					}
					got++
				}
				g.pos = g.plays[chosen].Result.Swap()
			}
			g.turn++
			if g.pos.Result() != 0 || g.plan != Natural && g.turn >= maxTurns || g.turn > 400 {
				begin(g)
			}
		}
		if sp.Progress != nil && got-reported >= 100000 {
			reported = got
			sp.Progress(got)
		}
	}
	return nil
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

func cmpOr(a, b int) int {
	if a != 0 {
		return a
	}
	return b
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
