package ratings

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"fibsbot/engine/tune"
)

// Header is the first line of a results file: all on which the results depend.
type Header struct {
	Version   int    `json:"fibsbot_tune"`
	Signature string `json:"signature"` // of the engine's play, see Signature
	Nets      string `json:"nets"`
	Seed      uint64 `json:"seed"`
	BlockSize int    `json:"block"` // pairs in a block, see Pairs
}

// deepShare is by how much blocks with a setting that looks ahead are smaller: a pair takes
// hundreds of times as long and, without luck, says as much as many.
const deepShare = 20

// Pairs is how many pairs a block of cell c has.
func (h *Header) Pairs(c Cell) int {
	if c.deep() {
		return max(1, h.BlockSize/deepShare)
	}
	return h.BlockSize
}

// size is how many pairs block b has. A pair by differences can take a quarter of an hour and
// is a block of its own.
func (h *Header) size(b *Block) int {
	if b.Differences.used() {
		return 1
	}
	return h.Pairs(b.Cell)
}

// Block is the result of some pairs (Header.Pairs, one by differences): those from Index times
// that number. It depends on the header, the cell and the index alone, or on the duel that
// Differences names instead of the header's seed.
type Block struct {
	Cell        Cell        `json:"cell"`
	Index       int         `json:"index"`
	Luck        bool        `json:"luck,omitempty"`       // luck was subtracted
	Differences Differences `json:"differences,omitzero"` // zero for results as played
	// Presets identifies the settings with which the presets that look ahead played.
	Presets Fingerprints `json:"presets,omitzero"`
	Pairs   int          `json:"pairs"`
	// Sum and Square are of the first setting's shares, or of 1/2 plus the value of its choices
	// above the other's.
	Sum    float64 `json:"sum"`
	Square float64 `json:"square"`
	// Judged and JudgedSquare are of the first setting's shares by what the decisions of both lose:
	// 1/2 plus half of what the other loses more in a match of each seat.
	Judged       float64   `json:"judged,omitempty"`
	JudgedSquare float64   `json:"judged_square,omitempty"`
	Games        int       `json:"games"`
	Errors       [2]Errors `json:"errors"`
}

// Cell is a pair of settings that meet in matches of a length.
type Cell struct {
	A      tune.Setting `json:"a"`
	B      tune.Setting `json:"b"`
	Length int          `json:"length"`
}

// String names the cell.
func (c Cell) String() string { return fmt.Sprintf("%s v %s, %d points", c.A, c.B, c.Length) }

// deep reports whether a setting of the cell looks ahead.
func (c Cell) deep() bool { return c.A.Deep != "" || c.B.Deep != "" }

func compareCells(a, b Cell) int {
	return cmp.Or(cmp.Compare(a.Length, b.Length), cmp.Compare(a.A.String(), b.A.String()), cmp.Compare(a.B.String(), b.B.String()))
}

// Validate checks that the cell can be measured. The error wraps ErrSetting or
// ErrMatch.
func (c Cell) Validate() error {
	if err := c.A.Validate(); err != nil {
		return err
	}
	if err := c.B.Validate(); err != nil {
		return err
	}
	switch {
	case c.Length < 1 || c.Length > tune.MaxLength:
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
		return fmt.Errorf("%w: the first line is not a header", ErrResults)
	case h.Version != formatVersion:
		return fmt.Errorf("%w: format %d, this program reads %d", ErrOtherVersion, h.Version, formatVersion)
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
	case b.Index < 0 || int64(b.Index) > 1<<40:
		return fmt.Errorf("%w: block %d", ErrResults, b.Index)
	case !(b.Square >= 0) || b.Sum*b.Sum > n*b.Square*(1+1e-9)+1e-9 || b.Square > 100*n:
		return fmt.Errorf("%w: sums %v and %v of %d pairs", ErrResults, b.Sum, b.Square, b.Pairs)
	case !b.Presets.valid(b.Cell):
		return fmt.Errorf("%w: fingerprints %.40q of %s", ErrResults, b.Presets, b.Cell)
	case !b.Differences.valid() || b.Luck && b.Differences.used():
		return fmt.Errorf("%w: differences by %d trials, luck taken off: %v", ErrResults, b.Differences.Trials, b.Luck)
	case !b.Luck && !b.Differences.used() && (b.Sum < 0 || b.Sum > n || b.Square > n):
		return fmt.Errorf("%w: %v of %d pairs won", ErrResults, b.Sum, b.Pairs)
	case !(b.JudgedSquare >= 0) || !(b.Judged*b.Judged <= n*b.JudgedSquare*(1+1e-9)+1e-9) || b.JudgedSquare > 1e4*n:
		return fmt.Errorf("%w: judged sums %v and %v of %d pairs", ErrResults, b.Judged, b.JudgedSquare, b.Pairs)
	case b.Games < 2*b.Pairs:
		return fmt.Errorf("%w: %d games", ErrResults, b.Games)
	}
	for i := range b.Errors {
		if !b.Errors[i].valid() {
			return fmt.Errorf("%w: errors %+v", ErrResults, b.Errors[i])
		}
	}
	return nil
}

