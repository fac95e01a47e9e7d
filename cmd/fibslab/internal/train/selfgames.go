package train

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/internal/shard"
)

// maxGames is the most games of self-play in a piece.
const maxGames = 10_000

// errEnough ends a run that has all its positions.
var errEnough = errors.New("enough positions")

// selfSpec is all on which the games of a run depend besides the teacher.
type selfSpec struct {
	Plies    int               `json:"plies"`
	Weights  [numPlans]float64 `json:"weights"`
	Seed     uint64            `json:"seed"`
	Trace    float64           `json:"trace,omitempty"`
	Siblings int               `json:"siblings,omitempty"`
	Horizon  int               `json:"horizon,omitempty"`
}

// maxTurns ends games that began at a plan's board; natural games are played to their end.
const maxTurns = 24

func (sp *SelfPlay) spec() (s selfSpec, err error) {
	s = selfSpec{sp.Plies, sp.Weights, sp.Seed, sp.Trace, sp.Siblings, sp.Horizon}
	return s, s.validate()
}

func (s *selfSpec) validate() error {
	total := 0.0
	for _, w := range s.Weights {
		if !(w >= 0 && w <= 1e9) {
			return fmt.Errorf("self-play: a plan has the weight %v", w)
		}
		total += w
	}
	if total <= 0 {
		return errors.New("self-play: no plan has a weight above 0")
	}
	if s.Plies < 0 || s.Plies > 9 {
		return fmt.Errorf("self-play: %d plies", s.Plies)
	}
	if !(s.Trace >= 0 && s.Trace <= 1) {
		return fmt.Errorf("self-play: a trace of %v is not 0 to 1", s.Trace)
	}
	if (s.Siblings != 0) != (s.Trace > 0) || s.Siblings != 0 && (s.Siblings < 2 || s.Siblings > MaxSiblings) {
		return fmt.Errorf("self-play: a trace and siblings go together, siblings are 2 to %d", MaxSiblings)
	}
	if s.Horizon != 0 && (s.Siblings == 0 || s.Horizon < 2 || s.Horizon > MaxHorizon) {
		return fmt.Errorf("self-play: a horizon needs siblings and is 2 to %d", MaxHorizon)
	}
	return nil
}

// Spec describes the games to another process, where Gamer makes them again.
func (sp *SelfPlay) Spec() ([]byte, error) {
	s, err := sp.spec()
	if err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

// Gamer reads the result of Spec and returns what makes runners of games, each with its own
// teacher.
func Gamer(spec []byte) (func(Teacher) shard.Runner, error) {
	var s selfSpec
	if err := json.Unmarshal(spec, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPiece, err)
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	return s.runner, nil
}

// runner plays pieces of self-play. A result has, for each game, its number of decisions and the
// number of records that follow (4 bytes each); the groups of the records count from 1 in each game. The games of a decision's siblings are one.
func (s *selfSpec) runner(t Teacher) shard.Runner {
	return shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		r, err := shard.ParseRange(ask, maxGames)
		if err != nil {
			return nil, err
		}
		each := max(s.Siblings, 1)
		list := make([]game, (r.To-r.From)*each)
		for i := range list {
			list[i].begin(s, uint64(r.From+i/each), i%each)
		}
		if err := s.play(ctx, t, list); err != nil {
			return nil, err
		}
		var out []byte
		for games := range slices.Chunk(list, each) {
			group, records := uint32(0), 0
			for i := range games {
				group, records = max(group, games[i].group), records+len(games[i].kept)
			}
			out = binary.LittleEndian.AppendUint32(out, group)
			out = binary.LittleEndian.AppendUint32(out, uint32(records))
			for i := range games {
				for k := range games[i].kept {
					out = games[i].kept[k].Append(out)
				}
			}
		}
		return out, nil
	})
}

// game is one of the games in progress.
type game struct {
	rng   *rand.Rand
	pos   board.Position
	plan  Plan
	turn  int
	noise float64
	first float64 // noise of the first two turns
	noisy int     // with siblings the turn of the decision; what follows is best play
	over  bool
	plays []board.Play
	at    int // where its keys begin in the batch
	group uint32
	kept  []Record
	path  []step // with siblings: the game since the decision
	place int    // with siblings: which of them this game plays
	dice  uint64 // and the seed of its dice from there
}

// begin draws plan, board and noise of game number n, of which place is one of the siblings.
func (g *game) begin(s *selfSpec, n uint64, place int) {
	g.rng = rand.New(rand.NewPCG(s.Seed, 0x5e1f+n))
	g.plan = DrawPlan(&s.Weights, g.rng)
	g.pos = StartOf(g.plan, g.rng)
	g.noise = [...]float64{0, 0, 0, 0.02, 0.04, 0.08, 0.15, 0.3}[g.rng.IntN(8)]
	g.first = g.noise
	if g.plan == Natural && g.rng.IntN(2) == 0 {
		g.first = 0.3
	}
	if s.Siblings > 0 { // the decision is of any phase of the game, reached by plays nearly as good as the best
		latest := 45
		if s.Horizon > 0 {
			latest = 16
		}
		g.noisy, g.noise = 1+g.rng.IntN(latest), max(min(g.noise, 0.06), 0.025)
		g.place, g.dice = place, uint64(s.Siblings)*n+uint64(place)
	}
}

