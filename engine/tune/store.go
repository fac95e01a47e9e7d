package tune

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Errors about results files.
var (
	// ErrResults is wrapped by errors about text that is no results file.
	ErrResults = errors.New("not a results file")
	// ErrOtherVersion is wrapped where results were made by another version of
	// the engine, the nets or the file format, or with another seed.
	ErrOtherVersion = errors.New("results of another version")
	// ErrDuplicate is wrapped where the same block of pairs is there twice.
	ErrDuplicate = errors.New("duplicate results")
)

// FormatVersion is the version of results files.
const FormatVersion = 2

// Header is the first line of a results file: what the results depend on.
type Header struct {
	Version   int    `json:"fibsbot_tune"`
	Signature string `json:"signature"` // of the engine's play, see Signature
	Nets      string `json:"nets"`
	Seed      uint64 `json:"seed"`
	BlockSize int    `json:"block"` // pairs in a block, see Pairs
}

// deepShare is by how much smaller blocks with a setting that looks ahead are: a
// pair takes hundreds of times as long and, its luck taken off, says as much as
// many.
const deepShare = 20

// Pairs is how many pairs a block of cell c has.
func (h *Header) Pairs(c Cell) int {
	if c.deep() {
		return max(1, h.BlockSize/deepShare)
	}
	return h.BlockSize
}

// size is how many pairs block b has. A pair by differences, which may have taken a
// quarter of an hour, is a block.
func (h *Header) size(b *Block) int {
	if b.Differences.used() {
		return 1
	}
	return h.Pairs(b.Cell)
}

// Block is the result of some pairs (Header.Pairs, one by differences): those
// from Index times that on. It depends on the header, the cell and the index
// alone, or on the duel that Differences names in the place of the header's seed.
type Block struct {
	Cell        Cell        `json:"cell"`
	Index       int         `json:"index"`
	Luck        bool        `json:"luck,omitempty"`       // luck was taken off
	Differences Differences `json:"differences,omitzero"` // zero for results as played
	// Presets tells how the presets that look ahead were set when they played.
	Presets Fingerprints `json:"presets,omitzero"`
	Pairs   int          `json:"pairs"`
	// Sum and Square are of the first setting's shares, or of 1/2 and what its
	// choices are worth above the other's.
	Sum    float64   `json:"sum"`
	Square float64   `json:"square"`
	Games  int       `json:"games"`
	CPU    float64   `json:"seconds"` // wall time of one thread, to plan with
	Errors [2]Errors `json:"errors"`
}

// Cell is a pair of settings that meet in matches of a length.
type Cell struct {
	A      Setting `json:"a"`
	B      Setting `json:"b"`
	Length int     `json:"length"`
}

// String names the cell.
func (c Cell) String() string { return fmt.Sprintf("%s v %s, %d points", c.A, c.B, c.Length) }

// deep tells whether a setting of the cell looks ahead.
func (c Cell) deep() bool { return c.A.Deep != "" || c.B.Deep != "" }

func compareCells(a, b Cell) int {
	return cmp.Or(cmp.Compare(a.Length, b.Length), cmp.Compare(a.A.String(), b.A.String()), cmp.Compare(a.B.String(), b.B.String()))
}

// Validate checks that the cell can be measured. The error wraps ErrSetting or
// ErrMatch.
func (c Cell) Validate() error {
	if err := c.A.validate(); err != nil {
		return err
	}
	if err := c.B.validate(); err != nil {
		return err
	}
	switch {
	case c.Length < 1 || c.Length > MaxLength:
		return fmt.Errorf("%w: %d points", ErrMatch, c.Length)
	case c.A == c.B:
		return fmt.Errorf("%w: %s against itself says nothing", ErrMatch, c.A)
	}
	return nil
}

// maxBlock bounds the pairs of a block.
const maxBlock = 1 << 20

func (h *Header) validate() error {
	switch {
	case h.Version == 0:
		return fmt.Errorf("%w: the first line is no header", ErrResults)
	case h.Version != FormatVersion:
		return fmt.Errorf("%w: format %d, this program reads %d", ErrOtherVersion, h.Version, FormatVersion)
	case h.BlockSize < 1 || h.BlockSize > maxBlock:
		return fmt.Errorf("%w: blocks of %d pairs", ErrResults, h.BlockSize)
	}
	return nil
}