// same returns an error if results of the two headers cannot be merged.
func (h *Header) same(o *Header) error {
	switch {
	case h.Signature != o.Signature || h.Nets != o.Nets:
		return fmt.Errorf("%w: engine %s with nets %s, here %s with %s", ErrOtherVersion, o.Signature, o.Nets, h.Signature, h.Nets)
	case h.Seed != o.Seed || h.BlockSize != o.BlockSize:
		return fmt.Errorf("%w: seed %d and blocks of %d, here %d and %d", ErrOtherVersion, o.Seed, o.BlockSize, h.Seed, h.BlockSize)
	}
	return nil
}

// Fingerprints identifies the settings of the presets of a cell's two settings when they played
// (preset.Preset.Fingerprint). It is empty for settings at 0 plies, whose names define them.
type Fingerprints [2]string

// Fingerprints returns those of the cell's presets in this program.
func (c Cell) Fingerprints() (f Fingerprints) {
	for i, s := range [2]tune.Setting{c.A, c.B} {
		if s.Deep != "" {
			// An unknown preset has no fingerprint, and no blocks either.
			f[i], _ = s.Whole().Fingerprint()
		}
	}
	return f
}

// valid reports whether f can belong to cell c.
func (f Fingerprints) valid(c Cell) bool {
	for i, s := range [2]tune.Setting{c.A, c.B} {
		if f[i] != "" && (s.Deep == "" || len(f[i]) != 16) {
			return false
		}
	}
	return true
}

// redefined refuses presets of cell c with other settings than in the blocks of the store: one
// rating cannot hold for both. The error wraps ErrOtherVersion.
func (s *Store) redefined(c Cell, f Fingerprints) error {
	for i, x := range [2]tune.Setting{c.A, c.B} {
		if have := s.presets[x.Deep]; f[i] != "" && have != "" && have != f[i] {
			return fmt.Errorf("%w: preset %s was redefined: its settings are %s in some results and %s in others", ErrOtherVersion, x.Deep, have, f[i])
		}
	}
	return nil
}

// note remembers the fingerprints of a block.
func (s *Store) note(c Cell, f Fingerprints) {
	for i, x := range [2]tune.Setting{c.A, c.B} {
		if f[i] != "" {
			s.presets[x.Deep] = f[i]
		}
	}
}

// Redefined lists the presets with other settings now than when they played. It lists none for
// results without fingerprints.
func (s *Store) Redefined() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.presets)) {
		if now, _ := (tune.Setting{Deep: name}).Fingerprint(); now != s.presets[name] {
			names = append(names, name)
		}
	}
	return names
}

// Errors counts the decisions of one side and their losses, in EMG, judged by the noiseless
// 0-ply evaluation. Forced plays do not count; of the cube decisions, doubles, answers to
// doubles and those within closeCube of a right double count.
type Errors struct {
	Moves     int     `json:"moves"`
	MoveLoss  float64 `json:"move_loss"`
	CubeCases int     `json:"cube_cases"`
	CubeLoss  float64 `json:"cube_loss"`
	// Lost is the winning chance of matches that all decisions lost.
	Lost float64 `json:"lost,omitempty"`
}

// closeCube is how much a double may lose, in EMG, for the decision not to double to count.
const closeCube = 0.16

// Add adds the counts of o.
func (e *Errors) Add(o *Errors) {
	e.Moves += o.Moves
	e.MoveLoss += o.MoveLoss
	e.CubeCases += o.CubeCases
	e.CubeLoss += o.CubeLoss
	e.Lost += o.Lost
}

// move counts a play that loses so much; chance is the winning chance of one EMG.
func (e *Errors) move(loss, chance float64) {
	e.Moves++
	e.Lost += loss * chance
	e.MoveLoss += loss
}

// cube counts a cube decision; acting would gain so much.
func (e *Errors) cube(gain, chance float64, yes, doubling bool) {
	if doubling && !yes && gain < -closeCube {
		return // not a close decision
	}
	e.CubeCases++
	if yes != (gain > 0) {
		e.CubeLoss += math.Abs(gain)
		e.Lost += math.Abs(gain) * chance
	}
}

func (e *Errors) valid() bool {
	for _, x := range [...]float64{float64(e.Moves), float64(e.CubeCases), e.MoveLoss, e.CubeLoss, e.Lost} {
		if !(x >= 0 && x < 1e12) {
			return false
		}
	}
	return true
}

// moments gathers mean and variance of n numbers from their sum and the sum of their squares.
type moments struct {
	n           int
	sum, square float64
}

func (m *moments) mean() float64 {
	if m.n == 0 {
		return 0
	}
	return m.sum / float64(m.n)
}

// variance is the estimated variance of one number; 0 for fewer than two.
func (m *moments) variance() float64 {
	if m.n < 2 {
		return 0
	}
	mean := m.mean()
	return max(0, (m.square-float64(m.n)*mean*mean)/float64(m.n-1))
}