// play plays games to their ends, all at once.
func (s *selfSpec) play(ctx context.Context, t Teacher, games []game) error {
	var keys []board.Key
	var labels []Label
	for open := len(games); open > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		keys = keys[:0]
		for i := range games {
			g := &games[i]
			if g.over {
				continue
			}
			d := board.Dice{A: uint8(1 + g.rng.IntN(6)), B: uint8(1 + g.rng.IntN(6))}
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
		if err := t.Label(ctx, keys, s.Plies, labels); err != nil {
			return err
		}
		for i := range games {
			g := &games[i]
			if g.over {
				continue
			}
			if s.Siblings > 0 {
				g.walk(s, keys[g.at:], labels[g.at:])
				if g.over = g.over || g.settled() || g.turn > 1000 || g.beyond(s); g.over {
					if err := g.settle(ctx, s, t); err != nil {
						return err
					}
				}
			} else {
				g.next(keys[g.at:], labels[g.at:])
				g.over = g.pos.Result() != 0 || g.plan != Natural && g.turn >= maxTurns || g.turn > 400
			}
			if g.over {
				open--
			}
		}
	}
	return nil
}

// next makes a play and stores the positions to keep of the decision.
func (g *game) next(keys []board.Key, labels []Label) {
	g.turn++
	if len(g.plays) == 0 {
		g.pos = g.pos.Swap()
		return
	}
	best, bestV, chosen, chosenV := 0, float32(-9), 0, -9.0
	noise := g.noise
	if g.turn <= 2 {
		noise = g.first
	}
	for j := range g.plays {
		v := -labels[j].Probs().Money()
		if v > bestV {
			best, bestV = j, v
		}
		if x := float64(v) + noise*g.rng.NormFloat64(); x > chosenV {
			chosen, chosenV = j, x
		}
	}
	g.group++
	for j := range g.plays {
		loss := bestV + labels[j].Probs().Money()
		if j != best && j != chosen && g.rng.Float64() > share(loss) {
			continue
		}
		if g.plays[j].Result.Result() != 0 {
			continue
		}
		if !g.plays[j].Result.Contact() && !g.plan.races() && g.rng.IntN(4) != 0 {
			continue
		}
		g.kept = append(g.kept, Record{Key: keys[j], Label: labels[j], Group: g.group})
	}
	g.pos = g.plays[chosen].Result.Swap()
}

// step is a position of a path with its judgement then; a position after a dance has no
// judgement.
type step struct {
	key    board.Key
	value  eval.Probs
	judged bool
}

// walk makes a play and adds the position after it to the path. It drops the path before a
// noisy play: the games after a bad play say nothing about it.
func (g *game) walk(s *selfSpec, keys []board.Key, labels []Label) {
	g.turn++
	if len(g.plays) == 0 {
		g.pos = g.pos.Swap()
		g.path = append(g.path, step{key: g.pos.Key()})
		if g.turn == g.noisy {
			g.noisy++ // a later decision is traced
		}
		return
	}
	if g.turn == g.noisy {
		g.branch(s, keys, labels)
		return
	}
	noise := 0.0
	if g.turn < g.noisy {
		noise = g.noise
		g.path = g.path[:0]
	}
	chosen, chosenV := 0, math.Inf(-1)
	for j := range g.plays {
		x := -float64(labels[j].Probs().Money())
		if noise > 0 {
			x += noise * g.rng.NormFloat64()
		}
		if x > chosenV {
			chosen, chosenV = j, x
		}
	}
	g.pos = g.plays[chosen].Result.Swap()
	g.path = append(g.path, step{keys[chosen], labels[chosen].Probs(), true})
}

// settled reports whether the teacher judges the rest of the game well: it is over, a race, or, where the
// plan is a race, a bearoff.
func (g *game) settled() bool {
	if g.pos.Result() != 0 {
		return true
	}
	if g.pos.Contact() {
		return false
	}
	return !g.plan.races() || g.pos.Me.Rearmost() < 6 && g.pos.Opp.Rearmost() < 6
}

// beyond reports whether a game of siblings has come to its horizon, at a position with a judgement.
func (g *game) beyond(s *selfSpec) bool {
	n := len(g.path)
	return s.Horizon > 0 && g.turn > g.noisy && n > s.Horizon && g.path[n-1].judged
}

