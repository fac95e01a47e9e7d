package search

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// maxSpots bounds the states of the cube valued at one depth: the search asks
// for two at the top, and each ply adds at most the next double.
const maxSpots = 12

// link holds the sources of a spot's value one ply down: the child's spot when
// the opponent rolls on, the one when he doubles (-1 when he cannot), and what
// his opponent's pass is worth to him.
type link struct {
	roll, double int8
	pass         float64
	// priced and spot give the value of the pass if the position determines it;
	// priced is nil under the usual rule.
	priced *cube.Ladder
	spot   cube.Spot
}

// layer is everything the nodes with the same number of plies left share.
type layer struct {
	ladder *cube.Ladder // of the player on roll there
	// other: that player is the one whom the plan's bearoffs call so.
	other bool
	spots []cube.Spot
	links []link // into the layer one ply down; nil at the bottom
	// weights is the cubeless utility by which that player chooses plays.
	weights [6]float32
	context uint64 // tells nodes of different plans apart in the cache
}

// plan is what a whole search shares, made once per decision. layers[d] serves
// nodes with d plies left; the player on roll alternates.
type plan struct {
	layers  [MaxPlies + 1]layer
	cubeful bool
	money   bool
	prune   bool
	noise   noise
	rolls   []weightedRoll
	known   cube.Known // exact bearoffs at the score
	// x is the cube efficiency everywhere, negative for that of each class.
	x float64
	// learned has the net of cube efficiencies value the leaves, of a decision about the cube at 0 or 1
	// plies. Deeper its cost would be felt, and the search sees what it knows.
	learned bool
}

type weightedRoll struct {
	dice   board.Dice
	weight float64 // all of a set add up to 1
}

// question is what a search values: positions with the player of mover on roll and the cube in each of
// spots. bearoffs are the exact ones at the score.
type question struct {
	mover, other *cube.Ladder
	spots        []cube.Spot
	settings     *Settings
	cubeful      bool
	money        bool
	bearoffs     bearoffs
}

// newPlan prepares a search of depth plies.
func (e *Engine) newPlan(q question, depth int) *plan {
	s := q.settings
	p := &plan{cubeful: q.cubeful, money: q.money, rolls: rollSet(s.Reduced), known: q.bearoffs.known, x: -1}
	p.prune = s.Prune && e.rules.Checkers == 0 // the small net knows games of 15 checkers
	if s.Efficiency != nil {
		p.x = *s.Efficiency
	}
	p.noise = noise{deviation: s.Noise}
	if s.Noise > 0 && !s.Deterministic {
		p.noise.seed = s.Seed
	}
	l, other, spots, known := q.mover, q.other, q.spots, q.bearoffs
	for d := depth; d >= 0; d-- {
		y := &p.layers[d]
		y.ladder, y.spots, y.other = l, spots, known.other
		y.weights = replyWeights(l, spots, q.cubeful)
		if d > 0 {
			spots = y.descend(other, q.cubeful)
		}
		l, other, known = other, l, known.swap()
	}
	context := mix(p.noise.seed, math.Float64bits(s.Noise), uint64(s.Reduced))
	context = mix(context, math.Float64bits(p.x), 4)
	if s.Prune {
		context = mix(context, 1, 0)
	}
	if q.cubeful {
		context = mix(context, 2, 0)
	}
	if l.Priced() {
		context = mix(context, 3, 0)
	}
	for d := 0; d <= depth; d++ {
		y := &p.layers[d]
		context = mix(context, uint64(d), 3)
		for i, spot := range y.spots {
			context = mix(context, uint64(spot.Rung)<<8|uint64(spot.Owner), uint64(i))
			for points := 1; points <= 3; points++ {
				context = mix(context, exactly(y.ladder.Result(spot, points)), exactly(y.ladder.Result(spot, -points)))
			}
			if y.ladder.MayDouble(spot) {
				context = mix(context, 5, exactly(y.ladder.Pass(spot)))
			}
		}
		y.context = context
	}
	return p
}

// exactly are the bits of v, those of 0 for -0.
func exactly(v float64) uint64 {
	if v == 0 {
		return 0
	}
	return math.Float64bits(v)
}

// learn has the net of cube efficiencies value the leaves. Their values are not those of other
// searches, so they have places of their own in the cache.
func (p *plan) learn() {
	p.learned = true
	for d := range p.layers {
		p.layers[d].context = mix(p.layers[d].context, 6, 0)
	}
}

