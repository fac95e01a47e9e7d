package ratings

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/jsonlines"
)

// Errors about results files.
var (
	// ErrResults means text that is not a results file.
	ErrResults = errors.New("not a results file")
	// ErrOtherVersion means results of another version of the engine, the nets or the file format,
	// or with another seed.
	ErrOtherVersion = errors.New("results of another version")
	// ErrDuplicate means that a block of pairs occurs twice.
	ErrDuplicate = errors.New("duplicate results")
)

// formatVersion is the version of results files.
const formatVersion = 2

// series is a numbering of blocks: the pairs that Measure plays in a cell, or those of one duel
// by differences. More trials do not make it another duel: its matches are the same.
type series struct {
	Cell
	differences bool
	seed        uint64 // 0 without differences: the header's
}

func (b *Block) series() series {
	return series{b.Cell, b.Differences.used(), b.Differences.Seed}
}

// Store holds results. Make it with NewStore or readStore.
type Store struct {
	Header  Header
	blocks  map[series]map[int]Block
	presets map[string]string // fingerprints by the names of presets that look ahead
}

// NewStore makes an empty store. The error wraps ErrResults.
func NewStore(h Header) (*Store, error) {
	h.Version = formatVersion
	if err := h.validate(); err != nil {
		return nil, err
	}
	return emptyStore(h), nil
}

func emptyStore(h Header) *Store {
	return &Store{Header: h, blocks: map[series]map[int]Block{}, presets: map[string]string{}}
}

// Add adds a block. The error wraps ErrDuplicate, ErrResults, or ErrOtherVersion if a preset had
// other settings in other blocks.
func (s *Store) Add(b Block) error {
	if err := b.validate(&s.Header); err != nil {
		return err
	}
	if err := s.redefined(b.Cell, b.Presets); err != nil {
		return err
	}
	have := s.blocks[b.series()]
	if have == nil {
		have = map[int]Block{}
		s.blocks[b.series()] = have
	}
	if _, there := have[b.Index]; there {
		return fmt.Errorf("%w: block %d of %s", ErrDuplicate, b.Index, b.Cell)
	}
	for _, other := range have {
		if other.Luck != b.Luck {
			return fmt.Errorf("%w: block %d of %s differs from the others in taking luck off", ErrResults, b.Index, b.Cell)
		}
		break
	}
	have[b.Index] = b
	s.note(b.Cell, b.Presets)
	return nil
}

// Has reports whether the store has block index of those played in cell c.
func (s *Store) Has(c Cell, index int) bool { _, ok := s.blocks[series{Cell: c}][index]; return ok }

// played is how many blocks of cell c were played.
func (s *Store) played(c Cell) int { return len(s.blocks[series{Cell: c}]) }

// Len is the number of blocks.
func (s *Store) Len() int {
	n := 0
	for _, b := range s.blocks {
		n += len(b)
	}
	return n
}

// Matches is the number of matches in all blocks.
func (s *Store) Matches() (n int) {
	for _, b := range s.blocks {
		for _, x := range b {
			n += 2 * x.Pairs
		}
	}
	return n
}

// Blocks lists all blocks by cell and index, those by differences after those played.
func (s *Store) Blocks() []Block {
	var out []Block
	for _, b := range s.blocks {
		for _, x := range b {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b Block) int {
		return cmp.Or(compareCells(a.Cell, b.Cell), a.Differences.compare(b.Differences), cmp.Compare(a.Index, b.Index))
	})
	return out
}

// Total is everything known about one cell in one way: as played or by differences. The two are
// never added up together.
type Total struct {
	Cell        Cell
	Pairs       int
	Mean        float64 // the first setting's share of the matches
	Variance    float64 // of one pair
	Luck        bool
	Differences bool
	Errors      [2]Errors
	// Judged are the first setting's shares by what the decisions lose, of pairs whose decisions
	// were judged.
	Judged moments
}

// Name names the cell and says if it was valued by differences.
func (t *Total) Name() string {
	if t.Differences {
		return t.Cell.String() + ", by differences"
	}
	return t.Cell.String()
}

// Totals adds up the blocks of each cell, in a fixed order; those of several duels by differences
// are one total.
func (s *Store) Totals() []Total {
	var out []Total
	var sum, square float64
	for _, b := range s.Blocks() {
		if n := len(out); n == 0 || out[n-1].Cell != b.Cell || out[n-1].Differences != b.Differences.used() {
			out = append(out, Total{Cell: b.Cell, Luck: b.Luck, Differences: b.Differences.used()})
			sum, square = 0, 0
		}
		t := &out[len(out)-1]
		t.Pairs += b.Pairs
		sum += b.Sum
		square += b.Square
		m := moments{n: t.Pairs, sum: sum, square: square}
		t.Mean, t.Variance = m.mean(), m.variance()
		for i := range t.Errors {
			t.Errors[i].Add(&b.Errors[i])
		}
		if b.JudgedSquare > 0 {
			t.Judged.n += b.Pairs
			t.Judged.sum += b.Judged
			t.Judged.square += b.JudgedSquare
		}
	}
	return out
}