// settle labels the path from its end backwards: each position with the mean over
// its rolls one ply deeper, plus lambda times the difference between the game after the actual
// roll and the judgement there. The luck of the dice cancels, so a label errs by as much as
// the judgements of the positions on the way err against their own rolls, not by the result:
// TD(lambda) with the whole step known (Sutton and Barto, Reinforcement Learning, 2nd
// edition, 12.5 and 7.4: control variates). The end is a result, or a race, bearoff or horizon, which the
// teacher judges well; it teaches nothing itself, nor does a game without end.
func (g *game) settle(ctx context.Context, s *selfSpec, t Teacher) error {
	n := len(g.path)
	if n < 2 || !g.settled() && !g.beyond(s) || !g.path[n-1].judged {
		return nil
	}
	keys := make([]board.Key, n-1)
	for i := range keys {
		keys[i] = g.path[i].key
	}
	near, far := make([]Label, n-1), make([]Label, n-1)
	if err := t.Label(ctx, keys, s.Plies, near); err != nil {
		return err
	}
	if err := t.Label(ctx, keys, s.Plies+1, far); err != nil {
		return err
	}
	lambda := float32(s.Trace)
	var beyond eval.Probs // label of the next position less its judgement
	g.kept = make([]Record, n-1)
	for i := n - 2; i >= 0; i-- {
		// A shift of the next player's winning chance is the opposite shift of ours; that
		// player's gammons are our lost ones.
		shift := eval.Probs{-beyond[0], beyond[3], beyond[4], beyond[1], beyond[2]}
		label, here := far[i].Probs(), near[i].Probs()
		for j := range label {
			label[j] += lambda * shift[j]
			beyond[j] = label[j] - here[j]
		}
		g.kept[i] = Record{Key: g.path[i].key, Label: LabelOf(label)}
	}
	g.kept[0].Group = g.group
	if !g.settled() {
		g.kept = g.kept[:s.Horizon/2] // the labels of the others see too little of the game
	}
	return nil
}

// Run produces n positions and passes each to keep. It stops early
// with ctx's error when ctx ends.
func (sp *SelfPlay) Run(ctx context.Context, n int, keep func(Record) error) error {
	if _, err := sp.spec(); err != nil {
		return err
	}
	if n <= 0 {
		return nil
	}
	if sp.Seen == nil {
		sp.Seen = KeySet{}
	}
	size := sp.Size
	if size == 0 {
		// A game gives some hundred positions: a short run needs short pieces.
		size = min(cmp.Or(sp.Games, 1000), maxGames, max(1, n/1000))
	}
	got, reported := 0, 0
	take := func(r Record) error {
		if !sp.Seen.Add(r.Key) {
			return nil
		}
		if err := keep(r); err != nil {
			return err
		}
		if got++; got == n {
			return errEnough
		}
		return nil
	}
	parts := shard.Each{To: math.MaxInt32, Size: size}
	err := parts.Do(ctx, sp.Crew, func(r shard.Range, res shard.Result) error {
		if err := sp.games(res.Data, r.To-r.From, take); err != nil {
			return err
		}
		if sp.Progress != nil && got-reported >= 100000 {
			reported = got
			sp.Progress(got)
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// games passes the records of n games to take, with consecutive group numbers.
func (sp *SelfPlay) games(data []byte, n int, take func(Record) error) error {
	for range n {
		if len(data) < 8 {
			return fmt.Errorf("%w: a game of %d bytes", ErrPiece, len(data))
		}
		groups, count := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
		data = data[8:]
		if uint64(count)*RecordSize > uint64(len(data)) {
			return fmt.Errorf("%w: a game with %d positions", ErrPiece, count)
		}
		for range count {
			var r Record
			r.Parse(data[:RecordSize])
			data = data[RecordSize:]
			if r.Group != 0 {
				r.Group += sp.Group
			}
			if err := take(r); err != nil {
				return err
			}
		}
		sp.Group += groups
	}
	if len(data) > 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrPiece, len(data))
	}
	return nil
}

// MaxSiblings bounds the plays of a decision that are traced, MaxHorizon the plies after it.
const (
	MaxSiblings = 8
	MaxHorizon  = 200
)

// siblingLoss is what a traced sibling loses at most, in points. siblingNoise is the noise by which
// they are chosen: a judgement is not sure of their order.
const (
	siblingLoss  = 0.15
	siblingNoise = 0.03
)

// branch makes the play of g's place among the best ones of the decision. The game goes on with
// dice of its own. Without such a play, or with one alone, it is over.
func (g *game) branch(s *selfSpec, keys []board.Key, labels []Label) {
	type rated struct {
		at    int
		value float64
	}
	best := math.Inf(-1)
	for j := range g.plays {
		best = max(best, -float64(labels[j].Probs().Money()))
	}
	var list []rated
	for j := range g.plays {
		x := siblingNoise * g.rng.NormFloat64()
		if v := -float64(labels[j].Probs().Money()); v >= best-siblingLoss {
			list = append(list, rated{j, v + x})
		}
	}
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.value, a.value) })
	g.path = g.path[:0]
	if g.over = g.place >= len(list) || len(list) == 1; g.over {
		return
	}
	chosen := list[g.place].at
	g.rng = rand.New(rand.NewPCG(s.Seed, 0x51b1^g.dice))
	g.pos, g.group = g.plays[chosen].Result.Swap(), 1
	g.path = append(g.path, step{keys[chosen], labels[chosen].Probs(), true})
}