func (b *Block) validate(h *Header) error {
	if err := b.Cell.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrResults, err)
	}
	n := float64(b.Pairs)
	switch {
	case b.Pairs != h.size(b):
		return fmt.Errorf("%w: %d pairs in a block of %d", ErrResults, b.Pairs, h.size(b))
	case b.Index < 0 || b.Index > 1<<40:
		return fmt.Errorf("%w: block %d", ErrResults, b.Index)
	case !(b.Square >= 0) || b.Sum*b.Sum > n*b.Square*(1+1e-9)+1e-9 || b.Square > 100*n:
		return fmt.Errorf("%w: sums %v and %v of %d pairs", ErrResults, b.Sum, b.Square, b.Pairs)
	case !b.Presets.valid(b.Cell):
		return fmt.Errorf("%w: fingerprints %.40q of %s", ErrResults, b.Presets, b.Cell)
	case !b.Differences.valid() || b.Luck && b.Differences.used():
		return fmt.Errorf("%w: differences by %d trials, luck taken off: %v", ErrResults, b.Differences.Trials, b.Luck)
	case !b.Luck && !b.Differences.used() && (b.Sum < 0 || b.Sum > n || b.Square > n):
		return fmt.Errorf("%w: %v of %d pairs won", ErrResults, b.Sum, b.Pairs)
	case b.Games < 2*b.Pairs || !(b.CPU >= 0):
		return fmt.Errorf("%w: %d games in %v s", ErrResults, b.Games, b.CPU)
	}
	for i := range b.Errors {
		if !b.Errors[i].valid() {
			return fmt.Errorf("%w: errors %+v", ErrResults, b.Errors[i])
		}
	}
	return nil
}

func (e *Errors) valid() bool {
	for _, n := range [...]int{e.Moves, e.Blunders, e.Absurd, e.CubeCases, e.MovesWrong} {
		if n < 0 {
			return false
		}
	}
	for _, x := range [...]float64{e.MoveLoss, e.BigLoss, e.CubeLoss, e.WorstMove} {
		if !(x >= 0 && x < 1e12) {
			return false
		}
	}
	return e.Blunders <= e.Moves && e.MovesWrong <= e.Moves && e.Absurd <= e.Blunders
}

// series is what blocks are numbered in: the pairs that Measure plays in a cell,
// or those of one duel by differences. More trials make no other duel of it: its
// matches are the same.
type series struct {
	Cell
	differences bool
	seed        uint64 // 0 without differences: the header's
}

func (b *Block) series() series {
	return series{b.Cell, b.Differences.used(), b.Differences.Seed}
}

// Store holds results. Make it with NewStore or ReadStore.
type Store struct {
	Header  Header
	blocks  map[series]map[int]Block
	presets map[string]string // fingerprints by the names of presets that look ahead
}

// NewStore makes an empty store. The error wraps ErrResults.
func NewStore(h Header) (*Store, error) {
	h.Version = FormatVersion
	if err := h.validate(); err != nil {
		return nil, err
	}
	return emptyStore(h), nil
}

func emptyStore(h Header) *Store {
	return &Store{Header: h, blocks: map[series]map[int]Block{}, presets: map[string]string{}}
}

// Add takes a block in. The error wraps ErrDuplicate, ErrResults, or ErrOtherVersion
// where a preset was set in another way in other blocks.
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
	if len(have) > 0 {
		for _, other := range have {
			if other.Luck != b.Luck {
				return fmt.Errorf("%w: block %d of %s differs from the others in taking luck off", ErrResults, b.Index, b.Cell)
			}
			break
		}
	}
	have[b.Index] = b
	s.note(b.Cell, b.Presets)
	return nil
}

// Has tells whether block index of those played in cell c is there.
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

// Blocks lists all blocks by cell and index, those by differences behind those
// played.
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

// Total is everything known about one cell in one way: as played or by
// differences. The two are never summed up together.
type Total struct {
	Cell        Cell
	Pairs       int
	Mean        float64 // the first setting's share of the matches
	Variance    float64 // of one pair
	Games       int
	CPU         float64
	Luck        bool
	Differences bool
	Errors      [2]Errors
}

// Name names the cell and says where it was valued by differences.
func (t *Total) Name() string {
	if t.Differences {
		return t.Cell.String() + ", by differences"
	}
	return t.Cell.String()
}

