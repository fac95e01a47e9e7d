package ratings

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/shard"
)

// Measurement says what Measure plays.
type Measurement struct {
	Cells []Cell
	// Interval ends the measurement when every setting's 90 % interval is within so many rating
	// points on either side of the anchor.
	Interval float64
	// MaxPairs bounds the pairs of a cell; 0 means no bound.
	MaxPairs int
	// Crew plays the blocks, each a piece; nil is this process, a block for each processor. Results do
	// not depend on it.
	Crew shard.Crew
	// Keep is called with each block, in an order that depends on the store alone.
	Keep func(...Block) error
	// Progress, unless nil, is called after each round with the widest interval, in points on either
	// side.
	Progress func(blocks int, widest float64)
}

// ErrMeasurement means an impossible measurement.
var ErrMeasurement = errors.New("no such measurement")

// perRound is how many blocks are planned at a time. It must not depend on the number of jobs, or
// results would.
const perRound = 8

func (o *Measurement) validate() error {
	switch {
	case len(o.Cells) == 0:
		return fmt.Errorf("%w: nothing to play", ErrMeasurement)
	case !(o.Interval > 0):
		return fmt.Errorf("%w: an interval of %v points", ErrMeasurement, o.Interval)
	case o.MaxPairs < 0:
		return fmt.Errorf("%w: negative bound", ErrMeasurement)
	}
	for _, c := range o.Cells {
		if err := c.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// Measure plays blocks of the cells until the intervals are narrow enough, and adds them to the
// store, which it resumes. The error is that of ctx, of Keep, or wraps ErrMeasurement, or
// ErrOtherVersion if a preset of the cells played for the store with other settings.
func Measure(ctx context.Context, eng *engine.Engine, store *Store, o Measurement) error {
	if err := o.validate(); err != nil {
		return err
	}
	for _, c := range o.Cells {
		if err := store.redefined(c, c.Fingerprints()); err != nil {
			return err
		}
	}
	if o.Crew == nil {
		o.Crew = &shard.Local{New: func() (shard.Runner, error) { return &blockRunner{eng, store.Header}, nil }}
	}
	for {
		due, ahead, widest, err := nextBlocks(store, &o)
		if err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(store.Len(), widest)
		}
		if len(due) == 0 {
			return nil
		}
		if err := playBlocks(ctx, store, &o, due, ahead); err != nil {
			return err
		}
	}
}

type due struct {
	cell  Cell
	index int
}

// playBlock plays one block. In cells with a setting that looks ahead luck is subtracted: beside
// a search it costs next to nothing.
func playBlock(ctx context.Context, eng *engine.Engine, h Header, c Cell, index int) (Block, error) {
	deep := c.deep()
	out := Block{Cell: c, Index: index, Pairs: h.Pairs(c), Luck: deep, Presets: c.Fingerprints()}
	s, err := newSim(eng, c.A, c.B, c.Length, deep)
	if err != nil {
		return out, err
	}
	seed := streamSeed(h.Seed, c)
	for k := range out.Pairs {
		r, err := s.Pair(ctx, seed, uint64(index)*uint64(out.Pairs)+uint64(k))
		if err != nil {
			return out, err
		}
		out.Sum += r.Won
		out.Square += r.Won * r.Won
		if !deep {
			j := 0.5 + (r.Errors[1].Lost-r.Errors[0].Lost)/2
			out.Judged += j
			out.JudgedSquare += j * j
		}
		out.Games += r.Games
		for i := range out.Errors {
			out.Errors[i].Add(&r.Errors[i])
		}
	}
	return out, nil
}

// streamSeed gives every cell its own dice.
func streamSeed(seed uint64, c Cell) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(c.String()))
	return h.Sum64()
}

// nextBlocks chooses the blocks of a round. Each cell begins with two: without them there is no
// basis for planning. Then those cells get more in which a setting's interval is too wide, the
// widest first, one block each in turn. An empty list means that all intervals are narrow enough
// or all cells full. ahead are the blocks that would be next if these turn out as expected, as many
// as the crew can use.
func nextBlocks(store *Store, o *Measurement) (list, ahead []due, widest float64, err error) {
	most := perRound + o.Crew.Ahead()
	index, more := map[Cell]int{}, map[Cell]int{}
	pick := func(c Cell) bool {
		if len(list) == most || o.MaxPairs > 0 && (store.played(c)+more[c]+1)*store.Header.Pairs(c) > o.MaxPairs {
			return false
		}
		for store.Has(c, index[c]) {
			index[c]++
		}
		list = append(list, due{c, index[c]})
		index[c]++
		more[c]++
		return true
	}
	round := func() ([]due, []due) { n := min(perRound, len(list)); return list[:n], list[n:] }
	for _, c := range o.Cells {
		for store.played(c)+more[c] < 2 && pick(c) {
		}
	}
	totals := store.Totals()
	if len(list) > 0 || len(totals) == 0 {
		list, ahead = round()
		return list, ahead, math.Inf(1), nil
	}
	f, err := Fit(totals, DefaultAnchor)
	if err != nil {
		return nil, nil, 0, err
	}
	type wide struct {
		cell  Cell
		width float64
	}
	var cells []wide
	for _, c := range o.Cells {
		w := 0.0
		for _, s := range [2]tune.Setting{c.A, c.B} {
			_, se, _ := f.estimate(s, c.Length)
			w = max(w, se*tune.Z90)
		}
		if widest = max(widest, w); w > o.Interval {
			cells = append(cells, wide{c, w})
		}
	}
	slices.SortStableFunc(cells, func(a, b wide) int { return cmp.Compare(b.width, a.width) })
	for picked := true; picked; {
		picked = false
		for _, x := range cells {
			picked = pick(x.cell) || picked
		}
	}
	list, ahead = round()
	return list, ahead, widest, nil
}