// Merge adds all blocks of other. It changes nothing when it fails. The error wraps
// ErrOtherVersion or ErrDuplicate.
func (s *Store) Merge(other *Store) error {
	if err := s.Header.same(&other.Header); err != nil {
		return err
	}
	all := other.Blocks()
	for _, b := range all {
		if _, there := s.blocks[b.series()][b.Index]; there {
			return fmt.Errorf("%w: block %d of %s is in both", ErrDuplicate, b.Index, b.Cell)
		}
		if err := s.redefined(b.Cell, b.Presets); err != nil {
			return err
		}
	}
	for _, b := range all {
		if err := s.Add(b); err != nil {
			return err
		}
	}
	return nil
}

// readStore reads a results file: a header line and one line for each block. It drops a last line
// without its end, as a crash leaves it; size is that of the others. The error wraps
// ErrResults, ErrOtherVersion or ErrDuplicate and names the line.
func readStore(r io.Reader) (s *Store, size int64, err error) {
	s = new(Store)
	size, _, err = jsonlines.Each(r, ErrResults, s.readLine)
	if err == nil && size == 0 {
		err = fmt.Errorf("%w: no header line", ErrResults)
	}
	return s, size, err
}

// readLine reads the header or a block.
func (s *Store) readLine(n int, line []byte) error {
	if n == 1 {
		var h Header
		if err := jsonlines.Decode(line, &h); err != nil { // all of it decides what is played
			return fmt.Errorf("%w: %w", ErrResults, err)
		}
		*s = *emptyStore(h)
		return h.validate()
	}
	var b Block
	if err := json.Unmarshal(line, &b); err != nil {
		return fmt.Errorf("%w: %w", ErrResults, err)
	}
	return s.Add(b)
}

// DefaultBlock is how many pairs the blocks of a new results file have.
const DefaultBlock = 100

// File is a locked results file that blocks are added to.
type File struct {
	*jsonlines.File
	Store *Store // its contents
}

// Keep adds blocks to the file; the caller adds them to the store.
func (f *File) Keep(blocks ...Block) error {
	var lines []any
	for _, b := range blocks {
		lines = append(lines, b)
	}
	if err := f.Append(lines...); err != nil {
		return fmt.Errorf("keep results: %w", err)
	}
	return nil
}

// Read reads a results file; an incomplete last line is dropped. The error names the file and wraps
// [ErrResults], [ErrOtherVersion], [ErrDuplicate] or the system's error.
func Read(path string) (*Store, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open results: %w", err)
	}
	defer f.Close()
	store, _, err := readStore(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return store, nil
}

// Open opens a results file to resume it, or makes it. It refuses files of another engine, or of
// another seed, dice generator or block size than h, with [ErrOtherVersion], and one that
// another program writes to with [lockfile.ErrLocked].
func Open(ctx context.Context, eng *engine.Engine, path string, h Header) (*File, error) {
	sig, err := Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	h.Signature, h.Nets = sig, eng.Manifest().Name
	begun, err := NewStore(h)
	if err != nil {
		return nil, err
	}
	store := new(Store)
	file, err := jsonlines.Open(path, ErrResults, store.readLine, func() error {
		if store.blocks == nil {
			return nil
		}
		return h.same(&store.Header)
	})
	if err != nil {
		return nil, err
	}
	if store.blocks == nil {
		store = begun
		if err := file.Append(store.Header); err != nil {
			return nil, errors.Join(fmt.Errorf("open results: %w", err), file.Close())
		}
	}
	return &File{file, store}, nil
}

// Write replaces path by the whole store, in a fixed order.
func Write(path string, store *Store) error {
	return atomicfile.Write(path, 0o644, func(f *os.File) error {
		w := bufio.NewWriter(f)
		if err := store.write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

func (s *Store) write(w io.Writer) error {
	enc := json.NewEncoder(w)
	err := enc.Encode(s.Header)
	for _, b := range s.Blocks() {
		err = cmp.Or(err, enc.Encode(b))
	}
	return err
}

// FitFile fits ratings to a results file; anchor is expert's. redefined names the presets with
// other settings now than when they played.
func FitFile(path string, anchor float64) (f *Fitted, s *tune.Surface, redefined []string, err error) {
	store, err := Read(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if f, err = Fit(store.Totals(), anchor); err == nil {
		s, err = tune.NewSurface(f.Table(store.Header))
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, s, store.Redefined(), nil
}

// Standing is the table of ratings by what the store holds, or "" if there is too little for a fit.
func (s *Store) Standing() string {
	fit, err := Fit(s.Totals(), DefaultAnchor)
	if err != nil {
		return ""
	}
	surface, err := tune.NewSurface(fit.Table(s.Header))
	if err != nil {
		return ""
	}
	var b strings.Builder
	_ = surface.Print(&b) // a Builder takes everything
	return b.String()
}

// SaveTable writes a table of strength in the program's form.
func SaveTable(path string, t *tune.Table) error {
	data, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, 0o644, append(data, '\n'))
}