// Totals sums the blocks of each cell up, in a fixed order; those of several duels
// by differences are one total.
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
		t.Games += b.Games
		t.CPU += b.CPU
		sum += b.Sum
		square += b.Square
		m := moments{n: t.Pairs, sum: sum, square: square}
		t.Mean, t.Variance = m.mean(), m.variance()
		for i := range t.Errors {
			t.Errors[i].Add(&b.Errors[i])
		}
	}
	return out
}

// SettingErrors are the errors of a setting over all it played at a length.
type SettingErrors struct {
	Setting Setting
	Length  int
	Errors  Errors
}

// ErrorsOf sums the errors of each setting up, by length and setting. Settings
// that err never, or whose errors were not measured, are not among them.
func ErrorsOf(totals []Total) (out []SettingErrors) {
	for i := range totals {
		t := &totals[i]
		for k, s := range [2]Setting{t.Cell.A, t.Cell.B} {
			if t.Errors[k].Moves == 0 || s == Expert {
				continue
			}
			at := slices.IndexFunc(out, func(e SettingErrors) bool { return e.Setting == s && e.Length == t.Cell.Length })
			if at < 0 {
				at = len(out)
				out = append(out, SettingErrors{Setting: s, Length: t.Cell.Length})
			}
			out[at].Errors.Add(&t.Errors[k])
		}
	}
	slices.SortFunc(out, func(a, b SettingErrors) int {
		return cmp.Or(cmp.Compare(a.Length, b.Length), compareSettings(a.Setting, b.Setting))
	})
	return out
}

// Merge takes all blocks of other in. It changes nothing when it fails. The
// error wraps ErrOtherVersion or ErrDuplicate.
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

// same tells by an error what makes results of two headers impossible to merge.
func (h *Header) same(o *Header) error {
	switch {
	case h.Signature != o.Signature || h.Nets != o.Nets:
		return fmt.Errorf("%w: engine %s with nets %s, here %s with %s", ErrOtherVersion, o.Signature, o.Nets, h.Signature, h.Nets)
	case h.Seed != o.Seed || h.BlockSize != o.BlockSize:
		return fmt.Errorf("%w: seed %d and blocks of %d, here %d and %d", ErrOtherVersion, o.Seed, o.BlockSize, h.Seed, h.BlockSize)
	}
	return nil
}

// Same checks that s was made as h says. The error wraps ErrOtherVersion.
func (s *Store) Same(h Header) error { return h.same(&s.Header) }

// maxLine bounds a line of a results file.
const maxLine = 1 << 16

// ReadStore reads a results file: a header line and one line a block. A last
// line without its end, as a crash leaves it, is dropped and its length in bytes
// returned. The error wraps ErrResults, ErrOtherVersion or ErrDuplicate and
// names the line.
func ReadStore(r io.Reader) (s *Store, torn int, err error) {
	in := bufio.NewReaderSize(r, maxLine)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			if s == nil {
				return nil, 0, fmt.Errorf("%w: no header line", ErrResults)
			}
			return s, len(line), nil
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, 0, fmt.Errorf("line %d: %w: longer than %d bytes", n, ErrResults, maxLine)
		case err != nil:
			return nil, 0, fmt.Errorf("read results: %w", err)
		}
		if s == nil {
			var h Header
			if err := json.Unmarshal(line, &h); err != nil {
				return nil, 0, fmt.Errorf("line 1: %w: %w", ErrResults, err)
			}
			if err := h.validate(); err != nil {
				return nil, 0, fmt.Errorf("line 1: %w", err)
			}
			s = emptyStore(h)
			continue
		}
		var b Block
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&b); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w: %w", n, ErrResults, err)
		}
		if err := s.Add(b); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// Line returns what a results file holds for v, a Header or a Block.
func Line[T Header | Block](v T) ([]byte, error) {
	line, err := json.Marshal(v)
	return append(line, '\n'), err
}

// Write writes the whole store in a fixed order.
func (s *Store) Write(w io.Writer) error {
	line, err := Line(s.Header)
	if err == nil {
		_, err = w.Write(line)
	}
	for _, b := range s.Blocks() {
		if err != nil {
			break
		}
		if line, err = Line(b); err == nil {
			_, err = w.Write(line)
		}
	}
	if err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}
