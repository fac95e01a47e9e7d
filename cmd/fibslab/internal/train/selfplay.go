package train

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"fibsbot/engine/board"
	"fibsbot/internal/filename"
	"fibsbot/internal/shard"
)

// SelfPlay generates positions by playing many games at once; the teacher judges all plays of
// all games in one batch a turn. It keeps positions that a chooser has to judge: the play
// made, the best plays, and a thinner sample of the worse ones, each labelled, without
// duplicates.
//
// Each game has its own seed, so a run can be cut into pieces, ranges of games; the result
// does not depend on the pieces.
type SelfPlay struct {
	// Teacher judges the plays, unless Crew plays; Plies is its depth.
	Teacher Teacher
	Plies   int
	// Weights are the relative numbers of games of each plan.
	Weights [numPlans]float64
	// Games is how many games run at once; 1000 when zero. The positions do not depend on it.
	Games int
	// Threads is how many goroutines use the teacher, if it is a Forker; 0 is one for each
	// processor.
	Threads int
	// Crew plays the games, up to Games in a piece; nil is this process.
	Crew shard.Crew
	// Seed makes the run repeatable.
	Seed uint64
	// Seen, unless nil, holds positions that must not be produced (validation sets); produced
	// positions are added.
	Seen *KeySet
	// Progress, unless nil, is called now and then with the count so far.
	Progress func(n int)
	// Group is the number of the last decision; records carry it (Record.Group). A resumed run
	// sets it to the highest number so far.
	Group uint32
	// Trace, 0 to 1, is how much the later game counts in the label of a position that best play passes
	// through (see settle): 1 is the outcome alone, without the luck of the dice. Such labels vary by
	// 0.07 to 0.1 points where results vary by 1.2, at some ten times the cost. It needs Siblings.
	Trace float64
	// Siblings, when above 0, traces so many of the best plays of one decision a game, each as a
	// game of its own with other dice, and nothing before. Their records are a group. So plays that
	// would not be made have their outcomes as well.
	Siblings int
	// Horizon, when above 0, is for the beginnings of games: the decision is among the first 16 turns,
	// the games of its siblings end after so many plies with the teacher's judgement, and the first
	// half of their positions is kept. It needs Siblings.
	Horizon int
}

// Know adds the positions of a record file to Seen and counts its decisions, so that a run
// resumes after it; n is the number of positions. A last incomplete record is ignored.
func (sp *SelfPlay) Know(path string) (n int, err error) {
	recs, err := ReadRecords(nil, path)
	if err != nil && !(errors.Is(err, ErrBadRecord) && len(recs) > 0) {
		return 0, err
	}
	for i := range recs {
		sp.Seen.Add(recs[i].Key)
		sp.Group = max(sp.Group, recs[i].Group)
	}
	return len(recs), nil
}

// KnowAll is Know for the files of a run, DIR/PREFIX-*.grp; it calls tell for each.
func (sp *SelfPlay) KnowAll(dir, prefix string, tell func(path string, n int)) error {
	have, err := filename.Match(dir, prefix+"-*.grp")
	if err != nil {
		return err
	}
	for _, path := range have {
		n, err := sp.Know(path)
		if err != nil {
			return err
		}
		tell(path, n)
	}
	return nil
}

// KeySet is a compact set of positions: it stores 64 bits of each key. With 100 million
// positions a new one is mistaken for a known one about once in 10^11 queries. Not safe for
// concurrent use.
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

// Add puts k into the set and reports whether it is new there.
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

// share is the probability of keeping a play with that loss in points: siblings near the top
// decide.
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

// shards writes records with their groups to one growing file for each plan:
// dir/PREFIX-PLAN.grp.
type shards struct {
	dir, prefix string
	files       [numPlans]*os.File
	bufs        [numPlans]*bufio.Writer
	scratch     []byte
	failed      error // of the last Write, which returned it
}

// NewShards appends to the files with that prefix in dir.
func NewShards(dir, prefix string) (*shards, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &shards{dir: dir, prefix: prefix}, nil
}

// Write adds one record to the file of its plan. A record left incomplete by a
// crash is cut off when the file is opened.
func (s *shards) Write(p Plan, r Record) error {
	if s.bufs[p] == nil {
		f, err := os.OpenFile(filepath.Join(s.dir, s.prefix+"-"+p.String()+".grp"), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		st, err := f.Stat()
		if err != nil {
			return err
		}
		whole := st.Size() / RecordSize * RecordSize
		if err := f.Truncate(whole); err != nil {
			return err
		}
		if _, err := f.Seek(whole, 0); err != nil {
			return err
		}
		s.files[p], s.bufs[p] = f, bufio.NewWriterSize(f, 1<<18)
	}
	s.scratch = r.Append(s.scratch[:0])
	_, s.failed = s.bufs[p].Write(s.scratch)
	return s.failed
}

// Close flushes and closes all files. It does not repeat an error that Write returned.
func (s *shards) Close() error {
	var first error
	for i, b := range s.bufs {
		if b == nil {
			continue
		}
		if err := b.Flush(); err != nil && err != s.failed && first == nil {
			first = err
		}
		if err := s.files[i].Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Has reports whether k is in the set.
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