// replyWeights are the cubeless values by which the player of l chooses plays
// inside the tree: those of the first spot. Where the Jacoby rule denies gammons
// until a player doubles they still count half, since most games are doubled.
func replyWeights(l *cube.Ladder, spots []cube.Spot, cubeful bool) (out [6]float32) {
	w := l.Weights(spots[0])
	if full := l.Weights(cube.Spot{Owner: match.Mine}); cubeful && spots[0].Owner == match.Centred && spots[0].Rung == 0 {
		for i := range w {
			w[i] = (w[i] + full[i]) / 2
		}
	}
	for i, v := range w {
		out[i] = float32(v)
	}
	return out
}

// descend collects the spots that the opponent's node below needs and links to
// them.
func (y *layer) descend(opponent *cube.Ladder, cubeful bool) []cube.Spot {
	var below []cube.Spot
	index := func(s cube.Spot) int8 {
		for i, have := range below {
			if have == s {
				return int8(i)
			}
		}
		below = append(below, s)
		return int8(len(below) - 1)
	}
	y.links = make([]link, len(y.spots))
	for i, s := range y.spots {
		s = s.Swap()
		y.links[i] = link{roll: index(s), double: -1}
	}
	if !cubeful {
		return below
	}
	for i, s := range y.spots {
		s = s.Swap()
		if opponent.MayDouble(s) && len(below) < maxSpots {
			y.links[i].double = index(cube.Spot{Rung: s.Rung + 1, Owner: match.Theirs})
			y.links[i].passes(opponent, s)
		}
	}
	return below
}

// passes sets what the opponent's pass at spot is worth to the player of l.
func (k *link) passes(l *cube.Ladder, spot cube.Spot) {
	k.pass = l.Pass(spot)
	if l.Priced() {
		k.priced, k.spot = l, spot
	}
}

// best is the utility for the player on roll in p of its values below, he taking the
// better of rolling and doubling.
func (k *link) best(below []float32, p *board.Position) float64 {
	u := float64(below[k.roll])
	if k.double >= 0 {
		pass := k.pass
		if k.priced != nil {
			pass = k.priced.For(p).Pass(k.spot)
		}
		u = max(u, min(float64(below[k.double]), pass))
	}
	return u
}

// fewRolls are the 7 and 14 rolls of reduced searches, chosen so that pips,
// doubles and the share of sixes and ones come near those of all 21.
var fewRolls = map[int][]board.Dice{
	7: {{A: 2, B: 1}, {A: 3, B: 3}, {A: 4, B: 1}, {A: 5, B: 2}, {A: 6, B: 3}, {A: 5, B: 4}, {A: 6, B: 1}},
	14: {
		{A: 2, B: 1}, {A: 3, B: 1}, {A: 4, B: 1}, {A: 6, B: 1}, {A: 3, B: 2}, {A: 5, B: 2}, {A: 6, B: 2},
		{A: 4, B: 3}, {A: 5, B: 3}, {A: 6, B: 4}, {A: 6, B: 5}, {A: 2, B: 2}, {A: 4, B: 4}, {A: 5, B: 5},
	},
}

var allRolls = func() []weightedRoll {
	var out []weightedRoll
	for _, r := range board.Rolls {
		out = append(out, weightedRoll{r.Dice, float64(r.Weight) / 36})
	}
	return out
}()

var reducedRolls = func() map[int][]weightedRoll {
	out := map[int][]weightedRoll{}
	for n, set := range fewRolls {
		sum := 0.0
		for _, d := range set {
			w := 2.0
			if d.Double() {
				w = 1
			}
			sum += w
			out[n] = append(out[n], weightedRoll{d, w})
		}
		for i := range out[n] {
			out[n][i].weight /= sum
		}
	}
	return out
}()

func rollSet(reduced int) []weightedRoll {
	if set, ok := reducedRolls[reduced]; ok {
		return set
	}
	return allRolls
}

// mix folds two numbers into a running hash (the finisher of splitmix64, public
// domain constants).
func mix(h, a, b uint64) uint64 {
	h ^= a*0x9e3779b97f4a7c15 + b*0xc2b2ae3d27d4eb4f + 0x165667b19e3779f9
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// hashPosition returns two independent hashes of p.
func hashPosition(p *board.Position) (a, b uint64) {
	a, b = 0x243f6a8885a308d3, 0x13198a2e03707344
	for _, side := range [2]*board.Checkers{&p.Me, &p.Opp} {
		var w [4]uint64
		for i, v := range side {
			// Four bits hold 0 to 15 checkers: sixteen points a word.
			w[i>>4] |= uint64(v&15) << (4 * (i & 15))
		}
		a, b = mix(a, w[0], w[1]), mix(b, w[1], w[0])
	}
	return a, b
}
