package search

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn/kernel"
)

// The shape of the small net: inputs, hidden units, and how many of those look
// at the position before the play too.
const (
	SmallInputs  = 2 * 25 * smallCounts
	SmallHidden  = 128
	SmallContext = 64
)

// smallCounts is how many checkers on a point the small net tells apart.
const smallCounts = 8

// Small is a net that only has to say which few plays of a roll could be the
// best. Its inputs are nothing but the checkers on each point after the play,
// each a row of weights, so that the plays of a roll differ in a handful of rows
// from the position before. One hidden layer of rectified units; three linear
// outputs: the chances to win, to win a gammon and to lose one, each up to a
// constant that is the same for all plays of the roll.
//
// What a unit is worth depends on the position before the play: Gate says how.
// That is computed once a roll and so costs next to nothing, and it halves what
// is lost by trusting the net. It is made by engine/search/prunefit.
type Small struct {
	// Rows holds the first layer, SmallHidden floats for each side (mover,
	// opponent), point and number of checkers there, seven counting for more.
	Rows [SmallInputs * SmallHidden]float32
	Bias [SmallHidden]float32
	// Gate holds for each of the first SmallContext units, as it stands before
	// the play, what it adds to the factor on each unit's voice in the outputs;
	// the factor is 1 otherwise.
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
	var touched uint32
	for _, s := range play.Steps[:play.N] {
		touched |= 1 << uint(s.From)
		if s.To >= 0 {
			touched |= 1 << uint(s.To)
		}
	}
	hit := p.Opp[board.Bar] != play.Result.Opp[board.Bar]
	if hit {
		dst = appendChange(dst, 1, board.Bar, p.Opp[board.Bar], play.Result.Opp[board.Bar])
	}
	for ; touched != 0; touched &= touched - 1 {
		i := bits.TrailingZeros32(touched)
		dst = appendChange(dst, 0, i, p.Me[i], play.Result.Me[i])
		if hit && i < board.Bar {
			dst = appendChange(dst, 1, 23-i, p.Opp[23-i], play.Result.Opp[23-i])
		}
	}
	return dst
}

func appendChange(dst []kernel.Row, side, point int, from, to uint8) []kernel.Row {
	a, b := smallRow(side, point, from), smallRow(side, point, to)
	if a == b {
		return dst
	}
	return append(dst, kernel.Row{Offset: a, Scale: -1}, kernel.Row{Offset: b, Scale: 1})
}

// Narrowing says how many of a roll's plays go on to the full net: those within
// Margin of the best, where a single game is worth 1 in money, but no fewer than two
// and at most Most, which is at most pruneMost.
type Narrowing struct {
	Most   int
	Margin float32
}

// Replies is the narrowing inside the tree of a search.
var Replies = Narrowing{Most: pruneMost, Margin: pruneMargin}

const (
	pruneLeast  = 2
	pruneMost   = 8
	pruneMargin = 0.08
)

type scored struct {
	index int
	u     float32
}

// Ranker applies a small net. It has working memory of its own: one for each
// goroutine.
type Ranker struct {
	net *Small
	// Of the present position: the first layer's sums before any play, and the
	// output row, with the utility's weights and the gates in it. They hold for
	// all rolls of the position, which is what searches and rollouts ask about.
	base, out [SmallHidden]float32
	before    board.Position // empty at first, which nobody asks about
	// merged is the output row for weights before the gates.
	weights [6]float32
	merged  [SmallHidden]float32
	rows    [max(MaxSmallRows, SmallContext)]kernel.Row
	order   [pruneMost]scored
}

// NewRanker returns a ranker that uses n, which must not change meanwhile.
func NewRanker(n *Small) *Ranker { return &Ranker{net: n} }

var ones = func() (x [SmallHidden]float32) {
	for k := range x {
		x[k] = 1
	}
	return x
}()

// begin prepares for the plays of p under a utility's weights. It has nothing to do
// where the last call said the same.
func (r *Ranker) begin(p *board.Position, weights *[6]float32) {
	if *p == r.before && *weights == r.weights {
		return
	}
	r.before = *p
	n := r.net
	if *weights != r.weights {
		r.weights = *weights
		for k := range r.merged {
			r.merged[k] = weights[eval.Win]*n.Out[0][k] + weights[eval.WinGammon]*n.Out[1][k] + weights[eval.LoseGammon]*n.Out[2][k]
		}
	}
	kernel.Accumulate(r.base[:], n.Bias[:], n.Rows[:], AppendSmallRows(r.rows[:0], p))
	for j := range SmallContext {
		r.rows[j] = kernel.Row{Offset: uint32(j * SmallHidden), Scale: max(r.base[j], 0)}
	}
	kernel.Accumulate(r.out[:], ones[:], n.Gate[:], r.rows[:SmallContext])
	for k := range r.out {
		r.out[k] *= r.merged[k]
	}
}

// score is the utility after play of the position given to begin, up to a
// constant that is the same for all its plays.
func (r *Ranker) score(p *board.Position, play *board.Play) float32 {
	return kernel.Rectified(r.out[:], r.base[:], r.net.Rows[:], AppendSmallChanges(r.rows[:0], p, play))
}

// Shortlist moves the plays of p that the small net likes best to the front of
// plays, best first, and returns how many are worth the full net. weights are
// the utility's, in the order of eval.Probs, with a constant last.
func (r *Ranker) Shortlist(p *board.Position, plays []board.Play, weights *[6]float32, by Narrowing) int {
	most := min(by.Most, pruneMost)
	if len(plays) <= pruneLeast {
		return len(plays)
	}
	r.begin(p, weights)
	order := r.order[:0]
	for i := range plays {
		s := scored{i, r.score(p, &plays[i])}
		k := len(order)
		if k == most {
			if s.u <= order[k-1].u {
				continue
			}
			k--
		} else {
			order = append(order, s)
		}
		for k > 0 && order[k-1].u < s.u {
			order[k] = order[k-1]
			k--
		}
		order[k] = s
	}
	// The margin is in units of what winning instead of losing is worth.
	margin := weights[eval.Win] / 2 * by.Margin
	keep := 1
	for keep < len(order) && (keep < pruneLeast || order[0].u-order[keep].u <= margin) {
		keep++
	}
	order = order[:keep]
	// Carry the chosen ones to the front; a later choice may sit where an
	// earlier one has to go, so follow it when it is swapped away.
	for to := range order {
		from := order[to].index
		plays[to], plays[from] = plays[from], plays[to]
		for k := to + 1; k < len(order); k++ {
			if order[k].index == to {
				order[k].index = from
			}
		}
	}
	return keep
}
