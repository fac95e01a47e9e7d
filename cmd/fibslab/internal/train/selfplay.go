package train

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	// Plies is the depth of the teacher.
	Plies int
	// Weights are the relative numbers of games of each plan.
	Weights [numPlans]float64
	// Games is how many games run at once; 1000 when zero. The positions do not depend on it.
	Games int
	// Crew plays the games, up to Size in a piece; 0 is Games or fewer.
	Crew shard.Crew
	Size int
	// Seed makes the run repeatable.
	Seed uint64
	// Seen, unless nil, holds positions that must not be produced (validation sets); produced
	// positions are added.
	Seen KeySet
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
	if err != nil && !(errors.Is(err, io.ErrUnexpectedEOF) && len(recs) > 0) {
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

// KeySet is a set of positions.
type KeySet map[board.Key]struct{}

// Add puts k into the set and reports whether it is new there.
func (s KeySet) Add(k board.Key) bool {
	had := s.Has(k)
	s[k] = struct{}{}
	return !had
}

// Has reports whether k is in the set.
func (s KeySet) Has(k board.Key) bool { _, ok := s[k]; return ok }

// Without returns recs, in place, without those in the set.
func (s KeySet) Without(recs []Record) []Record {
	return slices.DeleteFunc(recs, func(r Record) bool { return s.Has(r.Key) })
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

// classFile is the name of the file with the positions of a class of net.
func classFile(class string) string { return strings.ReplaceAll(class, "/", "-") + ".grp" }

// shards writes records to one growing file for each class of net: dir/PREFIX-CLASS.grp.
type shards struct {
	dir, prefix string
	files       map[string]*shardFile
}

type shardFile struct {
	*bufio.Writer
	file *os.File
}

// NewShards appends to the files with that prefix in dir.
func NewShards(dir, prefix string) (*shards, error) {
	return &shards{dir: dir, prefix: prefix, files: map[string]*shardFile{}}, os.MkdirAll(dir, 0o755)
}

// Write adds one record to the file of its class. A record left incomplete by a
// crash is cut off when the file is opened.
func (s *shards) Write(r Record) error {
	p, err := board.FromKey(r.Key)
	if err != nil {
		return err
	}
	class := ClassOf(&p)
	to := s.files[class]
	if to == nil {
		f, err := os.OpenFile(filepath.Join(s.dir, s.prefix+"-"+classFile(class)), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		to = &shardFile{bufio.NewWriterSize(f, 1<<18), f}
		s.files[class] = to
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		if err := f.Truncate(size / RecordSize * RecordSize); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekEnd); err != nil {
			return err
		}
	}
	_, err = to.Write(r.Append(nil))
	return err
}

// Close flushes and closes all files.
func (s *shards) Close() error {
	var all []error
	for _, class := range slices.Sorted(maps.Keys(s.files)) {
		all = append(all, s.files[class].Flush(), s.files[class].file.Close())
	}
	return errors.Join(all...)
}