// Signature is a checksum of the engine's play: the positions of a few short matches at 0 plies,
// with noise and with human-like errors, the model of human errors, and a few rankings at 2 plies.
// Results of engines with different signatures must not be mixed.
func Signature(ctx context.Context, eng *engine.Engine) (string, error) {
	return signature(ctx, eng, human.ModelVersion())
}

// signature is Signature with the version of the model of human errors: a few matches do not show
// every coefficient.
func signature(ctx context.Context, eng *engine.Engine, model string) (string, error) {
	h := fnv.New64a()
	fmt.Fprint(h, model)
	for _, x := range [...]tune.Setting{{Style: tune.Noise, Checker: 0.03, Cube: 0.03}, {Style: tune.Human, Checker: 0.05, Cube: 0.05}} {
		s, err := newSim(eng, tune.Expert, x, 5, false)
		if err != nil {
			return "", err
		}
		for _, player := range s.players {
			player.trace = func(p *board.Position) { k := p.Key(); h.Write(k[:]) }
		}
		for pair := range uint64(2) {
			r, err := s.Pair(ctx, 20240607, pair)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%v %d %.6f %.6f", r.Won, r.Games, r.Errors[1].MoveLoss, r.Errors[1].CubeLoss)
		}
	}
	if err := lookAhead(ctx, eng, h); err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// lookAhead writes worldclass's values of some plays and doubles.
func lookAhead(ctx context.Context, eng *engine.Engine, w io.Writer) error {
	deep, err := preset.ByName("worldclass")
	if err != nil {
		return err
	}
	st := match.State{Length: 3, Cube: 1}
	p := board.Start
	for _, d := range [...]board.Dice{{A: 3, B: 1}, {A: 6, B: 4}, {A: 5, B: 5}} {
		list, err := eng.Search().Plays(ctx, p, d, st, deep.Checker)
		if err != nil {
			return err
		}
		for _, c := range list {
			fmt.Fprintf(w, "%d %.6f", c.Plies, c.Equity)
		}
		if p = list[0].Play.Result.Swap(); d.Double() {
			break
		}
		cube, err := eng.Search().Cube(ctx, p, st, deep.Cube)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%.6f %.6f", cube.NoDouble, cube.DoubleTake)
	}
	return nil
}

// blockAsk is a piece of a measurement: one block.
type blockAsk struct {
	Cell  Cell `json:"cell"`
	Index int  `json:"index"`
	// Presets are the settings' fingerprints on the planning side.
	Presets Fingerprints `json:"presets,omitzero"`
}

// Spec describes the blocks of a store to another process, where FromSpec opens them.
func (s *Store) Spec() ([]byte, error) { return json.Marshal(s.Header) }

// FromSpec returns what makes runners of blocks. The error wraps ErrOtherVersion if eng plays
// differently from the one that the store belongs to.
func FromSpec(ctx context.Context, eng *engine.Engine, text []byte) (func() (shard.Runner, error), error) {
	var h Header
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if err := h.validate(); err != nil {
		return nil, err
	}
	sig, err := Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	if sig != h.Signature {
		return nil, fmt.Errorf("%w: the engine there plays as %s, this one as %s", ErrOtherVersion, h.Signature, sig)
	}
	return func() (shard.Runner, error) { return &blockRunner{eng, h}, nil }, nil
}

// blockRunner plays blocks.
type blockRunner struct {
	eng    *engine.Engine
	header Header
}

// Run implements shard.Runner.
func (r *blockRunner) Run(ctx context.Context, text []byte) ([]byte, error) {
	var a blockAsk
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResults, err)
	}
	if err := a.Cell.Validate(); err != nil {
		return nil, err
	}
	if now := a.Cell.Fingerprints(); a.Presets != now {
		return nil, fmt.Errorf("%w: presets %q there, %q here", ErrOtherVersion, a.Presets, now)
	}
	b, err := playBlock(ctx, r.eng, r.header, a.Cell, a.Index)
	if err != nil {
		return nil, err
	}
	return json.Marshal(b)
}

// piece is the block as a piece. Its key is the cell's seed of the dice, derived from the cell's
// name, and the index.
func (d due) piece(seed uint64) shard.Piece {
	text, err := json.Marshal(blockAsk{d.cell, d.index, d.cell.Fingerprints()})
	if err != nil {
		panic(err) // plain structures; Validate has seen the numbers
	}
	return shard.Piece{Key: fmt.Sprintf("%016x-%d", streamSeed(seed, d.cell), d.index), Ask: text}
}

// playBlocks has the blocks of list played and keeps them in order; ahead are those that the next
// rounds will most likely want.
func playBlocks(ctx context.Context, store *Store, o *Measurement, list, ahead []due) error {
	pieces := func(list []due) (out []shard.Piece) {
		for _, d := range list {
			out = append(out, d.piece(store.Header.Seed))
		}
		return out
	}
	return o.Crew.Do(ctx, pieces(list), pieces(ahead), func(k int, r shard.Result) error {
		var b Block
		if err := json.Unmarshal(r.Data, &b); err != nil {
			return fmt.Errorf("%w: block %d of %s: %w", ErrResults, list[k].index, list[k].cell, err)
		}
		if b.Cell != list[k].cell || b.Index != list[k].index {
			return fmt.Errorf("%w: block %d of %s came for block %d of %s", ErrResults, b.Index, b.Cell, list[k].index, list[k].cell)
		}
		if err := store.Add(b); err != nil {
			return err
		}
		if o.Keep != nil {
			return o.Keep(b)
		}
		return nil
	})
}
